//! The thread that watches the store of a hill, and publishes snapshots of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use dicehill_arena::{Schedule, TournamentGame};
use dicehill_rules::{Chance, with_game};
use dicehill_store::{FileError, HillStore, ReportAccess, RunSummary, StoredRun};
use tokio::sync::watch;

use super::ended_runs::EndedRuns;
use super::hill_documents::{empty_hill, entrant_document, placement, run_line};
use super::last_games::last_games;
use super::league::League;
use super::snapshot::Snapshot;
use super::storage_rate::StorageRate;
use super::view::{RunCounter, RunInStore, active, games_of};
use crate::model::change::changes;
use crate::model::games::GameRow;
use crate::model::ratings::series;
use crate::model::run_view::RunView;
use crate::model::time::date;
use crate::model::{BoardDocument, HillDocument, HillSummary, Progress, RunLine, RunState};

/// The most changes that a hill's page lists.
const MAX_CHANGES: usize = 8;

/// The interval at which the store is checked for changes.
const CHECK_INTERVAL: Duration = Duration::from_millis(200);
/// The shortest interval between two boards of a run that is being played.
const BOARD_INTERVAL: Duration = Duration::from_millis(1000);
/// The interval between two boards is at least this many times as long as computing one takes.
const BOARD_COST_FACTOR: u32 = 12;
/// Where the system does not list locks, a store that has not changed for this long counts as not being played.
const QUIET: Duration = Duration::from_secs(10);

/// Watches one store.
pub(super) struct Follower {
    address: String,
    store: HillStore,
    snapshots: watch::Sender<Arc<Snapshot>>,
    stop: Arc<AtomicBool>,
    ended: EndedRuns,
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
        let empty = Snapshot {
            hill,
            latest: None,
            reports: ReportAccess::default(),
            ratings: Arc::default(),
            created: date(store.created()?),
            renamings: Vec::new(),
        };
        let (snapshots, receiver) = watch::channel(Arc::new(empty));
        let changed = Instant::now();
        let mut follower = Self {
            ended: EndedRuns::unread(address.clone()),
            address,
            store,
            snapshots,
            stop,
            version: 0,
            changed,
        };
        let open = follower.ended.read(&follower.store)?;
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
        let open = self.ended.read(&self.store)?;
        self.show_last(open.as_ref())?;
        if let Some(summary) = open {
            return with_game!(self.store.hill().game(), G => self.follow_run::<G>(&summary));
        }
        let Self { ended, store, stop, .. } = &mut *self;
        let is_wanted = || !stop.load(Ordering::Relaxed);
        with_game!(store.hill().game(), G => ended.count::<G>(store, &is_wanted)?);
        self.publish(self.ended.last.clone(), None)?;
        while !self.is_stopped() && !self.store.has_changed_since(changes)? {
            std::thread::sleep(CHECK_INTERVAL);
        }
        Ok(FollowEnd::RunOver)
    }

    /// Publishes the last ended run, unless a later run is about to be followed.
    fn show_last(&mut self, open: Option<&RunSummary>) -> Result<(), FileError> {
        if open.is_none() {
            self.publish(self.ended.last.clone(), None)?;
        }
        Ok(())
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
        let league = self.ended.league.as_ref().map(League::board).filter(|_| !is_altered);
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
        let renamings = self.store.renamings()?;
        let changes = changes(&history, &self.ended.ratings, &renamings, MAX_CHANGES);
        let entries = self.store.entry_terms()?;
        let hill = HillDocument {
            summary,
            version: self.version,
            entrants_now: entrants,
            changes,
            ratings: series(&self.ended.ratings, rows),
            last_games: self.last_games(board.as_ref(), latest.as_deref())?,
            history,
            board,
            placement: latest.as_ref().filter(|_| open.is_some()).and_then(|view| placement(view)),
            commitment: self.store.unused_commitment()?.map(|open| open.published),
            message: entries.message.clone(),
            schedule: entries.schedule.as_ref().map(ToString::to_string),
            opens: entries.opens.as_ref().map(ToString::to_string),
            closes: entries.closes.as_ref().map(ToString::to_string),
        };
        let ratings = Arc::clone(&self.ended.ratings);
        let reports = entries.reports;
        let created = date(self.store.created()?);
        let snapshot = Snapshot { hill, latest, reports, ratings, created, renamings };
        self.snapshots.send_replace(Arc::new(snapshot));
        Ok(())
    }

    /// The last games of the displayed run, newest first; none if they cannot be read.
    fn last_games(
        &self,
        board: Option<&BoardDocument>,
        latest: Option<&RunView>,
    ) -> Result<Vec<GameRow>, FileError> {
        let Some(board) = board else { return Ok(Vec::new()) };
        let league = self.ended.league.as_ref().map(|league| &*league.view);
        let views = latest.into_iter().chain(league);
        let header = views.filter(|view| view.run == board.run).map(|view| &view.header).next();
        header.map_or(Ok(Vec::new()), |header| last_games(&self.store, board.run, header))
    }

    /// The lines of all runs, newest first; `open` is the run that is being followed.
    fn history(&self, latest: Option<&RunView>, open: Option<&RunSummary>) -> Vec<RunLine> {
        let mut history: Vec<_> = self.ended.lines.iter().rev().cloned().collect();
        if let (Some(open), Some(view)) = (open, latest) {
            let Progress { state, games, .. } = view.board.progress;
            history.insert(0, RunLine { state, games, ..run_line(open, true) });
        }
        history
    }
}
