//! A page that is being filled.

use dicehill_arena::AnswerSum;

use super::answer_times::write_times;
use super::game_page::{GamePage, check};
use super::played_by::PlayedBy;

/// The most games in a page.
const MAX_GAMES: usize = 256;
/// Bytes of lines after which a page is full.
const ENOUGH_BYTES: usize = 1 << 17;

/// A page to which games are added.
#[derive(Default)]
pub(in crate::hill_store) struct OpenPage {
    first: u64,
    count: usize,
    games: String,
    times: String,
    has_times: bool,
    checks: Vec<u8>,
    machines: PlayedBy,
}

impl OpenPage {
    pub(in crate::hill_store) const fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(in crate::hill_store) const fn is_full(&self) -> bool {
        self.count >= MAX_GAMES || self.games.len() >= ENOUGH_BYTES
    }

    /// Adds a game, given the two parts of its line that are kept.
    pub(in crate::hill_store) fn add(
        &mut self,
        game: u64,
        line: [&str; 2],
        times: &[Option<AnswerSum>],
        machine: Option<&str>,
    ) {
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
        self.machines.add(game, machine);
        self.count += 1;
    }

    /// Which workers have played the games of the page, as its column has them.
    pub(in crate::hill_store) fn machines(&self) -> Option<String> {
        self.machines.column()
    }

    /// Returns the page, which follows one with the hash `previous`, and starts an empty one.
    pub(in crate::hill_store) fn close(&mut self, previous: &[u8; 32]) -> GamePage {
        let Self { first, count, mut games, mut times, has_times, checks, .. } =
            std::mem::take(self);
        games.push(']');
        times.push(']');
        let last = first + count as u64 - 1;
        let times = has_times.then_some(times);
        let mut page = GamePage { first, last, games, times, checks, hash: [0; 32] };
        page.hash = page.hash_after(previous);
        page
    }
}
