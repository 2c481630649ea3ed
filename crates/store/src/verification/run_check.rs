//! The check of a recorded run, step by step.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use dicehill_arena::{
    Bar, Commitment, EntrantId, Header, Highlights, Hill, Schedule, TournamentGame,
};
use dicehill_rules::{Chance, Game};

use super::attempt::{AttemptCheck, BATCH, CheckedAttempt, RecordedLine};
use super::discrepancy::Discrepancy;
use super::finding::{CheckedGames, CheckedStep, Finding, VerifiedPart};
use super::game_check::{GameCheck, recorded_number};
use super::highlight_check::{compared, recorded_highlights};
use super::recomputed_result::{FinishedGames, differences, recompute};
use super::recorded_result::{records_of, revealed_by, statistics_of};
use super::stored_failures::surplus;
use crate::{FileError, RecordedRun, RunHeader, StoredFailure};

/// Why a step that needs the result is skipped.
const NOT_ENDED: &str = "the run is not finished";

/// A check of a recorded run.
pub struct RunCheck<'a, G: Game> {
    run: &'a RecordedRun,
    /// The hill of the run with entrants that cannot play.
    hill: Hill<G>,
    chance: Chance,
    /// Without moves scores and the hash over the records are not recomputed.
    keeps_moves: bool,
    jobs: usize,
    stop: Option<&'a AtomicBool>,
}

impl<'a, G: Game> RunCheck<'a, G> {
    /// A check of a run on all cores. `hill` is the hill of its header (see [`RunHeader::inert_hill`]), with the appraiser of
    /// its game if the run was appraised.
    #[must_use]
    pub fn new(run: &'a RecordedRun, hill: Hill<G>) -> Self
    where
        G: TournamentGame,
    {
        let has_highlights = matches!(recorded_highlights(run), Ok(Some(_)) | Err(_));
        let hill = if has_highlights { hill.with_highlights() } else { hill };
        let chance = Chance::new(&run.header().seed);
        let statistics = run.result_reader().map_or_else(Default::default, statistics_of);
        let hill = hill.with_statistics(statistics);
        let jobs = thread::available_parallelism().map_or(1, usize::from);
        Self { run, hill, chance, keeps_moves: run.keeps_moves(), jobs, stop: None }
    }

    /// Replays no further games once `stop` is set. What is found then says nothing.
    #[must_use]
    pub fn until(self, stop: &'a AtomicBool) -> Self {
        Self { stop: Some(stop), ..self }
    }

    /// Uses this number of threads.
    #[must_use]
    pub fn with_threads(self, jobs: usize) -> Self {
        Self { jobs, ..self }
    }

    /// Carries out all steps, and passes each to `show`.
    ///
    /// # Errors
    /// If the run cannot be read, and the errors of `show`.
    pub fn run<E: From<FileError>>(
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
        let stored = check.stored_failures()?;
        let ReplayedRun { finding, seeds, failures, count, highlights, are_whole } =
            check.games(stored.as_deref())?;
        step("games", Some(finding))?;
        step("seeds", check.seeds(&seeds)?)?;
        step("highlights", check.highlights(&highlights, count, are_whole)?)?;
        step("failures", failures)?;
        let board = check.board(count, are_whole)?;
        let only_records_differ =
            are_whole && board.problems().iter().any(|one| one.is_about("result.records"));
        step("board", Some(board))?;
        Ok(CheckedGames { count, only_records_differ })
    }

    /// Carries out all steps up to the first problem. Returns the number of games that count.
    ///
    /// # Errors
    /// If the run was altered or cannot be read.
    pub fn refuse_altered(self) -> Result<u64, FileError> {
        let run = self.run;
        let checked = self.run(|step| match step.name {
            // The seal covers everything, so that its error is the least precise and comes last.
            "seal" => Ok(()),
            _ => refuse(run, &step.finding),
        })?;
        run.check_seal()?;
        Ok(checked.count)
    }

    /// Refuses a log whose games were altered. The seal covers the games of a finished run, which are replayed only to find
    /// the altered line under a broken seal. The games of an unfinished run are replayed. A log of a single game has no
    /// others to be checked with.
    ///
    /// # Errors
    /// If a game was altered, removed or added, or the log cannot be read.
    pub fn refuse_altered_games(&self) -> Result<(), FileError> {
        let RecordedRun::Log { games, .. } = self.run else { return Ok(()) };
        if games.excerpt().is_some() {
            return refuse(self.run, &Finding::Altered(self.excerpt_problems()?));
        }
        let sealed = games.check_seal();
        if sealed.is_err() || (!games.has_result() && !games.is_single_game()) {
            refuse(self.run, &self.games(None)?.finding)?;
        }
        sealed
    }

    /// What is wrong with the games of a single bot: each is replayed by itself.
    fn excerpt_problems(&self) -> Result<Vec<Discrepancy>, FileError> {
        let check = self.game_check();
        let (mut waiting, mut problems) = (Vec::new(), Vec::new());
        let mut check_waiting = |waiting: &mut Vec<(Option<usize>, String)>| {
            let lines: Vec<_> = waiting.iter().map(|(_, line)| line.as_str()).collect();
            for ((number, line), replayed) in waiting.iter().zip(check.replay(&lines)) {
                let game = recorded_number(line).unwrap_or_default();
                let problem = replayed.err().map(|text| Discrepancy::at(*number, text));
                problems.extend(problem.map(|problem| problem.within(format_args!("game {game}"))));
            }
            waiting.clear();
        };
        self.run.each_line_of(0, |number, line| {
            waiting.push((number, line));
            if waiting.len() >= BATCH {
                check_waiting(&mut waiting);
            }
        })?;
        check_waiting(&mut waiting);
        Ok(problems)
    }

    /// Refuses a finished log whose result does not follow from its recorded games. The seal covers the games themselves, and
    /// in a store also the result.
    ///
    /// # Errors
    /// If the result was altered.
    pub fn refuse_altered_result(&self) -> Result<(), FileError> {
        let RecordedRun::Log { games, .. } = self.run else { return Ok(()) };
        refuse(self.run, &self.board(games.count(), true)?)
    }

    fn recorded_header(&self) -> &'a RunHeader {
        self.run.header()
    }

    /// The seal: over all lines of a log, and over everything but the games in a store.
    fn seal(&self) -> Result<Finding, FileError> {
        let problems = match self.run {
            RecordedRun::Log { games, .. } => match games.seal_problem() {
                None => return Ok(Finding::skipped(NOT_ENDED)),
                Some(Ok(())) => Vec::new(),
                Some(Err((line, problem))) => vec![Discrepancy::at(line, problem)],
            },
            RecordedRun::Stored { store, run, .. } => match store.altered_parts(run.run)? {
                None => return Ok(Finding::skipped(NOT_ENDED)),
                Some(parts) => {
                    parts.into_iter().map(|part| Discrepancy::new(part.to_string())).collect()
                }
            },
        };
        Ok(Finding::of(VerifiedPart::Seal, problems))
    }

    /// The files of the bots in a store.
    fn files(&self) -> Result<Option<Finding>, FileError> {
        let RecordedRun::Stored { store, run, .. } = self.run else { return Ok(None) };
        let mut problems = Vec::new();
        for version in run.versions.iter().flatten() {
            match store.files(*version) {
                Err(error) if error.is_arena_error() => return Err(error),
                Err(error) => problems.push(Discrepancy::new(error.to_string())),
                Ok(_) => {}
            }
        }
        Ok(Some(Finding::of(VerifiedPart::Files, problems)))
    }

    /// The pages of a store: the checksums of their games, and the chain of their hashes.
    fn pages(&self) -> Result<Option<Finding>, FileError> {
        let RecordedRun::Stored { store, run, .. } = self.run else { return Ok(None) };
        let (mut problems, mut pages) = (Vec::new(), 0u64);
        for attempt in 0..=run.bars.len() as i64 {
            let (mut next, mut previous) = (1, [0; 32]);
            store.each_page(run.run, attempt, |page| {
                pages += 1;
                let found = page.problems_after(next, &previous);
                problems.extend(found.into_iter().map(Discrepancy::new));
                (next, previous) = (page.last + 1, page.hash);
                Ok::<(), FileError>(())
            })?;
        }
        Ok(Some(Finding::of(VerifiedPart::Pages(pages), problems)))
    }

    /// The derivation of the seed from what was published before the run. If it is right, the hill gets the commitment, which
    /// is part of the result document.
    fn commitment(self) -> (Self, Option<Finding>) {
        let Some(published) = self.recorded_header().commitment.as_ref() else {
            return (self, None);
        };
        let commitment = match self.revealed() {
            Ok(Some(commitment)) => commitment,
            Ok(None) => return (self, Some(Finding::skipped(NOT_ENDED))),
            Err(problem) => return (self, Some(Finding::Altered(vec![problem]))),
        };
        let problems = self.commitment_problems(published, &commitment);
        let is_of_seed = !problems.iter().any(|problem| problem.is_about("seed"));
        let hill = if is_of_seed { self.hill.with_commitment(commitment) } else { self.hill };
        (
            Self { hill, ..self },
            Some(Finding::of(VerifiedPart::Commitment(published.clone()), problems)),
        )
    }

    fn commitment_problems(&self, published: &str, commitment: &Commitment) -> Vec<Discrepancy> {
        let line = self.run.result_line();
        let recomputed = commitment.secret.commitment();
        let recorded = &self.recorded_header().seed;
        let hashes: Vec<_> =
            self.recorded_header().bots.iter().map(|bot| bot.hash.as_str()).collect();
        let text = commitment.public_text.as_deref().unwrap_or_default();
        let seed = commitment.secret.seed(hashes.into_iter(), text);
        let mut problems = Vec::new();
        if recomputed != published {
            problems.push(Discrepancy::differs(line, "commitment", published, recomputed));
        }
        if seed != *recorded {
            problems.push(Discrepancy::differs(line, "seed", recorded, seed));
        }
        problems
    }

    /// The commitment that the result document reveals; of an unfinished run, the one in the store.
    fn revealed(&self) -> Result<Option<Commitment>, Discrepancy> {
        if let Some(result) = self.run.result_reader() {
            return match revealed_by(result) {
                Some(commitment) => Ok(Some(commitment)),
                None => Err(Discrepancy::at(
                    self.run.result_line(),
                    "result.secret: does not reveal a secret and a nonce",
                )),
            };
        }
        match self.run {
            RecordedRun::Log { .. } => Ok(None),
            RecordedRun::Stored { store, run, .. } => {
                store.commitment_of(run.run).map_err(|error| Discrepancy::new(error.to_string()))
            }
        }
    }

    /// The header against the one that this program writes for the same hill.
    fn header(&self) -> Finding {
        let recorded = self.recorded_header();
        let now = Header {
            program: recorded.program.clone(),
            commitment: recorded.commitment.clone(),
            ..Header::new(&self.hill)
        };
        let difference = recorded.hash_problem().or_else(|| recorded.difference(&now));
        let other_bytes = || {
            (!recorded.is_line_of(&now))
                .then(|| "its values are right, but its bytes differ".into())
        };
        let problems = difference.or_else(other_bytes);
        let line = matches!(self.run, RecordedRun::Log { .. }).then_some(1);
        let problems = problems.map(|text| Discrepancy::at(line, text).within("header"));
        Finding::of(
            VerifiedPart::Header(recorded.bots.len() as u64),
            problems.into_iter().collect(),
        )
    }

    /// The failures in a store; `None` of a log, which has none besides its games.
    fn stored_failures(&self) -> Result<Option<Vec<StoredFailure>>, FileError> {
        match self.run {
            RecordedRun::Log { .. } => Ok(None),
            RecordedRun::Stored { store, run, .. } => store.failures(run.run).map(Some),
        }
    }

    /// All games of all attempts, with the failures in a store.
    fn games(&self, stored: Option<&[StoredFailure]>) -> Result<ReplayedRun, FileError> {
        let bars = self.run.bars();
        let mut active: Vec<EntrantId> = self.hill.ids().collect();
        let (mut problems, mut replayed, mut count) = (Vec::new(), 0, 0);
        let (mut failure_problems, mut seeds) = (Vec::new(), BTreeMap::<_, u64>::new());
        let mut highlights = Highlights::default();
        for attempt in 0..=bars.len() {
            let bar = bars.get(attempt).map(|bar| (self.bar_line(attempt), bar));
            let of_attempt = |one: &&StoredFailure| one.attempt == attempt as i64;
            let of_attempt =
                stored.map(|stored| stored.iter().filter(of_attempt).cloned().collect());
            let checked = self.attempt(attempt, &active, of_attempt, bar)?;
            (count, replayed) = (checked.games, replayed + checked.games);
            highlights = checked.highlights;
            problems.extend(checked.problems);
            failure_problems.extend(checked.failures);
            for (seed, games) in checked.seeds {
                *seeds.entry(seed).or_default() += games;
            }
            if let Some((line, Bar { bot, .. })) = bar {
                let before = active.len();
                active.retain(|id| self.hill.name_of(*id) != bot);
                if active.len() == before {
                    problems.push(Discrepancy::at(
                        line,
                        format!("{bot:?} is barred, but does not play"),
                    ));
                }
            }
        }
        let of_no_attempt = |one: &&StoredFailure| !(0..=bars.len() as i64).contains(&one.attempt);
        failure_problems
            .extend(stored.iter().copied().flatten().filter(of_no_attempt).map(surplus));
        let are_whole = problems.is_empty();
        let holds = if self.keeps_moves {
            VerifiedPart::Replayed(replayed)
        } else {
            VerifiedPart::WithoutMoves(replayed)
        };
        let failures = stored.filter(|stored| !stored.is_empty() || !failure_problems.is_empty());
        let failures = failures.map(|stored| {
            Finding::of(VerifiedPart::Failures(stored.len() as u64), failure_problems)
        });
        let finding = Finding::of(holds, problems);
        Ok(ReplayedRun { finding, seeds, failures, count, highlights, are_whole })
    }

    /// Whether the seeds that games name are of earlier runs of the hill. Nothing else shows that a host has not chosen them.
    fn seeds(&self, named: &BTreeMap<String, u64>) -> Result<Option<Finding>, FileError> {
        if named.is_empty() {
            return Ok(None);
        }
        let mut unknown = named.clone();
        if let RecordedRun::Stored { store, run, .. } = self.run {
            for earlier in store.runs()?.iter().filter(|earlier| earlier.run < run.run) {
                unknown.remove(&earlier.header.seed);
            }
        }
        let games: u64 = unknown.values().sum();
        Ok(Some(match unknown.len() {
            0 => Finding::Holds(VerifiedPart::Reused(named.values().sum())),
            seeds => Finding::skipped(&format!(
                "{games} games name {seeds} seeds of earlier runs that are not here: a host could have chosen them"
            )),
        }))
    }

    /// The remarkable games in a store against those of the `count` games that were replayed.
    fn highlights(
        &self,
        recomputed: &Highlights,
        count: u64,
        are_whole: bool,
    ) -> Result<Option<Finding>, FileError> {
        let (recorded, games) = match recorded_highlights(self.run) {
            Err(error) if error.is_arena_error() => return Err(error),
            Err(error) => {
                return Ok(Some(Finding::Altered(vec![Discrepancy::new(error.to_string())])));
            }
            Ok(None) => return Ok(None),
            Ok(Some(recorded)) => recorded,
        };
        if games != count && !self.run.has_result() {
            return Ok(Some(Finding::skipped("the run went on while its games were replayed")));
        }
        Ok(Some(match (self.keeps_moves, are_whole) {
            (false, _) => Finding::skipped("without moves they cannot be found again"),
            (true, false) => Finding::skipped("cannot be found again in altered games"),
            (true, true) => compared(&recorded, recomputed),
        }))
    }

    /// What was found in an attempt. `bar`, with the number of its line, has ended it.
    fn attempt(
        &self,
        attempt: usize,
        active: &[EntrantId],
        stored: Option<Vec<StoredFailure>>,
        bar: Option<(Option<usize>, &Bar)>,
    ) -> Result<CheckedAttempt, FileError> {
        let schedule = Schedule::new(&self.hill, &self.chance, active.to_vec());
        let mut check = AttemptCheck::new(self.game_check(), &schedule, stored);
        self.run.each_line_of(attempt, |number, line| {
            if !self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                check.add(RecordedLine { number, line });
            }
        })?;
        Ok(check.end(bar))
    }

    fn game_check(&self) -> GameCheck<'_, G> {
        let Self { hill, chance, keeps_moves, jobs, .. } = self;
        let may_reuse = self.run.header().commitment.is_none();
        GameCheck { hill, chance, keeps_moves: *keeps_moves, may_reuse, jobs: *jobs }
    }

    fn bar_line(&self, bar: usize) -> Option<usize> {
        match self.run {
            RecordedRun::Log { games, .. } => games.bar_line(bar),
            RecordedRun::Stored { .. } => None,
        }
    }

    /// The result document against the one recomputed from the games, which includes the hash over all records.
    fn board(&self, count: u64, are_whole: bool) -> Result<Finding, FileError> {
        if !self.run.has_result() {
            return Ok(Finding::skipped(NOT_ENDED));
        }
        if !are_whole {
            return Ok(Finding::skipped("cannot be recomputed from altered games"));
        }
        let line = self.run.result_line();
        let problems = match self.recomputed(count)? {
            Ok(recomputed) => differences(self.run, &recomputed)
                .map_err(|error| self.run.error(line, error).into_arena_error())?,
            Err(problem) => vec![Discrepancy::at(line, problem)],
        };
        Ok(Finding::of(VerifiedPart::Board(self.recorded_hash()), problems))
    }

    /// The hash over all records in the result document.
    fn recorded_hash(&self) -> String {
        self.run.result_reader().map(records_of).unwrap_or_default()
    }

    /// The result document that follows from the games; the inner error is why there is none.
    fn recomputed(&self, count: u64) -> Result<Result<String, String>, FileError> {
        let stored = match self.run.stored_games() {
            Err(error) if error.is_arena_error() => return Err(error),
            Err(error) => return Ok(Err(error.to_string())),
            Ok(stored) => stored,
        };
        let records = match self.run {
            RecordedRun::Log { .. } => None,
            RecordedRun::Stored { store, run, .. } => match run.records_hash(store.path()) {
                Ok(records) => records,
                Err(error) => return Ok(Err(error.to_string())),
            },
        };
        let lacks_lines = !self.keeps_moves
            && match self.run {
                RecordedRun::Log { .. } => true,
                RecordedRun::Stored { run, .. } => run.is_pruned(),
            };
        let games = FinishedGames {
            bars: self.run.bars(),
            games: self.run.game_source(stored.as_ref()),
            count,
            records,
            // The hash is over lines with moves, which are not there any more.
            known_records: lacks_lines.then(|| self.recorded_hash()),
            program: &self.recorded_header().program,
        };
        Ok(recompute(&self.hill, games, self.jobs))
    }
}

/// What was found in all games of a run.
struct ReplayedRun {
    finding: Finding,
    /// The seeds of earlier runs that games name, with the number of games.
    seeds: BTreeMap<String, u64>,
    /// What was found in the failures of a store, if there are any.
    failures: Option<Finding>,
    /// The number of games that count.
    count: u64,
    /// The most remarkable of these, if they are looked for.
    highlights: Highlights,
    /// Whether all games are free of problems.
    are_whole: bool,
}

/// Refuses the run with the first problem of the finding, if there is one.
fn refuse(run: &RecordedRun, finding: &Finding) -> Result<(), FileError> {
    let Some(first) = finding.problems().first() else { return Ok(()) };
    if let RecordedRun::Log { games, .. } = run
        && let Some(game) = games.lone_game()
    {
        let message = format!("has only game {game} of its run; `dicehill replay` shows it");
        return Err(FileError::new(run.path(), message));
    }
    Err(first.in_file(run.path(), run.number()))
}
