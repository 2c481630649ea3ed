//! The most remarkable games of a run, as they were found while it was stored.

use dicehill_arena::Highlights;
use rusqlite::Row;

use super::seal::seals_highlights;
use crate::hill_store::{HillStore, database};
use crate::{FileError, json_message};

/// The first version of the store that has them.
const SINCE: i64 = 4;

/// They are stored together with the games.
const SQL: &str = "SELECT highlights, seal,
         coalesce((SELECT max(last) FROM page WHERE run = run.id AND attempt =
             (SELECT count(*) FROM bar WHERE bar.run = run.id)), 0)
     FROM run WHERE id = ?1";

impl HillStore {
    /// The most remarkable games of a run so far. `None` if not all of its games were looked at, as in runs that older
    /// versions stored, and if they are not sealed although the run has ended.
    ///
    /// # Errors
    /// If there is no such run, or the store cannot be read.
    pub fn highlights(&self, run: i64) -> Result<Option<Highlights>, FileError> {
        Ok(self.highlights_of_games(run)?.map(|(highlights, _)| highlights))
    }

    /// The most remarkable games of a run so far, and how many games it had then.
    ///
    /// # Errors
    /// If there is no such run, or the store cannot be read.
    pub(crate) fn highlights_of_games(
        &self,
        run: i64,
    ) -> Result<Option<(Highlights, u64)>, FileError> {
        if database::version(&self.database).map_err(self.to_file_error())? < SINCE {
            return Ok(None);
        }
        let row = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        let stored = self.database.query_row(SQL, [run], row).map_err(self.to_file_error())?;
        let (text, seal, games): (Option<String>, Option<String>, u64) = stored;
        let text = text.filter(|_| seal.as_deref().is_none_or(seals_highlights));
        let read = text.map(|text| serde_json::from_str(&text)).transpose();
        let read = read.map(|found| found.map(|highlights| (highlights, games)));
        read.map_err(|error| {
            let message = format!("run {run}: its remarkable games: {}", json_message(&error));
            FileError::new(&self.path, message)
        })
    }
}
