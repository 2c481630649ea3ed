//! One turn, solved from the values of its final rolls.

use dicehill_rules::yahtzee::{Category, CategorySet};

use crate::simd::{VectorTask, run_widest};
use crate::yahtzee::game::hand::Hand;
use crate::yahtzee::game::hand_tables::{ROLLS, TABLES};
use crate::yahtzee::game::variant::Variant;
use crate::yahtzee::turns::box_values::{BoxValues, FillValues};
use crate::yahtzee::turns::hand_values::{HandValues, Lanes};

/// The value of every roll of five dice, by [`Hand::roll_index`].
pub type RollValues = [f64; ROLLS];

/// The values of all keeps in a turn.
///
/// Stages are those of the game: 0 after the first roll, 1 after the second.
///
/// ```
/// use dicehill_rules::Face;
/// use dicehill_solver::yahtzee::{Hand, Turn};
///
/// // The probability of a Yahtzee of sixes, if that is the only goal.
/// let goal = Hand::from_dice([Face::SIX; 5]).expect("five dice");
/// let mut rolls = [0.0; 252];
/// rolls[goal.roll_index().expect("five dice")] = 1.0;
/// let turn = Turn::new(&rolls);
/// let one = 1.0 - (5.0_f64 / 6.0).powi(3);
/// assert!((turn.start() - one.powi(5)).abs() < 1e-12);
/// ```
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
    /// The turn whose final rolls have these values: points, probabilities or any other number
    /// whose mean the player maximises.
    #[must_use]
    pub fn new(rolls: &RollValues) -> Self {
        run_widest(SolveTurn::<fn(_, _, _) -> _>::Rolls(rolls))
    }

    /// The turn in which five dice fill one of the `free` boxes, by the rules of `variant`.
    ///
    /// `value` gives the value of filling a box with a score; its last argument says whether the
    /// dice are a further Yahtzee, rolled when the Yahtzee box is filled. If no box is free, all
    /// values are 0.
    #[must_use]
    pub fn from_boxes(
        variant: Variant,
        free: CategorySet,
        value: impl Fn(Category, u8, bool) -> f64,
    ) -> Self {
        run_widest(SolveTurn::Boxes(variant, free, value))
    }

    /// The value of the turn before its first roll.
    #[must_use]
    pub const fn start(&self) -> f64 {
        self.start
    }

    /// The value of keeping `hand` at `stage`, 0 or 1, and rolling the other dice. Keeping five
    /// dice ends the turn at stage 1, and at stage 0 leads to the decision of stage 1 with the same
    /// dice.
    ///
    /// # Panics
    /// If `stage` is above 1.
    #[must_use]
    pub fn keep(&self, stage: u8, hand: Hand) -> f64 {
        self.stages[usize::from(stage)].keeps.in_lane(hand, 0)
    }

    /// The value of the best keep from `hand` at `stage`, 0 or 1.
    ///
    /// # Panics
    /// If `stage` is above 1.
    #[must_use]
    pub fn best(&self, stage: u8, hand: Hand) -> f64 {
        self.stages[usize::from(stage)].parts.in_lane(hand, 0)
    }

    /// The best keep from `hand` at `stage`, 0 or 1.
    ///
    /// Among keeps of equal value it is one with the most dice: all of them, else recursively the
    /// best keep from the first hand of [`Hand::without_one_die`] that contains a best keep.
    ///
    /// # Panics
    /// If `stage` is above 1.
    #[must_use]
    pub fn best_keep(&self, stage: u8, hand: Hand) -> Hand {
        let Stage { keeps, parts } = &self.stages[usize::from(stage)];
        let best = parts.in_lane(hand, 0);
        let mut kept = hand;
        while keeps.in_lane(kept, 0) < best {
            let smaller = kept.without_one_die().find(|smaller| parts.in_lane(*smaller, 0) >= best);
            kept = smaller.expect("some part is the best one");
        }
        kept
    }
}

impl Turn {
    /// The values of keeps at `stage`, 0 or 1, and of the rolls that follow.
    pub(crate) const fn keeps(&self, stage: usize) -> &HandValues<1> {
        &self.stages[stage].keeps
    }
}

/// A turn given by the values of its final rolls, or of filling boxes.
enum SolveTurn<'a, F> {
    Rolls(&'a RollValues),
    Boxes(Variant, CategorySet, F),
}

impl<F: Fn(Category, u8, bool) -> f64> VectorTask for SolveTurn<'_, F> {
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
            Self::Boxes(variant, free, value) => {
                let mut boxes = BoxValues::new();
                boxes.set(variant, free, &Each(value));
                boxes.fill(&mut last.keeps);
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

/// The values of filling boxes as a function.
struct Each<F>(F);

impl<F: Fn(Category, u8, bool) -> f64> FillValues<1, f64> for Each<F> {
    #[inline(always)]
    fn value(&self, category: Category, score: u8, further: bool) -> Lanes<1> {
        [self.0(category, score, further)]
    }
}
