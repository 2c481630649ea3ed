//! What processes have left that are gone.

use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{AtFlags, Mode, unlinkat};

use crate::folder::INNER;
use crate::owned::abandoned;
use crate::tree::{FOLDER, names, remove_tree};
use crate::{draft, folder};

/// How long a process that is being killed may take to let go of its locks.
const ENDING: Duration = Duration::from_secs(2);
/// How often they are looked at.
const LOOK: Duration = Duration::from_millis(5);

/// Removes all that was left in this folder by processes of this user that are gone. What cannot be removed stays.
pub fn clear_abandoned(place: &Path) {
    let Ok(at) = rustix::fs::open(place, FOLDER, Mode::empty()).map(File::from) else { return };
    for name in names(&at).unwrap_or_default() {
        if is_ours(name.as_bytes()) {
            let name = Path::new(std::ffi::OsStr::from_bytes(name.as_bytes()));
            let _best_effort = remove(&at, name);
        }
    }
}

/// Removes what the process has left that made the [`crate::Temporary`] with this path, once it is gone. All other paths
/// are left alone.
pub fn remove_abandoned(inner: &Path) {
    let Some(outer) = inner.parent().filter(|_| inner.ends_with(INNER)) else { return };
    let (Some(place), Some(name)) = (outer.parent(), outer.file_name()) else { return };
    if !is_ours(name.as_bytes()) {
        return;
    }
    let until = Instant::now() + ENDING;
    let Ok(at) = rustix::fs::open(place, FOLDER, Mode::empty()).map(File::from) else { return };
    while matches!(remove(&at, Path::new(name)), Ok(false)) && Instant::now() < until {
        thread::sleep(LOOK);
    }
}

fn is_ours(name: &[u8]) -> bool {
    name.starts_with(folder::PREFIX.as_bytes()) || name.starts_with(draft::PREFIX.as_bytes())
}

/// Removes an entry; false if it has an owner.
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
    use crate::{Draft, Temporary};

    fn entries(place: &Path) -> usize {
        fs::read_dir(place).unwrap().count()
    }

    #[test]
    fn what_has_an_owner_stays() {
        let place = tempfile::tempdir().unwrap();
        let folder = Temporary::within(place.path()).unwrap();
        let draft = Draft::new(&place.path().join("file")).unwrap();
        clear_abandoned(place.path());
        assert!(folder.path().exists() && draft.path().exists());
        drop((folder, draft));
        assert_eq!(entries(place.path()), 0);
    }

    #[test]
    fn what_has_none_goes() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join(format!("{}abc", folder::PREFIX));
        fs::create_dir_all(folder.join(INNER).join("deep/in")).unwrap();
        fs::write(folder.join(INNER).join("file"), "").unwrap();
        fs::write(place.path().join(format!("{}abc", draft::PREFIX)), "half").unwrap();
        fs::write(place.path().join("dicehill-of-a-user"), "kept").unwrap();
        clear_abandoned(place.path());
        assert_eq!(entries(place.path()), 1);
    }

    #[test]
    fn links_are_neither_followed_nor_removed() {
        let (place, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::write(other.path().join("file"), "kept").unwrap();
        let links = [folder::PREFIX, draft::PREFIX].map(|prefix| format!("{prefix}link"));
        symlink(other.path(), place.path().join(&links[0])).unwrap();
        symlink(other.path().join("file"), place.path().join(&links[1])).unwrap();
        clear_abandoned(place.path());
        assert_eq!(entries(place.path()), 2);
        assert_eq!(fs::read_to_string(other.path().join("file")).unwrap(), "kept");
    }

    #[test]
    fn of_one_process_only_the_named_folder_goes() {
        let place = tempfile::tempdir().unwrap();
        let [one, other] = ["one", "other"]
            .map(|name| place.path().join(format!("{}{name}", folder::PREFIX)).join(INNER));
        let strange = place.path().join("strange").join(INNER);
        for folder in [&one, &other, &strange] {
            fs::create_dir_all(folder).unwrap();
        }
        remove_abandoned(&one);
        remove_abandoned(&strange);
        assert!(!one.exists() && other.exists() && strange.exists());
    }
}
