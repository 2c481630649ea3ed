//! What the decisions of played turns lost, and the luck of their dice.

use dicehill_rules::yahtzee::Category;

use crate::simd::{VectorTask, run_widest};
use crate::yahtzee::game::hand::Hand;
use crate::yahtzee::game::hand_tables::{HandTables, TABLES};
use crate::yahtzee::game::position::Position;
use crate::yahtzee::turns::box_values::BoxValues;
use crate::yahtzee::turns::hand_values::HandValues;
use crate::yahtzee::values::solution::Solution;
use crate::yahtzee::values::table::{BonusState, ExpectedPoints};

/// Turns computed at a time.
const BATCH: usize = 8;

/// A turn as it was played, regardless of the order of dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnHistory {
    /// The position before the turn.
    pub position: Position,
    /// The first roll.
    pub roll: Hand,
    /// By stage, 0 and 1: the hand that was kept and the five dice after the roll that followed, as
    /// far as dice were rolled.
    pub keeps: [Option<(Hand, Hand)>; 2],
    /// The box that was filled.
    pub category: Category,
}

/// A turn in expected points, by the values of optimal play.
///
/// Value before the turn + luck - losses = points of the turn + value after it, up to rounding.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TurnAppraisal {
    /// By stage: the value of the best choice minus that of the choice made; 0 where no choice was
    /// made. Never negative.
    pub losses: [f64; 3],
    /// The sum over the rolls of the value after the roll minus its expectation.
    pub luck: f64,
    /// The sum over the rolls of the variance of the value after the roll.
    pub variance: f64,
}

impl TurnHistory {
    /// The five dice shown at a stage, if it was reached.
    fn shown(&self, stage: usize) -> Option<Hand> {
        match stage {
            0 => Some(self.roll),
            later => self.kept(later - 1).map(|(_, shown)| shown),
        }
    }

    fn kept(&self, stage: usize) -> Option<(Hand, Hand)> {
        self.keeps.get(stage).copied().flatten()
    }

    /// The stage at which the box was filled.
    fn last_stage(&self) -> usize {
        self.keeps.iter().take_while(|keep| keep.is_some()).count()
    }
}

impl Solution {
    /// Appraises turns, in any order. Appraising many at once is faster than one by one.
    ///
    /// # Panics
    /// If a turn fills a box illegally, or with other than five dice.
    #[must_use]
    pub fn appraise(&self, turns: &[TurnHistory]) -> Vec<TurnAppraisal> {
        let mut appraisals = vec![TurnAppraisal::default(); turns.len()];
        let turns = turns.chunks(BATCH).zip(appraisals.chunks_mut(BATCH));
        run_widest(Appraise { solution: self, turns });
        appraisals
    }
}

struct Appraise<'a, I> {
    solution: &'a Solution,
    turns: I,
}

impl<'a, I> VectorTask for Appraise<'_, I>
where
    I: Iterator<Item = (&'a [TurnHistory], &'a mut [TurnAppraisal])>,
{
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let mut values = HandValues::new();
        let (mut boxes, mut single) = (BoxValues::new(), HandValues::new());
        for (turns, appraisals) in self.turns {
            for (lane, turn) in turns.iter().enumerate() {
                let (free, lanes) = (turn.position.free(), [BonusState::of(turn.position)]);
                let (variant, table) = (self.solution.variant(), self.solution.table());
                boxes.set(variant, free, &ExpectedPoints::new(variant, free, &table, &lanes));
                boxes.fill(free, &mut single);
                for (values, [value]) in values.rolls.iter_mut().zip(&single.rolls) {
                    values[lane] = *value;
                }
            }
            let mut block = TurnBatch { solution: self.solution, turns, appraisals };
            let tables = &*TABLES;
            block.add_best_choices(2, &values);
            block.add_roll_variances(1, &values, tables);
            values.average(tables);
            block.subtract_keeps(1, &values);
            values.take_best(tables);
            block.add_best_choices(1, &values);
            block.add_roll_variances(0, &values, tables);
            values.average(tables);
            block.subtract_keeps(0, &values);
            values.take_best(tables);
            block.add_best_choices(0, &values);
            block.subtract_expectation(&values, tables);
        }
    }
}

/// Turns appraised together, from the last stage to the first.
struct TurnBatch<'a> {
    solution: &'a Solution,
    turns: &'a [TurnHistory],
    appraisals: &'a mut [TurnAppraisal],
}

type Values = HandValues<BATCH>;

impl TurnBatch<'_> {
    /// `values` are those of the best choice at `stage`.
    #[inline(always)]
    fn add_best_choices(&mut self, stage: usize, values: &Values) {
        for (lane, (turn, appraisal)) in self.turns.iter().zip(&mut *self.appraisals).enumerate() {
            let Some(shown) = turn.shown(stage) else { continue };
            let best = values.in_lane(shown, lane);
            appraisal.luck += best;
            appraisal.losses[stage] += best;
            if stage == turn.last_stage() {
                let filled =
                    self.solution.fill_with_late_bonus(turn.position, turn.category, shown);
                appraisal.losses[stage] -= filled;
                appraisal.losses[stage] = appraisal.losses[stage].max(0.0);
            }
        }
    }

    /// `values` are those of each keep at `stage`.
    #[inline(always)]
    fn subtract_keeps(&mut self, stage: usize, values: &Values) {
        for (lane, (turn, appraisal)) in self.turns.iter().zip(&mut *self.appraisals).enumerate() {
            let Some((kept, _)) = turn.kept(stage) else { continue };
            let value = values.in_lane(kept, lane);
            appraisal.luck -= value;
            appraisal.variance -= value * value;
            appraisal.losses[stage] -= value;
        }
    }

    /// `values` are those of the best choice after the roll at the end of `stage`.
    #[inline(always)]
    fn add_roll_variances(&mut self, stage: usize, values: &Values, tables: &HandTables) {
        for (lane, (turn, appraisal)) in self.turns.iter().zip(&mut *self.appraisals).enumerate() {
            let Some((kept, _)) = turn.kept(stage) else { continue };
            let square = |roll: usize| values.rolls[roll][lane] * values.rolls[roll][lane];
            appraisal.variance += match kept.roll_index() {
                Some(roll) => square(roll),
                None => {
                    let completions = tables.completions[kept.index()].iter();
                    completions.map(|(roll, share)| share * square(usize::from(*roll))).sum()
                }
            };
        }
    }

    /// `values` are those of the best choice at stage 0.
    #[inline(always)]
    fn subtract_expectation(&mut self, values: &Values, tables: &HandTables) {
        let value = values.first_roll(tables);
        let squares = values.first_roll_squared(tables);
        for (lane, appraisal) in self.appraisals.iter_mut().enumerate() {
            appraisal.luck -= value[lane];
            appraisal.variance += squares[lane] - value[lane] * value[lane];
            appraisal.variance = appraisal.variance.max(0.0);
        }
    }
}
