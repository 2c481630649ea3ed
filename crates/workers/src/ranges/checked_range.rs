//! A range that is played again by another worker, to be compared.

use std::time::Duration;

use dicehill_arena::GameRange;
use dicehill_store::PlayedLine;

use crate::id::Id;

/// A range that is played again by another worker, to be compared.
#[derive(Clone, Debug)]
pub(super) struct CheckedRange {
    pub(super) games: GameRange,
    /// The worker whose games they are.
    pub(super) of: Id,
    /// The hashes of the lines that are not compared yet, with their games.
    hashes: Vec<(u64, u64)>,
    /// When it was handed out; `None` if it has to be.
    pub(super) published: Option<Duration>,
    /// How often it was handed out.
    tries: u32,
}

/// How often a check is handed out before it is left to the host: a worker may never answer, and bots that fail on its machine
/// end each range early.
const MAX_TRIES: u32 = 2;

/// How long a check may take, which is a range of usual length, with a worker that first finishes another one.
const CHECK_TIME: Duration = Duration::from_secs(9);

/// Whether the program of a bot has failed in a game. The machine may be the cause, so that such a line is compared with none.
pub(super) fn has_failure(line: &PlayedLine) -> bool {
    line.offences().iter().any(|offence| offence.failure.reason.is_process_failure())
}

/// A hash of a line that tells lines apart.
pub(super) fn line_hash(line: &str) -> u64 {
    let hash = blake3::hash(line.as_bytes());
    let [a, b, c, d, e, f, g, h, ..] = *hash.as_bytes();
    u64::from_le_bytes([a, b, c, d, e, f, g, h])
}

impl CheckedRange {
    /// The check of these games of a worker, with the hashes of their lines.
    pub(super) const fn new(of: Id, games: GameRange, hashes: Vec<(u64, u64)>) -> Self {
        Self { games, of, hashes, published: None, tries: 0 }
    }

    /// Whether it is with no worker.
    fn is_due(&self, now: Duration) -> bool {
        self.published.is_none_or(|published| published + CHECK_TIME <= now)
    }

    /// Whether a worker is to play it now.
    pub(super) fn is_for_worker(&self, now: Duration) -> bool {
        self.tries < MAX_TRIES && self.is_due(now)
    }

    /// Whether no worker is asked any more.
    pub(super) fn is_for_host(&self, now: Duration) -> bool {
        self.tries >= MAX_TRIES && self.is_due(now)
    }

    /// Notes that it is handed out.
    pub(super) const fn publish(&mut self, now: Duration) {
        self.published = Some(now);
        self.tries += 1;
    }

    /// Compares a line of another machine; the hash of the worker's line, if it is another one.
    pub(super) fn compare(&mut self, line: &PlayedLine) -> Option<u64> {
        let place = self.hashes.iter().position(|(game, _)| *game == line.game())?;
        let (_, hash) = self.hashes.swap_remove(place);
        (!has_failure(line) && hash != line_hash(line.line())).then_some(hash)
    }

    /// Whether all games are compared.
    pub(super) const fn is_done(&self) -> bool {
        self.hashes.is_empty()
    }

    /// The first game that is not compared.
    pub(super) fn next(&self) -> Option<u64> {
        self.hashes.iter().map(|(game, _)| *game).min()
    }
}
