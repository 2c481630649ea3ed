//! `dicehill verify`: recomputes everything about a recorded run that can be recomputed.
//!
//! Each step is reported on a line of its own. Later steps run even if one finds a problem, so that all
//! alterations are named.

mod report;
mod reruns;

use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;

use dicehill_arena::{Entrant, Hill, InertBot, Memory, PROGRAM};
use dicehill_rules::{Chance, with_game};
use dicehill_store::{
    BotTerms, CheckedGames, FileError, GameLine, RecordedBot, RecordedRun, RunHeader, TruncatedTail,
};

use self::report::Report;
use crate::args::VerifyArgs;
use crate::bots::{BotLoader, StoredBots};
use crate::commands::bench::CheckedResult;
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::games::TerminalGame;
use crate::recorded::{Divergence, RunEntrants, checks, divergences, game_sample, recorded_hill};
use crate::text::{self, counted};

pub(crate) fn verify(args: &VerifyArgs, console: &Console) -> Result<Outcome, Failure> {
    if let Some(result) = CheckedResult::read(&args.run)? {
        return verify_result(&result, console);
    }
    let (run, torn) = match RecordedRun::open(&args.run, TruncatedTail::Refuse) {
        Ok(run) => (run, None),
        // The lines before a torn tail are checked all the same: `resume` refuses a log in which one was altered.
        Err(error) => match RecordedRun::open(&args.run, TruncatedTail::Discard) {
            Ok(run) => (run, Some(error)),
            Err(_) => return Err(error.into()),
        },
    };
    let outcome = with_game!(run.header().hill.game(), G => {
        Verification::<G>::new(&run, args, console)?.carry_out(torn.is_none())
    })?;
    match (torn, outcome) {
        (None, outcome) => Ok(outcome),
        // What was altered weighs more than a torn end, and a log with both is not to be resumed.
        (Some(error), Outcome::Differs) => {
            let line = error.line().unwrap_or_default();
            let path = args.run.display();
            console.report(format!("{path}:{line}: the log also breaks off or is damaged here"));
            Ok(Outcome::Differs)
        }
        (Some(error), _) => Err(error.into()),
    }
}

/// Checks the result of a benchmark by itself.
fn verify_result(result: &CheckedResult, console: &Console) -> Result<Outcome, Failure> {
    let mut report = Report::new(console);
    let mut step = |name, found: &Result<String, String>| match found {
        Ok(holds) => report.step(name, holds, &[]),
        Err(problem) => report.step(name, "", std::slice::from_ref(problem)),
    };
    step("hash", &result.hash)?;
    match &result.signer {
        Some(signer) => step("signature", signer)?,
        None => report.skip("signature", "there is none")?,
    }
    report.note("value", &format!("repeat it with {}", result.command))?;
    Ok(if report.is_clean() { Outcome::Done } else { Outcome::Differs })
}

/// A verification in progress.
struct Verification<'a, G: TerminalGame> {
    run: &'a RecordedRun,
    args: &'a VerifyArgs,
    header: &'a RunHeader,
    terms: BotTerms<G::Rules>,
    chance: Chance,
    jobs: usize,
    console: &'a Console,
    report: Report<'a>,
}

impl<'a, G: TerminalGame> Verification<'a, G> {
    fn new(
        run: &'a RecordedRun,
        args: &'a VerifyArgs,
        console: &'a Console,
    ) -> Result<Self, Failure> {
        refuse_single_games(run, &args.run)?;
        let header = run.header();
        let terms = header.hill.bot_terms::<G>(&args.run)?;
        Ok(Self {
            run,
            args,
            header,
            terms,
            chance: Chance::new(&header.seed),
            jobs: args.jobs.threads().get(),
            console,
            report: Report::new(console),
        })
    }

    /// Checks the run. Only a complete one can be called verified.
    fn carry_out(mut self, is_complete: bool) -> Result<Outcome, Failure> {
        self.refuse_untrusted_bots()?;
        self.note_program()?;
        self.find_missing_runs()?;
        let check = checks::check_of::<G>(self.run)?.with_threads(self.jobs);
        let CheckedGames { count, only_records_differ } =
            check.run(|step| self.report.step_of_run(&step))?;
        // If only the hash over all records shows an alteration, the bots show which game it is.
        let wanted = if only_records_differ { count } else { self.args.sample };
        self.check_reruns(count, wanted)?;
        if is_complete || !self.report.is_clean() {
            self.report.end(count)?;
        }
        Ok(if self.report.is_clean() { Outcome::Done } else { Outcome::Differs })
    }

    /// Refuses bots of a hill that need `--trust-hill` before the games are checked, which may take long.
    fn refuse_untrusted_bots(&self) -> Result<(), Failure> {
        let RecordedRun::Stored { store, run } = self.run else { return Ok(()) };
        if self.args.sample == 0 {
            return Ok(());
        }
        // A later step reports bots that cannot be read.
        let Ok(bots) = store.entrants_of(run) else { return Ok(()) };
        match StoredBots::unpack(store, bots, &self.loader()?) {
            Err(Failure::Usage(why)) => {
                Err(Failure::Usage(format!("{why}, or --sample 0 to start no bots")))
            }
            Ok(_) | Err(Failure::File(_) | Failure::Failed(_) | Failure::ClosedPipe) => Ok(()),
        }
    }

    /// Loads the bots that are to play again.
    fn loader(&self) -> Result<BotLoader, Failure> {
        let loader = BotLoader::new(None, self.args.isolation, self.console)?;
        let loader = loader.without_nondeterministic().with_trust(self.args.trust);
        loader.with_environments_of(self.run)
    }

    fn note_program(&self) -> Result<(), Failure> {
        if !self.header.has_hash() {
            self.report.note("header", text::NO_HEADER_HASH)?;
        }
        if self.header.program == PROGRAM {
            return Ok(());
        }
        let then = &self.header.program;
        self.report.note("program", &format!("{then} played, but this is {PROGRAM}"))
    }

    /// Runs that were removed from the hill.
    fn find_missing_runs(&mut self) -> Result<(), Failure> {
        let RecordedRun::Stored { store, .. } = self.run else { return Ok(()) };
        let problem = |range: &RangeInclusive<i64>| {
            let (first, last) = (range.start(), range.end());
            let runs = if first == last {
                format!("run {first} is")
            } else {
                format!("runs {first} to {last} are")
            };
            format!("{runs} missing, but the hill has later ones: no command removes a run")
        };
        let problems: Vec<_> = store.missing_runs()?.iter().map(problem).collect();
        if problems.is_empty() { Ok(()) } else { self.report.step("runs", "", &problems) }
    }

    /// A sample of the games that count, played again by the bots.
    fn check_reruns(&mut self, count: u64, wanted: u64) -> Result<(), Failure> {
        if wanted == 0 || count == 0 {
            return Ok(());
        }
        let loader = self.loader()?;
        let found = match RunEntrants::<G>::of(self.run, &self.args.bots, &loader, self.terms) {
            Ok(found) => found,
            // What the command line names must be there; what the record names may be gone.
            Err(failure) if !self.args.bots.is_empty() => return Err(failure),
            Err(failure) => return self.report.skip("bots", &failure.to_string()),
        };
        let (entrants, missing) = self.entrants(&found);
        for reason in &missing {
            self.report.skip("bots", reason)?;
        }
        let hill = recorded_hill(&self.args.run, self.header, self.terms, entrants)?;
        match hill.memory() {
            Memory::Set if missing.is_empty() => self.check_whole_run(&hill, count),
            Memory::Set => Ok(()),
            Memory::Game => self.check_sample(&hill, &found, count, wanted),
        }
    }

    /// All entrants, with inert bots for those that are missing or have changed, and the reasons for these.
    fn entrants(&self, found: &RunEntrants<G>) -> (Vec<Entrant<G>>, Vec<String>) {
        let mut entrants = Vec::new();
        let mut missing = Vec::new();
        for (known, bot) in found.found().iter().zip(&self.header.bots) {
            if let Some(known) = known.as_ref().filter(|known| is_unchanged(known, bot)) {
                entrants.push(known.clone());
                continue;
            }
            missing.push(match known {
                _ if !bot.own_terms.deterministic => {
                    format!("{} need not be deterministic: none of its games is replayed", bot.name)
                }
                Some(_) => format!("{} has changed since the run", bot.name),
                None if bot.is_callable() => {
                    format!("{} is a Python function: it cannot be played again", bot.name)
                }
                None if found.why_unprepared(&bot.name).is_some() => {
                    let why = found.why_unprepared(&bot.name).and_then(|why| why.lines().next());
                    format!("{} cannot be prepared: {}", bot.name, why.unwrap_or_default())
                }
                None => format!(
                    "{} was not found: name the bot or its hill file after the run",
                    bot.name
                ),
            });
            entrants.push(bot.entrant(Arc::new(InertBot(bot.hash.clone()))));
        }
        (entrants, missing)
    }

    fn check_sample(
        &mut self,
        hill: &Hill<G>,
        found: &RunEntrants<G>,
        count: u64,
        wanted: u64,
    ) -> Result<(), Failure> {
        let able = |(known, bot): (&Option<Entrant<G>>, &RecordedBot)| {
            let known = known.as_ref().filter(|known| is_unchanged(known, bot));
            known.map(|known| known.name.to_string())
        };
        let able: Vec<_> = found.found().iter().zip(&self.header.bots).filter_map(able).collect();
        let drawn = game_sample(count, wanted)?;
        let mut lines = Vec::new();
        let mut game = 0;
        self.run.each_line_of(self.run.bars().len(), |_, line| {
            game += 1;
            if drawn.binary_search(&game).is_ok() && can_be_played(&line, &able) {
                lines.push(line);
            }
        })?;
        let reruns = reruns::play_again(hill, &self.chance, &lines, self.jobs)?;
        for note in reruns.unstable.values().chain(&reruns.notes) {
            self.report.note("bots", note)?;
        }
        if reruns.played == 0 {
            return Ok(());
        }
        let altered: Vec<_> = reruns.altered.into_iter().map(|(_, problem)| problem).collect();
        let games = counted(reruns.played, "game");
        // Of a game whose moves were not kept, only the results can be compared.
        let has_moves =
            |line: &String| GameLine::read(line).map_or(true, |game| game.moves.is_some());
        let compared = if lines.iter().all(has_moves) { "moves" } else { "results" };
        let holds = match reruns.unstable.len() as u64 {
            0 => format!("{games} played again, with the same {compared}"),
            unstable => format!(
                "{games} played again, with the same {compared} except those of {}",
                counted(unstable, "nondeterministic bot")
            ),
        };
        self.report.step("bots", &holds, &altered)
    }

    /// Replays the whole run to bots that remember it.
    fn check_whole_run(&mut self, hill: &Hill<G>, count: u64) -> Result<(), Failure> {
        let stored = match self.run.stored_games() {
            Ok(stored) => stored,
            Err(error) => return self.report.skip("bots", &error.to_string()),
        };
        let games = self.run.game_source(stored.as_ref());
        let bars = self.run.bars();
        let first = divergences(hill, bars, games, count)?;
        let mut second = first.clone();
        if !first.is_empty() {
            second = divergences(hill, bars, games, count)?;
        }
        let mut altered = Vec::new();
        for Divergence { bot, game, recorded, answered } in &first {
            let repeated = second.iter().find(|other| other.bot == *bot);
            if repeated.is_some_and(|other| other.game == *game && other.answered == *answered) {
                altered.push(format!(
                    "game {game}: recorded is {recorded}, but {bot} plays {answered} each time"
                ));
            } else {
                self.report.note("bots", &format!("{bot} is not deterministic: in game {game} it answered {answered}, and then differently"))?;
            }
        }
        let holds = format!("{} played again, with the same moves", counted(count, "game"));
        self.report.step("bots", &holds, &altered)
    }
}

/// Refuses a log of a single game or of the games of one bot, which is no run: other commands check all that can be checked
/// of it.
fn refuse_single_games(run: &RecordedRun, path: &Path) -> Result<(), Failure> {
    let RecordedRun::Log { games, .. } = run else { return Ok(()) };
    if let Some(bot) = games.excerpt() {
        let message = format!(
            "has only the games of {bot} and no result; `dicehill replay` and `dicehill analyze` check them"
        );
        return Err(FileError::new(path, message).into());
    }
    if games.is_single_game() {
        let message = "has a single game and no result; `dicehill replay` checks it";
        return Err(FileError::new(path, message).into());
    }
    Ok(())
}

/// Whether the bot is the one that played, and gives the same answers again.
fn is_unchanged<G: TerminalGame>(known: &Entrant<G>, bot: &RecordedBot) -> bool {
    known.program.identity() == bot.hash && bot.own_terms.deterministic
}

/// Whether all players of the game are among the bots `able`. A line that cannot be read is left to the rerun.
fn can_be_played(line: &str, able: &[String]) -> bool {
    GameLine::read(line).map_or(true, |line| line.seats.iter().all(|name| able.contains(name)))
}
