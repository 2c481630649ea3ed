//! A cache of solved contests, in memory and optionally on disk.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

use dicehill_solver::yahtzee::{Contest, Solution, SolverThreads, Variant};
use dicehill_temporary::DraftFile;

/// Larger numbers of rivals are treated as this number.
const MAX_RIVALS: usize = 8;
/// Length of the hash at the end of a file, in bytes.
const HASH: usize = blake3::OUT_LEN;

/// Where solved contests are stored, how progress is reported, and what ends the solving.
#[derive(Clone, Copy, Debug)]
pub struct ContestCache {
    /// Returns the folder, which is created if it does not exist.
    pub folder: fn() -> io::Result<PathBuf>,
    /// Receives messages for the user, one line each.
    pub tell: fn(&str),
    /// Whether the process is to end. It must stay true from then on.
    pub is_stopped: fn() -> bool,
}

static KEPT: OnceLock<ContestCache> = OnceLock::new();

/// Stores the contests that `winner` solves in files, because solving takes seconds for each kind of table. A damaged file is recomputed.
///
/// Only the first call has an effect. Without it, contests persist only until the process ends.
pub fn cache_contests(kept: ContestCache) {
    let _first_counts = KEPT.set(kept);
}

/// The variant of the rules, the number of rivals and the number of them that play before.
type Key = (&'static str, usize, usize);

/// The contest against `rivals` rivals; `before` of them play before the player. With one rival that is exact; with several, half are
/// assumed to play before. `None` if the process is to end before the contest is solved.
pub(super) fn contest(variant: Variant, rivals: usize, before: usize) -> Option<Arc<Contest>> {
    static SOLVED: Mutex<BTreeMap<Key, Arc<Contest>>> = Mutex::new(BTreeMap::new());
    let rivals = rivals.min(MAX_RIVALS);
    let before = if rivals == 1 { before } else { rivals / 2 };
    let mut solved = SOLVED.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (variant.name(), rivals, before);
    if let Some(contest) = solved.get(&key) {
        return Some(Arc::clone(contest));
    }
    let contest = Arc::new(stored_or_solved(variant, rivals, before)?);
    solved.insert(key, Arc::clone(&contest));
    Some(contest)
}

fn stored_or_solved(variant: Variant, rivals: usize, before: usize) -> Option<Contest> {
    let solution = Solution::shared(variant);
    let threads = thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    let Some(ContestCache { folder, tell, is_stopped }) = KEPT.get() else {
        return Some(Contest::new(solution, rivals, before, threads));
    };
    let threads = SolverThreads { count: threads, is_stopped };
    let solve = || Contest::interruptible(solution, rivals, before, threads);
    let folder = match folder() {
        Ok(folder) => folder.join("contests"),
        Err(error) => {
            tell(&format!("winner: the result cannot be cached: {error}"));
            return solve();
        }
    };
    let file = folder.join(format!("{variant}-{rivals}-{before}"));
    match read(&file, solution) {
        Ok(Some(contest)) => return Some(contest),
        Ok(None) => {}
        Err(error) => tell(&format!("{}: {error}; recomputing it", file.display())),
    }
    let s = if rivals == 1 { "" } else { "s" };
    tell(&format!("winner: solving the contest with {rivals} rival{s}, which takes a while once"));
    let contest = solve()?;
    if let Err(error) = write(&file, &contest) {
        tell(&format!("{}: {error}; it must be solved again next time", file.display()));
    }
    Some(contest)
}

/// The contest in a file; `None` if there is no file.
fn read(file: &Path, solution: &'static Solution) -> io::Result<Option<Contest>> {
    let bytes = match fs::read(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        bytes => bytes?,
    };
    let damaged = |message: &str| io::Error::new(io::ErrorKind::InvalidData, message.to_owned());
    let (content, hash) = bytes.split_last_chunk::<HASH>().ok_or_else(|| damaged("is cut off"))?;
    if blake3::hash(content).as_bytes() != hash {
        return Err(damaged("is damaged"));
    }
    match Contest::from_bytes(solution, content) {
        Ok(contest) => Ok(Some(contest)),
        Err(error) => Err(damaged(&error.to_string())),
    }
}

/// Writes a file atomically.
fn write(file: &Path, contest: &Contest) -> io::Result<()> {
    let mut bytes = contest.to_bytes();
    let hash = blake3::hash(&bytes);
    bytes.extend(hash.as_bytes());
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut draft = DraftFile::new(file)?;
    draft.file().write_all(&bytes)?;
    draft.persist().map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_files_are_refused() {
        let folder = std::env::temp_dir().join(format!("dicehill-contests-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let file = folder.join("contest");
        let solution = Solution::shared(Variant::Official);
        assert!(read(&file, solution).expect("nothing wrong").is_none());
        let mut sealed = b"not a contest".to_vec();
        sealed.extend(blake3::hash(b"not a contest").as_bytes());
        let mut altered = sealed.clone();
        altered[3] ^= 1;
        for (content, why) in [
            (b"short".to_vec(), "is cut off"),
            (altered, "is damaged"),
            (sealed, "not a contest of this version"),
        ] {
            fs::write(&file, content).expect("written");
            let error = read(&file, solution).map(|_| ()).expect_err("not a contest");
            assert_eq!(error.to_string(), why);
        }
        fs::remove_dir_all(folder).expect("removed");
    }
}
