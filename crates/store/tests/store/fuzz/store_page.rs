//! Stores of hills with altered bytes.
//!
//! An input is a line and the bytes that are written: `page NUMBER OFFSET` alters a page of the SQLite file, and
//! `value TABLE COLUMN ROW` a value of a table, as a forger with SQLite does.

use std::fs;
use std::path::{Path, PathBuf};

use dicehill_rules::with_game;
use dicehill_store::{EntryStore, FileError, HillStore, RecordedRun, RunSource, TruncatedTail};
use rusqlite::types::Value;
use rusqlite::{Connection, params};

use super::{fixture, outcome, scratch, target, verified};

/// The bytes of a page of the fixture.
const PAGE: usize = 16384;

#[test]
fn store_pages() {
    let folder = scratch();
    let path = folder.path().join("hill.db");
    let honest = fs::read(fixture("stores/autumn.db")).expect("a store");
    let mut fuzzed = target("store-page", &[], 100);
    fuzzed.seeds = seeds();
    fuzzed.check(|input| {
        for companion in ["-wal", "-shm", "-journal"] {
            let _may_be_missing = fs::remove_file(format!("{}{companion}", path.display()));
        }
        if !alter(&honest, input, &path) {
            return "not altered".to_owned();
        }
        let lists = outcome(&path, lists(&path));
        let run = 1 + input.len() % 4;
        format!("{lists}; {}", outcome(&path, read_run(&path, run)))
    });
}

/// An alteration of each kind, and one for each column that is parsed.
fn seeds() -> Vec<Vec<u8>> {
    let mut seeds: Vec<_> =
        ["page 0 100\n\0", "page 1 0\n\x0d\0", "page 4 16000\nx", "page 9 8\n\x05\x01"]
            .map(|text| text.as_bytes().to_vec())
            .into();
    let database = Connection::open(fixture("stores/autumn.db")).expect("a database");
    let columns = [
        ("hill", "game"),
        ("hill", "seats"),
        ("hill", "games"),
        ("hill", "move_ms"),
        ("entrant", "name"),
        ("version", "source"),
        ("version", "votes"),
        ("run", "header"),
        ("run", "begun"),
        ("run", "records"),
        ("run", "result"),
        ("page", "games"),
        ("page", "first"),
        ("page", "times"),
        ("page", "checks"),
    ];
    for (table, column) in columns {
        let sql = format!("SELECT CAST({column} AS BLOB) FROM {table} ORDER BY id LIMIT 1");
        let value: Option<Vec<u8>> =
            database.query_row(&sql, [], |row| row.get(0)).expect("a value");
        let head = format!("value {table} {column} 1\n").into_bytes();
        seeds.push([head, value.unwrap_or_default()].concat());
    }
    seeds
}

/// Writes an altered store. Returns whether the input is an alteration that SQLite carries out.
fn alter(honest: &[u8], input: &[u8], path: &Path) -> bool {
    let end = input.iter().position(|byte| *byte == b'\n').unwrap_or(input.len());
    let (head, bytes) = input.split_at(end);
    let bytes = bytes.get(1..).unwrap_or_default();
    let head = String::from_utf8_lossy(head);
    let mut store = honest.to_vec();
    match *head.split(' ').collect::<Vec<_>>() {
        ["page", number, offset] => {
            let number = number.parse().unwrap_or(0usize) % (store.len() / PAGE);
            let offset = offset.parse().unwrap_or(0usize) % PAGE;
            let bytes = &bytes[..bytes.len().min(PAGE - offset)];
            let start = number * PAGE + offset;
            store[start..start + bytes.len()].copy_from_slice(bytes);
            fs::write(path, &store).expect("it can be written");
            store != honest
        }
        ["value", table, column, row] => {
            fs::write(path, &store).expect("it can be written");
            set_value(path, [table, column, row], bytes)
        }
        _ => false,
    }
}

/// Sets a value in the row with this id, or in all rows of a table without ids.
fn set_value(path: &Path, [table, column, row]: [&str; 3], bytes: &[u8]) -> bool {
    let is_name = |text: &str| text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    if !is_name(table) || !is_name(column) {
        return false;
    }
    let database = Connection::open(path).expect("a database");
    database.pragma_update(None, "synchronous", "off").expect("it is not synced");
    let row = row.parse().unwrap_or(1i64);
    let number = std::str::from_utf8(bytes).ok().and_then(|text| text.parse().ok());
    let number = number.map(|number| ("?1", Value::Integer(number)));
    // What SQLite takes for a text may be no UTF-8.
    let text = ("CAST(?1 AS TEXT)", Value::Blob(bytes.to_vec()));
    let blob = ("?1", Value::Blob(bytes.to_vec()));
    number.into_iter().chain([text, blob]).any(|(value, bytes)| {
        let update = format!("UPDATE {table} SET {column} = {value}");
        [format!("{update} WHERE id = {row}"), update]
            .iter()
            .any(|sql| database.execute(sql, params![bytes]).is_ok_and(|rows| rows > 0))
    })
}

/// What `dicehill hill show`, `hill list`, `hill log` and `token list` read.
fn lists(path: &Path) -> Result<String, FileError> {
    let store = HillStore::open(path)?;
    let entrants = store.entrants()?;
    for entrant in &entrants {
        store.files(entrant.version)?;
    }
    let runs = store.runs()?;
    for run in &runs {
        store.failures(run.run)?;
        store.commitment_of(run.run)?;
        store.count_games(run.run)?;
    }
    store.unused_commitment()?;
    store.check_lists()?;
    let entries = EntryStore::open_to_read(path)?;
    let (tokens, listed) = (entries.tokens()?, entries.entries(100)?);
    Ok(format!("{} {} {} {}", entrants.len(), runs.len(), tokens.len(), listed.len()))
}

/// What reads a run: a seal, its games, its log, and `dicehill verify`.
fn read_run(path: &Path, run: usize) -> Result<String, FileError> {
    let named = PathBuf::from(format!("{}#{run}", path.display()));
    let sealed = outcome(path, RunSource::open(&named, TruncatedTail::Refuse).map(|_| ()));
    let run = RecordedRun::open(&named, TruncatedTail::Refuse)?;
    let mut bytes = 0;
    let logged = run.each_log_line(|line| {
        bytes += line.len();
        Ok::<_, FileError>(())
    });
    let logged = outcome(path, logged);
    let games = outcome(path, run.stored_games().map(|games| games.is_some()));
    let verified = with_game!(run.header().hill.game(), G => verified::<G>(&run));
    Ok(format!("{sealed} {logged} {games} {}", outcome(path, verified)))
}
