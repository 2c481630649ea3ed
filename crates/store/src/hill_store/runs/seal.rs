//! The seal of a run: a hash over each part of it. Games are covered by the hashes of their pages, which the seal has.

use std::fmt::Write;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row, RowIndex, params};

/// The sealed parts in order: the name in the seal, the place for messages, and the query.
const PARTS: [(&str, &str, &str); 13] = [
    ("header", "table run, column header", "SELECT id, header FROM run WHERE id = ?1"),
    ("moves", "table run, column moves", "SELECT moves FROM run WHERE id = ?1"),
    ("begun", "table run, column begun", "SELECT begun FROM run WHERE id = ?1"),
    ("ended", "table run, column ended", "SELECT ended FROM run WHERE id = ?1"),
    ("records", "table run, column records", "SELECT records FROM run WHERE id = ?1"),
    ("result", "table run, column result", "SELECT result FROM run WHERE id = ?1"),
    (
        "bots",
        "tables run_bot, entrant and version",
        "SELECT place, run_bot.name, version, entrant.id, entrant.name, entrant.added, number, identity, source,
             author, url, votes, version.added
         FROM run_bot LEFT JOIN version ON version.id = run_bot.version
         LEFT JOIN entrant ON entrant.id = version.entrant WHERE run = ?1 ORDER BY place",
    ),
    (
        "files",
        "table version_file",
        "SELECT place, path, executable, version_file.file, file.hash
         FROM run_bot JOIN version_file ON version_file.version = run_bot.version
         LEFT JOIN file ON file.hash = version_file.file WHERE run = ?1 ORDER BY place, path",
    ),
    ("bars", "table bar", "SELECT number, bar FROM bar WHERE run = ?1 ORDER BY number"),
    (
        "failures",
        "table failure",
        "SELECT attempt, game, number, bot, reason, detail, request, log FROM failure WHERE run = ?1
         ORDER BY attempt, game, number",
    ),
    (
        PAGES,
        "table page",
        "SELECT id, attempt, first, last, hash FROM page WHERE run = ?1 ORDER BY attempt, first, id",
    ),
    (
        "commitment",
        "table commitment",
        "SELECT id, hash, secret, nonce, made, public_text FROM commitment WHERE run = ?1 ORDER BY id",
    ),
    (HIGHLIGHTS, "table run, column highlights", "SELECT highlights FROM run WHERE id = ?1"),
];
/// The part that runs of the first three versions of the store do not have.
const HIGHLIGHTS: &str = "highlights";
/// The part with the hashes of the pages.
const PAGES: &str = "pages";
/// The columns of a page that the seal has.
const PAGE_COLUMNS: [&str; 5] = ["id", "attempt", "first", "last", "hash"];

/// The place of the seal itself.
pub(super) const SEAL: &str = "table run, column seal";

/// The seal of the run as it is now: `header:HASH moves:HASH ...`, in hexadecimal digits of BLAKE3.
pub(in crate::hill_store) fn seal(database: &Connection, run: i64) -> rusqlite::Result<String> {
    seal_of(database, run, &PARTS, None)
}

/// Whether a seal has the run's highlights.
pub(super) fn seals_highlights(sealed: &str) -> bool {
    sealed.split(' ').any(|part| part.starts_with("highlights:"))
}

fn seal_of(
    database: &Connection,
    run: i64,
    parts: &[(&str, &str, &str)],
    pages: Option<blake3::Hash>,
) -> rusqlite::Result<String> {
    let mut seal = String::new();
    for (name, _, sql) in parts {
        let separator = if seal.is_empty() { "" } else { " " };
        let hash = match pages {
            Some(known) if *name == PAGES => known,
            Some(_) | None => hash(database, sql, run)?,
        };
        write!(seal, "{separator}{name}:{hash}").expect("writing to a String cannot fail");
    }
    Ok(seal)
}

/// The places of the parts that differ from the seal. The hash of the pages is taken from `pages`, if it is known.
pub(super) fn altered_parts(
    database: &Connection,
    run: i64,
    sealed: &str,
    pages: Option<blake3::Hash>,
) -> rusqlite::Result<Vec<&'static str>> {
    // Without the part in the seal, the column is not read either: see `HillStore::highlights`.
    let known = PARTS.len() - usize::from(!seals_highlights(sealed));
    let now = seal_of(database, run, &PARTS[..known], pages)?;
    let mut sealed_parts = sealed.split(' ');
    let altered =
        PARTS.iter().zip(now.split(' ')).filter(|(_, now)| sealed_parts.next() != Some(*now));
    let mut altered: Vec<_> = altered.map(|((_, place, _), _)| *place).collect();
    if altered.is_empty() && now != sealed {
        altered.push(SEAL);
    }
    Ok(altered)
}

/// Hashes each value with its type and, for texts and blobs, its length, and a mark for each row, so that different
/// results never hash the same bytes.
fn hash(database: &Connection, sql: &str, run: i64) -> rusqlite::Result<blake3::Hash> {
    let mut hasher = blake3::Hasher::new();
    let mut statement = database.prepare_cached(sql)?;
    let columns = statement.column_count();
    let mut rows = statement.query(params![run])?;
    while let Some(row) = rows.next()? {
        hash_row(&mut hasher, row, 0..columns)?;
    }
    Ok(hasher.finalize())
}

fn hash_row<C: RowIndex>(
    hasher: &mut blake3::Hasher,
    row: &Row<'_>,
    columns: impl IntoIterator<Item = C>,
) -> rusqlite::Result<()> {
    hasher.update(b"r");
    for column in columns {
        match row.get_ref(column)? {
            ValueRef::Null => hasher.update(b"n"),
            ValueRef::Integer(number) => hasher.update(b"i").update(&number.to_le_bytes()),
            ValueRef::Real(number) => hasher.update(b"f").update(&number.to_le_bytes()),
            ValueRef::Text(bytes) => hash_with_length(hasher.update(b"t"), bytes),
            ValueRef::Blob(bytes) => hash_with_length(hasher.update(b"b"), bytes),
        };
    }
    Ok(())
}

/// The hash of the pages in the seal, from their rows in the order of attempt, first game and id.
#[derive(Default)]
pub(super) struct PagesHash(blake3::Hasher);

impl PagesHash {
    /// Adds a row of the table of pages.
    pub(super) fn add(&mut self, row: &Row<'_>) -> rusqlite::Result<()> {
        hash_row(&mut self.0, row, PAGE_COLUMNS)
    }

    pub(super) fn finish(&self) -> blake3::Hash {
        self.0.finalize()
    }
}

fn hash_with_length<'a>(hasher: &'a mut blake3::Hasher, bytes: &[u8]) -> &'a mut blake3::Hasher {
    hasher.update(&(bytes.len() as u64).to_le_bytes()).update(bytes)
}
