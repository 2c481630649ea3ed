//! The hills that a server shows, each looked at by a thread of its own.

mod follower;
mod league;
mod snapshot;
mod tally;
mod view;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use dicehill_rules::GameName;
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_store::{FileError, HillStore};
use quick_cache::sync::Cache;
use tokio::sync::watch;

use crate::Problem;
use follower::Follower;
pub(crate) use snapshot::{RunView, Snapshot};
pub(crate) use tally::{Answers, Tally};
pub(crate) use view::{active, games_of, hill_of};

/// Older runs that are kept at hand.
const OLDER: usize = 16;

/// The hills that a server shows, in the order in which they were named.
pub(crate) struct Hills {
    hills: Vec<ServedHill>,
    stop: Arc<AtomicBool>,
    older: Cache<(String, i64), Arc<RunView>>,
}

/// A hill that a server shows.
pub(crate) struct ServedHill {
    address: String,
    path: PathBuf,
    game: GameName,
    latest: watch::Receiver<Arc<Snapshot>>,
}

impl Hills {
    /// Opens the stores, and begins to follow them.
    ///
    /// # Errors
    /// If one cannot be read.
    pub(crate) fn open(paths: &[PathBuf]) -> Result<Self, FileError> {
        let stop = Arc::new(AtomicBool::new(false));
        let mut hills: Vec<ServedHill> = Vec::new();
        for path in paths {
            let store = HillStore::open(path)?;
            let taken = |address: &str| hills.iter().any(|hill| hill.address == address);
            let address = free_address(path, taken);
            let game = store.hill().game;
            let (follower, latest) = Follower::new(address.clone(), store, Arc::clone(&stop))?;
            std::thread::Builder::new()
                .name(format!("follow {address}"))
                .spawn(move || follower.follow())
                .map_err(|error| FileError::new(path, error))?;
            hills.push(ServedHill { address, path: path.clone(), game, latest });
        }
        Ok(Self { hills, stop, older: Cache::new(OLDER) })
    }

    /// All of them.
    pub(crate) fn all(&self) -> &[ServedHill] {
        &self.hills
    }

    /// The hill with this name in addresses.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn named(&self, address: &str) -> Result<&ServedHill, Problem> {
        let found = self.hills.iter().find(|hill| hill.address == address);
        found.ok_or_else(|| Problem::NotFound(format!("there is no hill {address:?} here")))
    }

    /// A run of a hill, with all that its games say; the last if none is named. Takes long if it is a large one
    /// that nobody has asked for lately.
    ///
    /// # Errors
    /// If there is none, or it cannot be read.
    pub(crate) fn run(&self, address: &str, run: Option<i64>) -> Result<Arc<RunView>, Problem> {
        let hill = self.named(address)?;
        let snapshot = hill.latest();
        let Some(run) = run else { return hill.last_run() };
        if let Some(latest) = snapshot.latest.as_ref().filter(|latest| latest.run == run) {
            return Ok(Arc::clone(latest));
        }
        let key = (address.to_owned(), run);
        if let Some(known) = self.older.get(&key) {
            return Ok(known);
        }
        let view = Arc::new(hill.older(run)?);
        self.older.insert(key, Arc::clone(&view));
        Ok(view)
    }

    /// Ends the threads.
    pub(crate) fn close(&self) {
        self.stop.store(true, Ordering::Relaxed);
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

    /// Its store.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Its game.
    pub(crate) const fn game(&self) -> GameName {
        self.game
    }

    /// How it stands.
    pub(crate) fn latest(&self) -> Arc<Snapshot> {
        Arc::clone(&self.latest.borrow())
    }

    /// Tells when it stands otherwise.
    pub(crate) fn changes(&self) -> watch::Receiver<Arc<Snapshot>> {
        self.latest.clone()
    }

    /// The run whose board stands in front, or, of an entrant that was placed since, the run that placed it.
    ///
    /// # Errors
    /// If there has been no run.
    pub(crate) fn run_in_front(&self, bot: Option<&str>) -> Result<i64, Problem> {
        let snapshot = self.latest();
        let Some(board) = &snapshot.hill.board else { return Ok(self.last_run()?.run) };
        let row = bot.and_then(|bot| board.rows.iter().find(|row| row.bot == bot));
        Ok(row.and_then(|row| row.placed.as_ref()).map_or(board.run, |placed| placed.run))
    }

    /// Its last run.
    ///
    /// # Errors
    /// If it has none.
    pub(crate) fn last_run(&self) -> Result<Arc<RunView>, Problem> {
        let none = || Problem::NotFound("this hill has had no tournament yet".to_owned());
        self.latest().latest.clone().ok_or_else(none)
    }

    fn older(&self, run: i64) -> Result<RunView, Problem> {
        let none = || Problem::NotFound(format!("this hill has no run {run}"));
        let store = HillStore::open(&self.path)?;
        let summary = store.runs_from(run)?.into_iter().find(|summary| summary.run == run);
        let summary = summary.ok_or_else(none)?;
        if summary.result.is_none() {
            return Err(Problem::NotFound(format!("run {run} was left before its end")));
        }
        let go_on = || true;
        let address = &self.address;
        Ok(match self.game {
            GameName::Yahtzee => {
                let tally = Arc::new(follower::count::<Yahtzee>(&store, &summary, &go_on)?);
                view::ended::<Yahtzee>(&store, address, &summary, Some(tally))?
            }
            GameName::LiarsDice => {
                let tally = Arc::new(follower::count::<LiarsDice>(&store, &summary, &go_on)?);
                view::ended::<LiarsDice>(&store, address, &summary, Some(tally))?
            }
        })
    }
}

/// The name of the file without its ending, of letters, digits and hyphens, with a number if it is taken.
fn free_address(path: &Path, taken: impl Fn(&str) -> bool) -> String {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let name: String = stem.unwrap_or_default().chars().map(plain).collect();
    let name = name.trim_matches('-').to_owned();
    let name = if name.is_empty() { "hill".to_owned() } else { name };
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    std::iter::once(name.clone()).chain(numbered).find(|name| !taken(name)).unwrap_or(name)
}
