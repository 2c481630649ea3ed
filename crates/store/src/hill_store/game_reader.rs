//! Games found by their numbers without going through all of a run first: whoever shows one game of an old run is
//! not to wait for a million others.

use std::ops::ControlFlow;

use rusqlite::{OptionalExtension, params};

use super::run_reader::page_of;
use super::{HillStore, Page};
use crate::FileError;

/// How many bars the run has had: the attempt whose games count.
const ATTEMPT: &str = "(SELECT count(*) FROM bar WHERE bar.run = ?1)";
/// The first game of the page that holds a game.
const HOLDING: &str = "coalesce((SELECT max(first) FROM page WHERE run = ?1 AND first <= ?2
     AND attempt = (SELECT count(*) FROM bar WHERE bar.run = ?1)), 0)";
const COLUMNS: &str = "SELECT first, last, games, times, checks, hash FROM page";

/// The way in which games are gone through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To higher numbers.
    Up,
    /// To lower numbers.
    Down,
}

impl HillStore {
    /// How many games of a run are stored that count.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn count_games(&self, run: i64) -> Result<u64, FileError> {
        let sql = format!(
            "SELECT coalesce(max(last), 0) FROM page WHERE run = ?1 AND attempt = {ATTEMPT}"
        );
        let count = self.database.query_row(&sql, [run], |row| row.get::<_, i64>(0));
        count.map(i64::unsigned_abs).map_err(self.named())
    }

    /// The line of a game that counts. Of the checksums only those of its page are looked at.
    ///
    /// # Errors
    /// If the store cannot be read, or the page was altered.
    pub fn game_line(&self, run: i64, game: u64) -> Result<Option<String>, FileError> {
        let Ok(wanted) = i64::try_from(game) else { return Ok(None) };
        let sql = format!(
            "{COLUMNS} WHERE run = ?1 AND attempt = {ATTEMPT} AND first <= ?2
             ORDER BY first DESC LIMIT 1"
        );
        let page = self.database.query_row(&sql, params![run, wanted], page_of).optional();
        let Some(page) = page.map_err(self.named())?.filter(|page| page.last >= game) else {
            return Ok(None);
        };
        self.check_page(run, &page)?;
        Ok(page.lines().nth((game - page.first) as usize).map(str::to_owned))
    }

    /// Goes through the games that count, from the one with the number `from` on, until `each` breaks off. Of the
    /// checksums those of the pages gone through are looked at.
    ///
    /// # Errors
    /// If the store cannot be read, or a page was altered.
    pub fn each_game_from(
        &self,
        run: i64,
        from: u64,
        direction: Direction,
        mut each: impl FnMut(u64, &str) -> ControlFlow<()>,
    ) -> Result<(), FileError> {
        // Pages are found by their first games, of which there is an index.
        let (bound, order) = match direction {
            Direction::Up => (format!("first >= {HOLDING}"), "first"),
            Direction::Down => ("first <= ?2".to_owned(), "first DESC"),
        };
        let sql = format!(
            "{COLUMNS} WHERE run = ?1 AND attempt = {ATTEMPT} AND {bound} ORDER BY {order}"
        );
        let limit = i64::try_from(from).unwrap_or(i64::MAX);
        let mut statement = self.database.prepare(&sql).map_err(self.named())?;
        let mut rows = statement.query(params![run, limit]).map_err(self.named())?;
        while let Some(row) = rows.next().map_err(self.named())? {
            let page = page_of(row).map_err(self.named())?;
            self.check_page(run, &page)?;
            if go_through(&page, from, direction, &mut each).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn check_page(&self, run: i64, page: &Page) -> Result<(), FileError> {
        match page.altered_game() {
            None => Ok(()),
            Some(game) => {
                let message = format!("run {run}: the record of game {game} was altered");
                Err(FileError::new(&self.path, message))
            }
        }
    }
}

fn go_through(
    page: &Page,
    from: u64,
    direction: Direction,
    each: &mut impl FnMut(u64, &str) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut games: Vec<_> = (page.first..).zip(page.lines()).collect();
    match direction {
        Direction::Up => games.retain(|(game, _)| *game >= from),
        Direction::Down => {
            games.retain(|(game, _)| *game <= from);
            games.reverse();
        }
    }
    games.into_iter().try_for_each(|(game, line)| each(game, line))
}
