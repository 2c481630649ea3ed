//! The hills that a server shows, each followed by its own thread.

pub(crate) mod bot_document;
pub(crate) mod bot_log;
pub(crate) mod coaching;
mod ended_runs;
mod follower;
mod hill_documents;
mod last_games;
mod league;
pub(crate) mod recorded_games;
pub(crate) mod snapshot;
mod storage_rate;
mod view;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use dicehill_rules::{GameName, with_game};
use dicehill_store::{FileError, HillStore, ReportAccess, RunSummary, did_you_mean};
use quick_cache::sync::Cache;
use tokio::sync::watch;

use crate::Problem;
use crate::model::RunState;
use crate::model::run_view::RunView;
use follower::Follower;
pub(crate) use snapshot::Snapshot;
pub(crate) use view::{active, games_of};

/// The number of older runs that are cached.
const OLDER: usize = 16;
/// The longest time that a request waits for the first board of a run.
const FIRST_LOOK: Duration = Duration::from_secs(5);

/// The hills that a server shows, in the order in which they were named.
pub(crate) struct Hills {
    hills: Vec<ServedHill>,
    stop: Arc<AtomicBool>,
    followers: Mutex<Vec<JoinHandle<()>>>,
    older: Cache<(String, i64, ReportAccess), Arc<RunView>>,
}

/// A hill that a server shows.
pub(crate) struct ServedHill {
    address: String,
    path: PathBuf,
    game: GameName,
    latest: watch::Receiver<Arc<Snapshot>>,
}

impl Hills {
    /// Opens the stores, and starts a thread for each that follows it.
    ///
    /// # Errors
    /// If a store cannot be read, or no thread can be started.
    pub(crate) fn open(paths: &[PathBuf]) -> Result<Self, FileError> {
        let stop = Arc::new(AtomicBool::new(false));
        let mut hills: Vec<ServedHill> = Vec::new();
        let mut followers = Vec::new();
        for path in paths {
            let store = HillStore::open(path)?;
            let taken = |address: &str| hills.iter().any(|hill| hill.address == address);
            let address = free_address(path, taken);
            let game = store.hill().game();
            let (follower, latest) = Follower::new(address.clone(), store, Arc::clone(&stop))?;
            let thread = std::thread::Builder::new()
                .name(format!("follow {address}"))
                .spawn(move || follower.follow());
            followers.push(thread.map_err(|error| FileError::new(path, error))?);
            hills.push(ServedHill { address, path: path.clone(), game, latest });
        }
        let followers = Mutex::new(followers);
        Ok(Self { hills, stop, followers, older: Cache::new(OLDER) })
    }

    /// All hills.
    pub(crate) fn all(&self) -> &[ServedHill] {
        &self.hills
    }

    /// The hill with this name in addresses.
    ///
    /// # Errors
    /// If there is no such hill.
    pub(crate) fn named(&self, address: &str) -> Result<&ServedHill, Problem> {
        let found = self.hills.iter().find(|hill| hill.address == address);
        found.ok_or_else(|| {
            let similar = did_you_mean(address, self.hills.iter().map(ServedHill::address));
            Problem::NotFound(format!("no such hill: {address:?}{similar}"))
        })
    }

    /// A run of a hill with what its games say. Takes long for a large run that is not cached, because its games are
    /// counted.
    ///
    /// # Errors
    /// If there is no such run, or it cannot be read.
    pub(crate) fn run(&self, address: &str, run: i64) -> Result<Arc<RunView>, Problem> {
        let hill = self.named(address)?;
        let snapshot = hill.latest();
        if let Some(latest) = snapshot.latest.as_ref().filter(|latest| latest.run == run) {
            return Ok(Arc::clone(latest));
        }
        let key = (address.to_owned(), run, snapshot.reports);
        if let Some(known) = self.older.get(&key) {
            return Ok(known);
        }
        if let Some(begun) = hill.begun(run, &snapshot)? {
            return Ok(begun);
        }
        let view = Arc::new(hill.older(run)?);
        if view.board.progress.state == RunState::Ended {
            self.older.insert(key, Arc::clone(&view));
        }
        Ok(view)
    }

    /// Stops the threads.
    pub(crate) fn close(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Waits until the threads have closed the stores: the last connection of a store moves its write-ahead log into the
    /// file.
    pub(crate) fn wait_until_closed(&self) {
        let mut followers = self.followers.lock().unwrap_or_else(PoisonError::into_inner);
        for follower in followers.drain(..) {
            let _panicked = follower.join();
        }
    }
}

impl Drop for Hills {
    fn drop(&mut self) {
        self.close();
    }
}

impl ServedHill {
    /// Its name in addresses.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// The path of its store.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The path of its store, to read games of a run.
    ///
    /// # Errors
    /// If the run was altered.
    pub(crate) fn path_of(&self, run: i64) -> Result<PathBuf, Problem> {
        if self.latest().is_altered(run) { Err(Problem::Altered) } else { Ok(self.path.clone()) }
    }

    /// Its game.
    pub(crate) const fn game(&self) -> GameName {
        self.game
    }

    /// Its current state.
    pub(crate) fn latest(&self) -> Arc<Snapshot> {
        Arc::clone(&self.latest.borrow())
    }

    /// A channel that yields every new state.
    pub(crate) fn changes(&self) -> watch::Receiver<Arc<Snapshot>> {
        self.latest.clone()
    }

    /// The run whose board the hill's page shows, or, for a bot that was placed since, the run that placed it.
    ///
    /// # Errors
    /// If the hill has had no run.
    pub(crate) fn displayed_run(&self, bot: Option<&str>) -> Result<i64, Problem> {
        let snapshot = self.latest();
        let Some(board) = &snapshot.hill.board else { return Ok(self.last_run()?.run) };
        let row = bot.and_then(|bot| board.rows.iter().find(|row| row.bot == bot));
        Ok(row.and_then(|row| row.placed.as_ref()).map_or(board.run, |placed| placed.run))
    }

    /// Its last run.
    ///
    /// # Errors
    /// If there is none, or it was altered.
    pub(crate) fn last_run(&self) -> Result<Arc<RunView>, Problem> {
        let snapshot = self.latest();
        let none = || match snapshot.hill.history.is_empty() {
            true => Problem::NotFound("this hill has no run yet".to_owned()),
            false => Problem::Altered,
        };
        snapshot.latest.clone().ok_or_else(none)
    }

    /// The last run, if it has begun and this server is about to follow it. Waits until it does.
    fn begun(&self, run: i64, known: &Snapshot) -> Result<Option<Arc<RunView>>, Problem> {
        let is_new = known.latest.as_ref().is_none_or(|latest| latest.run < run);
        // An imported run is followed only where no other is shown.
        let is_followed = |run: &RunSummary| !run.is_imported || known.latest.is_none();
        let is_open = |runs: &[RunSummary]| matches!(runs, [only] if only.run == run && only.result.is_none() && is_followed(only));
        if !is_new || !is_open(&HillStore::open(&self.path)?.runs_from(run)?) {
            return Ok(None);
        }
        let until = Instant::now() + FIRST_LOOK;
        while Instant::now() < until {
            let found = self.latest().latest.clone().filter(|latest| latest.run == run);
            if found.is_some() {
                return Ok(found);
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(None)
    }

    fn older(&self, run: i64) -> Result<RunView, Problem> {
        let store = HillStore::open(&self.path)?;
        let summary = store.runs_from(run)?.into_iter().find(|summary| summary.run == run);
        let summary = summary.ok_or_else(|| no_run(&store, run))?;
        if summary.result.is_none() {
            return Ok(
                with_game!(self.game, G => view::stopped::<G>(&store, &self.address, &summary)?),
            );
        }
        store.check_seal(run)?;
        Ok(with_game!(self.game, G => {
            let tally = Arc::new(view::count::<G>(&store, &summary, &|| true)?);
            view::ended::<G>(&store, &self.address, &summary, Some(tally))?
        }))
    }
}

/// What is wrong with the number of a run that the hill does not have.
fn no_run(store: &HillStore, run: i64) -> Problem {
    Problem::NotFound(format!("this hill {}", store.no_such_run(run).message()))
}

/// The name of a hill in addresses, if no other hill has it: the file's name without its extension, reduced to letters,
/// digits and hyphens.
#[must_use]
pub fn hill_address(path: &Path) -> String {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let name: String = stem.unwrap_or_default().chars().map(plain).collect();
    let name = name.trim_matches('-').to_owned();
    if name.is_empty() { "hill".to_owned() } else { name }
}

/// The name of a hill in addresses, with a number if it is taken.
fn free_address(path: &Path, taken: impl Fn(&str) -> bool) -> String {
    let name = hill_address(path);
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    std::iter::once(name.clone()).chain(numbered).find(|name| !taken(name)).unwrap_or(name)
}
