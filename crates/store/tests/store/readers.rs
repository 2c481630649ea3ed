//! Stores that are read while others write them, and where nothing can be written.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::sync::Barrier;
use std::thread;

use dicehill_store::{FileError, HillStore, NewEntrant};
use rustix::fs::Uid;

use crate::test_hill::{GAMES, new_entrant, new_store, play_run};

/// A user without rights to the folders of the tests.
const OTHER_USER: u32 = 54_321;

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).expect("it is ours");
}

/// Takes from this thread the right to write to folders of the test. A user that is not root has no right to take, and
/// closes the folder instead.
fn become_reader(folder: &Path) {
    if fs::metadata("/proc/self").expect("there is /proc").uid() == 0 {
        let user = Uid::from_raw(OTHER_USER);
        rustix::thread::set_thread_res_uid(user, user, user).expect("we are root");
    } else {
        set_mode(folder, 0o555);
    }
}

#[test]
fn a_reader_that_may_not_write_sees_later_runs_once_it_looks_again() {
    let folder = tempfile::tempdir().expect("a folder");
    set_mode(folder.path(), 0o755);
    let path = folder.path().join("h.db");
    drop(new_store(&path));
    set_mode(&path, 0o644);
    // Each of the two goes on when the other has done its part.
    let turns = Barrier::new(2);
    thread::scope(|scope| {
        scope.spawn(|| {
            become_reader(folder.path());
            let mut store = HillStore::open(&path).expect("it can be read");
            assert!(store.runs().expect("its runs").is_empty());
            for runs in 1..=2 {
                let before = store.data_version().expect("a version");
                turns.wait();
                turns.wait();
                assert!(store.has_changed_since(before).expect("a version"), "it has changed");
                store.reopen_if_outdated().expect("it can be read");
                assert_eq!(store.runs().expect("its runs").len(), runs);
            }
        });
        for run in 1..=2 {
            turns.wait();
            set_mode(folder.path(), 0o755);
            play_run(&path, run * 5);
            turns.wait();
        }
    });
}

#[test]
fn readers_leave_no_files_of_their_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("h.db");
    drop(new_store(&path));
    play_run(&path, GAMES);
    let before = fs::read(&path).expect("the hill");
    let store = HillStore::open(&path).expect("a hill");
    assert_eq!(store.runs().expect("its runs").len(), 1);
    drop(store);
    let names =
        fs::read_dir(folder.path()).expect("a folder").map(|entry| entry.unwrap().file_name());
    assert_eq!(names.collect::<Vec<_>>(), ["h.db"]);
    assert!(fs::read(&path).expect("the hill") == before, "it is unchanged");
}

#[test]
fn a_hill_with_another_file_in_its_place_is_noticed() {
    let folder = tempfile::tempdir().expect("a folder");
    let [path, other] = ["h.db", "other.db"].map(|name| folder.path().join(name));
    for path in [&path, &other] {
        drop(new_store(path));
    }
    play_run(&other, GAMES);
    let mut store = HillStore::open(&path).expect("a hill");
    let before = store.data_version().expect("a version");
    fs::rename(&other, &path).expect("they are ours");
    let outdated = store.data_version().expect("a version");
    assert_ne!(outdated, before);
    // Also for a reader that asks for the version only after the change.
    assert!(store.has_changed_since(outdated).expect("a version"), "it is not read again");
    store.reopen_if_outdated().expect("a hill");
    let current = store.data_version().expect("a version");
    assert!(!store.has_changed_since(current).expect("a version"), "nothing has changed");
    assert_eq!(store.runs().expect("its runs").len(), 1);
}

/// Whatever block of a hill's file is lost: a list of it is complete or an error.
#[test]
fn a_hill_with_a_lost_block_lists_all_its_entrants_or_none() {
    const PAGE: usize = 16384;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("h.db");
    let mut store = new_store(&path);
    let bot = |number: u32| NewEntrant {
        identity: "x".repeat(500),
        ..new_entrant(&format!("bot {number}"))
    };
    store.add(&(0..200).map(bot).collect::<Vec<_>>()).expect("they are added");
    drop(store);
    let whole = fs::read(&path).expect("a hill");
    // An empty page of a table: what a file system may have stored of it before.
    let empty = [0x0d, 0, 0, 0, 0, 0x40, 0, 0];
    let listed = |path: &Path| -> Result<usize, FileError> {
        let store = HillStore::open(path)?;
        store.check_lists()?;
        Ok(store.entrants()?.len())
    };
    let (mut errors, pages) = (0, whole.len() / PAGE);
    for page in 1..pages {
        for content in [&[0; PAGE][..], &[&empty[..], &[0; PAGE - 8]].concat()] {
            let mut damaged = whole.clone();
            damaged[page * PAGE..][..PAGE].copy_from_slice(content);
            fs::write(&path, damaged).expect("ours");
            match listed(&path) {
                Ok(entrants) => assert_eq!(entrants, 200, "page {page}"),
                Err(_) => errors += 1,
            }
        }
    }
    assert!(errors > 10, "{errors} of {pages} pages");
}
