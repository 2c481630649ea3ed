//! `dicehill verify`: everything about a recorded run that can be recomputed is recomputed.
//!
//! Each step is told on a line of its own, and goes on where the one before has found something wrong, so that
//! all that was altered is named.

mod report;
mod reruns;

use std::path::Path;
use std::sync::Arc;

use dicehill_arena::{Entrant, Hill, Memory, PROGRAM, StandIn};
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_rules::{Chance, GameName};
use dicehill_store::{
    BrokenEnd, CheckedGames, FileError, HillTerms, LogBot, LogHeader, UncheckedRun,
};
use serde_json::Value;

use self::report::Report;
use crate::args::VerifyArgs;
use crate::bot_spec::Cast;
use crate::checks;
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::players::{Players, entrant_of, hill_of};
use crate::rerun::{Divergence, relive};
use crate::terminal_game::TerminalGame;
use crate::text::{self, counted};
use crate::tournament::jobs;

pub(crate) fn verify(args: &VerifyArgs, console: &Console) -> Result<Outcome, Failure> {
    let run = UncheckedRun::open(&args.run, BrokenEnd::Refuse)?;
    match run.header().hill.game {
        GameName::Yahtzee => Verification::<Yahtzee>::new(&run, args, console)?.carry_out(),
        GameName::LiarsDice => Verification::<LiarsDice>::new(&run, args, console)?.carry_out(),
    }
}

struct Verification<'a, G: TerminalGame> {
    run: &'a UncheckedRun,
    args: &'a VerifyArgs,
    header: &'a LogHeader,
    terms: HillTerms<G::Rules>,
    chance: Chance,
    jobs: usize,
    console: &'a Console,
    report: Report<'a>,
}

impl<'a, G: TerminalGame> Verification<'a, G> {
    fn new(
        run: &'a UncheckedRun,
        args: &'a VerifyArgs,
        console: &'a Console,
    ) -> Result<Self, Failure> {
        refuse_single_games(run, &args.run)?;
        let header = run.header();
        let terms = header.hill.terms::<G>(&args.run)?;
        let (chance, jobs) = (Chance::new(&header.seed), jobs(args.jobs));
        Ok(Self { run, args, header, terms, chance, jobs, console, report: Report::new(console) })
    }

    fn carry_out(mut self) -> Result<Outcome, Failure> {
        self.note_program()?;
        let check = checks::of_run::<G, _>(self.run)?.on_threads(self.jobs);
        let CheckedGames { count, only_records_differ } =
            check.carry_out(|step| self.report.step_of_run(&step))?;
        // Where only the hash over all records tells that something was altered, the bots tell which game.
        let wanted = if only_records_differ { count } else { self.args.sample };
        self.check_reruns(count, wanted)?;
        self.report.end(count)?;
        Ok(if self.report.is_clean() { Outcome::Done } else { Outcome::Differs })
    }

    fn note_program(&self) -> Result<(), Failure> {
        if !self.header.has_hash() {
            self.report.note("header", text::NO_HEADER_HASH)?;
        }
        if self.header.program == PROGRAM {
            return Ok(());
        }
        let then = &self.header.program;
        self.report.note("program", &format!("{then} played, and this is {PROGRAM}"))
    }

    /// A sample of the games that count, played again by the bots.
    fn check_reruns(&mut self, count: u64, wanted: u64) -> Result<(), Failure> {
        if wanted == 0 || count == 0 {
            return Ok(());
        }
        let cast = Cast::new(None, self.args.apart, self.console)?;
        let players = match self.players(&cast) {
            Ok(players) => players,
            Err(failure) => return self.report.skip("bots", &failure.to_string()),
        };
        let (entrants, strangers) = self.able(&players);
        for stranger in &strangers {
            self.report.skip("bots", stranger)?;
        }
        let hill = hill_of(&self.args.run, self.header, self.terms, entrants)?;
        match hill.memory() {
            Memory::Set if strangers.is_empty() => self.check_lives(&hill, count),
            Memory::Set => Ok(()),
            Memory::Game => self.check_sample(&hill, &players, count, wanted),
        }
    }

    fn players(&self, cast: &Cast) -> Result<Players<G>, Failure> {
        match self.run {
            UncheckedRun::Log { .. } => {
                Players::of_log(self.header, &self.args.bots, cast, self.terms)
            }
            UncheckedRun::Stored { store, run, .. } => {
                Players::of_hill(store, run, cast, self.terms)
            }
        }
    }

    /// Everybody, with stand-ins for those who are not what they were, and what is said of these.
    fn able(&self, players: &Players<G>) -> (Vec<Entrant<G>>, Vec<String>) {
        let (mut entrants, mut strangers) = (Vec::new(), Vec::new());
        for (known, bot) in players.known().iter().zip(&self.header.bots) {
            if let Some(known) = known.as_ref().filter(|known| is_what_it_was(known, bot)) {
                entrants.push(known.clone());
                continue;
            }
            strangers.push(match known {
                Some(_) => format!("{} is here, and not what it was", bot.name),
                None => format!(
                    "{} is not here: its hill file or the bot can be named behind the run",
                    bot.name
                ),
            });
            entrants.push(entrant_of(bot, Arc::new(StandIn(bot.hash.clone()))));
        }
        (entrants, strangers)
    }

    fn check_sample(
        &mut self,
        hill: &Hill<G>,
        players: &Players<G>,
        count: u64,
        wanted: u64,
    ) -> Result<(), Failure> {
        let able = |(known, bot): (&Option<Entrant<G>>, &LogBot)| {
            let known = known.as_ref().filter(|known| is_what_it_was(known, bot));
            known.map(|known| known.name.to_string())
        };
        let able: Vec<_> = players.known().iter().zip(&self.header.bots).filter_map(able).collect();
        let drawn = reruns::sample(self.records().unwrap_or_default(), count, wanted);
        let mut lines = Vec::new();
        let mut game = 0;
        self.run.each_line_of(self.run.bars().len(), |_, line| {
            game += 1;
            if drawn.binary_search(&game).is_ok() && sit_there(&line, &able) {
                lines.push(line);
            }
        })?;
        let found = reruns::play_again(hill, &self.chance, &lines, self.jobs)?;
        for note in found.fickle.values().chain(&found.notes) {
            self.report.note("bots", note)?;
        }
        if found.played == 0 {
            return Ok(());
        }
        let altered: Vec<_> = found.altered.into_iter().map(|(_, problem)| problem).collect();
        let games = counted(found.played, "game");
        let holds = match found.fickle.len() as u64 {
            0 => format!("{games} played again, all that can be compared is the same"),
            fickle => format!(
                "{games} played again, all is the same but what {} can do in two ways",
                counted(fickle, "bot")
            ),
        };
        self.report.step("bots", &holds, &altered)
    }

    /// The hash over all records, as the result has it.
    fn records(&self) -> Option<&str> {
        let (_, rest) = self.run.result()?.split_once("\"records\":\"")?;
        Some(rest.split_once('"')?.0)
    }

    /// Bots that live through the run are led through all of it.
    fn check_lives(&mut self, hill: &Hill<G>, count: u64) -> Result<(), Failure> {
        let stored = match self.run.stored_games() {
            Ok(stored) => stored,
            Err(error) => return self.report.skip("bots", &error.to_string()),
        };
        let games = self.run.recall(stored.as_ref());
        let bars = self.run.bars();
        let first = relive(hill, bars, games, count)?;
        let mut again = first.clone();
        if !first.is_empty() {
            again = relive(hill, bars, games, count)?;
        }
        let mut altered = Vec::new();
        for Divergence { bot, game, recorded, answered } in &first {
            let same = again.iter().find(|other| other.bot == *bot);
            if same.is_some_and(|other| other.game == *game && other.answered == *answered) {
                altered.push(format!(
                    "game {game}: recorded is {recorded}, and {bot} plays {answered} each time"
                ));
            } else {
                self.report.note("bots", &format!("{bot} is not deterministic: in game {game} it answered {answered}, and then otherwise"))?;
            }
        }
        let holds =
            format!("{} lived through again, all moves are the same", counted(count, "game"));
        self.report.step("bots", &holds, &altered)
    }
}

/// A log of a single game is no run: `replay` checks all that can be checked of it.
fn refuse_single_games(run: &UncheckedRun, path: &Path) -> Result<(), Failure> {
    let UncheckedRun::Log { games, .. } = run else { return Ok(()) };
    if games.is_single_game() {
        let message = "holds a single game and no result; `dicehill replay` checks it";
        return Err(FileError::new(path, message).into());
    }
    Ok(())
}

/// Whether it has the content that played.
fn is_what_it_was<G: TerminalGame>(known: &Entrant<G>, bot: &LogBot) -> bool {
    known.program.identity() == bot.hash
}

/// Whether all who sat there are among these.
fn sit_there(line: &str, able: &[String]) -> bool {
    let line: Value = serde_json::from_str(line).unwrap_or_default();
    let seats = line["seats"].as_array().map(Vec::as_slice).unwrap_or_default();
    seats.iter().all(|name| able.iter().any(|able| name == able))
}
