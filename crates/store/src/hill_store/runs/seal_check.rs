//! Whether a run is what was stored, by its hashes alone.

use rusqlite::Row;

use super::seal::{PagesHash, SEAL, altered_parts};
use crate::hill_store::HillStore;
use crate::hill_store::pages::page_reader::{COLUMNS, page_hash, page_of};
use crate::{FileError, command_word};

/// What the pages of a run are, by one reading of them.
struct PagesCheck {
    /// Their hash in the seal.
    hash: blake3::Hash,
    /// What is wrong with the first page that does not match its own hash.
    problem: Option<String>,
}

impl HillStore {
    /// The tables and columns, other than the games, in which a run was altered since it ended. `None` of an unfinished run.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub(crate) fn altered_parts(&self, run: i64) -> Result<Option<Vec<&'static str>>, FileError> {
        self.altered_parts_with(run, None)
    }

    /// The hash of the pages is taken from `pages`, if it is known.
    fn altered_parts_with(
        &self,
        run: i64,
        pages: Option<blake3::Hash>,
    ) -> Result<Option<Vec<&'static str>>, FileError> {
        let sql = "SELECT seal, result IS NOT NULL FROM run WHERE id = ?1";
        let row = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        let stored = self.database.query_row(sql, [run], row).map_err(self.to_file_error())?;
        match stored {
            (None::<String>, false) => Ok(None),
            (None, true) => Ok(Some(vec![SEAL])),
            (Some(sealed), _) => altered_parts(&self.database, run, &sealed, pages)
                .map(Some)
                .map_err(self.to_file_error()),
        }
    }

    /// Refuses an altered run by its hashes, without replaying a game: the seal of a finished run, the hash of the header,
    /// and the hashes of the pages. The games are read once.
    ///
    /// # Errors
    /// If the run was altered, or the store cannot be read.
    pub fn check_seal(&self, run: i64) -> Result<(), FileError> {
        // All is read of one state of the store: the run may end, or be pruned, meanwhile.
        let _state = self.database.unchecked_transaction().map_err(self.to_file_error())?;
        let pages = self.check_pages(run).map_err(self.to_file_error())?;
        let altered = self.altered_parts_with(run, Some(pages.hash))?;
        if let Some(place) = altered.and_then(|parts| parts.first().copied()) {
            return Err(self.altered(run, format_args!("{place}: altered since the run ended")));
        }
        let header: String = self
            .database
            .query_row("SELECT header FROM run WHERE id = ?1", [run], |row| row.get(0))
            .map_err(self.to_file_error())?;
        if let Some(problem) = self.header(run, header)?.hash_problem() {
            return Err(self.altered(run, format_args!("table run, column header: {problem}")));
        }
        match pages.problem {
            Some(problem) => Err(self.altered(run, format_args!("table page: {problem}"))),
            None => Ok(()),
        }
    }

    fn check_pages(&self, run: i64) -> rusqlite::Result<PagesCheck> {
        let sql = format!(
            "SELECT {COLUMNS}, id, attempt FROM page WHERE run = ?1 ORDER BY attempt, first, id"
        );
        let mut statement = self.database.prepare_cached(&sql)?;
        let mut rows = statement.query([run])?;
        let mut hash = PagesHash::default();
        let mut problem = None;
        let (mut attempt, mut next, mut previous) = (0_i64, 1_i64, [0; 32]);
        while let Some(row) = rows.next()? {
            hash.add(row)?;
            let of_attempt = row.get("attempt")?;
            if attempt != of_attempt {
                (attempt, next, previous) = (of_attempt, 1, [0; 32]);
            }
            let (first, last, own): (i64, i64, [u8; 32]) =
                (row.get("first")?, row.get("last")?, row.get("hash")?);
            if problem.is_none() && (first != next || own != page_hash(row, &previous)?) {
                let problems = page_of(row)?.problems_after(next.unsigned_abs(), &previous);
                problem = problems.into_iter().next();
            }
            (next, previous) = (last.saturating_add(1), own);
        }
        Ok(PagesCheck { hash: hash.finish(), problem })
    }

    fn altered(&self, run: i64, what: impl std::fmt::Display) -> FileError {
        if self.was_disturbed() {
            return self.disturbed();
        }
        let hill = command_word(&self.path);
        let remedy = format!("`dicehill verify {hill}#{run}` names everything that was altered");
        FileError::altered(&self.path, None, format!("run {run}: {what}; {remedy}"))
    }
}
