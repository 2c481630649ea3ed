//! Entries: uploaded bots and their states.

use std::fmt;

use dicehill_arena::BotName;
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::{EntryRefusal, EntryStore, StoredToken};
use crate::FileError;
use crate::hill_store::database;
use crate::hill_store::renaming::{self, Renaming};

/// The order in which entries are qualified.
pub(super) const ORDER: &str = "coalesce(place, id), id";

/// The state of an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EntryState {
    /// Other entries come first, or another process plays on the hill.
    Waiting,
    /// The host has to approve it.
    Held,
    /// The bot is being qualified.
    Checking,
    /// The bot did not qualify, its name is not available, or the host has barred it.
    Refused,
    /// A newer upload by the same author has taken its place.
    Replaced,
    /// The host has removed it from the queue.
    Skipped,
    /// The bot is on the hill, and plays in the next run.
    Ready,
    /// The run with the bot is being played.
    Playing,
    /// The bot is on the hill, and its run has ended or was interrupted. [`StoredEntry::played`] says which.
    Done,
    /// An error that is not the bot's fault.
    Failed,
}

impl EntryState {
    /// All states.
    pub const ALL: [Self; 10] = [
        Self::Waiting,
        Self::Held,
        Self::Checking,
        Self::Refused,
        Self::Replaced,
        Self::Skipped,
        Self::Ready,
        Self::Playing,
        Self::Done,
        Self::Failed,
    ];

    /// The word in the store and in documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Held => "held",
            Self::Checking => "checking",
            Self::Refused => "refused",
            Self::Replaced => "replaced",
            Self::Skipped => "skipped",
            Self::Ready => "ready",
            Self::Playing => "playing",
            Self::Done => "done",
            Self::Failed => "failed",
        }
    }

    /// Whether the state never changes again.
    #[must_use]
    pub const fn is_final(self) -> bool {
        match self {
            Self::Refused | Self::Replaced | Self::Skipped | Self::Done | Self::Failed => true,
            Self::Waiting | Self::Held | Self::Checking | Self::Ready | Self::Playing => false,
        }
    }
}

impl fmt::Display for EntryState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// An uploaded bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEntry {
    /// The number of the entry, from 1.
    pub id: i64,
    /// The number of the token with which it was uploaded.
    pub token: i64,
    /// The bot's name.
    pub bot: String,
    /// When it was uploaded, in seconds since 1970.
    pub received: i64,
    /// Its state.
    pub state: EntryState,
    /// The lines of messages about it.
    pub report: String,
    /// The run in which it was added to the hill; `None` before that.
    pub run: Option<i64>,
    /// The first run with its bot that has ended; `None` if there is none.
    pub played: Option<i64>,
    /// Why the bot was barred in that run; `None` if it was not.
    pub bar: Option<String>,
    /// Whether the host has hidden it from visitors.
    pub is_hidden: bool,
}

/// Selects entries as [`StoredEntry::read`] reads them; `rest` follows after the table. The run in which an entry was added has
/// the name that its bot had then. One whose bot came to the hill without a run has played in the first one with its version or a
/// later one.
pub(super) fn selecting(rest: &str) -> String {
    format!(
        "SELECT entry.*, (SELECT json_extract(bar, '$.reason') FROM bar
             WHERE bar.run = entry.played AND json_extract(bar, '$.bot') = entry.bot) AS bar
         FROM (SELECT entry.*, coalesce(
             (SELECT id FROM run WHERE id = entry.run AND ended IS NOT NULL),
             (SELECT min(id) FROM run WHERE id > entry.run AND ended IS NOT NULL
                 AND entry.bot IN (SELECT name FROM run_bot WHERE run_bot.run = run.id)),
             (SELECT min(run.id) FROM run JOIN run_bot ON run_bot.run = run.id
                 JOIN version ON version.id = run_bot.version
                 WHERE entry.run IS NULL AND entry.state = 'done' AND run.ended IS NOT NULL
                 AND run_bot.name = entry.bot AND version.added >= entry.received)
         ) AS played FROM entry) AS entry {rest}"
    )
}

impl StoredEntry {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let word: String = row.get("state")?;
        let state = EntryState::ALL.into_iter().find(|state| state.name() == word);
        let unknown = || {
            let error = format!("an entry with the unknown state {word:?}");
            rusqlite::Error::FromSqlConversionFailure(4, Type::Text, error.into())
        };
        Ok(Self {
            id: row.get("id")?,
            token: row.get("token")?,
            bot: row.get("bot")?,
            received: row.get("received")?,
            state: state.ok_or_else(unknown)?,
            report: row.get("report")?,
            run: row.get("run")?,
            played: row.get("played")?,
            bar: row.get("bar")?,
            is_hidden: database::since_version_5(row, "hidden")?.unwrap_or_default(),
        })
    }
}

impl EntryStore {
    /// The entry with this number; `None` if there is none.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn entry(&self, id: i64) -> Result<Option<StoredEntry>, FileError> {
        let sql = selecting("WHERE id = ?1");
        let entry = self.database.query_row(&sql, [id], StoredEntry::read);
        entry.optional().map_err(self.to_file_error())
    }

    /// The last entries, newest first, `most` at most.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn entries(&self, most: u32) -> Result<Vec<StoredEntry>, FileError> {
        self.select("ORDER BY id DESC LIMIT ?1", [most])
    }

    /// The entries whose state is not final, in the order of the queue.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn open_entries(&self) -> Result<Vec<StoredEntry>, FileError> {
        let order =
            if database::has_column(&self.database, "entry", "place") { ORDER } else { "id" };
        let sql = format!(
            "WHERE state IN ('waiting', 'held', 'checking', 'ready', 'playing') ORDER BY {order}"
        );
        self.select(&sql, [])
    }

    /// The entries that these conditions select.
    pub(super) fn select(
        &self,
        conditions: &str,
        parameters: impl rusqlite::Params,
    ) -> Result<Vec<StoredEntry>, FileError> {
        let entries = || -> rusqlite::Result<Vec<StoredEntry>> {
            let mut statement = self.database.prepare(&selecting(conditions))?;
            statement.query_map(parameters, StoredEntry::read)?.collect()
        };
        entries().map_err(self.to_file_error())
    }

    /// Sets the state of an entry.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn set_state(&mut self, id: i64, state: EntryState) -> Result<(), FileError> {
        let sql = "UPDATE entry SET state = ?1 WHERE id = ?2";
        let done = self.database.execute(sql, params![state.name(), id]);
        done.map(drop).map_err(self.to_file_error())
    }

    /// Sets the messages about an entry.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn set_report(&mut self, id: i64, report: &str) -> Result<(), FileError> {
        let sql = "UPDATE entry SET report = ?1 WHERE id = ?2";
        let done = self.database.execute(sql, params![report, id]);
        done.map(drop).map_err(self.to_file_error())
    }

    /// Why a token does not allow this name for a bot; `None` if it does. No entrant may have the name or one that
    /// [looks like it](BotName::looks_like), unless the first bot with exactly this name was uploaded by the token's holder, and the
    /// others are earlier names of it. Names of bots that the host added are not available.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn name_refusal(
        &self,
        bot: &BotName,
        token: i64,
    ) -> Result<Option<EntryRefusal>, FileError> {
        name_refusal(&self.database, bot, token).map_err(self.to_file_error())
    }
}

pub(super) fn name_refusal(
    database: &Connection,
    bot: &BotName,
    token: i64,
) -> rusqlite::Result<Option<EntryRefusal>> {
    let mut statement = database.prepare("SELECT name FROM entrant")?;
    let names: Vec<String> =
        statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let taken: Vec<_> = names.iter().filter(|name| bot.looks_like(name)).collect();
    let Some(holder) = token_of(database, token)? else {
        return Ok((!taken.is_empty()).then_some(EntryRefusal::NameTaken));
    };
    let mut own_name = None;
    for name in taken {
        match owner(database, name)? {
            Some((author, current)) if author.is_same_person(&holder) => {
                own_name = own_name.or((current != bot.as_str()).then_some(current));
            }
            Some(_) | None => return Ok(Some(EntryRefusal::NameTaken)),
        }
    }
    Ok(own_name.map(EntryRefusal::OwnName))
}

/// The author of the bot that has or had this name, and the name that the bot has now.
fn owner(database: &Connection, name: &str) -> rusqlite::Result<Option<(StoredToken, String)>> {
    let mut name = name.to_owned();
    if let Some(first) = first_uploader(database, &name)? {
        return Ok(Some((first, name)));
    }
    for Renaming { from, to } in renaming::read(database)? {
        if from == name {
            name = to;
            if let Some(first) = first_uploader(database, &name)? {
                return Ok(Some((first, name)));
            }
        }
    }
    Ok(None)
}

pub(super) fn token_of(database: &Connection, id: i64) -> rusqlite::Result<Option<StoredToken>> {
    let sql = "SELECT * FROM token WHERE id = ?1";
    database.query_row(sql, [id], StoredToken::read).optional()
}

/// The token with which the first bot with this name that came to the hill was uploaded.
pub(super) fn first_uploader(
    database: &Connection,
    bot: &str,
) -> rusqlite::Result<Option<StoredToken>> {
    let sql = "SELECT token.* FROM entry JOIN token ON token.id = entry.token
        WHERE bot = ?1 AND (run IS NOT NULL OR state IN ('ready', 'playing', 'done')) ORDER BY entry.id LIMIT 1";
    database.query_row(sql, [bot], StoredToken::read).optional()
}
