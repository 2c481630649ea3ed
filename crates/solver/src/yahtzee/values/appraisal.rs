//! What the decisions of turns that were played have cost, and what their dice have brought.

use dicehill_rules::yahtzee::Category;

use crate::simd::{Work, with_widest};
use crate::yahtzee::game::hand::Hand;
use crate::yahtzee::game::hand_tables::{TABLES, Tables};
use crate::yahtzee::game::position::Position;
use crate::yahtzee::turns::box_values::BoxValues;
use crate::yahtzee::turns::hand_values::HandValues;
use crate::yahtzee::values::solution::Solution;
use crate::yahtzee::values::table::{Lane, Points};

/// Turns that are worked on at once.
const AT_ONCE: usize = 8;

/// A turn as it was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedTurn {
    /// The card at its beginning.
    pub position: Position,
    /// The first roll.
    pub roll: Hand,
    /// The hands that were kept, at most one at each of stages 0 and 1, each with the five dice that were shown then.
    pub keeps: [Option<(Hand, Hand)>; 2],
    /// The box that was filled at the end.
    pub category: Category,
}

/// A turn in expected points, by the values of optimal play.
///
/// Value before the turn + luck - losses = points of the turn + value after it, up to rounding.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TurnAppraisal {
    /// By stage: the value of the best choice less that of the choice that was made; 0 where nothing was chosen. Never negative.
    pub losses: [f64; 3],
    /// What the rolls were worth less what they were worth on average before they were rolled.
    pub luck: f64,
    /// Sum over the rolls of the variance, before each, of what it would be worth.
    pub variance: f64,
}

impl PlayedTurn {
    /// The five dice shown at a stage that was reached.
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
    /// Appraises turns; those of a game need not be in order. Many at once cost less than each by itself.
    ///
    /// # Panics
    /// If five dice may not fill the box that a turn fills, or were not five.
    #[must_use]
    pub fn appraise(&self, turns: &[PlayedTurn]) -> Vec<TurnAppraisal> {
        let mut appraisals = vec![TurnAppraisal::default(); turns.len()];
        let turns = turns.chunks(AT_ONCE).zip(appraisals.chunks_mut(AT_ONCE));
        with_widest(Appraise { solution: self, turns });
        appraisals
    }
}

struct Appraise<'a, I> {
    solution: &'a Solution,
    turns: I,
}

impl<'a, I> Work for Appraise<'_, I>
where
    I: Iterator<Item = (&'a [PlayedTurn], &'a mut [TurnAppraisal])>,
{
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let mut values = HandValues::new();
        let (mut boxes, mut single) = (BoxValues::new(), HandValues::new());
        for (turns, appraisals) in self.turns {
            for (lane, turn) in turns.iter().enumerate() {
                let (free, lanes) = (turn.position.free(), [Lane::of(turn.position)]);
                let (variant, table) = (self.solution.variant(), self.solution.table());
                boxes.set(variant, free, &Points::new(variant, free, &table, &lanes));
                boxes.fill(free, &mut single);
                for (values, [value]) in values.rolls.iter_mut().zip(&single.rolls) {
                    values[lane] = *value;
                }
            }
            let mut block = Block { solution: self.solution, turns, appraisals };
            let tables = &*TABLES;
            block.see_shown(2, &values);
            block.see_outcomes(1, &values, tables);
            values.average(tables);
            block.see_kept(1, &values);
            values.take_best(tables);
            block.see_shown(1, &values);
            block.see_outcomes(0, &values, tables);
            values.average(tables);
            block.see_kept(0, &values);
            values.take_best(tables);
            block.see_shown(0, &values);
            block.see_first_roll(&values, tables);
        }
    }
}

/// Turns that are appraised together, from their ends to their beginnings.
struct Block<'a> {
    solution: &'a Solution,
    turns: &'a [PlayedTurn],
    appraisals: &'a mut [TurnAppraisal],
}

type Values = HandValues<AT_ONCE>;

impl Block<'_> {
    /// `values` are those of the best choice at `stage`.
    #[inline(always)]
    fn see_shown(&mut self, stage: usize, values: &Values) {
        for (lane, (turn, appraisal)) in self.turns.iter().zip(&mut *self.appraisals).enumerate() {
            let Some(shown) = turn.shown(stage) else { continue };
            let best = values.in_lane(shown, lane);
            appraisal.luck += best;
            appraisal.losses[stage] += best;
            if stage == turn.last_stage() {
                let filled = self.solution.late_fill(turn.position, turn.category, shown);
                appraisal.losses[stage] -= filled;
                appraisal.losses[stage] = appraisal.losses[stage].max(0.0);
            }
        }
    }

    /// `values` are those of keeping at `stage`.
    #[inline(always)]
    fn see_kept(&mut self, stage: usize, values: &Values) {
        for (lane, (turn, appraisal)) in self.turns.iter().zip(&mut *self.appraisals).enumerate() {
            let Some((kept, _)) = turn.kept(stage) else { continue };
            let worth = values.in_lane(kept, lane);
            appraisal.luck -= worth;
            appraisal.variance -= worth * worth;
            appraisal.losses[stage] -= worth;
        }
    }

    /// `values` are those of the best choice after the roll that follows on `stage`.
    #[inline(always)]
    fn see_outcomes(&mut self, stage: usize, values: &Values, tables: &Tables) {
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

    /// `values` are those of the best choice at the first stage.
    #[inline(always)]
    fn see_first_roll(&mut self, values: &Values, tables: &Tables) {
        let worth = values.first_roll(tables);
        let squares = values.first_roll_squared(tables);
        for (lane, appraisal) in self.appraisals.iter_mut().enumerate() {
            appraisal.luck -= worth[lane];
            appraisal.variance += squares[lane] - worth[lane] * worth[lane];
            appraisal.variance = appraisal.variance.max(0.0);
        }
    }
}
