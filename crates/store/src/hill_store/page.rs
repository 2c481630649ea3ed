//! Many games in one row: their lines, how long answers took, and what tells whether they were altered.

use dicehill_arena::AnswerSum;

use crate::recorded_run::read_times;

/// Games of a page, at most.
pub(super) const MOST_GAMES: usize = 256;
/// Bytes of a page's lines after which it is closed.
pub(super) const ENOUGH_BYTES: usize = 1 << 17;

/// Games that follow each other, as they are stored in one row.
///
/// Its lines and times are JSON arrays with one element a line. `checks` are the CRC-32 of each game's line and
/// times, `hash` is BLAKE3 over the page and the hash of the page before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// The number of its first game.
    pub first: u64,
    /// The number of its last game.
    pub last: u64,
    /// The lines of the games: a JSON array.
    pub games: String,
    /// Their times, if programs outside played: a JSON array.
    pub times: Option<String>,
    /// A checksum for each game, little endian.
    pub checks: Vec<u8>,
    /// The hash of this page and all before it.
    pub hash: [u8; 32],
}

impl Page {
    /// The lines of its games, in order.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        elements(&self.games)
    }

    /// The times of its games, in order; nothing if no program outside played.
    pub fn times(&self) -> impl Iterator<Item = &str> {
        elements(self.times.as_deref().unwrap_or_default())
    }

    /// How long each seat took to answer in each of its games, in order; nothing of a game in which only house bots
    /// played, or whose times cannot be read.
    pub fn answer_times(&self) -> impl Iterator<Item = Vec<Option<AnswerSum>>> + '_ {
        self.times().map(|times| read_times(times).unwrap_or_default())
    }

    /// The hash that this page must have behind a page with the hash `previous`.
    #[must_use]
    pub fn hash_behind(&self, previous: &[u8; 32]) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new();
        hasher.update(previous);
        hasher.update(&self.first.to_le_bytes()).update(&self.last.to_le_bytes());
        let times = self.times.as_deref().map(str::as_bytes);
        for part in [Some(self.games.as_bytes()), times, Some(&self.checks)] {
            // No text is as long as one that is not there.
            let length = part.map_or(u64::MAX, |part| part.len() as u64);
            hasher.update(&length.to_le_bytes()).update(part.unwrap_or_default());
        }
        *hasher.finalize().as_bytes()
    }

    /// The first of its games that is not as it was stored, by the checksums.
    #[must_use]
    pub fn altered_game(&self) -> Option<u64> {
        self.altered_games().first().copied()
    }

    /// All of its games that are not as they were stored, by the checksums: their lines, their times, or the
    /// checksums themselves. A page with too many or too few names its last.
    #[must_use]
    pub fn altered_games(&self) -> Vec<u64> {
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

    /// What is wrong with this page behind one with the hash `previous`, where the game `next` belongs.
    #[must_use]
    pub fn problems_behind(&self, next: u64, previous: &[u8; 32]) -> Vec<String> {
        let (first, last) = (self.first, self.last);
        let altered = self.altered_games().into_iter();
        let mut problems: Vec<_> = altered
            .map(|game| format!("game {game}: its record, its times or their checksum was altered"))
            .collect();
        if first != next {
            problems.push(format!("games {next} to {first}: a page was taken out or put in"));
        }
        if self.hash != self.hash_behind(previous) {
            let what = "the page is not what its hash says";
            problems.push(format!("games {first} to {last}: {what}"));
        }
        problems
    }
}

fn elements(array: &str) -> impl Iterator<Item = &str> {
    let inner = array.strip_prefix('[').and_then(|array| array.strip_suffix(']'));
    // A line of JSON has no newline of its own.
    inner.into_iter().filter(|inner| !inner.is_empty()).flat_map(|inner| inner.split(",\n"))
}

/// Stands for the times of a game in which only house bots played.
pub(super) const NO_TIMES: &str = "null";

fn check(line: &str, times: &str) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(line.as_bytes());
    hasher.update(times.as_bytes());
    hasher.finalize()
}

/// A page that is being filled.
#[derive(Default)]
pub(super) struct OpenPage {
    first: u64,
    count: usize,
    games: String,
    times: String,
    has_times: bool,
    checks: Vec<u8>,
}

impl OpenPage {
    pub(super) const fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(super) const fn is_full(&self) -> bool {
        self.count >= MOST_GAMES || self.games.len() >= ENOUGH_BYTES
    }

    /// Adds a game, whose line is given in the parts of it that are kept.
    pub(super) fn add(&mut self, game: u64, line: [&str; 2], times: &[Option<AnswerSum>]) {
        if self.count == 0 {
            self.first = game;
        }
        let separator = if self.count == 0 { "[" } else { ",\n" };
        self.games.push_str(separator);
        self.times.push_str(separator);
        let (line_begins, times_begin) = (self.games.len(), self.times.len());
        line.iter().for_each(|part| self.games.push_str(part));
        self.has_times |= write_times(times, &mut self.times);
        let check = check(&self.games[line_begins..], &self.times[times_begin..]);
        self.checks.extend(check.to_le_bytes());
        self.count += 1;
    }

    /// Closes the page behind one with the hash `previous`.
    pub(super) fn close(&mut self, previous: &[u8; 32]) -> Page {
        let Self { first, count, mut games, mut times, has_times, checks } = std::mem::take(self);
        games.push(']');
        times.push(']');
        let last = first + count as u64 - 1;
        let times = has_times.then_some(times);
        let mut page = Page { first, last, games, times, checks, hash: [0; 32] };
        page.hash = page.hash_behind(previous);
        page
    }
}

/// Writes `[[answers,total_us,longest_us],null,...]`, or `null` if only house bots played.
fn write_times(times: &[Option<AnswerSum>], text: &mut String) -> bool {
    use std::fmt::Write;
    if times.iter().all(Option::is_none) {
        text.push_str(NO_TIMES);
        return false;
    }
    for (index, time) in times.iter().enumerate() {
        text.push(if index == 0 { '[' } else { ',' });
        match time {
            None => text.push_str(NO_TIMES),
            Some(AnswerSum { answers, total_us, longest_us }) => {
                write!(text, "[{answers},{total_us},{longest_us}]")
                    .expect("a String takes everything");
            }
        }
    }
    text.push(']');
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> Page {
        let mut page = OpenPage::default();
        let sum = AnswerSum { answers: 3, total_us: 70, longest_us: 40 };
        page.add(7, ["{\"game\":7,", "\"x\":1}"], &[None, Some(sum)]);
        page.add(8, ["{\"game\":8}", ""], &[]);
        page.close(&[1; 32])
    }

    #[test]
    fn a_page_gives_back_its_games() {
        let page = page();
        assert_eq!((page.first, page.last), (7, 8));
        assert_eq!(page.lines().collect::<Vec<_>>(), ["{\"game\":7,\"x\":1}", "{\"game\":8}"]);
        assert_eq!(page.times().collect::<Vec<_>>(), ["[null,[3,70,40]]", "null"]);
        assert_eq!(page.altered_game(), None);
        assert_eq!(page.hash, page.hash_behind(&[1; 32]));
        assert_ne!(page.hash, page.hash_behind(&[2; 32]));
    }

    #[test]
    fn what_is_altered_is_named() {
        let whole = page();
        let altered = |change: &dyn Fn(&mut Page)| {
            let mut page = whole.clone();
            change(&mut page);
            assert_ne!(page.hash_behind(&[1; 32]), whole.hash);
            page.altered_game()
        };
        assert_eq!(altered(&|page| page.games = page.games.replace("\"x\":1", "\"x\":2")), Some(7));
        assert_eq!(altered(&|page| page.games = page.games.replace("8}", "9}")), Some(8));
        let times = |page: &mut Page, from: &str, to: &str| {
            page.times = page.times.as_ref().map(|times| times.replace(from, to));
        };
        assert_eq!(altered(&|page| times(page, "40", "41")), Some(7));
        assert_eq!(altered(&|page| page.times = None), Some(7));
        assert_eq!(altered(&|page| page.checks[5] ^= 1), Some(8));
        assert_eq!(altered(&|page| page.games = "[{\"game\":7,\"x\":1}]".to_owned()), Some(8));
    }
}
