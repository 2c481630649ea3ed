//! Whether a run is what was stored, by its hashes alone.

use rusqlite::Row;

use super::seal::{SEAL, altered_parts};
use crate::FileError;
use crate::hill_store::HillStore;

impl HillStore {
    /// The tables and columns, other than the games, in which a run was altered since it ended. `None` of an unfinished run.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub(crate) fn altered_parts(&self, run: i64) -> Result<Option<Vec<&'static str>>, FileError> {
        let sql = "SELECT seal, result IS NOT NULL FROM run WHERE id = ?1";
        let row = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        let stored = self.database.query_row(sql, [run], row).map_err(self.to_file_error())?;
        match stored {
            (None::<String>, false) => Ok(None),
            (None, true) => Ok(Some(vec![SEAL])),
            (Some(sealed), _) => {
                altered_parts(&self.database, run, &sealed).map(Some).map_err(self.to_file_error())
            }
        }
    }

    /// Refuses an altered run by its hashes, without replaying a game: the seal of a finished run, the hash of the header,
    /// and the hashes of the pages.
    ///
    /// # Errors
    /// If the run was altered, or the store cannot be read.
    pub fn check_seal(&self, run: i64) -> Result<(), FileError> {
        if let Some(place) = self.altered_parts(run)?.and_then(|parts| parts.first().copied()) {
            return Err(self.altered(run, format_args!("{place}: altered since the run ended")));
        }
        let header: String = self
            .database
            .query_row("SELECT header FROM run WHERE id = ?1", [run], |row| row.get(0))
            .map_err(self.to_file_error())?;
        if let Some(problem) = self.header(run, header)?.hash_problem() {
            return Err(self.altered(run, format_args!("table run, column header: {problem}")));
        }
        let sql = "SELECT count(*) FROM bar WHERE run = ?1";
        let bars: i64 =
            self.database.query_row(sql, [run], |row| row.get(0)).map_err(self.to_file_error())?;
        (0..=bars).try_for_each(|attempt| self.check_pages(run, attempt))
    }

    fn check_pages(&self, run: i64, attempt: i64) -> Result<(), FileError> {
        let (mut next, mut previous) = (1, [0; 32]);
        self.each_page(run, attempt, |page| {
            if page.first != next || page.hash != page.hash_after(&previous) {
                let problems = page.problems_after(next, &previous);
                let problem = problems.first().map(String::as_str).unwrap_or_default();
                return Err(self.altered(run, format_args!("table page: {problem}")));
            }
            (next, previous) = (page.last + 1, page.hash);
            Ok(())
        })
    }

    fn altered(&self, run: i64, what: impl std::fmt::Display) -> FileError {
        if self.was_disturbed() {
            return self.disturbed();
        }
        let hill = self.path.display();
        let remedy = format!("`dicehill verify {hill}#{run}` names everything that was altered");
        FileError::altered(&self.path, None, format!("run {run}: {what}; {remedy}"))
    }
}
