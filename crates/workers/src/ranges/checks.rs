//! Ranges that are played again, to find workers that alter moves.

use std::collections::VecDeque;

use dicehill_store::PlayedLine;

use super::checked_range::{CheckedRange, has_failure, line_hash};
use crate::id::Id;

/// A game in which two workers differ. The host plays it to find out which is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dispute {
    /// The game.
    pub game: u64,
    /// The workers, with the hashes of their lines.
    pub(super) sides: [(Id, u64); 2],
}

/// The ranges that are played again.
#[derive(Debug)]
pub(super) struct Checks {
    pub(super) ranges: Vec<CheckedRange>,
    pub(super) disputes: VecDeque<Dispute>,
    /// The state of the choice.
    random: u64,
}

impl Checks {
    pub(super) const fn new(seed: u64) -> Self {
        Self { ranges: Vec::new(), disputes: VecDeque::new(), random: seed }
    }

    /// Chooses with this probability, by SplitMix64.
    pub(super) fn chooses(&mut self, share: f64) -> bool {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.random;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64 <= share && share > 0.0
    }

    /// Compares the lines of a worker that has played games of another one again.
    pub(super) fn compare(&mut self, of: Id, by: Id, lines: &[PlayedLine]) {
        for line in lines {
            let is_it = |one: &&mut CheckedRange| {
                one.of == of && one.games.numbers().contains(&line.game())
            };
            let Some(range) = self.ranges.iter_mut().find(is_it) else { continue };
            if let Some(hash) = range.compare(line) {
                let sides = [(of, hash), (by, line_hash(line.line()))];
                self.disputes.push_back(Dispute { game: line.game(), sides });
            }
        }
        self.ranges.retain(|range| !range.is_done());
    }

    /// Compares the lines of two workers that have played a game.
    pub(super) fn compare_lines(&mut self, of: Id, one: &PlayedLine, by: Id, other: &PlayedLine) {
        if of != by && !has_failure(other) && one.line() != other.line() {
            let sides = [(of, line_hash(one.line())), (by, line_hash(other.line()))];
            self.disputes.push_back(Dispute { game: one.game(), sides });
        }
    }

    pub(super) fn lose_queue(&mut self) {
        self.ranges.iter_mut().for_each(|range| range.published = None);
    }
}
