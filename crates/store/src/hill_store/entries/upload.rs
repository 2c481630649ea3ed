//! The files that wait in the queue, and what admits them.

use std::path::Path;

use dicehill_arena::BotName;
use rusqlite::{Connection, OptionalExtension, params};

use super::entry::{EntryState, name_refusal, token_of};
use super::{EntryRefusal, EntryStore, StoredToken, TokenError, TokenRole};
use crate::hill_store::stored_entrant::FileDigest;
use crate::hill_store::{database, entrants, setting_rows};
use crate::{BotManifest, EntryTerms, EntryWindow, FileError};

/// The most entries that may wait on a hill.
const MAX_WAITING: i64 = 1_000;
/// The most bytes of all files that wait on a hill.
const MAX_WAITING_BYTES: i64 = 2 << 30;
/// The seconds of a day.
const DAY: i64 = 24 * 60 * 60;

/// An uploaded file, whose bot has been read from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewUpload {
    /// The bot's name.
    pub bot: BotName,
    /// The name of the file.
    pub file_name: String,
    /// The name that was entered next to the file.
    pub name: Option<String>,
    /// The environment of the hill that it asks for.
    pub environment: Option<String>,
    /// The other texts of the bot that visitors see: its author and its home page.
    pub texts: Vec<String>,
    /// The bytes of the file.
    pub content: Vec<u8>,
    /// All files of the bot, unpacked; empty if they are not known.
    pub files: Vec<FileDigest>,
}

/// What stands for the name of the file of a remote bot, which has none. No file has such a name.
const REMOTE: &str = "remote:";

impl NewUpload {
    /// A bot that stays on its author's machine.
    #[must_use]
    pub fn remote(bot: BotName) -> Self {
        let file_name = REMOTE.to_owned();
        let (texts, content, files) = (Vec::new(), Vec::new(), Vec::new());
        Self { bot, file_name, name: None, environment: None, texts, content, files }
    }

    fn is_remote(&self) -> bool {
        self.file_name == REMOTE
    }
}

impl StoredUpload {
    /// Whether the bot stays on its author's machine.
    #[must_use]
    pub fn is_remote(&self) -> bool {
        self.file_name == REMOTE
    }
}

/// A file that waits in the queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredUpload {
    /// The name of the file.
    pub file_name: String,
    /// The name that was entered next to the file.
    pub name: Option<String>,
    /// The bytes of the file.
    pub content: Vec<u8>,
}

impl EntryStore {
    /// Adds an upload to the queue, in the place of an upload of this bot by the same author that still waits, and returns the
    /// entry's number. Once this returns, entry and file survive a power failure. One use of the token is counted.
    ///
    /// # Errors
    /// If the upload is refused, and then nothing is changed, or the store cannot be written.
    pub fn add_upload(&mut self, token: i64, upload: &NewUpload) -> Result<i64, EntryRefusal> {
        let path = self.path.clone();
        let failed = |error| database::error(&path, &error);
        if self.is_barred(upload.bot.as_str())? {
            return Err(EntryRefusal::Barred);
        }
        let transaction = self.begin().map_err(failed)?;
        let terms = setting_rows::read(&transaction, &path)?;
        let found = token_of(&transaction, token).map_err(failed)?.ok_or(TokenError::Unknown)?;
        let admission = Admission { database: &transaction, token: &found, terms: &terms, upload };
        admission.check(database::now(), &failed)?;
        let id = admission.add().map_err(failed)?;
        transaction.commit().map_err(failed)?;
        Ok(id)
    }

    /// The file of an entry; `None` once it does not wait any more.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn upload(&self, entry: i64) -> Result<Option<StoredUpload>, FileError> {
        let sql = "SELECT file_name, name, content FROM upload WHERE entry = ?1";
        let read = |row: &rusqlite::Row<'_>| {
            Ok(StoredUpload { file_name: row.get(0)?, name: row.get(1)?, content: row.get(2)? })
        };
        self.database.query_row(sql, [entry], read).optional().map_err(self.to_file_error())
    }
}

impl EntryStore {
    /// The entry of the remote bot of this name that has not been qualified yet, by the holder of a token.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn waiting_remote(&self, token: i64, bot: &BotName) -> Result<Option<i64>, FileError> {
        let sql = format!(
            "SELECT max(id) FROM entry WHERE {OF_HOLDER} AND bot = ?2 AND state IN ('waiting', 'held', 'checking')
             AND id IN (SELECT entry FROM upload WHERE file_name = ?3)"
        );
        let found =
            self.database.query_row(&sql, params![token, bot.as_str(), REMOTE], |row| row.get(0));
        found.map_err(self.to_file_error())
    }
}

/// An upload in the transaction that admits it.
struct Admission<'a> {
    database: &'a Connection,
    token: &'a StoredToken,
    terms: &'a EntryTerms,
    upload: &'a NewUpload,
}

/// The condition on `entry` that its author is the holder of the token `?1`: tokens of the same name belong to one person.
pub(super) const OF_HOLDER: &str = "token IN (SELECT other.id FROM token AS own, token AS other
     WHERE own.id = ?1 AND (other.id = own.id OR other.name = own.name))";

impl Admission<'_> {
    /// Checks that the upload is accepted at the time `now`.
    fn check(
        &self,
        now: i64,
        failed: &dyn Fn(rusqlite::Error) -> FileError,
    ) -> Result<(), EntryRefusal> {
        self.token.check(now)?;
        if self.token.terms.role == TokenRole::Host {
            return Err(EntryRefusal::Role);
        }
        if self.upload.is_remote() && !self.terms.remote {
            return Err(EntryRefusal::Remote);
        }
        if let Some(wanted) = &self.upload.environment {
            self.terms.environments.named(wanted)?;
        }
        match self.terms.window(now) {
            EntryWindow::Before(opens) => return Err(EntryRefusal::Early(opens.clone())),
            EntryWindow::After(closes) => return Err(EntryRefusal::Late(closes.clone())),
            EntryWindow::Open => {}
        }
        let refusal = name_refusal(self.database, &self.upload.bot, self.token.id);
        if let Some(refusal) = refusal.map_err(failed)? {
            return Err(refusal);
        }
        if self.waits_for_another().map_err(failed)? {
            return Err(EntryRefusal::NameTaken);
        }
        if let Some(name) = self.lookalike_of_holder().map_err(failed)? {
            return Err(EntryRefusal::OwnName(name));
        }
        if self.is_unchanged().map_err(failed)? {
            return Err(EntryRefusal::Unchanged(self.upload.bot.to_string()));
        }
        if self.is_full().map_err(failed)? {
            return Err(EntryRefusal::Full);
        }
        self.check_author(now, failed)
    }

    /// Whether another author's bot with this name, or one that looks like it, is on its way to the hill.
    fn waits_for_another(&self) -> rusqlite::Result<bool> {
        let names = self.lookalikes(&format!("NOT ({OF_HOLDER})"))?;
        Ok(!names.is_empty())
    }

    /// Another bot of this author on its way to the hill whose name looks like this one.
    fn lookalike_of_holder(&self) -> rusqlite::Result<Option<String>> {
        let names = self.lookalikes(OF_HOLDER)?;
        Ok(names.into_iter().find(|name| name != self.upload.bot.as_str()))
    }

    /// The names of bots on their way to the hill that look like this one, among those of some entries.
    fn lookalikes(&self, of: &str) -> rusqlite::Result<Vec<String>> {
        let sql = format!(
            "SELECT bot FROM entry WHERE ({of}) AND state IN ('waiting', 'held', 'checking')"
        );
        let mut statement = self.database.prepare(&sql)?;
        let names = statement.query_map([self.token.id], |row| row.get::<_, String>(0))?;
        let names = names.collect::<rusqlite::Result<Vec<_>>>()?;
        Ok(names.into_iter().filter(|name| self.upload.bot.looks_like(name)).collect())
    }

    /// Whether the bot on the hill has the same files. Its `bot.toml` is one of them, so that it is the same bot; what is in an
    /// environment may have changed. With another upload on its way, that one may change the bot first.
    fn is_unchanged(&self) -> rusqlite::Result<bool> {
        let NewUpload { bot, environment, files, .. } = self.upload;
        let has_manifest = files.iter().any(|file| file.path == Path::new(BotManifest::NAME));
        let open = "SELECT count(*) FROM entry WHERE bot = ?1 AND state IN ('waiting', 'held', 'checking')";
        let open: i64 = self.database.query_row(open, [bot.as_str()], |row| row.get(0))?;
        if environment.is_some() || !has_manifest || open > 0 {
            return Ok(false);
        }
        let mut files = files.clone();
        files.sort();
        Ok(entrants::latest_files(self.database, bot.as_str())? == files)
    }

    fn is_full(&self) -> rusqlite::Result<bool> {
        let sql = "SELECT count(*), coalesce(sum(length(content)), 0) FROM upload";
        let (waiting, bytes): (i64, i64) =
            self.database.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let bytes = bytes.saturating_add(self.upload.content.len() as i64);
        Ok(waiting >= MAX_WAITING || bytes > MAX_WAITING_BYTES)
    }

    /// Checks the limits for an author. The upload that this one replaces does not count.
    fn check_author(
        &self,
        now: i64,
        failed: &dyn Fn(rusqlite::Error) -> FileError,
    ) -> Result<(), EntryRefusal> {
        let bot = self.upload.bot.as_str();
        let count = |condition: &str, last: &dyn rusqlite::ToSql| {
            let sql = format!(
                "SELECT count(DISTINCT bot), count(*) FROM entry WHERE {OF_HOLDER} AND {condition}"
            );
            let counts = self.database.query_row(&sql, params![self.token.id, last], |row| {
                Ok((row.get::<_, u32>(0)?, row.get::<_, u32>(1)?))
            });
            counts.map_err(failed)
        };
        if let Some(most) = self.terms.author_waiting
            && count("state IN ('waiting', 'held', 'checking') AND bot <> ?2", &bot)?.1 >= most
        {
            return Err(EntryRefusal::Waiting(most));
        }
        if let Some(most) = self.terms.author_daily
            && count("received > ?2", &(now - DAY))?.1 >= most
        {
            return Err(EntryRefusal::Daily(most));
        }
        let on_hill =
            "bot <> ?2 AND (state IN ('waiting', 'held', 'checking', 'ready')
             OR (state = 'done' OR run IS NOT NULL) AND bot IN (SELECT name FROM entrant WHERE removed IS NULL))";
        if let Some(most) = self.terms.author_bots
            && count(on_hill, &bot)?.0 >= most
        {
            return Err(EntryRefusal::Bots(most));
        }
        Ok(())
    }

    fn add(&self) -> rusqlite::Result<i64> {
        let NewUpload { bot, file_name, name, texts, content, .. } = self.upload;
        let token = self.token.id;
        self.database.execute("UPDATE token SET used = used + 1 WHERE id = ?1", [token])?;
        let waiting = format!(
            "SELECT id, coalesce(place, id) FROM entry WHERE {OF_HOLDER} AND bot = ?2 AND state IN ('waiting', 'held')"
        );
        let replaced: Option<(i64, i64)> = self
            .database
            .query_row(&waiting, params![token, bot.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        let state =
            if self.terms.holds(bot, texts) { EntryState::Held } else { EntryState::Waiting };
        self.database.execute(
            "INSERT INTO entry (token, bot, received, state, report, place) VALUES (?1, ?2, ?3, ?4, '', ?5)",
            params![token, bot.as_str(), database::now(), state.name(), replaced.map(|it| it.1)],
        )?;
        let id = self.database.last_insert_rowid();
        if let Some((older, _)) = replaced {
            finish(self.database, older, EntryState::Replaced)?;
        }
        self.database.execute(
            "INSERT INTO upload VALUES (?1, ?2, ?3, ?4)",
            params![id, file_name, name, content],
        )?;
        Ok(id)
    }
}

/// Sets an entry to a state in which its file is not needed any more. One that was not approved stays hidden. The caller has
/// begun a transaction.
pub(super) fn finish(database: &Connection, entry: i64, state: EntryState) -> rusqlite::Result<()> {
    let sql = "UPDATE entry SET state = ?1, hidden = CASE state WHEN 'held' THEN 1 ELSE hidden END
               WHERE id = ?2";
    database.execute(sql, params![state.name(), entry])?;
    database.execute("DELETE FROM upload WHERE entry = ?1", [entry]).map(drop)
}
