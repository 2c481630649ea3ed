//! `dicehill check --positions`: which old mistakes a bot still makes.

use std::io::{self, Write};
use std::path::Path;

use dicehill_arena::{Entrant, Start};
use dicehill_coach::AnalyzedGame;
use dicehill_rules::{Chance, Seat};
use dicehill_store::FileError;

use crate::args::CheckArgs;
use crate::bots::{BotLoader, default_terms};
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::games::TerminalGame;
use crate::recorded::SavedPosition;
use crate::text::{BAD, FAINT, GOOD, STRONG, counted, printable, styled, with_commas};
use crate::threads::threads;

/// The most mistakes that are listed.
const MAX_LISTED: usize = 10;
/// Loss from which an action is a mistake.
const LEAST_LOSS: f64 = 0.005;

/// What a bot does in the position of an old mistake.
struct Retried<'a> {
    position: &'a SavedPosition,
    /// Its action in the notation of logs, or why there is none.
    does: String,
    /// The same as people write it.
    written: String,
    /// What the action loses; `None` if it is not legal.
    loss: Option<f64>,
}

impl Retried<'_> {
    fn is_gone(&self) -> bool {
        self.loss.is_some_and(|loss| loss < LEAST_LOSS)
    }
}

/// Asks the bots in the positions of a file, and reports which mistakes are gone.
pub(super) fn ask_again<G: AnalyzedGame + TerminalGame>(
    path: &Path,
    bots: &[String],
    args: &CheckArgs,
    console: &Console,
) -> Result<Outcome, Failure> {
    let positions = SavedPosition::read_all::<G>(path)?;
    let rules = rules_of::<G>(path, &positions)?;
    let loader = BotLoader::new(args.logs.folder(), args.isolation, console)?;
    let entrants = loader.entrants::<G>(bots, default_terms::<G>(rules))?;
    let model = G::model(rules, threads());
    let mut out = console.out();
    let mut outcome = Outcome::Done;
    for entrant in &entrants {
        let retried = ask(entrant, &positions, &model)?;
        write(&mut out, entrant.name.as_str(), &retried, G::LOSS_NOTE)?;
        if !retried.iter().all(Retried::is_gone) {
            outcome = Outcome::Barred;
        }
    }
    Ok(outcome)
}

/// The rules of all positions.
fn rules_of<G: TerminalGame>(
    path: &Path,
    positions: &[SavedPosition],
) -> Result<G::Rules, FileError> {
    let rules = &positions[0].rules;
    if let Some(other) = positions.iter().find(|other| other.rules != *rules) {
        let message = format!("has positions with the rules {rules} and {}", other.rules);
        return Err(FileError::new(path, message));
    }
    Ok(G::rules_named(rules).unwrap_or_default())
}

/// Asks a bot in all positions, each in a game of its own.
fn ask<'a, G: AnalyzedGame + TerminalGame>(
    entrant: &Entrant<G>,
    positions: &'a [SavedPosition],
    model: &G::Model,
) -> Result<Vec<Retried<'a>>, Failure> {
    let mut bot = entrant.program.bot();
    let mut retried = Vec::new();
    for position in positions {
        let mut play =
            position.reach::<G>().map_err(|why| Failure::Failed(io::Error::other(why)))?;
        let chance = Chance::new(&position.seed);
        bot.start(&Start {
            game: position.number,
            id: chance.game_id(position.number, &position.bot),
            players: position.names.len(),
            seed: chance.bot_seed(position.number, &position.bot),
        });
        let Some((seat, view)) = play.turn() else { continue };
        let answer = bot.act(&view);
        let (does, written, loss) = match &answer {
            Ok(action) => {
                let loss = G::loss(model, play.game(), action).map(|(loss, _)| loss);
                (action.to_string(), G::written(play.game(), action), loss)
            }
            Err(fault) if fault.reason.is_arena_error() => {
                let why = format!("{}: {}", entrant.name, fault.detail);
                return Err(Failure::Failed(io::Error::other(why)));
            }
            Err(fault) => (fault.to_string(), fault.to_string(), None),
        };
        play.answer(answer);
        let failed = play.offences().first().map(|offence| offence.failure.to_string());
        bot.end(&play.finished(Seat::new(seat.index() as u16)));
        let loss = loss.filter(|_| failed.is_none());
        let written = failed.clone().unwrap_or(written);
        retried.push(Retried { position, does: failed.unwrap_or(does), written, loss });
    }
    Ok(retried)
}

/// Writes how many mistakes are gone, and those that are left, the costliest first.
fn write(
    out: &mut impl Write,
    name: &str,
    retried: &[Retried<'_>],
    loss_note: &str,
) -> io::Result<()> {
    let gone = retried.iter().filter(|one| one.is_gone()).count();
    let before: f64 = retried.iter().map(|one| one.position.loss).sum();
    let now: f64 = retried.iter().filter_map(|one| one.loss).sum();
    let style = if gone == retried.len() { GOOD } else { BAD };
    let verdict = styled(style, format!("{gone} of {}", counted(retried.len() as u64, "mistake")));
    let are = if gone == 1 { "is" } else { "are" };
    let name = styled(STRONG, name);
    writeln!(
        out,
        "{name}: {verdict} {are} gone; they lost {} together, and now {}",
        with_commas(before, 2),
        with_commas(now, 2)
    )?;
    let mut left: Vec<_> = retried.iter().filter(|one| !one.is_gone()).collect();
    let cost = |one: &Retried<'_>| one.loss.unwrap_or(f64::INFINITY);
    left.sort_by(|a, b| cost(b).total_cmp(&cost(a)));
    for Retried { position, does, written, loss } in left.iter().take(MAX_LISTED) {
        let SavedPosition { number, request, did, best, .. } = position;
        let move_number = position.actions.len() + 1;
        let place = format!("game {number}, move {move_number}");
        let loss = loss.map_or("not legal".to_owned(), |loss| format!("loses {loss:.2}"));
        let same = if does == did { "still " } else { "now " };
        writeln!(out, "  {place}: {same}{}, {loss}; best: {best}", printable(written))?;
        writeln!(out, "    {}", styled(FAINT, printable(&request.to_string())))?;
    }
    if left.len() > MAX_LISTED {
        writeln!(out, "  and {} more", left.len() - MAX_LISTED)?;
    }
    writeln!(out, "  {}", styled(FAINT, loss_note))
}
