//! One turn, solved from what its last roll is worth.

use super::Hand;
use super::hand::{ROLLS, TABLES};
use super::hand_values::HandValues;
use crate::vectors::{Work, with_widest};

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
        with_widest(SolveTurn(rolls))
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
        self.stages[usize::from(stage)].keeps.in_lane(hand, 0)
    }

    /// What it is worth to keep the best part of `hand` at `stage`, 0 or 1.
    ///
    /// # Panics
    /// If `stage` is above 1.
    #[must_use]
    pub fn best(&self, stage: u8, hand: Hand) -> f64 {
        self.stages[usize::from(stage)].parts.in_lane(hand, 0)
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
        let best = parts.in_lane(hand, 0);
        let mut kept = hand;
        while keeps.in_lane(kept, 0) < best {
            let smaller = kept.smaller().find(|smaller| parts.in_lane(*smaller, 0) >= best);
            kept = smaller.expect("some part is the best one");
        }
        kept
    }
}

struct SolveTurn<'a>(&'a RollValues);

impl Work for SolveTurn<'_> {
    type Output = Turn;

    #[inline(always)]
    fn run(self) -> Turn {
        let tables = &*TABLES;
        let mut values = HandValues::new();
        for (value, roll) in values.rolls.iter_mut().zip(self.0) {
            *value = [*roll];
        }
        values.average(tables);
        let last = values.clone();
        values.take_best(tables);
        let last = Stage { keeps: last, parts: values.clone() };
        values.average(tables);
        let first = values.clone();
        values.take_best(tables);
        let [start] = values.first_roll(tables);
        Turn { stages: [Stage { keeps: first, parts: values }, last], start }
    }
}
