//! `dicehill replay --rerun`: whether the bots play the game in the same way again.

use std::io::Write;

use dicehill_arena::{BotName, Hill, Memory};
use dicehill_rules::Chance;
use dicehill_store::{GameLine, RunHeader, RunSource};

use super::numbered_line::NumberedLine;
use crate::args::ReplayArgs;
use crate::bots::BotLoader;
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::games::TerminalGame;
use crate::recorded::{
    Difference, Divergence, RecordedGame, RunEntrants, divergences, recorded_hill,
};
use crate::text::{counted, printable};

/// Plays the game again and reports whether the moves are the same.
pub(super) fn play_again<G: TerminalGame>(
    source: &RunSource,
    line: NumberedLine<'_>,
    named: &[String],
    args: &ReplayArgs,
    console: &Console,
) -> Result<Outcome, Failure> {
    refuse_remote(source, line)?;
    let header = source.header();
    let terms = header.hill.bot_terms::<G>(&args.run)?;
    let loader = BotLoader::new(None, args.isolation, console)?.with_trust(args.trust);
    let loader = loader.with_environments_of(source)?;
    let found = RunEntrants::<G>::of(source, named, &loader, terms)?;
    let hill = recorded_hill(&args.run, header, terms, found.all(&args.run, header)?)?;
    refuse_changed(source, &hill)?;
    let chance = Chance::new(&header.seed);
    let recorded = RecordedGame::read(&hill, &chance, line.text)
        .map_err(|why| source.error(line.number, why))?;
    match hill.memory() {
        Memory::Game => compare(&hill, &recorded, console),
        Memory::Set => replay_run(source, &hill, recorded.fixture.game, console),
    }
}

/// Refuses a remote bot, whose author is connected to the server alone. Bots that remember the games of the run play all of them again.
fn refuse_remote(source: &RunSource, line: NumberedLine<'_>) -> Result<(), Failure> {
    let RunHeader { hill, bots, .. } = source.header();
    let seats = match hill.terms.memory {
        Memory::Game => {
            Some(GameLine::read(line.text).map_err(|why| source.error(line.number, why))?.seats)
        }
        Memory::Set => None,
    };
    let plays = |name: &BotName| {
        seats.as_ref().is_none_or(|seats| seats.iter().any(|seat| seat == name.as_str()))
    };
    let remote = bots.iter().find(|bot| bot.own_terms.remote && plays(&bot.name));
    let Some(remote) = remote else { return Ok(()) };
    let (game, name) = (if seats.is_some() { "game" } else { "run" }, &remote.name);
    let message = format!("{name} is a remote bot: a {game} with it cannot be played again");
    Err(source.error(line.number, message).into())
}

/// Refuses bots that have changed: a difference would say nothing.
fn refuse_changed<G: TerminalGame>(source: &RunSource, hill: &Hill<G>) -> Result<(), Failure> {
    for (entrant, then) in hill.entrants().iter().zip(&source.header().bots) {
        let name = &entrant.name;
        let then = &then.hash;
        let now = entrant.program.identity();
        if *then != now {
            let message = format!("the bot {name} has changed: its hash was {then} and is {now}");
            return Err(source.error(None, message).into());
        }
    }
    Ok(())
}

/// Compares a recorded game with the same game played again by new instances of the bots.
fn compare<G: TerminalGame>(
    hill: &Hill<G>,
    recorded: &RecordedGame<G>,
    console: &Console,
) -> Result<Outcome, Failure> {
    let game = recorded.fixture.game;
    let played = recorded.play(hill)?;
    let mut out = console.out();
    let Some(Difference { at, recorded: then, played: now }) = recorded.difference(hill, &played)
    else {
        let moves = recorded.moves.as_ref().map(|moves| counted(moves.len() as u64, "move"));
        let same = moves
            .map_or("its outcome is the same; its moves were not kept".to_owned(), |moves| {
                format!("all {moves} are the same")
            });
        writeln!(out, "game {game} replayed: {same}")?;
        return Ok(Outcome::Done);
    };
    let (then, now) = (printable(&then), printable(&now));
    match at {
        Some((bot, number)) => {
            let bot = hill.name_of(bot);
            writeln!(
                out,
                "game {game} replayed: move {number} differs: recorded is {then}, but {bot} plays {now}"
            )?;
        }
        None => writeln!(out, "game {game} replayed: recorded is {then}, but played {now}")?,
    }
    Ok(Outcome::Differs)
}

/// Replays the run up to the game to bots that remember it, and reports where they answer differently.
fn replay_run<G: TerminalGame>(
    source: &RunSource,
    hill: &Hill<G>,
    game: u64,
    console: &Console,
) -> Result<Outcome, Failure> {
    let games = counted(game, "game");
    console.report(format!("the bots serve the whole run: {games} are replayed"));
    let found = divergences(hill, source.bars(), source.games(), game)?;
    let mut out = console.out();
    for Divergence { bot, game, recorded, answered } in &found {
        let (recorded, answered) = (printable(recorded), printable(answered));
        writeln!(out, "game {game} replayed: recorded is {recorded}, but {bot} plays {answered}")?;
    }
    if found.is_empty() {
        writeln!(out, "{games} replayed: all moves are the same")?;
    }
    Ok(if found.is_empty() { Outcome::Done } else { Outcome::Differs })
}
