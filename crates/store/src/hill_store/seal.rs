//! What tells whether anything of a run was altered beside its games, whose pages have hashes of their own.

use rusqlite::{Connection, params};

/// The hash over the run's header, bars, failures, and the last page of each attempt, and over its result
/// as far as there is one.
pub(super) fn seal(database: &Connection, run: i64) -> rusqlite::Result<String> {
    let mut hasher = blake3::Hasher::new();
    let mut add = |part: &[u8]| {
        hasher.update(&(part.len() as u64).to_le_bytes()).update(part);
    };
    for sql in PARTS {
        add(b"part");
        let mut statement = database.prepare_cached(sql)?;
        let columns = statement.column_count();
        let mut rows = statement.query(params![run])?;
        while let Some(row) = rows.next()? {
            for column in 0..columns {
                match row.get_ref(column)? {
                    rusqlite::types::ValueRef::Null => add(b"null"),
                    rusqlite::types::ValueRef::Integer(number) => add(&number.to_le_bytes()),
                    rusqlite::types::ValueRef::Real(number) => add(&number.to_le_bytes()),
                    rusqlite::types::ValueRef::Text(bytes)
                    | rusqlite::types::ValueRef::Blob(bytes) => add(bytes),
                }
            }
        }
    }
    Ok(format!("blake3:{}", hasher.finalize()))
}

/// What is sealed, in this order.
const PARTS: [&str; 5] = [
    "SELECT header, moves, begun, ended, records, result FROM run WHERE id = ?1",
    "SELECT place, run_bot.name, version.identity, version.source FROM run_bot
     LEFT JOIN version ON version.id = run_bot.version WHERE run = ?1 ORDER BY place",
    "SELECT number, bar FROM bar WHERE run = ?1 ORDER BY number",
    "SELECT attempt, game, number, bot, reason, detail, request, log FROM failure WHERE run = ?1
     ORDER BY attempt, game, number",
    "SELECT attempt, last, hash FROM page WHERE run = ?1 AND (attempt, first) IN
         (SELECT attempt, max(first) FROM page WHERE run = ?1 GROUP BY attempt) ORDER BY attempt",
];
