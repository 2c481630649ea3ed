//! The thread that looks what the store of a hill holds, and publishes how the hill stands.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use dicehill_arena::Schedule;
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_rules::{Chance, Game, GameName};
use dicehill_store::{FileError, HillStore, RunSummary};
use tokio::sync::watch;

use super::snapshot::{RunView, Snapshot};
use super::view::{Counted, active, ended, games_of, view};
use crate::model::hill::EntrantDocument;
use crate::model::time::date;
use crate::model::{HillDocument, HillSummary, Progress, RunLine, RunState};

/// How often the store is looked at.
const LOOK: Duration = Duration::from_millis(200);
/// How often the board of a run that goes on is made anew, at most.
const ANEW: Duration = Duration::from_millis(1000);
/// A board is made anew only when so many times the time has passed that making it takes.
const REST: u32 = 12;
/// How long a store in which nothing changes may still be played on, where the system does not tell.
const QUIET: Duration = Duration::from_secs(10);

/// Looks at one store.
pub(super) struct Follower {
    address: String,
    store: HillStore,
    publish: watch::Sender<Arc<Snapshot>>,
    stop: Arc<AtomicBool>,
    /// All runs that have ended, oldest first.
    past: Vec<RunLine>,
    /// The last run that has ended, as far as it has been looked at.
    last: Option<Arc<RunView>>,
    version: u64,
    changed: Instant,
}

/// Why following a run ends.
enum Left {
    /// It has ended, or begins anew: look again.
    Over,
    /// The server ends.
    Stopped,
}

impl Follower {
    /// A follower, and what it has found so far.
    pub(super) fn new(
        address: String,
        store: HillStore,
        stop: Arc<AtomicBool>,
    ) -> Result<(Self, watch::Receiver<Arc<Snapshot>>), FileError> {
        let empty = Snapshot { hill: nothing(&address, &store), latest: None };
        let (publish, receiver) = watch::channel(Arc::new(empty));
        let changed = Instant::now();
        let (past, last) = (Vec::new(), None);
        let mut follower = Self { address, store, publish, stop, past, last, version: 0, changed };
        let open = follower.read_runs()?;
        follower.show_last(open.as_ref())?;
        Ok((follower, receiver))
    }

    /// Follows until the server ends. What goes wrong is told and tried again.
    pub(super) fn follow(mut self) {
        let mut told = None;
        while !self.is_stopped() {
            match self.look() {
                Ok(Left::Stopped) => break,
                Ok(Left::Over) => told = None,
                Err(error) => {
                    let error = error.to_string();
                    if told.as_ref() != Some(&error) {
                        eprintln!("{error}");
                    }
                    told = Some(error);
                    self.rest(Duration::from_secs(2));
                }
            }
        }
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Sleeps, but not longer than the server lives.
    fn rest(&self, time: Duration) {
        let until = Instant::now() + time;
        while !self.is_stopped() && Instant::now() < until {
            std::thread::sleep(LOOK.min(time));
        }
    }

    /// Shows what there is, follows a run that is not at its end, and waits for a change.
    fn look(&mut self) -> Result<Left, FileError> {
        let changes = self.store.changes()?;
        let open = self.read_runs()?;
        self.show_last(open.as_ref())?;
        if let Some(summary) = open {
            return match self.store.hill().game {
                GameName::Yahtzee => self.follow_run::<Yahtzee>(&summary),
                GameName::LiarsDice => self.follow_run::<LiarsDice>(&summary),
            };
        }
        match self.store.hill().game {
            GameName::Yahtzee => self.count_last::<Yahtzee>()?,
            GameName::LiarsDice => self.count_last::<LiarsDice>()?,
        }
        while !self.is_stopped() && self.store.changes()? == changes {
            std::thread::sleep(LOOK);
        }
        Ok(Left::Over)
    }

    /// Takes note of the runs that have ended; returns the last if it has not.
    fn read_runs(&mut self) -> Result<Option<RunSummary>, FileError> {
        self.check_last()?;
        let is_over = |line: &RunLine| matches!(line.state, RunState::Ended | RunState::Altered);
        self.past.truncate(self.past.iter().take_while(|line| is_over(line)).count());
        let first = self.past.last().map_or(1, |line| line.run + 1);
        let mut runs = self.store.runs_from(first)?;
        let open = runs.pop_if(|run| run.result.is_none());
        for summary in &runs {
            let line = self.past_line(summary)?;
            self.past.push(line);
        }
        if let Some(summary) = runs.iter().rev().find(|run| run.result.is_some()) {
            self.last = self.intact_view(summary)?.map(Arc::new);
        }
        Ok(open)
    }

    /// The line of a run that is played no more.
    fn past_line(&self, summary: &RunSummary) -> Result<RunLine, FileError> {
        let line = run_line(summary, false);
        let is_altered = line.state == RunState::Ended && self.is_altered(summary.run)?;
        Ok(if is_altered { altered_line(line) } else { line })
    }

    /// A run that has ended as it is shown, unless it was altered.
    fn intact_view(&self, summary: &RunSummary) -> Result<Option<RunView>, FileError> {
        let is_altered =
            |line: &RunLine| line.run == summary.run && line.state == RunState::Altered;
        if self.past.iter().any(is_altered) {
            return Ok(None);
        }
        self.ended_view(summary, None).map(Some)
    }

    /// Looks again at the run that is shown, as the store has changed.
    fn check_last(&mut self) -> Result<(), FileError> {
        let Some(run) = self.last.as_ref().map(|last| last.run) else { return Ok(()) };
        if self.is_altered(run)? {
            self.last = None;
            let of_run = self.past.iter_mut().filter(|line| line.run == run);
            of_run.for_each(|line| *line = altered_line(line.clone()));
        }
        Ok(())
    }

    /// Whether a run was altered since it ended. The reason goes to the server's log.
    fn is_altered(&self, run: i64) -> Result<bool, FileError> {
        match self.store.check_seal(run) {
            Ok(()) => Ok(false),
            Err(error) if error.is_altered() => {
                eprintln!("{error}");
                Ok(true)
            }
            Err(error) => Err(error),
        }
    }

    fn ended_view(
        &self,
        summary: &RunSummary,
        tally: Option<Arc<super::Tally>>,
    ) -> Result<RunView, FileError> {
        match self.store.hill().game {
            GameName::Yahtzee => ended::<Yahtzee>(&self.store, &self.address, summary, tally),
            GameName::LiarsDice => ended::<LiarsDice>(&self.store, &self.address, summary, tally),
        }
    }

    /// Shows the last run that has ended, unless a later one is about to be followed.
    fn show_last(&mut self, open: Option<&RunSummary>) -> Result<(), FileError> {
        if open.is_none() {
            let latest = self.last.clone();
            self.show(latest, None)?;
        }
        Ok(())
    }

    /// Goes through the games of the last run once, for what its result does not say.
    fn count_last<G: Game>(&mut self) -> Result<(), FileError> {
        let Some(last) = self.last.clone().filter(|last| last.tally.is_none()) else {
            return Ok(());
        };
        let Some(summary) = self.store.runs_from(last.run)?.into_iter().next() else {
            return Ok(());
        };
        let tally = count::<G>(&self.store, &summary, &|| !self.is_stopped())?;
        let view = Arc::new(self.ended_view(&summary, Some(Arc::new(tally)))?);
        self.last = Some(Arc::clone(&view));
        self.show(Some(view), None)
    }

    /// Follows a run until it ends, or begins anew because somebody is barred.
    fn follow_run<G: Game>(&mut self, summary: &RunSummary) -> Result<Left, FileError> {
        let run = self.store.run(summary.run)?;
        let hill = run.header.inert_hill::<G>(self.store.path())?;
        let chance = Chance::new(hill.seed());
        let schedule = Schedule::new(&hill, &chance, active(&hill, &run.bars));
        let of = games_of(&hill, &run.bars);
        let mut counted = Counted::new(&hill, &schedule);
        let mut pace = Pace::default();
        loop {
            let changes = self.store.changes()?;
            counted.take_new(&self.store, &run, &|| !self.is_stopped())?;
            let begun = Instant::now();
            let state = if self.is_played() { RunState::Playing } else { RunState::Stopped };
            let games = counted.following.games();
            let result = counted.following.document(&run.bars);
            let tally = Some(Arc::new(counted.tally(&hill)));
            let progress = pace.progress(state, games, of);
            let view = view(&self.store, &self.address, summary, &run, (&result, tally), progress)?;
            self.show(Some(Arc::new(view)), Some(summary))?;
            let rest = ANEW.max(begun.elapsed() * REST);
            loop {
                std::thread::sleep(LOOK);
                if self.is_stopped() {
                    return Ok(Left::Stopped);
                }
                let now = self.store.changes()?;
                if now != changes {
                    self.changed = Instant::now();
                    if begun.elapsed() >= rest || self.has_left(&run)? {
                        break;
                    }
                } else if (state == RunState::Playing) != self.is_played() {
                    break;
                }
            }
            if self.has_left(&run)? {
                return Ok(Left::Over);
            }
        }
    }

    /// Whether a run has ended, begun anew, or is not the last any more.
    fn has_left(&self, run: &dicehill_store::StoredRun) -> Result<bool, FileError> {
        let now = self.store.run(run.run)?;
        let later = !self.store.runs_from(run.run + 1)?.is_empty();
        Ok(later || now.result.is_some() || now.bars.len() != run.bars.len())
    }

    fn is_played(&self) -> bool {
        self.store.is_locked().unwrap_or(self.changed.elapsed() < QUIET)
    }

    /// Publishes how the hill stands.
    fn show(
        &mut self,
        latest: Option<Arc<RunView>>,
        open: Option<&RunSummary>,
    ) -> Result<(), FileError> {
        self.version += 1;
        let entrant = |entrant: dicehill_store::StoredEntrant| EntrantDocument {
            bot: entrant.name.to_string(),
            version: entrant.number,
            hash: dicehill_arena::printable(&entrant.identity),
            author: entrant.author.as_deref().map(dicehill_arena::printable),
            added: date(entrant.added),
        };
        let entrants: Vec<_> = self.store.entrants()?.into_iter().map(entrant).collect();
        let mut history: Vec<_> = self.past.iter().rev().cloned().collect();
        if let (Some(open), Some(view)) = (open, &latest) {
            let Progress { state, games, .. } = view.board.progress;
            history.insert(0, RunLine { state, games, ..run_line(open, true) });
        }
        let is_over = |line: &&RunLine| matches!(line.state, RunState::Ended | RunState::Altered);
        let crowned = history.iter().find(is_over);
        let summary = HillSummary {
            entrants: entrants.len(),
            runs: history.len(),
            champion: crowned.and_then(|line| line.champion.clone()),
            champion_sure: crowned.and_then(|line| line.champion_sure),
            state: history.first().map(|line| line.state),
            ..nothing(&self.address, &self.store).summary
        };
        let hill = HillDocument {
            summary,
            version: self.version,
            entrants_now: entrants,
            history,
            board: latest.as_ref().map(|view| view.board.clone()),
            commitment: self.store.open_commitment()?.map(|open| open.published),
        };
        self.publish.send_replace(Arc::new(Snapshot { hill, latest }));
        Ok(())
    }
}

/// Goes through all games of a run, for what its result does not say.
pub(super) fn count<G: Game>(
    store: &HillStore,
    summary: &RunSummary,
    go_on: &dyn Fn() -> bool,
) -> Result<super::Tally, FileError> {
    let run = store.run(summary.run)?;
    let hill = run.header.inert_hill::<G>(store.path())?;
    let chance = Chance::new(hill.seed());
    let schedule = Schedule::new(&hill, &chance, active(&hill, &run.bars));
    let mut counted = Counted::new(&hill, &schedule);
    counted.take_new(store, &run, go_on)?;
    Ok(counted.tally(&hill))
}

/// A hill before anything is known of it.
fn nothing(address: &str, store: &HillStore) -> HillDocument {
    let hill = store.hill();
    let summary = HillSummary {
        hill: address.to_owned(),
        name: dicehill_arena::printable(&hill.name),
        game: hill.game.name().to_owned(),
        format: hill.format.name().to_owned(),
        entrants: 0,
        runs: 0,
        champion: None,
        champion_sure: None,
        state: None,
    };
    HillDocument {
        summary,
        version: 0,
        entrants_now: Vec::new(),
        history: Vec::new(),
        board: None,
        commitment: None,
    }
}

fn run_line(run: &RunSummary, is_played: bool) -> RunLine {
    #[derive(Default, serde::Deserialize)]
    struct Crowned {
        champion: Option<String>,
        champion_sure: Option<f64>,
    }
    let result = run.result.as_deref().map(serde_json::from_str::<Crowned>);
    let state = match (&result, is_played) {
        (Some(_), _) => RunState::Ended,
        (None, true) => RunState::Playing,
        (None, false) => RunState::Stopped,
    };
    let Crowned { champion, champion_sure } = result.and_then(Result::ok).unwrap_or_default();
    RunLine {
        run: run.run,
        begun: date(run.begun),
        ended: run.ended.map(date),
        state,
        bots: run.header.bots.len(),
        games: run.games,
        champion,
        champion_sure,
    }
}

/// The line of a run of which nothing is to be believed.
fn altered_line(line: RunLine) -> RunLine {
    RunLine { state: RunState::Altered, champion: None, champion_sure: None, ..line }
}

/// How fast games have been stored lately.
#[derive(Default)]
struct Pace {
    /// Moments and the games that were stored then, latest last.
    seen: std::collections::VecDeque<(Instant, u64)>,
}

/// Over how long a rate is taken.
const LATELY: Duration = Duration::from_secs(20);

impl Pace {
    fn progress(&mut self, state: RunState, games: u64, of: u64) -> Progress {
        let now = Instant::now();
        self.seen.push_back((now, games));
        while self.seen.front().is_some_and(|(then, _)| now - *then > LATELY) {
            self.seen.pop_front();
        }
        let rate = self.seen.front().and_then(|(then, before)| {
            let seconds = (now - *then).as_secs_f64();
            let played = games.saturating_sub(*before) as f64;
            (state == RunState::Playing && seconds > 0.5 && played > 0.0).then(|| played / seconds)
        });
        let left = of.saturating_sub(games) as f64;
        Progress {
            state,
            games,
            of: of.max(games),
            rate: rate.map(dicehill_arena::six_digits),
            seconds_left: rate.map(|rate| (left / rate).ceil() as u64),
        }
    }
}
