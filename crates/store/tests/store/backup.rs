//! Backups of hills, and hills restored from them.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use dicehill_store::HillStore;
use rusqlite::Connection;
use tempfile::TempDir;

use crate::test_hill::{GAMES, new_store, play_run};

/// A folder with `h.db`, a hill with one run.
fn hill() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("h.db");
    drop(new_store(&path));
    play_run(&path, GAMES);
    (folder, path)
}

fn games(path: &Path) -> Vec<u64> {
    let runs = HillStore::open(path).expect("a hill").runs().expect("its runs");
    runs.iter().map(|run| run.games).collect()
}

#[track_caller]
fn assert_refused(done: Result<(), dicehill_store::FileError>, why: &str) {
    let error = done.expect_err(why).to_string();
    assert!(error.contains(why), "{error}");
}

#[test]
fn a_backup_has_what_is_still_in_the_write_ahead_log() {
    let (folder, path) = hill();
    // An open connection keeps the log from being moved into the hill.
    let writer = HillStore::open_to_write(&path).expect("a hill");
    let other = Connection::open(&path).expect("a database");
    other.execute("UPDATE run SET begun = 77", []).expect("a change");
    let copied = folder.path().join("copied.db");
    fs::copy(&path, &copied).expect("a copy");
    let lost = HillStore::open(&copied).expect("a hill").runs().expect("its runs");
    assert_ne!(lost[0].begun, 77, "a plain copy lacks the log");
    let backup = folder.path().join("backup.db");
    HillStore::open(&path).expect("a hill").back_up(&backup).expect("a backup");
    assert_eq!(HillStore::open(&backup).expect("a hill").runs().expect("runs")[0].begun, 77);
    assert_eq!(games(&backup), [GAMES as u64]);
    let mode = fs::metadata(&backup).expect("a file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "it has the seeds of unfinished runs");
    drop((writer, other));
    play_run(&backup, GAMES);
    assert_eq!((games(&backup).len(), games(&path).len()), (2, 1));
}

#[test]
fn a_backup_replaces_nothing_and_is_one_file() {
    let (folder, path) = hill();
    let backup = folder.path().join("backup.db");
    let store = HillStore::open(&path).expect("a hill");
    store.back_up(&backup).expect("a backup");
    assert_refused(store.back_up(&backup), "backup.db: already exists");
    drop(store);
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2);
    fs::remove_file(&backup).expect("ours");
    fs::write(folder.path().join("backup.db-wal"), "of another").expect("a file");
    let store = HillStore::open(&path).expect("a hill");
    assert_refused(
        store.back_up(&backup),
        "backup.db-wal, which belongs to a deleted hill of this name",
    );
    assert!(!backup.exists());
}

#[test]
fn a_hill_is_restored_and_replaced_only_on_request() {
    let (folder, path) = hill();
    let backup = folder.path().join("backup.db");
    HillStore::open(&path).expect("a hill").back_up(&backup).expect("a backup");
    play_run(&path, 5);
    assert_eq!(games(&path), [12, 5]);
    assert_refused(HillStore::restore(&backup, &path, false), "h.db: already exists: --overwrite");
    assert_eq!(games(&path), [12, 5]);
    HillStore::restore(&backup, &path, true).expect("it is restored");
    assert_eq!(games(&path), [12]);
    let new = folder.path().join("new.db");
    HillStore::restore(&backup, &new, false).expect("it is restored");
    assert_eq!(games(&new), [12]);
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 3);
}

/// The write-ahead log of the hill that was replaced would else be taken for that of the backup.
#[test]
fn a_damaged_hill_is_replaced_with_its_write_ahead_log() {
    let (folder, path) = hill();
    let backup = folder.path().join("backup.db");
    HillStore::open(&path).expect("a hill").back_up(&backup).expect("a backup");
    let writer = HillStore::open_to_write(&path).expect("a hill");
    let other = Connection::open(&path).expect("a database");
    other.execute("UPDATE run SET begun = 77", []).expect("a change");
    let log = fs::read(folder.path().join("h.db-wal")).expect("a log");
    assert!(!log.is_empty());
    drop((other, writer));
    for damaged in [&b"not a database"[..], b""] {
        fs::write(&path, damaged).expect("a file");
        fs::write(folder.path().join("h.db-wal"), &log).expect("a file");
        HillStore::restore(&backup, &path, true).expect("it is restored");
        assert_ne!(HillStore::open(&path).expect("a hill").runs().expect("runs")[0].begun, 77);
    }
}

#[test]
fn what_is_in_use_or_damaged_is_not_restored() {
    let (folder, path) = hill();
    let backup = folder.path().join("backup.db");
    HillStore::open(&path).expect("a hill").back_up(&backup).expect("a backup");
    let reader = HillStore::open(&path).expect("a hill");
    reader.runs().expect("its runs");
    let error = HillStore::restore(&backup, &path, true).expect_err("a reader has it open");
    assert!(error.is_busy() && error.to_string().contains("stop it first"), "{error}");
    drop(reader);
    let player = HillStore::open_to_write(&path).expect("a hill");
    let error = HillStore::restore(&backup, &path, true).expect_err("a run may be played");
    assert!(error.is_busy() && error.to_string().contains(HillStore::BUSY_MESSAGE), "{error}");
    drop(player);
    let whole = fs::read(&backup).expect("a backup");
    fs::write(&backup, &whole[..whole.len() / 2]).expect("ours");
    assert_refused(HillStore::restore(&backup, &path, true), "backup.db: is damaged");
    fs::write(&backup, &whole).expect("ours");
    let forger = Connection::open(&backup).expect("a database");
    forger.execute("UPDATE page SET games = games || ' '", []).expect("a change");
    drop(forger);
    let error = HillStore::restore(&backup, &path, true).expect_err("it was altered");
    assert!(error.is_altered() && error.to_string().contains("backup.db"), "{error}");
    fs::write(&backup, "text").expect("ours");
    assert_refused(HillStore::restore(&backup, &path, true), "backup.db: is not a hill");
    assert_eq!(games(&path), [12]);
}
