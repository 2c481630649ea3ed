//! Who may bring bots to a hill, and what came of those that were brought.
//!
//! A book is written while somebody else plays on the hill: it takes no lock, and its transactions are short.

mod entries;
mod secret_token;
mod tokens;

use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::{database, lock};
use crate::FileError;
pub use entries::{EntryState, StoredEntry};
pub use secret_token::SecretToken;
pub use tokens::{StoredToken, TokenError, TokenTerms};

/// The version of the form that first has tokens and entries.
const FIRST_VERSION: i64 = 2;
/// How long to wait between two looks whether the file can be written. Who plays writes nearly all the time and leaves
/// only short gaps, which nobody would find who looked seldom.
const PAUSE: Duration = Duration::from_micros(200);
/// Looks until somebody else writes for too long: ten seconds of them.
const MOST_LOOKS: i32 = 50_000;

/// The tokens and entries of a hill.
pub struct EntryBook {
    path: PathBuf,
    database: Connection,
}

impl EntryBook {
    /// Opens the book of a hill, also while somebody plays on it.
    ///
    /// A store of an older form is brought up to date first, for which nobody may play.
    ///
    /// # Errors
    /// If there is no such hill, or it cannot be written.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let version = database::version(&database::open(path, database::Access::Read)?);
        let is_old = version.map_err(|error| database::error(path, &error))? < FIRST_VERSION;
        let _lock = if is_old { Some(lock(path)?) } else { None };
        let mut database = database::open(path, database::Access::Write)?;
        let looking = database.busy_handler(Some(|looks| {
            thread::sleep(PAUSE);
            looks < MOST_LOOKS
        }));
        looking.map_err(|error| database::error(path, &error))?;
        Ok(Self { path: path.to_owned(), database })
    }

    /// Opens the book to look into it alone. A store of an older form has an empty one.
    ///
    /// # Errors
    /// If there is no such hill, or it cannot be read.
    pub fn open_to_read(path: &Path) -> Result<Self, FileError> {
        let failed = |error| database::error(path, &error);
        let database = database::open(path, database::Access::Read)?;
        if database::version(&database).map_err(failed)? < FIRST_VERSION {
            database.execute_batch(EMPTY).map_err(failed)?;
        }
        Ok(Self { path: path.to_owned(), database })
    }

    /// A transaction that nobody else's can come between.
    fn begin(&mut self) -> rusqlite::Result<Transaction<'_>> {
        self.database.transaction_with_behavior(TransactionBehavior::Immediate)
    }

    fn named(&self) -> impl Fn(rusqlite::Error) -> FileError + '_ {
        |error| database::error(&self.path, &error)
    }
}

/// Stands for the tables in a store that has none: in this connection alone, and not in the file.
const EMPTY: &str = "
    CREATE TEMP TABLE token (id, name, hash, made, expires, uses, used, revoked);
    CREATE TEMP TABLE entry (id, token, bot, received, state, report, run);";
