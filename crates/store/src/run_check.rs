//! Everything about a recorded run that can be recomputed without its bots is recomputed.
//!
//! The steps are those of `protocol/proof.md`. Each continues where the one before has found something wrong, so that all
//! that was altered is named. A [`RunCheck`] serves whatever has to trust a record: `verify` shows all of its steps, an import
//! and a resumed run are refused at its first problem.

mod attempt;
mod problem;
mod result;

use std::collections::{HashMap, HashSet};
use std::thread;

use dicehill_arena::{Bar, Commitment, EntrantId, Header, Hill, Recall, Schedule};
use dicehill_rules::{Chance, Game, Secret};
use serde_json::Value;

use self::attempt::{AttemptCheck, Stored};
pub use self::problem::Problem;
use crate::{FileError, LogHeader, RecordedRun, StoredGames};

/// What is said of a step that needs the result.
const NOT_ENDED: &str = "the run has not come to its end";

/// What one step has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedStep {
    /// Its name, as in `protocol/proof.md`.
    pub name: &'static str,
    /// What it has found.
    pub finding: Finding,
}

/// What a step has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// Nothing wrong.
    Holds(Holds),
    /// All that does not hold.
    Altered(Vec<Problem>),
    /// It cannot be checked, and why.
    Skipped(String),
}

/// What holds of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Holds {
    /// Everything beside the games is as it was sealed.
    Seal,
    /// The copies of all bots' files.
    Files,
    /// So many pages, each game's checksum with its times.
    Pages(u64),
    /// The seed follows from this commitment, the entrants and the public text.
    Commitment(String),
    /// The header, with so many entrants.
    Header(u64),
    /// So many games were replayed: order, tables, seats, dice, moves and scores.
    Replayed(u64),
    /// So many games, whose moves were not kept: order, tables and seats.
    WithoutMoves(u64),
    /// So many failures.
    Failures(u64),
    /// The result, with this hash over all records.
    Board(String),
}

/// What is known of a run once all steps are done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckedGames {
    /// How many games count.
    pub count: u64,
    /// Whether nothing is wrong with a single game, and the hash over all of their records is another: some record
    /// was altered, and only its bots can tell which.
    pub only_records_differ: bool,
}

/// A recorded run that is checked. `T` is what is known of the games of a hill's run.
pub struct RunCheck<'a, G: Game, T> {
    run: &'a RecordedRun<T>,
    /// The hill of the run, whose entrants do not play.
    hill: Hill<G>,
    chance: Chance,
    keeps_moves: bool,
    jobs: usize,
}

impl<'a, G: Game, T> RunCheck<'a, G, T> {
    /// A check of a run of `hill` on all cores: its header's, whose entrants do not play, with its game's appraiser where the
    /// run has one.
    #[must_use]
    pub fn new(run: &'a RecordedRun<T>, hill: Hill<G>) -> Self {
        let chance = Chance::new(&run.header().seed);
        let jobs = thread::available_parallelism().map_or(1, usize::from);
        Self { run, hill, chance, keeps_moves: run.keeps_moves(), jobs }
    }

    /// The same on so many threads.
    #[must_use]
    pub fn on_threads(self, jobs: usize) -> Self {
        Self { jobs, ..self }
    }

    /// The same of a log whose games may come without their moves, as an export of such a run has them. Neither scores nor
    /// the hash over the records can be recomputed then.
    #[must_use]
    pub(crate) fn without_moves(self) -> Self {
        Self { keeps_moves: false, ..self }
    }

    /// Carries out all steps, and gives each to `show`.
    ///
    /// # Errors
    /// If the run cannot be read any more, or what `show` says.
    pub fn carry_out<E: From<FileError>>(
        self,
        mut show: impl FnMut(CheckedStep) -> Result<(), E>,
    ) -> Result<CheckedGames, E> {
        let mut step = |name, finding: Option<Finding>| {
            finding.map_or(Ok(()), |finding| show(CheckedStep { name, finding }))
        };
        step("seal", Some(self.seal()?))?;
        step("files", self.files()?)?;
        step("pages", self.pages()?)?;
        let (check, commitment) = self.commitment();
        step("commitment", commitment)?;
        step("header", Some(check.header()))?;
        let (games, count, are_whole) = check.games()?;
        step("games", Some(games))?;
        step("failures", check.failures()?)?;
        let board = check.board(count, are_whole);
        let only_records_differ = are_whole && is_about_records(&board);
        step("board", Some(board))?;
        Ok(CheckedGames { count, only_records_differ })
    }

    /// Carries out all steps, and refuses the run at the first problem. Says how many games count.
    ///
    /// # Errors
    /// If anything of the run was altered, or it cannot be read any more.
    pub fn refuse_altered(self) -> Result<u64, FileError> {
        let run = self.run;
        let checked = self.carry_out(|step| match step.name {
            // It covers everything, so that it says the least: what else is wrong names its line.
            "seal" => Ok(()),
            _ => refuse(run, &step.finding),
        })?;
        run.check_seal()?;
        Ok(checked.count)
    }

    /// Refuses a log whose games were altered. Those of one that has ended are covered by its seal, and replayed only to say
    /// where a broken one was broken; those of one that has not are replayed. A log of a single game has no others to be
    /// checked with.
    ///
    /// # Errors
    /// If a game was altered, taken out or put in, or the run cannot be read any more.
    pub fn refuse_altered_games(&self) -> Result<(), FileError> {
        let RecordedRun::Log { games, .. } = self.run else { return Ok(()) };
        let sealed = games.check_seal();
        if sealed.is_err() || (games.result().is_none() && !games.is_single_game()) {
            let (finding, ..) = self.games()?;
            refuse(self.run, &finding)?;
        }
        sealed
    }

    /// Refuses a log that has ended if its result is not what its games, as they are recorded, come to. The games
    /// themselves are covered by the seal, and the result of a hill's run too.
    ///
    /// # Errors
    /// If the result was altered.
    pub fn refuse_altered_result(&self) -> Result<(), FileError> {
        let RecordedRun::Log { games, .. } = self.run else { return Ok(()) };
        refuse(self.run, &self.board(games.count(), true))
    }

    fn recorded_header(&self) -> &'a LogHeader {
        self.run.header()
    }

    /// What holds together everything that is no game.
    fn seal(&self) -> Result<Finding, FileError> {
        let problems = match self.run {
            RecordedRun::Log { games, .. } => match games.seal_problem() {
                None => return Ok(skipped(NOT_ENDED)),
                Some(Ok(())) => Vec::new(),
                Some(Err((line, problem))) => vec![Problem::at(line, problem)],
            },
            RecordedRun::Stored { store, run, .. } => match store.altered_parts(run.run)? {
                None => return Ok(skipped(NOT_ENDED)),
                Some(parts) => {
                    parts.into_iter().map(|part| Problem::new(part.to_string())).collect()
                }
            },
        };
        Ok(found(Holds::Seal, problems))
    }

    /// The copies of the bots' files.
    fn files(&self) -> Result<Option<Finding>, FileError> {
        let RecordedRun::Stored { store, run, .. } = self.run else { return Ok(None) };
        let problem = |version: &i64| store.files(*version).err();
        let problems = run.versions.iter().flatten().filter_map(problem);
        let problems = problems.map(|error| Problem::new(error.to_string())).collect();
        Ok(Some(found(Holds::Files, problems)))
    }

    /// Checksums of games and their times, and the hashes of the pages that hold them.
    fn pages(&self) -> Result<Option<Finding>, FileError> {
        let RecordedRun::Stored { store, run, .. } = self.run else { return Ok(None) };
        let (mut problems, mut pages) = (Vec::new(), 0u64);
        for attempt in 0..=run.bars.len() as i64 {
            let (mut next, mut previous) = (1, [0; 32]);
            store.each_page(run.run, attempt, |page| {
                pages += 1;
                let found = page.problems_behind(next, &previous);
                problems.extend(found.into_iter().map(Problem::new));
                (next, previous) = (page.last + 1, page.hash);
                Ok::<(), FileError>(())
            })?;
        }
        Ok(Some(found(Holds::Pages(pages), problems)))
    }

    /// Whether the seed follows from what was published before the run. If it does, the hill knows its commitment, which
    /// the result document has.
    fn commitment(self) -> (Self, Option<Finding>) {
        let Some(published) = self.recorded_header().commitment.as_ref() else {
            return (self, None);
        };
        let commitment = match self.revealed() {
            Ok(Some(commitment)) => commitment,
            Ok(None) => return (self, Some(skipped(NOT_ENDED))),
            Err(problem) => return (self, Some(Finding::Altered(vec![problem]))),
        };
        let problems = self.commitment_problems(published, &commitment);
        let is_of_seed = !problems.iter().any(|problem| problem.is_about("seed"));
        let hill = if is_of_seed { self.hill.committed(commitment) } else { self.hill };
        (Self { hill, ..self }, Some(found(Holds::Commitment(published.clone()), problems)))
    }

    fn commitment_problems(&self, published: &str, commitment: &Commitment) -> Vec<Problem> {
        let line = self.result_line();
        let promised = commitment.secret.commitment();
        let recorded = &self.recorded_header().seed;
        let hashes: Vec<_> =
            self.recorded_header().bots.iter().map(|bot| bot.hash.as_str()).collect();
        let text = commitment.public_text.as_deref().unwrap_or_default();
        let seed = commitment.secret.seed(hashes.into_iter(), text);
        let mut problems = Vec::new();
        if promised != published {
            problems.push(Problem::differs(line, "commitment", published, promised));
        }
        if seed != *recorded {
            problems.push(Problem::differs(line, "seed", recorded, seed));
        }
        problems
    }

    /// What the result reveals, or the hill knows as long as there is none.
    fn revealed(&self) -> Result<Option<Commitment>, Problem> {
        if let Some(result) = self.run.result() {
            return match revealed_by(result) {
                Some(commitment) => Ok(Some(commitment)),
                None => Err(Problem::at(
                    self.result_line(),
                    "result.secret: does not reveal a secret and a nonce",
                )),
            };
        }
        match self.run {
            RecordedRun::Log { .. } => Ok(None),
            RecordedRun::Stored { store, run, .. } => {
                store.commitment_of(run.run).map_err(|error| Problem::new(error.to_string()))
            }
        }
    }

    fn result_line(&self) -> Option<usize> {
        match self.run {
            RecordedRun::Log { games, .. } => games.result_line(),
            RecordedRun::Stored { .. } => None,
        }
    }

    /// The header as this program writes it.
    fn header(&self) -> Finding {
        let recorded = self.recorded_header();
        let now = Header {
            program: recorded.program.clone(),
            commitment: recorded.commitment.clone(),
            ..Header::new(&self.hill)
        };
        let difference = recorded.hash_problem().or_else(|| recorded.difference(&now));
        let other_bytes = || {
            (!recorded.is_line_of(&now)).then(|| "it has the right values, and other bytes".into())
        };
        let problems = difference.or_else(other_bytes);
        let line = matches!(self.run, RecordedRun::Log { .. }).then_some(1);
        let problems = problems.map(|text| Problem::at(line, text).within("header"));
        found(Holds::Header(recorded.bots.len() as u64), problems.into_iter().collect())
    }

    /// Every game of every attempt; how many count, and whether nothing is wrong with any.
    fn games(&self) -> Result<(Finding, u64, bool), FileError> {
        let bars = self.run.bars();
        let mut active: Vec<EntrantId> = self.hill.ids().collect();
        let (mut problems, mut replayed, mut count) = (Vec::new(), 0, 0);
        for attempt in 0..=bars.len() {
            let bar = bars.get(attempt).map(|bar| (self.bar_line(attempt), bar));
            let (games, found) = self.attempt(attempt, &active, bar)?;
            (count, replayed) = (games, replayed + games);
            problems.extend(found);
            if let Some((line, Bar { bot, .. })) = bar {
                let before = active.len();
                active.retain(|id| self.hill.name_of(*id) != bot);
                if active.len() == before {
                    problems
                        .push(Problem::at(line, format!("{bot:?} is barred, and does not play")));
                }
            }
        }
        let are_whole = problems.is_empty();
        let holds = if self.keeps_moves {
            Holds::Replayed(replayed)
        } else {
            Holds::WithoutMoves(replayed)
        };
        Ok((found(holds, problems), count, are_whole))
    }

    fn attempt(
        &self,
        attempt: usize,
        active: &[EntrantId],
        bar: Option<(Option<usize>, &Bar)>,
    ) -> Result<(u64, Vec<Problem>), FileError> {
        let schedule = Schedule::new(&self.hill, &self.chance, active.to_vec());
        let mut check =
            AttemptCheck::new(&self.hill, &self.chance, &schedule, self.keeps_moves, self.jobs);
        self.run.each_line_of(attempt, |number, line| check.take(Stored { number, line }))?;
        Ok(check.end(bar))
    }

    fn bar_line(&self, bar: usize) -> Option<usize> {
        match self.run {
            RecordedRun::Log { games, .. } => games.bar_line(bar),
            RecordedRun::Stored { .. } => None,
        }
    }

    /// What a hill knows of failures, beside their games.
    fn failures(&self) -> Result<Option<Finding>, FileError> {
        let RecordedRun::Stored { store, run, .. } = self.run else { return Ok(None) };
        let failures = store.failures(run.run)?;
        if failures.is_empty() {
            return Ok(None);
        }
        let wanted = failures.iter().map(|one| (one.attempt, one.game)).collect();
        let recorded = self.lines_of(&wanted)?;
        let mut problems = Vec::new();
        for failure in &failures {
            let line = recorded.get(&(failure.attempt, failure.game));
            let line =
                line.map_or(Value::Null, |line| serde_json::from_str(line).unwrap_or_default());
            let is_it =
                |one: &Value| one["reason"] == *failure.reason && one["detail"] == *failure.detail;
            if !line["failures"].as_array().is_some_and(|known| known.iter().any(is_it)) {
                let (game, bot) = (failure.game, &failure.bot);
                let text = format!("game {game} has no such failure of {bot}: {}", failure.reason);
                problems.push(Problem::new(text));
            }
        }
        Ok(Some(found(Holds::Failures(failures.len() as u64), problems)))
    }

    /// The lines of these games, each named by its attempt and number.
    fn lines_of(
        &self,
        wanted: &HashSet<(i64, u64)>,
    ) -> Result<HashMap<(i64, u64), String>, FileError> {
        let mut lines = HashMap::new();
        for attempt in 0..=self.run.bars().len() {
            let mut key = (attempt as i64, 0);
            self.run.each_line_of(attempt, |_, line| {
                key.1 += 1;
                if wanted.contains(&key) {
                    lines.insert(key, line);
                }
            })?;
        }
        Ok(lines)
    }

    /// The result recomputed, the hash over all records with it.
    fn board(&self, count: u64, are_whole: bool) -> Finding {
        let Some(recorded) = self.run.result() else { return skipped(NOT_ENDED) };
        if !are_whole {
            return skipped("cannot be recomputed from games that were altered");
        }
        let line = self.result_line();
        let problems = match self.recomputed(recorded, count) {
            Ok(recomputed) => result::differences(line, recorded, &recomputed),
            Err(problem) => vec![Problem::at(line, problem)],
        };
        found(Holds::Board(records_of(recorded)), problems)
    }

    fn recomputed(&self, recorded: &str, count: u64) -> Result<String, String> {
        let stored = self.run.stored_games().map_err(|error| error.to_string())?;
        let records = match self.run {
            RecordedRun::Log { .. } => None,
            RecordedRun::Stored { store, run, .. } => {
                run.records_hash(store.path()).map_err(|error| error.to_string())?
            }
        };
        let is_bare_log = !self.keeps_moves && matches!(self.run, RecordedRun::Log { .. });
        let games = result::Games {
            bars: self.run.bars(),
            games: self.run.recall(stored.as_ref()),
            count,
            records,
            // The hash is over lines with their moves, which this log does not have.
            known_records: is_bare_log.then(|| records_of(recorded)),
            program: &self.recorded_header().program,
        };
        result::recompute(&self.hill, games, self.jobs)
    }
}

impl<T> RecordedRun<T> {
    /// Refuses a run that is not what was written, by its hashes: nothing is replayed.
    ///
    /// # Errors
    /// If anything that they cover was altered.
    pub(crate) fn check_seal(&self) -> Result<(), FileError> {
        match self {
            Self::Log { games, .. } => games.check_seal(),
            Self::Stored { store, run, .. } => store.check_seal(run.run),
        }
    }

    /// Each game of an attempt as it is recorded, with the number of its line in a log: attempt 0 are those before the
    /// first bar.
    ///
    /// # Errors
    /// If it cannot be read any more.
    pub fn each_line_of(
        &self,
        attempt: usize,
        mut each: impl FnMut(Option<usize>, String),
    ) -> Result<(), FileError> {
        match self {
            Self::Log { games, .. } => games.attempt(attempt).try_for_each(|found| {
                let (number, line) = found?;
                each(Some(number), line);
                Ok(())
            }),
            Self::Stored { store, run, .. } => store.each_page(run.run, attempt as i64, |page| {
                page.lines().for_each(|line| each(None, line.to_owned()));
                Ok(())
            }),
        }
    }

    /// The games of a hill's run that count, whose pages are checked; `None` of a log.
    ///
    /// # Errors
    /// If a page was altered, or cannot be read.
    pub fn stored_games(&self) -> Result<Option<StoredGames>, FileError> {
        match self {
            Self::Log { .. } => Ok(None),
            Self::Stored { store, run, .. } => store.games(run).map(Some),
        }
    }

    /// The games that count, of which `stored` are those of a hill's run.
    #[must_use]
    pub fn recall<'a>(&'a self, stored: Option<&'a StoredGames>) -> &'a dyn Recall {
        match (self, stored) {
            (_, Some(stored)) => stored,
            (Self::Log { games, .. }, None) => &**games,
            (Self::Stored { .. }, None) => &dicehill_arena::Nothing,
        }
    }
}

fn found(holds: Holds, problems: Vec<Problem>) -> Finding {
    if problems.is_empty() { Finding::Holds(holds) } else { Finding::Altered(problems) }
}

/// The first problem as the error of a command that refuses the run.
fn refuse<T>(run: &RecordedRun<T>, finding: &Finding) -> Result<(), FileError> {
    match finding {
        Finding::Altered(problems) => problems
            .first()
            .map_or(Ok(()), |problem| Err(problem.in_file(run.path(), run.number()))),
        Finding::Holds(_) | Finding::Skipped(_) => Ok(()),
    }
}

fn skipped(why: &str) -> Finding {
    Finding::Skipped(why.to_owned())
}

fn is_about_records(board: &Finding) -> bool {
    match board {
        Finding::Altered(problems) => problems.iter().any(|one| one.is_about("result.records")),
        Finding::Holds(_) | Finding::Skipped(_) => false,
    }
}

/// The hash over all records, as a result has it.
fn records_of(result: &str) -> String {
    let result: Value = serde_json::from_str(result).unwrap_or_default();
    result["records"].as_str().unwrap_or_default().to_owned()
}

/// The commitment that a result reveals.
fn revealed_by(result: &str) -> Option<Commitment> {
    let result: Value = serde_json::from_str(result).unwrap_or_default();
    let text = |key: &str| result[key].as_str();
    let secret = Secret::from_hex(text("secret")?, text("nonce")?)?;
    Some(Commitment { secret, public_text: text("public_text").map(str::to_owned) })
}
