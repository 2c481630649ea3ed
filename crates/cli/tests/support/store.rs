//! What the store of a hill holds, by plain SQL.

use std::path::Path;

use rusqlite::Connection;

/// The log lines of the counting games of a run, in the order of game numbers.
#[track_caller]
pub(crate) fn stored_games(hill: &Path, run: i64) -> Vec<String> {
    let database = Connection::open(hill).expect("a database");
    let mut select =
        database.prepare("SELECT line FROM game WHERE run = ?1 ORDER BY game").expect("the view");
    let lines = select.query_map([run], |row| row.get(0)).expect("a valid query");
    lines.collect::<Result<_, _>>().expect("lines are text")
}
