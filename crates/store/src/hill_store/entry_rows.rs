//! What happens to the rows of entries when their bots come to the hill, and when runs begin and end: in the transaction that
//! does it, so that a kill leaves no entry without its bot and no bot without its entry.

use rusqlite::{Connection, params};

/// The bot of an entry is on the hill: its file is not needed any more, and an older entry of the bot that has not played is
/// replaced. The caller has begun a transaction.
pub(super) fn add_to_hill(database: &Connection, entry: i64, bot: &str) -> rusqlite::Result<()> {
    let sql = "UPDATE entry SET state = 'replaced' WHERE state = 'ready' AND bot = ?1 AND id <> ?2";
    database.execute(sql, params![bot, entry])?;
    let sql = "UPDATE entry SET state = 'ready' WHERE id = ?1 AND bot = ?2 AND state = 'checking'";
    match database.execute(sql, params![entry, bot])? {
        1 => database.execute("DELETE FROM upload WHERE entry = ?1", [entry]).map(drop),
        changed => Err(rusqlite::Error::StatementChangedRows(changed)),
    }
}

/// A run has begun: the entries whose bots play in it for the first time are part of it. The caller has begun a transaction.
pub(super) fn begin_run(database: &Connection, run: i64, is_queued: bool) -> rusqlite::Result<()> {
    if is_queued {
        database.execute("UPDATE run SET queued = 1 WHERE id = ?1", [run])?;
    }
    let sql = "UPDATE entry SET state = 'playing', run = ?1 WHERE state = 'ready'
         AND bot IN (SELECT name FROM run_bot WHERE run = ?1)";
    database.execute(sql, [run]).map(drop)
}

/// A run has ended, and with it the entries that are part of it. The caller has begun a transaction.
pub(super) fn end_run(database: &Connection, run: i64) -> rusqlite::Result<()> {
    let sql = "UPDATE entry SET state = 'done' WHERE run = ?1 AND state IN ('playing', 'failed')";
    database.execute(sql, [run]).map(drop)
}
