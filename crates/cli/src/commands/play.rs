//! `dicehill play`: a person plays at the terminal.

mod session;
mod table;

use std::io::Write;

use dicehill_rules::{Chance, with_game};

use self::session::PlaySession;
use self::table::PlayersTable;
use crate::args::PlayArgs;
use crate::bots::{BotLoader, default_terms};
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::games::TerminalGame;
use crate::seed;
use crate::text::{FAINT, STRONG, YOU, printable, styled};

pub(crate) fn play(args: &PlayArgs, console: &Console) -> Result<Outcome, Failure> {
    with_game!(args.game, G => play_game::<G>(args, console))
}

fn play_game<G: TerminalGame>(args: &PlayArgs, console: &Console) -> Result<Outcome, Failure> {
    let rules = args.variant.rules::<G>()?;
    let usual = || G::USUAL_OPPONENTS.iter().map(|name| (*name).to_owned()).collect();
    let against = if args.against.is_empty() { usual() } else { args.against.clone() };
    let opponents = BotLoader::new(None, args.isolation, console)?
        .entrants::<G>(&against, default_terms::<G>(rules))?;
    if opponents.iter().any(|entrant| entrant.name.as_str() == YOU) {
        return Err(Failure::Usage(format!("--against: {YOU:?} is your own name at the table")));
    }
    let most = *G::SEATS.end() - 1;
    if opponents.len() > most {
        let message = format!(
            "--against: {} opponents, but there are only {most} seats for them",
            opponents.len()
        );
        return Err(Failure::Usage(message));
    }
    let seed = args.seed.clone().map_or_else(seed::draw, Ok)?;
    let chance = Chance::new(&seed);
    let table = PlayersTable::new(rules, &chance, &opponents)?;
    let mut session = PlaySession::new(&table, args.hints, console);
    let mut out = console.out();
    writeln!(
        out,
        "{}  {}",
        styled(STRONG, G::TITLE),
        styled(FAINT, format!("{rules} rules, seed {}", printable(&seed)))
    )?;
    writeln!(out, "{} at the table; type help for help", table.names().join(", "))?;
    session.play(&mut out)?;
    Ok(Outcome::Done)
}
