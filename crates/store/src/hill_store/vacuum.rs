//! Gives the free pages of a store back to the system, if the disk has the room that this takes.

use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::database;
use crate::{FileError, free_bytes};

/// Moves the content of the write-ahead log into the file, and empties the log.
const TRUNCATE: &str = "PRAGMA wal_checkpoint(TRUNCATE)";
/// What is to stay free on the disk of a hill.
const RESERVE: u64 = 4 << 20;

/// Rewrites the file without its free pages. Returns whether it is shorter now: others that read it keep it long until they have ended.
///
/// # Errors
/// If there is too little room, and then nothing is written, or the file cannot be written.
pub(super) fn vacuum(database: &Connection, path: &Path) -> Result<bool, FileError> {
    empty_log(database);
    let used = used_bytes(database).map_err(|error| database::error(path, &error))?;
    check_room(path, used)?;
    let done = database.execute_batch("VACUUM").map_err(|error| database::error(path, &error));
    let is_empty = empty_log(database);
    done.map(|()| is_empty)
}

/// Empties the write-ahead log, whose pages would keep the space of a change that failed. Another process may keep it from that,
/// whose own checkpoint does it later. Returns whether the log is empty.
pub(super) fn empty_log(database: &Connection) -> bool {
    let is_busy = database.query_row(TRUNCATE, [], |row| row.get::<_, bool>(0));
    is_busy.is_ok_and(|is_busy| !is_busy)
}

/// The share of the file that is free pages, in percent.
pub(super) fn free_percent(database: &Connection) -> rusqlite::Result<i64> {
    let [all, free] = [pragma(database, "page_count")?, pragma(database, "freelist_count")?];
    Ok(free * 100 / all.max(1))
}

/// The bytes of the pages that are in use.
fn used_bytes(database: &Connection) -> rusqlite::Result<u64> {
    let pages = pragma(database, "page_count")? - pragma(database, "freelist_count")?;
    Ok((pages * pragma(database, "page_size")?).unsigned_abs())
}

fn pragma(database: &Connection, name: &str) -> rusqlite::Result<i64> {
    database.pragma_query_value(None, name, |row| row.get(0))
}

/// Checks the room for `VACUUM`: SQLite writes what is in use to a temporary file, and from there to the write-ahead log.
fn check_room(path: &Path, used: u64) -> Result<(), FileError> {
    let (folder, temporary) = (folder_of(path), temporary_folder());
    let needed = used.saturating_add(used / 100).saturating_add(RESERVE);
    let places: &[_] = if is_same_disk(folder, &temporary) {
        &[(folder, needed.saturating_mul(2))]
    } else {
        &[(folder, needed), (&temporary, needed)]
    };
    let too_little = |why| FileError::new(path, format!("the file cannot be made smaller: {why}"));
    places.iter().try_for_each(|(place, needed)| refuse_without(place, *needed).map_err(too_little))
}

/// Checks that the disk of the hill at `path` has this room for a change.
///
/// # Errors
/// If it has less.
pub(super) fn check_free(path: &Path, needed: u64) -> Result<(), FileError> {
    refuse_without(folder_of(path), needed).map_err(|why| FileError::new(path, why))
}

fn refuse_without(folder: &Path, needed: u64) -> Result<(), String> {
    match free_bytes(folder) {
        Some(free) if free < needed => {
            let [needed, free] = [needed.div_ceil(1 << 20), free >> 20];
            Err(format!(
                "this needs {needed} MiB on the disk of {}, which has {free} MiB left; make room there and run the command again",
                folder.display()
            ))
        }
        Some(_) | None => Ok(()),
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Where SQLite creates temporary files: <https://sqlite.org/tempfiles.html>, section 5.
fn temporary_folder() -> PathBuf {
    let named = ["SQLITE_TMPDIR", "TMPDIR"].map(std::env::var_os).into_iter().flatten();
    let usual = ["/var/tmp", "/usr/tmp", "/tmp"].map(Into::into);
    let mut all = named.chain(usual).map(PathBuf::from);
    all.find(|folder| folder.is_dir()).unwrap_or_else(|| ".".into())
}

#[cfg(unix)]
fn is_same_disk(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let disk = |folder: &Path| folder.metadata().map(|meta| meta.dev()).ok();
    disk(one) == disk(other)
}

/// Elsewhere free space is not known.
#[cfg(not(unix))]
fn is_same_disk(_one: &Path, _other: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_without_room_is_refused_with_the_numbers() {
        let folder = tempfile::tempdir().unwrap();
        let hill = folder.path().join("h.db");
        assert_eq!(check_room(&hill, 1 << 20), Ok(()));
        let refused = check_room(&hill, 1 << 60).unwrap_err().to_string();
        assert!(
            refused.contains("h.db: the file cannot be made smaller: this needs ")
                && refused.contains(" MiB left; make room")
        );
    }

    #[test]
    fn free_pages_are_given_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.db");
        let database = Connection::open(&path).unwrap();
        let sql = "PRAGMA journal_mode = wal; CREATE TABLE t (x); INSERT INTO t VALUES (zeroblob(1000000));
             DELETE FROM t;";
        database.execute_batch(sql).unwrap();
        assert!(free_percent(&database).unwrap() > 90);
        assert!(vacuum(&database, &path).unwrap(), "no other reader");
        assert_eq!(free_percent(&database).unwrap(), 0);
        let log = folder.path().join("x.db-wal");
        assert_eq!(log.metadata().unwrap().len(), 0);
        assert!(path.metadata().unwrap().len() < 100_000);
    }
}
