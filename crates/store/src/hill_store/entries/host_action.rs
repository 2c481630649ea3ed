//! What a host does with entries and entrants, and the log of it.

use dicehill_arena::{BotName, LimitKey, printable};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::entry::{EntryState, first_uploader};
use super::host_request::{BarredEntrant, bar_entrant, change_limits, stop};
use super::upload::{OF_HOLDER, finish};
use super::{EntryStore, TokenRole};
use crate::hill_store::entrants::unknown_entrant;
use crate::hill_store::renaming::{self, name_now};
use crate::hill_store::{database, setting_rows};
use crate::{EntryKey, FileError};

/// The longest detail of an action in the log, in characters.
const MAX_DETAIL: usize = 300;

/// Who acts as the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host {
    /// The name in the log.
    pub name: String,
    /// The number of the host's token; `None` at a terminal.
    pub token: Option<i64>,
}

/// An action of a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostAction {
    /// Keeps an entry that waits from being qualified, until it is approved.
    Hold(i64),
    /// Lets an entry that is held wait for its qualification.
    Approve(i64),
    /// Removes an entry that waits or is held from the queue.
    Skip(i64),
    /// Hides the name and the report of an entry from visitors.
    Hide(i64),
    /// Shows them again.
    Show(i64),
    /// Gives an entrant another name, under which it plays in later runs.
    Rename {
        /// The name that it has.
        from: String,
        /// The new one.
        to: BotName,
    },
    /// Bars an entrant, which interrupts the current run.
    Bar(String),
    /// Interrupts the current run.
    Stop,
    /// Sets what visitors read on the front of the hill; `None` removes it.
    Message(Option<String>),
    /// Changes limits and settings for entries, each to a value or to its default. Only runs that begin later have the limits.
    Set {
        /// Limits of later runs.
        limits: Vec<(LimitKey, Option<u64>)>,
        /// Settings for entries.
        entries: Vec<(EntryKey, Option<String>)>,
    },
}

/// An action in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredAction {
    /// Its number, from 1.
    pub id: i64,
    /// When it was done, in seconds since 1970.
    pub at: i64,
    /// The name of the host.
    pub host: String,
    /// The number of the host's token; `None` at a terminal.
    pub token: Option<i64>,
    /// The kind of action, such as `hold`.
    pub action: String,
    /// The entry, entrant or setting.
    pub target: String,
    /// What else was given.
    pub detail: String,
}

impl StoredAction {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get("id")?,
            at: row.get("at")?,
            host: row.get("host")?,
            token: row.get("token")?,
            action: row.get("action")?,
            target: row.get("target")?,
            detail: row.get("detail")?,
        })
    }
}

impl HostAction {
    /// The kind of action in the log, which is also the command.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Hold(_) => "hold",
            Self::Approve(_) => "approve",
            Self::Skip(_) => "skip",
            Self::Hide(_) => "hide",
            Self::Show(_) => "unhide",
            Self::Rename { .. } => "rename",
            Self::Bar(_) => "bar",
            Self::Stop => "stop",
            Self::Message(_) => "message",
            Self::Set { .. } => "set",
        }
    }

    /// The target and the detail in the log.
    fn words(&self) -> (String, String) {
        let entry = |id: &i64| (format!("entry {id}"), String::new());
        match self {
            Self::Hold(id)
            | Self::Approve(id)
            | Self::Skip(id)
            | Self::Hide(id)
            | Self::Show(id) => entry(id),
            Self::Rename { from, to } => (from.clone(), to.to_string()),
            Self::Bar(name) => (name.clone(), String::new()),
            Self::Stop => ("the current run".to_owned(), String::new()),
            Self::Message(text) => {
                ("on the page".to_owned(), text.clone().unwrap_or_else(|| "(removed)".to_owned()))
            }
            Self::Set { limits, entries } => {
                let of_default = || "default".to_owned();
                let limits = limits.iter().map(|(key, value)| {
                    (key.name(), value.map_or_else(of_default, |value| value.to_string()))
                });
                let entries = entries
                    .iter()
                    .map(|(key, value)| (key.name(), value.clone().unwrap_or_else(of_default)));
                let changes = limits.chain(entries).map(|(key, value)| format!("{key}={value}"));
                ("settings".to_owned(), changes.collect::<Vec<_>>().join(" "))
            }
        }
    }
}

impl EntryStore {
    /// Does what a host asks, and adds it to the log of actions, in one transaction. Returns whether there was anything to do: a
    /// bot that is barred is not barred again.
    ///
    /// # Errors
    /// If the entry or entrant does not exist or has another state, and then nothing is changed, or the store cannot be
    /// written.
    pub fn act(&mut self, host: &Host, action: &HostAction) -> Result<bool, FileError> {
        let path = self.path.clone();
        let failed = |error| database::error(&path, &error);
        let transaction = self.begin().map_err(failed)?;
        let refused = |message: String| FileError::new(&path, message);
        let renamings = renaming::read(&transaction).map_err(failed)?;
        let in_state = |id: i64, from: &[EntryState], to: EntryState| {
            let found = state_of(&transaction, id).map_err(failed)?;
            match found {
                None => Err(refused(format!("has no entry {id}"))),
                Some(state) if state == to.name() => {
                    Err(refused(format!("entry {id} is already {state}")))
                }
                Some(state) if !from.iter().any(|from| from.name() == state) => {
                    let is_on_hill = state == EntryState::Ready.name() && to == EntryState::Skipped;
                    let remedy = match is_on_hill {
                        true => "; its bot is on the hill, and `dicehill hill bar` takes it off",
                        false => "",
                    };
                    Err(refused(format!(
                        "entry {id} is {state}, which cannot be changed to {to}{remedy}"
                    )))
                }
                Some(_) if to.is_final() => finish(&transaction, id, to).map_err(failed),
                Some(_) => set_state(&transaction, id, to).map_err(failed),
            }
        };
        match action {
            HostAction::Hold(id) => in_state(*id, &[EntryState::Waiting], EntryState::Held)?,
            HostAction::Approve(id) => in_state(*id, &[EntryState::Held], EntryState::Waiting)?,
            HostAction::Skip(id) => {
                let open = [EntryState::Waiting, EntryState::Held, EntryState::Checking];
                in_state(*id, &open, EntryState::Skipped)?;
            }
            HostAction::Hide(id) | HostAction::Show(id) => {
                let is_hidden = matches!(action, HostAction::Hide(_));
                let sql = "UPDATE entry SET hidden = ?1 WHERE id = ?2";
                if transaction.execute(sql, params![is_hidden, id]).map_err(failed)? == 0 {
                    return Err(refused(format!("has no entry {id}")));
                }
            }
            HostAction::Rename { from, to } => {
                to.check_not_misleading().map_err(|why| refused(why.to_string()))?;
                let renamed = rename(&transaction, from, to).map_err(failed)?;
                match renamed {
                    Renamed::Done => {}
                    Renamed::Unknown => return Err(unknown_entrant(&transaction, &path, from)),
                    Renamed::Taken => {
                        return Err(refused(format!(
                            "has, or had, an entrant with a name like {:?}, and no name is used twice",
                            to.as_str()
                        )));
                    }
                    Renamed::NewVersion(id) => {
                        return Err(refused(format!(
                            "entry {id}, which is not finished, is a new version of {from}: rename it once the entry is finished, or skip that first"
                        )));
                    }
                    Renamed::Awaited(id) => {
                        return Err(refused(format!(
                            "entry {id}, which is not finished, has a name like {:?}",
                            to.as_str()
                        )));
                    }
                }
            }
            HostAction::Bar(name) if name_now(&renamings, name) != name => {
                let now = name_now(&renamings, name);
                return Err(refused(format!("{name:?} has the name {now:?} now: bar that")));
            }
            HostAction::Bar(name) => match bar_entrant(&transaction, name).map_err(failed)? {
                BarredEntrant::New => {}
                BarredEntrant::Already => return Ok(false),
                BarredEntrant::Unknown => return Err(unknown_entrant(&transaction, &path, name)),
            },
            HostAction::Stop => stop(&transaction).map_err(failed)?,
            HostAction::Message(text) => {
                setting_rows::change(&transaction, &path, &[(EntryKey::Message, text.clone())])?;
            }
            HostAction::Set { limits, entries } => {
                change_limits(&transaction, &path, limits)?;
                setting_rows::change(&transaction, &path, entries)?;
            }
        }
        let (target, detail) = action.words();
        log(&transaction, host, [action.name(), &target, &detail]).map_err(failed)?;
        transaction.commit().map_err(failed)?;
        Ok(true)
    }

    /// Adds to the log what a host has done with another command: the command, its target, and what else was given.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn log_action(&mut self, host: &Host, words: [&str; 3]) -> Result<(), FileError> {
        log(&self.database, host, words).map_err(self.to_file_error())
    }

    /// The host with the token of this number.
    ///
    /// # Errors
    /// If there is no such token, it is not a host's, or it is not valid any more.
    pub fn host(&self, token: i64) -> Result<Host, FileError> {
        let refused = |message: String| FileError::new(&self.path, message);
        let found = super::entry::token_of(&self.database, token).map_err(self.to_file_error())?;
        let found = found.ok_or_else(|| refused(format!("has no token {token}")))?;
        found.check(database::now()).map_err(|error| refused(format!("token {token}: {error}")))?;
        if found.terms.role != TokenRole::Host {
            return Err(refused(format!("token {token} is not a host's")));
        }
        let name = found.terms.name.unwrap_or_else(|| format!("token {token}"));
        Ok(Host { name, token: Some(token) })
    }

    /// The last actions of hosts, newest first, `most` at most.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn actions(&self, most: u32) -> Result<Vec<StoredAction>, FileError> {
        let actions = || -> rusqlite::Result<Vec<StoredAction>> {
            if !database::has_table(&self.database, "action")? {
                return Ok(Vec::new());
            }
            let sql = "SELECT * FROM action ORDER BY id DESC LIMIT ?1";
            self.database.prepare(sql)?.query_map([most], StoredAction::read)?.collect()
        };
        actions().map_err(self.to_file_error())
    }
}

fn state_of(database: &Connection, entry: i64) -> rusqlite::Result<Option<String>> {
    let sql = "SELECT state FROM entry WHERE id = ?1";
    database.query_row(sql, [entry], |row| row.get(0)).optional()
}

fn set_state(database: &Connection, entry: i64, state: EntryState) -> rusqlite::Result<()> {
    let sql = "UPDATE entry SET state = ?1 WHERE id = ?2";
    database.execute(sql, params![state.name(), entry]).map(drop)
}

enum Renamed {
    Done,
    Unknown,
    /// An entrant has the name, or one that looks like it.
    Taken,
    /// An entry on its way to the hill has it.
    Awaited(i64),
    /// An entry on its way to the hill is a version of the bot with its old name.
    NewVersion(i64),
}

/// Gives an entrant another name. Runs are sealed with the names that played, so that the entrant of the old name stays, off the
/// hill, and the new one begins with a copy of its last version.
fn rename(database: &Connection, from: &str, to: &BotName) -> rusqlite::Result<Renamed> {
    let sql = "SELECT id FROM entrant WHERE name = ?1 AND removed IS NULL";
    let found: Option<i64> = database.query_row(sql, [from], |row| row.get(0)).optional()?;
    let Some(old) = found else { return Ok(Renamed::Unknown) };
    let names = || -> rusqlite::Result<Vec<String>> {
        database.prepare("SELECT name FROM entrant")?.query_map([], |row| row.get(0))?.collect()
    };
    if names()?.iter().any(|name| name != from && to.looks_like(name)) || to.as_str() == from {
        return Ok(Renamed::Taken);
    }
    let sql = "SELECT id FROM entry WHERE bot = ?1 AND state IN ('waiting', 'held', 'checking') ORDER BY id LIMIT 1";
    let version: Option<i64> = database.query_row(sql, [from], |row| row.get(0)).optional()?;
    if let Some(entry) = version {
        return Ok(Renamed::NewVersion(entry));
    }
    let author = first_uploader(database, from)?.map(|token| token.id);
    if let Some(entry) = awaited_lookalike(database, to, author)? {
        return Ok(Renamed::Awaited(entry));
    }
    let now = database::now();
    database.execute("UPDATE entrant SET removed = ?1 WHERE id = ?2", params![now, old])?;
    database
        .execute("INSERT INTO entrant (name, added) VALUES (?1, ?2)", params![to.as_str(), now])?;
    let new = database.last_insert_rowid();
    let last = "(SELECT id FROM version WHERE entrant = ?1 ORDER BY number DESC LIMIT 1)";
    database.execute(
        &format!(
            "INSERT INTO version (entrant, number, identity, source, author, url, votes, added)
             SELECT ?2, 1, identity, source, author, url, votes, ?3 FROM version WHERE id = {last}"
        ),
        params![old, new, now],
    )?;
    database.execute(
        &format!(
            "INSERT INTO version_file SELECT ?2, path, executable, file FROM version_file WHERE version = {last}"
        ),
        params![old, database.last_insert_rowid()],
    )?;
    // Its author can upload new versions under the new name. Refused entries of other authors may have had the old one.
    let sql = format!("UPDATE entry SET bot = ?2 WHERE bot = ?3 AND {OF_HOLDER}");
    database.execute(&sql, params![author, to.as_str(), from])?;
    Ok(Renamed::Done)
}

/// An entry on its way to the hill whose bot has this name or one that looks like it. An author may have uploaded a new version
/// of the renamed bot with its new name already.
fn awaited_lookalike(
    database: &Connection,
    name: &BotName,
    author: Option<i64>,
) -> rusqlite::Result<Option<i64>> {
    let sql = format!(
        "SELECT id, bot, {OF_HOLDER} FROM entry WHERE state IN ('waiting', 'held', 'checking') ORDER BY id"
    );
    let mut statement = database.prepare(&sql)?;
    let entry = |row: &Row<'_>| {
        Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?, row.get::<_, bool>(2)?))
    };
    let mut entries = statement.query_map([author], entry)?;
    entries.try_fold(None, |found, entry| {
        let (id, bot, is_own) = entry?;
        let is_taken = name.looks_like(&bot) && !(is_own && bot == name.as_str());
        Ok(found.or(is_taken.then_some(id)))
    })
}

/// Adds an action to the log: its kind, its target and its detail.
fn log(database: &Connection, host: &Host, words: [&str; 3]) -> rusqlite::Result<()> {
    let short = |text: &str| -> String { printable(text).chars().take(MAX_DETAIL).collect() };
    let [action, target, detail] = words.map(short);
    let sql = "INSERT INTO action (at, host, token, action, target, detail) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let name = short(&host.name);
    database
        .execute(sql, params![database::now(), name, host.token, action, target, detail])
        .map(drop)
}
