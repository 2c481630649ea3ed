//! One turn, solved from what its last roll is worth.

use super::Hand;
use super::hand::{ROLLS, TABLES};
use super::lanes::HandValues;
use crate::vectors::with_widest;

/// What the five dice of every roll are worth, by [`Hand::roll_index`].
pub type RollValues = [f64; ROLLS];

/// What every keep in a turn is worth.
///
/// Stages are those of the game: 0 after the first roll, 1 after the second.
#[derive(Clone, Debug)]
pub struct Turn {
    /// By stage.
    stages: [Stage; 2],
    start: f64,
}

#[derive(Clone, Debug)]
struct Stage {
    keeps: HandValues<1>,
    parts: HandValues<1>,
}

impl Turn {
    /// The turn at whose end five dice are worth `rolls`: points, chances, or any other number of which the
    /// player wants to have as much as possible on average.
    #[must_use]
    pub fn new(rolls: &RollValues) -> Self {
        with_widest(|| Self::solve(rolls))
    }

    #[inline(always)]
    fn solve(rolls: &RollValues) -> Self {
        let tables = &*TABLES;
        let mut values = HandValues::new();
        for (value, roll) in values.rolls.iter_mut().zip(rolls) {
            *value = [*roll];
        }
        let mut stage = || {
            values.average(tables);
            let keeps = values.clone();
            values.take_best(tables);
            Stage { keeps, parts: values.clone() }
        };
        let last = stage();
        let stages = [stage(), last];
        let [start] = values.first_roll(tables);
        Self { stages, start }
    }

    /// What the turn is worth before its first roll.
    #[must_use]
    pub const fn start(&self) -> f64 {
        self.start
    }

    /// What it is worth to keep `hand` at `stage`, 0 or 1, and to roll the other dice. To keep five dice is
    /// to end the turn with them, or at stage 0 to have the choice once more.
    ///
    /// # Panics
    /// If `stage` is above 1.
    #[must_use]
    pub fn keep(&self, stage: u8, hand: Hand) -> f64 {
        self.stages[usize::from(stage)].keeps.of(hand)
    }

    /// What it is worth to keep the best part of `hand` at `stage`, 0 or 1.
    ///
    /// # Panics
    /// If `stage` is above 1.
    #[must_use]
    pub fn best(&self, stage: u8, hand: Hand) -> f64 {
        self.stages[usize::from(stage)].parts.of(hand)
    }

    /// The best part of `hand` to keep at `stage`, 0 or 1.
    ///
    /// Of parts that are worth the same it is that with more dice: all of them; else, of the hands without one
    /// die that have a best part, the one that lacks the lowest face has it.
    ///
    /// # Panics
    /// If `stage` is above 1.
    #[must_use]
    pub fn best_keep(&self, stage: u8, hand: Hand) -> Hand {
        let Stage { keeps, parts } = &self.stages[usize::from(stage)];
        let best = parts.of(hand);
        let mut kept = hand;
        while keeps.of(kept) < best {
            let smaller = kept.smaller().find(|smaller| parts.of(*smaller) >= best);
            kept = smaller.expect("some part is the best one");
        }
        kept
    }
}

impl HandValues<1> {
    fn of(&self, hand: Hand) -> f64 {
        let [value] = match hand.roll_index() {
            Some(roll) => self.rolls[roll],
            None => self.partial[hand.index()],
        };
        value
    }
}
