//! Single games of a run, found by their numbers without reading the other pages: a run may have millions of games.

use std::ops::ControlFlow;

use rusqlite::{OptionalExtension, params};

use super::GamePage;
use super::page_reader::{COLUMNS, page_of};
use crate::FileError;
use crate::hill_store::HillStore;

/// The number of bars of the run: the attempt whose games count.
const ATTEMPT: &str = "(SELECT count(*) FROM bar WHERE bar.run = ?1)";
/// The first game of the page with the game `?2`.
const HOLDING: &str = "coalesce((SELECT max(first) FROM page WHERE run = ?1 AND first <= ?2
     AND attempt = (SELECT count(*) FROM bar WHERE bar.run = ?1)), 0)";

/// The order in which games are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameOrder {
    /// Ascending numbers.
    Up,
    /// Descending numbers.
    Down,
}

impl HillStore {
    /// The number of stored games of a run that count.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn count_games(&self, run: i64) -> Result<u64, FileError> {
        let sql = format!(
            "SELECT coalesce(max(last), 0) FROM page WHERE run = ?1 AND attempt = {ATTEMPT}"
        );
        let count = self.database.query_row(&sql, [run], |row| row.get::<_, i64>(0));
        count.map(i64::unsigned_abs).map_err(self.to_file_error())
    }

    /// The line of a game that counts; `None` if there is none. Only the checksums of its page are checked.
    ///
    /// # Errors
    /// If the store cannot be read, or the page was altered.
    pub fn game_line(&self, run: i64, game: u64) -> Result<Option<String>, FileError> {
        let Ok(wanted) = i64::try_from(game) else { return Ok(None) };
        let sql = format!(
            "SELECT {COLUMNS} FROM page WHERE run = ?1 AND attempt = {ATTEMPT} AND first <= ?2
             ORDER BY first DESC LIMIT 1"
        );
        let page = self.database.query_row(&sql, params![run, wanted], page_of).optional();
        let Some(page) = page.map_err(self.to_file_error())?.filter(|page| page.last >= game)
        else {
            return Ok(None);
        };
        self.check_page(run, &page)?;
        Ok(page.lines().nth((game - page.first) as usize).map(str::to_owned))
    }

    /// Calls `each` with the number and the line of the games that count, from game `from` on, until it breaks. Only the
    /// checksums of the pages that are read are checked.
    ///
    /// # Errors
    /// If the store cannot be read, or a page was altered.
    pub fn each_game_from(
        &self,
        run: i64,
        from: u64,
        direction: GameOrder,
        mut each: impl FnMut(u64, &str) -> ControlFlow<()>,
    ) -> Result<(), FileError> {
        // The table has an index over the first games of pages.
        let (bound, order) = match direction {
            GameOrder::Up => (format!("first >= {HOLDING}"), "first"),
            GameOrder::Down => ("first <= ?2".to_owned(), "first DESC"),
        };
        let sql = format!(
            "SELECT {COLUMNS} FROM page WHERE run = ?1 AND attempt = {ATTEMPT} AND {bound} ORDER BY {order}"
        );
        let limit = i64::try_from(from).unwrap_or(i64::MAX);
        let mut statement = self.database.prepare(&sql).map_err(self.to_file_error())?;
        let mut rows = statement.query(params![run, limit]).map_err(self.to_file_error())?;
        while let Some(row) = rows.next().map_err(self.to_file_error())? {
            let page = page_of(row).map_err(self.to_file_error())?;
            self.check_page(run, &page)?;
            if each_game_of(&page, from, direction, &mut each).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn check_page(&self, run: i64, page: &GamePage) -> Result<(), FileError> {
        match page.altered_game() {
            None => Ok(()),
            Some(game) => {
                let message = format!("run {run}: the record of game {game} was altered");
                Err(FileError::altered(&self.path, None, message))
            }
        }
    }
}

fn each_game_of(
    page: &GamePage,
    from: u64,
    direction: GameOrder,
    each: &mut impl FnMut(u64, &str) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut games: Vec<_> = (page.first..).zip(page.lines()).collect();
    match direction {
        GameOrder::Up => games.retain(|(game, _)| *game >= from),
        GameOrder::Down => {
            games.retain(|(game, _)| *game <= from);
            games.reverse();
        }
    }
    games.into_iter().try_for_each(|(game, line)| each(game, line))
}

#[cfg(test)]
mod tests {
    use dicehill_arena::HillDraft;
    use dicehill_rules::yahtzee::Yahtzee;
    use tempfile::TempDir;

    use super::*;
    use crate::HillSettings;
    use crate::hill_store::pages::open_page::OpenPage;

    /// A store with a run of three pages of ten games, after a bar.
    fn stored_run() -> (TempDir, HillStore) {
        let folder = tempfile::tempdir().expect("a folder");
        let hill = HillSettings::from_draft(&HillDraft::<Yahtzee>::challenge(Vec::new(), ""), None);
        let store = HillStore::create(&folder.path().join("hill.db"), &hill).expect("a store");
        let sql = "INSERT INTO run (id, header, moves, begun) VALUES (1, '', 1, 0);
                   INSERT INTO bar (run, number, bar) VALUES (1, 1, '')";
        store.database.execute_batch(sql).expect("a run");
        (0..2).for_each(|attempt| insert_pages(&store, attempt));
        (folder, store)
    }

    fn insert_pages(store: &HillStore, attempt: i64) {
        for first in [1, 11, 21] {
            let mut page = OpenPage::default();
            for game in first..first + 10 {
                page.add(game, [&line(game, attempt), ""], &[], None);
            }
            let GamePage { first, last, games, times, checks, hash } = page.close(&[0; 32]);
            let sql = "INSERT INTO page (run, attempt, first, last, games, times, checks, hash)
                       VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7)";
            let row = params![attempt, first as i64, last as i64, games, times, checks, hash];
            store.database.execute(sql, row).expect("a page");
        }
    }

    fn line(game: u64, attempt: i64) -> String {
        format!("{{\"game\":{game},\"attempt\":{attempt}}}")
    }

    fn numbers_read(store: &HillStore, from: u64, direction: GameOrder, most: usize) -> Vec<u64> {
        let mut seen = Vec::new();
        let each = |game, found: &str| {
            assert_eq!(found, line(game, 1));
            seen.push(game);
            if seen.len() == most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        store.each_game_from(1, from, direction, each).expect("it can be read");
        seen
    }

    #[test]
    fn games_that_count_are_found_by_number() {
        let (_folder, store) = stored_run();
        assert_eq!(store.count_games(1).expect("a count"), 30);
        for game in [1, 10, 11, 20, 30] {
            let found = store.game_line(1, game).expect("it can be read");
            assert_eq!(found, Some(line(game, 1)));
        }
        for (run, game) in [(1, 0), (1, 31), (1, u64::MAX), (2, 1)] {
            assert_eq!(store.game_line(run, game).expect("it can be read"), None, "{run} {game}");
        }
        assert_eq!(store.count_games(2).expect("a count"), 0);
    }

    #[test]
    fn games_are_read_in_both_orders() {
        let (_folder, store) = stored_run();
        let up = |from, most| numbers_read(&store, from, GameOrder::Up, most);
        let down = |from, most| numbers_read(&store, from, GameOrder::Down, most);
        assert_eq!(up(1, 99), (1..=30).collect::<Vec<_>>());
        assert_eq!(up(9, 4), [9, 10, 11, 12]);
        assert_eq!(up(0, 1), [1]);
        assert_eq!((up(31, 9), up(u64::MAX, 9)), (vec![], vec![]));
        assert_eq!(down(u64::MAX, 99), (1..=30).rev().collect::<Vec<_>>());
        assert_eq!(down(12, 4), [12, 11, 10, 9]);
        assert_eq!((down(1, 9), down(0, 9)), (vec![1], vec![]));
    }

    #[test]
    fn an_altered_page_is_named_and_the_others_are_read() {
        let (_folder, store) = stored_run();
        let sql = "UPDATE page SET games = replace(games, '\"game\":15,', '\"game\":16,')
                   WHERE attempt = 1";
        assert_eq!(store.database.execute(sql, []).expect("altered"), 3);
        assert!(store.game_line(1, 10).is_ok());
        let error = store.game_line(1, 11).expect_err("its page was altered");
        assert!(error.to_string().contains("the record of game 15 was altered"), "{error}");
        let each = |_: u64, _: &str| ControlFlow::Continue(());
        assert!(store.each_game_from(1, 21, GameOrder::Up, each).is_ok());
        assert!(store.each_game_from(1, 1, GameOrder::Up, each).is_err());
    }

    #[test]
    fn finding_a_missing_run_is_no_error() {
        let (_folder, store) = stored_run();
        assert!(store.find_run(2).is_ok_and(|run| run.is_none()));
        assert!(store.run(2).is_err());
    }
}
