//! The thread that watches the store of a hill, and publishes snapshots of it.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use dicehill_arena::{PlacementResult, ResultDocument, Schedule, TournamentGame};
use dicehill_rules::{Chance, with_game};
use dicehill_store::{FileError, HillStore, RunSummary, StoredEntrant, StoredRun};
use tokio::sync::watch;

use super::last_games::last_games;
use super::league::League;
use super::snapshot::Snapshot;
use super::view::{RunCounter, RunInStore, active, ended, games_of, result_of};
use crate::model::board::PlacementRun;
use crate::model::change::changes;
use crate::model::games::GameRow;
use crate::model::hill::{EntrantDocument, PlacementProgress};
use crate::model::ratings::{RunRatings, series};
use crate::model::run_line::PlacedLine;
use crate::model::run_view::RunView;
use crate::model::tally::Tally;
use crate::model::time::date;
use crate::model::{BoardDocument, HillDocument, HillSummary, Progress, RunLine, RunState};

/// The interval at which the store is checked for changes.
const CHECK_INTERVAL: Duration = Duration::from_millis(200);
/// The shortest interval between two boards of a run that is being played.
const BOARD_INTERVAL: Duration = Duration::from_millis(1000);
/// The interval between two boards is at least this many times as long as computing one takes.
const BOARD_COST_FACTOR: u32 = 12;
/// The most whole runs whose ratings are kept, the last ones.
const MAX_RATED_RUNS: usize = 200;
/// Where the system does not list locks, a store that has not changed for this long counts as not being played.
const QUIET: Duration = Duration::from_secs(10);

/// Watches one store.
pub(super) struct Follower {
    address: String,
    store: HillStore,
    snapshots: watch::Sender<Arc<Snapshot>>,
    stop: Arc<AtomicBool>,
    /// The runs that have ended, oldest first.
    past: Vec<RunLine>,
    /// The last run that has ended; its games may not have been counted yet.
    last: Option<Arc<RunView>>,
    league: Option<League>,
    /// The ratings of the whole runs that were played here, oldest first.
    ratings: Arc<Vec<RunRatings>>,
    /// Whether a run that was not imported has ended.
    has_own_run: bool,
    /// Whether what was read of the runs that have ended may be a mixture of two states of the store.
    is_doubtful: bool,
    version: u64,
    changed: Instant,
}

/// Why the follower stops following a run.
enum FollowEnd {
    /// The run has ended, or has restarted without a barred entrant: read the store again.
    RunOver,
    /// The server stops.
    Stopped,
}

impl Follower {
    /// A follower, and the channel of its snapshots, which already has the first one.
    pub(super) fn new(
        address: String,
        store: HillStore,
        stop: Arc<AtomicBool>,
    ) -> Result<(Self, watch::Receiver<Arc<Snapshot>>), FileError> {
        let hill = empty_hill(&address, &store);
        let empty = Snapshot { hill, latest: None, ratings: Arc::default() };
        let (snapshots, receiver) = watch::channel(Arc::new(empty));
        let changed = Instant::now();
        let mut follower = Self {
            address,
            store,
            snapshots,
            stop,
            past: Vec::new(),
            last: None,
            league: None,
            ratings: Arc::default(),
            has_own_run: false,
            is_doubtful: false,
            version: 0,
            changed,
        };
        let open = follower.read_runs()?;
        follower.show_last(open.as_ref())?;
        Ok((follower, receiver))
    }

    /// Follows until the server stops. Errors are logged once each, and followed by another attempt.
    pub(super) fn follow(mut self) {
        let mut logged = None;
        while !self.is_stopped() {
            match self.follow_once() {
                Ok(FollowEnd::Stopped) => break,
                Ok(FollowEnd::RunOver) => logged = None,
                Err(error) => {
                    let error = error.to_string();
                    if logged.as_ref() != Some(&error) {
                        tracing::error!(hill = self.address, "{error}");
                    }
                    logged = Some(error);
                    self.sleep(Duration::from_secs(2));
                }
            }
        }
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Sleeps, but not longer than the server runs.
    fn sleep(&self, time: Duration) {
        let until = Instant::now() + time;
        while !self.is_stopped() && Instant::now() < until {
            std::thread::sleep(CHECK_INTERVAL.min(time));
        }
    }

    /// Publishes the current state, follows a run that has not ended, and otherwise waits for a change.
    fn follow_once(&mut self) -> Result<FollowEnd, FileError> {
        self.store.reopen_if_outdated()?;
        let changes = self.store.data_version()?;
        let open = self.read_runs()?;
        self.show_last(open.as_ref())?;
        if let Some(summary) = open {
            return with_game!(self.store.hill().game(), G => self.follow_run::<G>(&summary));
        }
        with_game!(self.store.hill().game(), G => self.count_last::<G>()?);
        while !self.is_stopped() && !self.store.has_changed_since(changes)? {
            std::thread::sleep(CHECK_INTERVAL);
        }
        Ok(FollowEnd::RunOver)
    }

    /// Reads the runs that have ended since the last call; returns the last run if it has not ended. What was read while the
    /// store changed is read again at the next call.
    fn read_runs(&mut self) -> Result<Option<RunSummary>, FileError> {
        if std::mem::replace(&mut self.is_doubtful, true) {
            (self.past, self.last, self.league, self.has_own_run) = (Vec::new(), None, None, false);
        }
        let open = self.read_new_runs()?;
        self.is_doubtful = self.store.is_outdated();
        Ok(open)
    }

    fn read_new_runs(&mut self) -> Result<Option<RunSummary>, FileError> {
        self.check_shown()?;
        let is_over = |line: &RunLine| matches!(line.state, RunState::Ended | RunState::Altered);
        self.past.truncate(self.past.iter().take_while(|line| is_over(line)).count());
        let first = self.past.last().map_or(1, |line| line.run + 1);
        let mut runs = self.store.runs_from(first)?;
        let open = runs.pop_if(|run| run.result.is_none());
        for summary in &runs {
            let line = self.past_line(summary)?;
            self.add_ratings(summary, &line)?;
            self.past.push(line);
        }
        runs.retain(|run| run.result.is_some());
        self.has_own_run |= runs.iter().any(|run| !run.is_imported);
        // An imported run does not change which board is shown, unless the hill has played none.
        runs.retain(|run| !(self.has_own_run && run.is_imported));
        if let Some(summary) = runs.last() {
            self.last = self.intact_view(summary)?.map(Arc::new);
        }
        self.update_league(&runs)?;
        Ok(open)
    }

    /// Adds the ratings of an ended whole run.
    fn add_ratings(&mut self, summary: &RunSummary, line: &RunLine) -> Result<(), FileError> {
        let is_whole = line.state == RunState::Ended && line.placed.is_none();
        if !is_whole || summary.is_imported {
            return Ok(());
        }
        let versions = self.store.version_numbers(summary.run)?;
        let ratings = Arc::make_mut(&mut self.ratings);
        ratings.retain(|ratings| ratings.run < summary.run);
        ratings.extend(RunRatings::read(summary, &versions));
        let surplus = ratings.len().saturating_sub(MAX_RATED_RUNS);
        ratings.drain(..surplus);
        Ok(())
    }

    /// Updates the league from these ended runs: the last whole one replaces it, and the placements after that are
    /// added. Altered runs are left out.
    fn update_league(&mut self, runs: &[RunSummary]) -> Result<(), FileError> {
        let is_whole = |run: &RunSummary| run.header.hill.terms.strengths.is_none();
        let whole = runs.iter().rposition(is_whole);
        if let Some(summary) = whole.map(|index| &runs[index]) {
            self.league = self.league_of(summary)?;
        }
        for summary in &runs[whole.map_or(0, |index| index + 1)..] {
            let is_known = self.league.iter().flat_map(League::runs).any(|run| run == summary.run);
            if is_known || self.is_known_as_altered(summary.run) {
                continue;
            }
            let result = self.read_result(summary)?;
            if let Some(league) = &mut self.league {
                let header = summary.header.clone();
                league.placements.push(PlacementRun { run: summary.run, header, result });
            }
        }
        Ok(())
    }

    /// The league that begins with a whole run; `None` if the run was altered.
    fn league_of(&self, summary: &RunSummary) -> Result<Option<League>, FileError> {
        let shown = self.last.as_ref().filter(|last| last.run == summary.run);
        let view = match shown {
            Some(last) => Some(Arc::clone(last)),
            None => self.intact_view(summary)?.map(Arc::new),
        };
        let Some(view) = view else { return Ok(None) };
        let result = self.read_result(summary)?;
        Ok(Some(League { view, result, placements: Vec::new() }))
    }

    /// The line of a run that is not being played.
    fn past_line(&self, summary: &RunSummary) -> Result<RunLine, FileError> {
        let line = run_line(summary, false);
        let is_altered = line.state == RunState::Ended && self.is_altered(summary.run)?;
        Ok(if is_altered { altered_line(line) } else { line })
    }

    fn is_known_as_altered(&self, run: i64) -> bool {
        self.past.iter().any(|line| line.run == run && line.state == RunState::Altered)
    }

    /// The view of an ended run; `None` if the run was altered.
    fn intact_view(&self, summary: &RunSummary) -> Result<Option<RunView>, FileError> {
        if self.is_known_as_altered(summary.run) {
            return Ok(None);
        }
        self.ended_view(summary, None).map(Some)
    }

    /// Checks the seals of the displayed runs again, because the store has changed.
    fn check_shown(&mut self) -> Result<(), FileError> {
        let league = self.league.iter().flat_map(League::runs);
        let shown: BTreeSet<_> = league.chain(self.last.as_ref().map(|last| last.run)).collect();
        for run in shown {
            if self.is_altered(run)? {
                self.hide(run);
            }
        }
        Ok(())
    }

    /// Removes an altered run from everything that is displayed.
    fn hide(&mut self, run: i64) {
        self.last = self.last.take().filter(|last| last.run != run);
        self.league = self.league.take().filter(|league| league.view.run != run);
        if let Some(league) = &mut self.league {
            league.placements.retain(|placement| placement.run != run);
        }
        Arc::make_mut(&mut self.ratings).retain(|ratings| ratings.run != run);
        let of_run = self.past.iter_mut().filter(|line| line.run == run);
        of_run.for_each(|line| *line = altered_line(line.clone()));
    }

    fn read_result(&self, summary: &RunSummary) -> Result<ResultDocument, FileError> {
        with_game!(self.store.hill().game(), G => result_of::<G>(&self.store, summary))
    }

    /// Whether a run was altered since it ended. The reason is logged.
    fn is_altered(&self, run: i64) -> Result<bool, FileError> {
        match self.store.check_seal(run) {
            Ok(()) => Ok(false),
            Err(error) if error.is_altered() => {
                tracing::error!(hill = self.address, "{error}");
                Ok(true)
            }
            Err(error) => Err(error),
        }
    }

    fn ended_view(
        &self,
        summary: &RunSummary,
        tally: Option<Arc<Tally>>,
    ) -> Result<RunView, FileError> {
        let store = &self.store;
        let address = &self.address;
        with_game!(store.hill().game(), G => ended::<G>(store, address, summary, tally))
    }

    /// Publishes the last ended run, unless a later run is about to be followed.
    fn show_last(&mut self, open: Option<&RunSummary>) -> Result<(), FileError> {
        if open.is_none() {
            let latest = self.last.clone();
            self.publish(latest, None)?;
        }
        Ok(())
    }

    /// Counts the games of the last run and of the league's whole run once, for what their results do not say.
    fn count_last<G: TournamentGame>(&mut self) -> Result<(), FileError> {
        let last = self.last.clone().map(|last| self.counted::<G>(last)).transpose()?;
        let league_view = self.league.as_ref().map(|league| Arc::clone(&league.view));
        let league_view = match (&last, league_view) {
            (Some(last), Some(view)) if last.run == view.run => Some(Arc::clone(last)),
            (_, view) => view.map(|view| self.counted::<G>(view)).transpose()?,
        };
        if let (Some(league), Some(view)) = (&mut self.league, league_view) {
            league.view = view;
        }
        self.last = last;
        self.publish(self.last.clone(), None)
    }

    /// The view of an ended run with its games counted.
    fn counted<G: TournamentGame>(&self, view: Arc<RunView>) -> Result<Arc<RunView>, FileError> {
        if view.tally.is_some() {
            return Ok(view);
        }
        let Some(summary) = self.store.runs_from(view.run)?.into_iter().next() else {
            return Ok(view);
        };
        let tally = count::<G>(&self.store, &summary, &|| !self.is_stopped())?;
        Ok(Arc::new(self.ended_view(&summary, Some(Arc::new(tally)))?))
    }

    /// Follows a run until it ends, or restarts because an entrant is barred.
    fn follow_run<G: TournamentGame>(
        &mut self,
        summary: &RunSummary,
    ) -> Result<FollowEnd, FileError> {
        let run = self.store.run(summary.run)?;
        let hill = run.header.inert_hill::<G>(self.store.path())?;
        let chance = Chance::new(hill.seed());
        let schedule = Schedule::new(&hill, &chance, active(&hill, &run.bars));
        let of = games_of(&hill, &run.bars);
        let mut counted = RunCounter::new(&hill, &schedule);
        let mut rate = StorageRate::default();
        loop {
            let changes = self.store.data_version()?;
            counted.take_new(&self.store, &run, &|| !self.is_stopped())?;
            let begun = Instant::now();
            let state = if self.is_played() { RunState::Playing } else { RunState::Stopped };
            let games = counted.following.games();
            let result = counted.following.document(&run.bars);
            let tally = Some(Arc::new(counted.tally(&hill)));
            let progress = rate.progress(state, games, of);
            let Self { store, address, .. } = &*self;
            let in_store = RunInStore { store, address, summary, run: &run };
            let view = in_store.view(&result, tally, progress)?;
            self.publish(Some(Arc::new(view)), Some(summary))?;
            let rest = BOARD_INTERVAL.max(begun.elapsed() * BOARD_COST_FACTOR);
            loop {
                std::thread::sleep(CHECK_INTERVAL);
                if self.is_stopped() {
                    return Ok(FollowEnd::Stopped);
                }
                if self.store.has_changed_since(changes)? {
                    self.changed = Instant::now();
                    if begun.elapsed() >= rest || self.is_over_or_restarted(&run)? {
                        break;
                    }
                } else if (state == RunState::Playing) != self.is_played() {
                    break;
                }
            }
            if self.is_over_or_restarted(&run)? {
                return Ok(FollowEnd::RunOver);
            }
        }
    }

    /// Whether a run has ended, has restarted, or is no longer the last.
    fn is_over_or_restarted(&mut self, run: &StoredRun) -> Result<bool, FileError> {
        self.store.reopen_if_outdated()?;
        let now = self.store.run(run.run)?;
        let later = !self.store.runs_from(run.run + 1)?.is_empty();
        Ok(later || now.result.is_some() || now.bars.len() != run.bars.len())
    }

    fn is_played(&self) -> bool {
        self.store.is_locked().unwrap_or(self.changed.elapsed() < QUIET)
    }

    /// Publishes a snapshot.
    fn publish(
        &mut self,
        latest: Option<Arc<RunView>>,
        open: Option<&RunSummary>,
    ) -> Result<(), FileError> {
        self.version += 1;
        let entrants: Vec<_> = self.store.entrants()?.iter().map(entrant_document).collect();
        let history = self.history(latest.as_deref(), open);
        let is_over = |line: &&RunLine| matches!(line.state, RunState::Ended | RunState::Altered);
        let is_altered =
            history.iter().find(is_over).is_some_and(|line| line.state == RunState::Altered);
        let league = self.league.as_ref().map(League::board).filter(|_| !is_altered);
        let summary = HillSummary {
            entrants: entrants.len(),
            runs: history.len(),
            champion: league.as_ref().and_then(|board| board.champion.clone()),
            champion_sure: league.as_ref().and_then(|board| board.champion_sure),
            state: history.first().map(|line| line.state),
            ..empty_hill(&self.address, &self.store).summary
        };
        let is_placed = latest.as_ref().is_some_and(|view| view.is_placement());
        let board = match league.filter(|_| is_placed) {
            Some(league) => Some(league),
            None => latest.as_ref().map(|view| view.board.clone()),
        };
        let rows = board.as_ref().map_or(&[][..], |board| &board.rows);
        let changes = changes(&history, &self.ratings);
        let hill = HillDocument {
            summary,
            version: self.version,
            entrants_now: entrants,
            changes,
            ratings: series(&self.ratings, rows),
            last_games: self.last_games(board.as_ref(), latest.as_deref())?,
            history,
            board,
            placement: latest.as_ref().filter(|_| open.is_some()).and_then(|view| placement(view)),
            commitment: self.store.unused_commitment()?.map(|open| open.published),
        };
        let ratings = Arc::clone(&self.ratings);
        self.snapshots.send_replace(Arc::new(Snapshot { hill, latest, ratings }));
        Ok(())
    }

    /// The last games of the displayed run, newest first; none if they cannot be read.
    fn last_games(
        &self,
        board: Option<&BoardDocument>,
        latest: Option<&RunView>,
    ) -> Result<Vec<GameRow>, FileError> {
        let Some(board) = board else { return Ok(Vec::new()) };
        let league = self.league.as_ref().map(|league| &*league.view);
        let views = latest.into_iter().chain(league);
        let header = views.filter(|view| view.run == board.run).map(|view| &view.header).next();
        header.map_or(Ok(Vec::new()), |header| last_games(&self.store, board.run, header))
    }

    /// The lines of all runs, newest first; `open` is the run that is being followed.
    fn history(&self, latest: Option<&RunView>, open: Option<&RunSummary>) -> Vec<RunLine> {
        let mut history: Vec<_> = self.past.iter().rev().cloned().collect();
        if let (Some(open), Some(view)) = (open, latest) {
            let Progress { state, games, .. } = view.board.progress;
            history.insert(0, RunLine { state, games, ..run_line(open, true) });
        }
        history
    }
}

fn entrant_document(entrant: &StoredEntrant) -> EntrantDocument {
    EntrantDocument {
        bot: entrant.name.to_string(),
        version: entrant.number,
        hash: dicehill_arena::printable(&entrant.identity),
        author: entrant.author.as_deref().map(dicehill_arena::printable),
        added: date(entrant.added),
    }
}

/// Counts all games of a run, for what its result does not say.
pub(super) fn count<G: TournamentGame>(
    store: &HillStore,
    summary: &RunSummary,
    is_wanted: &dyn Fn() -> bool,
) -> Result<Tally, FileError> {
    let run = store.run(summary.run)?;
    let hill = run.header.inert_hill::<G>(store.path())?;
    let chance = Chance::new(hill.seed());
    let schedule = Schedule::new(&hill, &chance, active(&hill, &run.bars));
    let mut counted = RunCounter::new(&hill, &schedule);
    counted.take_new(store, &run, is_wanted)?;
    Ok(counted.tally(&hill))
}

/// The document of a hill of which only the record is known.
fn empty_hill(address: &str, store: &HillStore) -> HillDocument {
    let terms = &store.hill().terms;
    let summary = HillSummary {
        hill: address.to_owned(),
        name: dicehill_arena::printable(&terms.name),
        game: terms.game.clone(),
        format: terms.format.name().to_owned(),
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
        placement: None,
        changes: Vec::new(),
        ratings: Vec::new(),
        last_games: Vec::new(),
        commitment: None,
    }
}

/// The progress of an unfinished placement; `None` if the run is no placement.
fn placement(view: &RunView) -> Option<PlacementProgress> {
    let bot = view.header.hill.terms.challenger.as_deref().filter(|_| view.is_placement())?;
    let Progress { state, games, .. } = view.board.progress;
    Some(PlacementProgress { run: view.run, bot: dicehill_arena::printable(bot), state, games })
}

fn run_line(run: &RunSummary, is_played: bool) -> RunLine {
    #[derive(Default, serde::Deserialize)]
    struct Crowned {
        champion: Option<String>,
        champion_sure: Option<f64>,
        placing: Option<PlacementResult>,
    }
    let result = run.result.as_deref().map(serde_json::from_str::<Crowned>);
    let state = match (&result, is_played) {
        (Some(_), _) => RunState::Ended,
        (None, true) => RunState::Playing,
        (None, false) => RunState::Stopped,
    };
    let Crowned { champion, champion_sure, placing } =
        result.and_then(Result::ok).unwrap_or_default();
    RunLine {
        run: run.run,
        begun: date(run.begun),
        ended: run.ended.map(date),
        state,
        bots: run.header.bots.len(),
        games: run.games,
        champion,
        champion_sure,
        placed: placing.map(PlacedLine::from),
    }
}

/// The line of an altered run, without anything that its result says.
fn altered_line(line: RunLine) -> RunLine {
    RunLine { state: RunState::Altered, champion: None, champion_sure: None, ..line }
}

/// Measures how fast games are being stored.
#[derive(Default)]
struct StorageRate {
    /// Times, and the number of games stored by then, latest last.
    samples: std::collections::VecDeque<(Instant, u64)>,
}

/// The period over which the rate is measured.
const RATE_PERIOD: Duration = Duration::from_secs(20);

impl StorageRate {
    fn progress(&mut self, state: RunState, games: u64, of: u64) -> Progress {
        let now = Instant::now();
        self.samples.push_back((now, games));
        while self.samples.front().is_some_and(|(then, _)| now - *then > RATE_PERIOD) {
            self.samples.pop_front();
        }
        let rate = self.samples.front().and_then(|(then, before)| {
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
