//! The names that hosts have changed.

use rusqlite::Connection;

use super::{HillStore, database};
use crate::FileError;

/// A bot that a host has given another name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renaming {
    /// The name that it had.
    pub from: String,
    /// The one that it has since.
    pub to: String,
}

impl Renaming {
    /// Whether a bot has had these two names. `renamings` are all of the hill, oldest first; no name is used twice.
    #[must_use]
    pub fn is_same_bot(renamings: &[Self], one: &str, other: &str) -> bool {
        name_now(renamings, one) == name_now(renamings, other)
    }
}

/// The name that a bot has now that once had this one.
pub(super) fn name_now<'a>(renamings: &'a [Renaming], name: &'a str) -> &'a str {
    renamings.iter().fold(name, |name, Renaming { from, to }| if from == name { to } else { name })
}

impl HillStore {
    /// The renamed bots, oldest renaming first. Names are as they are stored: print them escaped.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn renamings(&self) -> Result<Vec<Renaming>, FileError> {
        read(&self.database).map_err(self.to_file_error())
    }
}

/// The renamed bots, oldest renaming first; none in a store with an older schema.
pub(super) fn read(database: &Connection) -> rusqlite::Result<Vec<Renaming>> {
    if !database::has_table(database, "action")? {
        return Ok(Vec::new());
    }
    let sql = "SELECT target, detail FROM action WHERE action = 'rename' ORDER BY id";
    let renaming = |row: &rusqlite::Row<'_>| Ok(Renaming { from: row.get(0)?, to: row.get(1)? });
    database.prepare(sql)?.query_map([], renaming)?.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bot_is_followed_through_all_its_names() {
        let renamings = [("a", "b"), ("x", "y"), ("b", "c")]
            .map(|(from, to)| Renaming { from: from.to_owned(), to: to.to_owned() });
        for (one, other) in [("a", "c"), ("b", "a"), ("c", "c"), ("x", "y"), ("other", "other")] {
            assert!(Renaming::is_same_bot(&renamings, one, other), "{one} {other}");
        }
        for (one, other) in [("a", "x"), ("y", "c"), ("b", "other")] {
            assert!(!Renaming::is_same_bot(&renamings, one, other), "{one} {other}");
        }
    }
}
