//! Removing what processes that have ended left behind.

use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{AtFlags, Mode, unlinkat};

use crate::names::{INNER, is_ours};
use crate::owned::abandoned;
use crate::tree::{OPEN_FOLDER_FLAGS, entry_names, remove_tree};

/// How long a process that is being killed may take to release its locks.
const ENDING: Duration = Duration::from_secs(2);
/// The pause between two checks of the lock.
const PAUSE: Duration = Duration::from_millis(5);

/// Removes the folders and files in `place` that ended processes of this user left behind. What cannot be removed stays.
pub fn clear_abandoned(place: &Path) {
    let Ok(at) = rustix::fs::open(place, OPEN_FOLDER_FLAGS, Mode::empty()).map(File::from) else {
        return;
    };
    for name in entry_names(&at).unwrap_or_default() {
        if is_ours(name.as_bytes()) {
            let name = Path::new(std::ffi::OsStr::from_bytes(name.as_bytes()));
            let _best_effort = remove(&at, name);
        }
    }
}

/// Removes the [`crate::TemporaryFolder`] with this path once the process that created it has ended, for which it waits up to two
/// seconds. Other paths are ignored.
pub fn remove_abandoned(inner: &Path) {
    let Some(outer) = inner.parent().filter(|_| inner.ends_with(INNER)) else { return };
    let (Some(place), Some(name)) = (outer.parent(), outer.file_name()) else { return };
    if !is_ours(name.as_bytes()) {
        return;
    }
    let until = Instant::now() + ENDING;
    let Ok(at) = rustix::fs::open(place, OPEN_FOLDER_FLAGS, Mode::empty()).map(File::from) else {
        return;
    };
    while matches!(remove(&at, Path::new(name)), Ok(false)) && Instant::now() < until {
        thread::sleep(PAUSE);
    }
}

/// Removes an entry; false if a process has it locked.
fn remove(at: &File, name: &Path) -> io::Result<bool> {
    let Some((entry, meta)) = abandoned(at, name)? else { return Ok(false) };
    if meta.is_dir() {
        remove_tree(at, name, &entry)?;
    } else if meta.is_file() {
        unlinkat(at, name, AtFlags::empty())?;
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::names::{DRAFT_PREFIX, FOLDER_PREFIX};
    use crate::{DraftFile, TemporaryFolder};

    fn count_entries(place: &Path) -> usize {
        fs::read_dir(place).unwrap().count()
    }

    #[test]
    fn a_locked_folder_or_file_stays() {
        let place = tempfile::tempdir().unwrap();
        let folder = TemporaryFolder::new_in(place.path()).unwrap();
        let draft = DraftFile::new(&place.path().join("file")).unwrap();
        clear_abandoned(place.path());
        assert!(folder.path().exists() && draft.path().exists());
        drop((folder, draft));
        assert_eq!(count_entries(place.path()), 0);
    }

    #[test]
    fn unlocked_folders_and_files_are_removed() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join(format!("{FOLDER_PREFIX}abc"));
        fs::create_dir_all(folder.join(INNER).join("deep/in")).unwrap();
        fs::write(folder.join(INNER).join("file"), "").unwrap();
        fs::write(place.path().join(format!("{DRAFT_PREFIX}abc")), "half").unwrap();
        fs::write(place.path().join("dicehill-of-a-user"), "kept").unwrap();
        clear_abandoned(place.path());
        assert_eq!(count_entries(place.path()), 1);
    }

    #[test]
    fn links_are_neither_followed_nor_removed() {
        let (place, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::write(other.path().join("file"), "kept").unwrap();
        let links = [FOLDER_PREFIX, DRAFT_PREFIX].map(|prefix| format!("{prefix}link"));
        symlink(other.path(), place.path().join(&links[0])).unwrap();
        symlink(other.path().join("file"), place.path().join(&links[1])).unwrap();
        clear_abandoned(place.path());
        assert_eq!(count_entries(place.path()), 2);
        assert_eq!(fs::read_to_string(other.path().join("file")).unwrap(), "kept");
    }

    #[test]
    fn only_the_named_folder_is_removed() {
        let place = tempfile::tempdir().unwrap();
        let [one, other] = ["one", "other"]
            .map(|name| place.path().join(format!("{FOLDER_PREFIX}{name}")).join(INNER));
        let foreign = place.path().join("foreign").join(INNER);
        for folder in [&one, &other, &foreign] {
            fs::create_dir_all(folder).unwrap();
        }
        remove_abandoned(&one);
        remove_abandoned(&foreign);
        assert!(!one.exists() && other.exists() && foreign.exists());
    }
}
