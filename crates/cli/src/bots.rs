//! `dicehill bots`: the house bots.

use std::io::Write;

use dicehill_bots::House;
use dicehill_rules::Game;
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;

use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::terminal_game::TerminalGame;
use crate::text::{STRONG, styled};

pub(crate) fn bots(console: &Console) -> Result<Outcome, Failure> {
    let mut out = console.out();
    list::<Yahtzee>(&mut out)?;
    writeln!(out)?;
    list::<LiarsDice>(&mut out)?;
    Ok(Outcome::Done)
}

fn list<G: TerminalGame>(out: &mut impl Write) -> Result<(), Failure> {
    writeln!(out, "{} ({})", styled(STRONG, G::TITLE), <G as Game>::NAME)?;
    let bots = G::house_bots();
    let width = bots.iter().map(|bot| bot.name().len()).max().unwrap_or(0);
    for bot in bots {
        let (name, about) = (House::name(&bot), bot.about());
        writeln!(out, "  {name:width$}  {about}")?;
    }
    Ok(())
}
