//! A page: the lines and answer times of many games in one row, with checksums and a chain of hashes.

use dicehill_arena::AnswerSum;

use super::answer_times::{NO_TIMES, read_times};

/// Consecutive games that are stored in one row.
///
/// Lines and times are JSON arrays with one element on each line. `checks` has the CRC-32 of each game's line and times,
/// `hash` is BLAKE3 over the page and the hash of the page before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GamePage {
    /// The number of its first game.
    pub first: u64,
    /// The number of its last game.
    pub last: u64,
    /// The lines of the games: a JSON array.
    pub games: String,
    /// The answer times of the games, if external bots played: a JSON array.
    pub times: Option<String>,
    /// The checksum of each game, 4 bytes little endian.
    pub checks: Vec<u8>,
    /// The hash over this page and all before it.
    pub hash: [u8; 32],
}

impl GamePage {
    /// The lines of its games, in order.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        elements(&self.games)
    }

    /// The answer times of its games as JSON, in order; empty if no external bot played.
    pub fn times(&self) -> impl Iterator<Item = &str> {
        elements(self.times.as_deref().unwrap_or_default())
    }

    /// The answer times of each of its games by seat, in order; empty for a game of house bots alone, and for times that
    /// cannot be read.
    pub fn answer_times(&self) -> impl Iterator<Item = Vec<Option<AnswerSum>>> + '_ {
        self.times().map(|times| read_times(times).unwrap_or_default())
    }

    /// The hash that this page must have after a page with the hash `previous`.
    #[must_use]
    pub(crate) fn hash_after(&self, previous: &[u8; 32]) -> [u8; 32] {
        let times = self.times.as_deref().map(str::as_bytes);
        let parts = [Some(self.games.as_bytes()), times, Some(self.checks.as_slice())];
        hash_of_page(previous, [self.first, self.last], parts)
    }

    /// The first of its games whose checksum is wrong.
    #[must_use]
    pub(crate) fn altered_game(&self) -> Option<u64> {
        self.altered_games().first().copied()
    }

    /// All of its games whose checksum is wrong: the line, the times or the checksum itself was altered. If the number of
    /// lines is wrong, the last game is one of them.
    #[must_use]
    pub(crate) fn altered_games(&self) -> Vec<u64> {
        let mut times = self.times();
        let mut checks = self.checks.chunks(4);
        let mut numbers = self.first..=self.last;
        let mut altered = Vec::new();
        for line in self.lines() {
            let check = check(line, times.next().unwrap_or(NO_TIMES)).to_le_bytes();
            let number = numbers.next();
            if number.is_none() || checks.next() != Some(&check) {
                altered.push(number.unwrap_or(self.last));
            }
        }
        altered.extend(numbers.next());
        altered.dedup();
        altered
    }

    /// What is wrong with this page, which should start with game `next` and follow a page with the hash `previous`.
    #[must_use]
    pub(crate) fn problems_after(&self, next: u64, previous: &[u8; 32]) -> Vec<String> {
        let (first, last) = (self.first, self.last);
        let altered = self.altered_games().into_iter();
        let mut problems: Vec<_> = altered
            .map(|game| format!("game {game}: its record, its times or their checksum was altered"))
            .collect();
        if first != next {
            problems.push(format!("games {next} to {first}: a page was removed or inserted"));
        }
        if self.hash != self.hash_after(previous) {
            let what = "the page does not match its hash";
            problems.push(format!("games {first} to {last}: {what}"));
        }
        problems
    }
}

/// The hash of a page after one with the hash `previous`: its first and last game, and its lines, times and checksums.
pub(super) fn hash_of_page(
    previous: &[u8; 32],
    games: [u64; 2],
    parts: [Option<&[u8]>; 3],
) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(previous);
    for game in games {
        hasher.update(&game.to_le_bytes());
    }
    for part in parts {
        // A missing part has a length that no text has.
        let length = part.map_or(u64::MAX, |part| part.len() as u64);
        hasher.update(&length.to_le_bytes()).update(part.unwrap_or_default());
    }
    *hasher.finalize().as_bytes()
}

fn elements(array: &str) -> impl Iterator<Item = &str> {
    let inner = array.strip_prefix('[').and_then(|array| array.strip_suffix(']'));
    // The lines themselves contain no newline.
    inner.into_iter().filter(|inner| !inner.is_empty()).flat_map(|inner| inner.split(",\n"))
}

/// The checksum of a game.
pub(super) fn check(line: &str, times: &str) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(line.as_bytes());
    hasher.update(times.as_bytes());
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use dicehill_arena::AnswerSum;

    use super::*;
    use crate::hill_store::pages::open_page::OpenPage;

    fn page() -> GamePage {
        let mut page = OpenPage::default();
        let sum = AnswerSum { answers: 3, total_us: 70, longest_us: 40 };
        page.add(7, ["{\"game\":7,", "\"x\":1}"], &[None, Some(sum)], None);
        page.add(8, ["{\"game\":8}", ""], &[], None);
        page.close(&[1; 32])
    }

    #[test]
    fn a_page_returns_the_games_that_were_added() {
        let page = page();
        assert_eq!((page.first, page.last), (7, 8));
        assert_eq!(page.lines().collect::<Vec<_>>(), ["{\"game\":7,\"x\":1}", "{\"game\":8}"]);
        assert_eq!(page.times().collect::<Vec<_>>(), ["[null,[3,70,40]]", "null"]);
        assert_eq!(page.altered_game(), None);
        assert_eq!(page.hash, page.hash_after(&[1; 32]));
        assert_ne!(page.hash, page.hash_after(&[2; 32]));
    }

    #[test]
    fn an_altered_game_is_named() {
        let whole = page();
        let altered = |change: &dyn Fn(&mut GamePage)| {
            let mut page = whole.clone();
            change(&mut page);
            assert_ne!(page.hash_after(&[1; 32]), whole.hash);
            page.altered_game()
        };
        assert_eq!(altered(&|page| page.games = page.games.replace("\"x\":1", "\"x\":2")), Some(7));
        assert_eq!(altered(&|page| page.games = page.games.replace("8}", "9}")), Some(8));
        let times = |page: &mut GamePage, from: &str, to: &str| {
            page.times = page.times.as_ref().map(|times| times.replace(from, to));
        };
        assert_eq!(altered(&|page| times(page, "40", "41")), Some(7));
        assert_eq!(altered(&|page| page.times = None), Some(7));
        assert_eq!(altered(&|page| page.checks[5] ^= 1), Some(8));
        assert_eq!(altered(&|page| page.games = "[{\"game\":7,\"x\":1}]".to_owned()), Some(8));
    }
}
