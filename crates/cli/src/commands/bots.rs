//! `dicehill bots`: the house bots.

use std::io::Write;

use dicehill_rules::{Game, GameName, with_game};

use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::games::TerminalGame;
use crate::text::{STRONG, styled};

pub(crate) fn bots(console: &Console) -> Result<Outcome, Failure> {
    let mut out = console.out();
    for (index, game) in GameName::ALL.into_iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        with_game!(game, G => list::<G>(&mut out)?);
    }
    Ok(Outcome::Done)
}

fn list<G: TerminalGame>(out: &mut impl Write) -> Result<(), Failure> {
    writeln!(out, "{} ({})", styled(STRONG, G::TITLE), <G as Game>::NAME)?;
    let bots = G::house_bots();
    let width = bots.iter().map(|bot| bot.name().len()).max().unwrap_or(0);
    for bot in bots {
        writeln!(out, "  {:width$}  {}", bot.name(), bot.about())?;
    }
    Ok(())
}
