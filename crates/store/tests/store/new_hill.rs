//! Creating the store of a new hill.

use std::fs;
use std::path::Path;

use dicehill_arena::HillDraft;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_store::{HillSettings, HillStore};

fn record() -> HillSettings {
    HillSettings::from_draft(&HillDraft::<Yahtzee>::challenge(Vec::new(), ""), None)
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("an entry").file_name();
    let mut names: Vec<_> = entries.map(|entry| name(entry).into_string().expect("text")).collect();
    names.sort();
    names
}

#[test]
fn creating_a_hill_leaves_one_file_and_replaces_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("h.db");
    drop(HillStore::create(&path, &record()).expect("a new hill"));
    assert_eq!(names(folder.path()), ["h.db"]);
    let before = fs::read(&path).expect("the hill");
    let error = HillStore::create(&path, &record()).err().expect("the file exists");
    assert!(error.to_string().contains("h.db: already exists"), "{error}");
    assert_eq!(names(folder.path()), ["h.db"]);
    assert!(fs::read(&path).expect("the hill") == before, "it is unchanged");
    assert_eq!(HillStore::open(&path).expect("a hill").hill(), &record());
    for other in ["empty", "folder", "link"] {
        let path = folder.path().join(other);
        match other {
            "empty" => fs::write(&path, "").expect("a file"),
            "folder" => fs::create_dir(&path).expect("a folder"),
            _ => std::os::unix::fs::symlink("nowhere", &path).expect("a link"),
        }
        assert!(HillStore::create(&path, &record()).is_err(), "{other}");
    }
}

#[test]
fn a_new_hill_is_locked_by_its_creator() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("h.db");
    let created = HillStore::create(&path, &record()).expect("a new hill");
    let error = HillStore::open_to_write(&path).err().expect("it is locked");
    assert!(error.is_busy() && !error.is_altered() && !error.is_arena_error());
    assert_eq!(error.to_string(), format!("{}: {}", path.display(), HillStore::BUSY_MESSAGE));
    assert!(HillStore::open(&path).is_ok());
    drop(created);
    assert!(HillStore::open_to_write(&path).is_ok());
    let missing = HillStore::open_to_write(&folder.path().join("none")).err().expect("no file");
    assert!(!missing.is_busy(), "{missing}");
}

#[test]
fn the_draft_of_a_killed_process_is_removed() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join(".dicehill-draft-a1b2c3"), "SQLite format 3\0").expect("a file");
    drop(HillStore::create(&folder.path().join("h.db"), &record()).expect("a new hill"));
    assert_eq!(names(folder.path()), ["h.db"]);
}
