//! One turn, solved from what its last roll is worth.

use dicehill_rules::yahtzee::{Category, CategorySet};

use crate::simd::{Work, with_widest};
use crate::yahtzee::game::hand::Hand;
use crate::yahtzee::game::hand_tables::{ROLLS, TABLES};
use crate::yahtzee::game::variant::Variant;
use crate::yahtzee::turns::box_values::{BoxValues, Outlook};
use crate::yahtzee::turns::hand_values::{HandValues, Lanes};

/// What the five dice of every roll are worth, by [`Hand::roll_index`].
pub type RollValues = [f64; ROLLS];

/// What every keep in a turn is worth.
///
/// Stages are those of the game: 0 after the first roll, 1 after the second.
#[derive(Clone, Debug)]
pub struct Turn {
    /// By stage.
    stages: Box<[Stage; 2]>,
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
        with_widest(SolveTurn::<fn(_, _, _) -> _>::Rolls(rolls))
    }

    /// The turn at whose end five dice fill one of the `free` boxes that the rules let them fill.
    ///
    /// `worth` says what it is worth to fill a box with a score, and whether the dice are a further Yahtzee, for which the Yahtzee
    /// box has no room. Where no box is free, everything is worth 0.
    #[must_use]
    pub fn of_boxes(
        variant: Variant,
        free: CategorySet,
        worth: impl Fn(Category, u8, bool) -> f64,
    ) -> Self {
        with_widest(SolveTurn::Boxes(variant, free, worth))
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

/// A turn whose rolls are worth what is given, or else what their best boxes are.
enum SolveTurn<'a, F> {
    Rolls(&'a RollValues),
    Boxes(Variant, CategorySet, F),
}

impl<F: Fn(Category, u8, bool) -> f64> Work for SolveTurn<'_, F> {
    type Output = Turn;

    #[inline(always)]
    fn run(self) -> Turn {
        let tables = &*TABLES;
        let mut stages = Box::new([Stage::ZERO, Stage::ZERO]);
        let [first, last] = &mut *stages;
        match self {
            Self::Rolls(rolls) => {
                for (value, roll) in last.keeps.rolls.iter_mut().zip(rolls) {
                    *value = [*roll];
                }
            }
            Self::Boxes(_, free, _) if free.is_empty() => {}
            Self::Boxes(variant, free, worth) => {
                let mut boxes = BoxValues::new();
                boxes.set(variant, free, &Each(worth));
                boxes.fill(free, &mut last.keeps);
            }
        }
        last.keeps.average(tables);
        last.parts.clone_from(&last.keeps);
        last.parts.take_best(tables);
        first.keeps.clone_from(&last.parts);
        first.keeps.average(tables);
        first.parts.clone_from(&first.keeps);
        first.parts.take_best(tables);
        let [start] = first.parts.first_roll(tables);
        Turn { stages, start }
    }
}

impl Stage {
    const ZERO: Self = Self { keeps: HandValues::new(), parts: HandValues::new() };
}

/// What filling a box is worth, as a function.
struct Each<F>(F);

impl<F: Fn(Category, u8, bool) -> f64> Outlook<1, f64> for Each<F> {
    #[inline(always)]
    fn worth(&self, category: Category, score: u8, further: bool) -> Lanes<1> {
        [self.0(category, score, further)]
    }
}
