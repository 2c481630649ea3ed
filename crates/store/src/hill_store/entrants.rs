//! The entrants of a hill, their versions and their files.

use std::path::{Path, PathBuf};

use dicehill_arena::BotName;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::stored_entrant::{FileDigest, NewEntrant, SourceColumn, StoredEntrant, StoredFile};
use super::{HillStore, database, entry_rows};
use crate::{BotKind, FileError, did_you_mean};

impl HillStore {
    /// The entrants on the hill in their latest versions, oldest entrant first.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn entrants(&self) -> Result<Vec<StoredEntrant>, FileError> {
        let raw = query_versions(
            &self.database,
            "SELECT entrant.name, version.* FROM entrant JOIN version ON version.entrant = entrant.id
             WHERE removed IS NULL AND number =
                 (SELECT max(number) FROM version WHERE version.entrant = entrant.id)
             ORDER BY entrant.id",
            [],
        );
        raw.map_err(self.to_file_error())?
            .into_iter()
            .map(|raw| self.checked_entrant(raw))
            .collect()
    }

    /// The names of entrants that were barred, removed or renamed, oldest entrant first. Names are as they are stored: print them
    /// escaped.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn former_entrants(&self) -> Result<Vec<String>, FileError> {
        let names = || -> rusqlite::Result<Vec<String>> {
            let sql = "SELECT name FROM entrant WHERE removed IS NOT NULL ORDER BY id";
            self.database.prepare(sql)?.query_map([], |row| row.get(0))?.collect()
        };
        names().map_err(self.to_file_error())
    }

    /// The version of an entrant with this row.
    ///
    /// # Errors
    /// If there is no such row, or the store cannot be read.
    pub fn version(&self, version: i64) -> Result<StoredEntrant, FileError> {
        let raw = query_versions(
            &self.database,
            "SELECT entrant.name, version.* FROM version JOIN entrant ON version.entrant = entrant.id
             WHERE version.id = ?1",
            [version],
        );
        let raw = raw.map_err(self.to_file_error())?.pop();
        self.checked_entrant(raw.ok_or_else(|| {
            FileError::new(&self.path, format!("has no version {version} of any entrant"))
        })?)
    }

    /// All versions of an entrant, on the hill or removed, newest first; empty if no entrant ever had this name.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn versions_of(&self, name: &str) -> Result<Vec<StoredEntrant>, FileError> {
        let raw = query_versions(
            &self.database,
            "SELECT entrant.name, version.* FROM version JOIN entrant ON version.entrant = entrant.id
             WHERE entrant.name = ?1 ORDER BY number DESC",
            [name],
        );
        raw.map_err(self.to_file_error())?
            .into_iter()
            .map(|raw| self.checked_entrant(raw))
            .collect()
    }

    fn checked_entrant(&self, raw: VersionRow) -> Result<StoredEntrant, FileError> {
        let damaged = |what: &dyn std::fmt::Display| {
            FileError::new(&self.path, format!("version {} of an entrant: {what}", raw.version))
        };
        let name = BotName::new(&raw.name).map_err(|error| damaged(&error))?;
        let source: SourceColumn =
            serde_json::from_str(&raw.source).map_err(|error| damaged(&error))?;
        let VersionRow { version, number, identity, author, url, votes, added, .. } = raw;
        let kind = BotKind::from(source);
        kind.own_terms().limits.checked().map_err(|error| damaged(&error))?;
        Ok(StoredEntrant { name, version, number, identity, kind, author, url, votes, added })
    }

    /// The files of a version.
    ///
    /// # Errors
    /// If the store cannot be read, or a file was altered.
    pub fn files(&self, version: i64) -> Result<Vec<StoredFile>, FileError> {
        let files = stored_files(&self.database, version).map_err(self.to_file_error())?;
        files
            .into_iter()
            .map(|(hash, file)| {
                if FileDigest::hash_of(&file.content) == hash {
                    return Ok(file);
                }
                let message = format!("the file {} was altered", file.path.display());
                Err(FileError::altered(&self.path, None, message))
            })
            .collect()
    }

    /// Adds entrants or new versions of them without playing a run.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn add(&mut self, entrants: &[NewEntrant]) -> Result<(), FileError> {
        let mut add = || -> rusqlite::Result<()> {
            let transaction = self.database.transaction()?;
            entrants.iter().try_for_each(|new| insert(&transaction, new))?;
            transaction.commit()
        };
        let added = add();
        added.map_err(self.to_file_error())
    }

    /// Removes an entrant from the hill. Its games stay.
    ///
    /// # Errors
    /// If no entrant on the hill has this name.
    pub fn remove(&mut self, name: &str) -> Result<(), FileError> {
        let done = self.database.execute(
            "UPDATE entrant SET removed = ?1 WHERE name = ?2 AND removed IS NULL",
            params![database::now(), name],
        );
        match done.map_err(self.to_file_error())? {
            0 => Err(unknown_entrant(&self.database, &self.path, name)),
            _ => Ok(()),
        }
    }
}

/// The error for a name that no entrant has, with a similar name if there is one.
pub(super) fn unknown_entrant(database: &Connection, path: &Path, name: &str) -> FileError {
    let names = || -> rusqlite::Result<Vec<String>> {
        let sql = "SELECT name FROM entrant WHERE removed IS NULL";
        database.prepare(sql)?.query_map([], |row| row.get(0))?.collect()
    };
    let entry = || -> rusqlite::Result<i64> {
        let sql =
            "SELECT max(id) FROM entry WHERE bot = ?1 AND state IN ('waiting', 'held', 'checking')";
        database.query_row(sql, [name], |row| row.get(0))
    };
    let hint = match entry() {
        Ok(entry) => format!("; entry {entry} has this name, and `dicehill hill skip` ends it"),
        // There is none, or the store is older than entries.
        Err(_) => did_you_mean(name, names().unwrap_or_default()),
    };
    FileError::new(path, format!("has no entrant {name:?}{hint}"))
}

fn query_versions(
    database: &Connection,
    sql: &str,
    parameters: impl rusqlite::Params,
) -> rusqlite::Result<Vec<VersionRow>> {
    database.prepare(sql)?.query_map(parameters, VersionRow::read)?.collect()
}

fn stored_files(
    database: &Connection,
    version: i64,
) -> rusqlite::Result<Vec<(String, StoredFile)>> {
    let mut statement = database.prepare(
        "SELECT path, executable, hash, content FROM version_file JOIN file ON file = hash
         WHERE version = ?1 ORDER BY path",
    )?;
    let file = |row: &Row<'_>| {
        let path = PathBuf::from(row.get::<_, String>(0)?);
        Ok((row.get(2)?, StoredFile { path, executable: row.get(1)?, content: row.get(3)? }))
    };
    statement.query_map([version], file)?.collect()
}

/// Inserts an entrant, or a new version of one. The caller has begun a transaction.
pub(super) fn insert(database: &Connection, new: &NewEntrant) -> rusqlite::Result<()> {
    let now = database::now();
    database.execute(
        "INSERT INTO entrant (name, added) VALUES (?1, ?2)
         ON CONFLICT (name) DO UPDATE SET removed = NULL, barred = NULL",
        params![new.name.as_str(), now],
    )?;
    let entrant: i64 = database.query_row(
        "SELECT id FROM entrant WHERE name = ?1",
        [new.name.as_str()],
        |row| row.get(0),
    )?;
    let number: Option<i64> = database
        .query_row("SELECT max(number) FROM version WHERE entrant = ?1", [entrant], |row| {
            row.get(0)
        })
        .optional()?
        .flatten();
    let source = serde_json::to_string(&SourceColumn::from(&new.kind)).expect("a source is JSON");
    database.execute(
        "INSERT INTO version (entrant, number, identity, source, author, url, votes, added)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        params![
            entrant,
            number.unwrap_or(0) + 1,
            new.identity,
            source,
            new.author,
            new.url,
            new.votes,
            now
        ],
    )?;
    let version = database.last_insert_rowid();
    new.files.iter().try_for_each(|file| insert_file(database, version, file))?;
    match new.entry {
        Some(entry) => entry_rows::add_to_hill(database, entry, new.name.as_str()),
        None => Ok(()),
    }
}

fn insert_file(database: &Connection, version: i64, file: &StoredFile) -> rusqlite::Result<()> {
    let hash = FileDigest::hash_of(&file.content);
    database.execute(
        "INSERT INTO file VALUES (?1, ?2) ON CONFLICT (hash) DO NOTHING",
        params![hash, file.content],
    )?;
    let path = file.path.to_str().expect("file names that are not UTF-8 were refused");
    database.execute(
        "INSERT INTO version_file VALUES (?1, ?2, ?3, ?4)",
        params![version, path, file.executable, hash],
    )?;
    Ok(())
}

/// The files of the latest version of an entrant on the hill, in order; empty if there is none.
pub(super) fn latest_files(database: &Connection, name: &str) -> rusqlite::Result<Vec<FileDigest>> {
    let mut statement = database.prepare(
        "SELECT path, executable, file FROM version_file WHERE version =
             (SELECT version.id FROM version JOIN entrant ON entrant = entrant.id
              WHERE name = ?1 AND removed IS NULL ORDER BY number DESC LIMIT 1)",
    )?;
    let file = |row: &Row<'_>| {
        let path = PathBuf::from(row.get::<_, String>(0)?);
        Ok(FileDigest { path, executable: row.get(1)?, hash: row.get(2)? })
    };
    let mut files: Vec<_> = statement.query_map([name], file)?.collect::<Result<_, _>>()?;
    files.sort();
    Ok(files)
}

/// A row of the table `version` before its values are checked.
struct VersionRow {
    name: String,
    version: i64,
    number: i64,
    identity: String,
    source: String,
    author: Option<String>,
    url: Option<String>,
    votes: Option<i64>,
    added: i64,
}

impl VersionRow {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            name: row.get("name")?,
            version: row.get("id")?,
            number: row.get("number")?,
            identity: row.get("identity")?,
            source: row.get("source")?,
            author: row.get("author")?,
            url: row.get("url")?,
            votes: row.get("votes")?,
            added: row.get("added")?,
        })
    }
}
