//! What the decisions of played turns lost, and the luck of their dice.
//!
//! # What a turn costs
//!
//! The choices of a turn are valued by the values of all 252 final rolls, through two means over the next die and the best
//! keeps between them. What does not depend on the choices is not computed here: the value before the turn and the variance
//! of its first roll are in the table of the solution, and the first turn of a game is the same in all games. At the first
//! stage, only the parts of the one roll are compared.
//!
//! Eight turns are computed at a time, one in each lane of a vector. What remains for a batch are 828 maxima for the final
//! rolls (112 values of three classes, 100 of two, 252 of three), twice 210 means of six values, and 1260 maxima for the
//! best keeps: 4608 operations on vectors and 5534 loads of vectors of 64 bytes, or 576 operations and 44 KB from the cache
//! of the first level for a turn. At two loads a cycle that is the floor, 350 cycles a turn. In addition, a turn reads some
//! 30 lines of the table, which is larger than the cache of the second level, and 50 to 100 products for its variances,
//! whose sums have a fixed order. Most of the lines are asked for while the batch before is computed. With vectors of 32
//! bytes the loads and their floor are twice as many.

use std::cell::RefCell;

use dicehill_rules::Face;
use dicehill_rules::yahtzee::{Category, CategorySet};

use crate::simd::{VectorTask, prefetch, run_widest};
use crate::yahtzee::game::hand::Hand;
use crate::yahtzee::game::hand_tables::TABLES;
use crate::yahtzee::game::position::Position;
use crate::yahtzee::game::variant::Variant;
use crate::yahtzee::turns::box_values::{BoxValues, FillValues, further_yahtzee};
use crate::yahtzee::turns::hand_values::{HandValues, Lanes};
use crate::yahtzee::turns::roll_classes::YAHTZEES;
use crate::yahtzee::values::solution::Solution;
use crate::yahtzee::values::table::{BonusState, ExpectedPoints, ValueRow, ValueTable};

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
        let all = turns.iter().zip(&mut appraisals);
        let (mut first, mut later): (Vec<_>, Vec<_>) =
            all.partition(|(turn, _)| turn.position == Position::START);
        if !first.is_empty() {
            let values = self.first_turn();
            for (turn, appraisal) in &mut first {
                let mut lane = TurnLane { solution: self, turn, appraisal, lane: 0 };
                lane.appraise_last_keep(values.keeps(1));
                lane.appraise_first_keep(values.keeps(0));
            }
        }
        MEMORY.with_borrow_mut(|memory| {
            run_widest(Appraise { solution: self, turns: &mut later, memory });
        });
        appraisals
    }
}

type TurnToAppraise<'a> = (&'a TurnHistory, &'a mut TurnAppraisal);

struct Appraise<'a, 'b> {
    solution: &'a Solution,
    turns: &'a mut [TurnToAppraise<'b>],
    memory: &'a mut Memory,
}

/// What a thread computes in, kept because clearing it takes time.
type Memory = (BoxValues<BATCH>, HandValues<BATCH>);

thread_local! {
    static MEMORY: RefCell<Box<Memory>> =
        RefCell::new(Box::new((BoxValues::new(), HandValues::new())));
}

impl VectorTask for Appraise<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let (solution, tables) = (self.solution, &*TABLES);
        let table = solution.table();
        let (boxes, values) = self.memory;
        let mut rest = self.turns;
        prefetch_first_batch(solution, rest);
        while !rest.is_empty() {
            let turns;
            (turns, rest) = rest.split_at_mut(rest.len().min(BATCH));
            prefetch_first_batch(solution, rest);
            let mut positions = [Position::START; BATCH];
            for (position, (turn, _)) in positions.iter_mut().zip(&*turns) {
                *position = turn.position;
            }
            let points = MixedPoints::new(&table, &positions);
            points.fill(solution.variant(), boxes, values);
            values.average(tables);
            for (lane, (turn, appraisal)) in turns.iter_mut().enumerate() {
                TurnLane { solution, turn, appraisal, lane }.appraise_last_keep(values);
            }
            values.take_best(tables);
            values.average(tables);
            for (lane, (turn, appraisal)) in turns.iter_mut().enumerate() {
                TurnLane { solution, turn, appraisal, lane }.appraise_first_keep(values);
            }
        }
    }
}

/// Brings the lines of the table that the first of these turns need, so that the batch before is computed meanwhile.
#[inline(always)]
fn prefetch_first_batch(solution: &Solution, turns: &[TurnToAppraise<'_>]) {
    let table = solution.table();
    for (turn, _) in turns.iter().take(BATCH) {
        let free = turn.position.free();
        let index = BonusState::of(turn.position).index(0);
        let before = table.solved(free);
        prefetch(&before.values[index]);
        prefetch(&before.variances[index]);
        for category in free.iter() {
            prefetch(&table.row(free.without(category))[index]);
        }
    }
}

/// One of the turns that are appraised together, from the last stage to the first.
struct TurnLane<'a> {
    solution: &'a Solution,
    turn: &'a TurnHistory,
    appraisal: &'a mut TurnAppraisal,
    lane: usize,
}

impl TurnLane<'_> {
    /// `values` are those of final rolls, and of keeps after the second roll.
    #[inline(always)]
    fn appraise_last_keep<const N: usize>(&mut self, values: &HandValues<N>) {
        if let Some(shown) = self.turn.shown(2) {
            self.add_best_choice(2, shown, values.in_lane(shown, self.lane));
        }
        self.subtract_keep(1, values);
    }

    /// `values` are those of second rolls, and of keeps after the first.
    #[inline(always)]
    fn appraise_first_keep<const N: usize>(&mut self, values: &HandValues<N>) {
        if let Some(shown) = self.turn.shown(1) {
            self.add_best_choice(1, shown, values.in_lane(shown, self.lane));
        }
        self.subtract_keep(0, values);
        self.add_best_choice(0, self.turn.roll, values.best_in_lane(self.turn.roll, self.lane));
        let (value, variance) = self.solution.first_roll(self.turn.position);
        self.appraisal.luck -= value;
        self.appraisal.variance = (self.appraisal.variance + variance).max(0.0);
    }

    /// `best` is the value of the best choice with the dice `shown` at `stage`.
    #[inline(always)]
    fn add_best_choice(&mut self, stage: usize, shown: Hand, best: f64) {
        let TurnHistory { position, category, .. } = *self.turn;
        self.appraisal.luck += best;
        self.appraisal.losses[stage] += best;
        if stage == self.turn.last_stage() {
            let filled = self.solution.fill_with_late_bonus(position, category, shown);
            self.appraisal.losses[stage] = (self.appraisal.losses[stage] - filled).max(0.0);
        }
    }

    /// The choice at `stage`, if it was a keep. `values` are those of keeps then, and of the rolls that
    /// follow.
    #[inline(always)]
    fn subtract_keep<const N: usize>(&mut self, stage: usize, values: &HandValues<N>) {
        let Some((kept, _)) = self.turn.kept(stage) else { return };
        let value = values.in_lane(kept, self.lane);
        self.appraisal.luck -= value;
        self.appraisal.losses[stage] -= value;
        self.appraisal.variance += values.mean_square_in_lane(kept, self.lane);
        self.appraisal.variance -= value * value;
    }
}

/// The expected points after filling each box, in `N` positions with different free boxes.
struct MixedPoints<'a, const N: usize> {
    table: &'a ValueTable<'a>,
    positions: &'a [Position; N],
    /// By box and position: the values after filling it.
    rows: [[&'a ValueRow; N]; 13],
    /// By box and position: the value after filling it without adding to the upper total.
    after: [Lanes<N>; 13],
}

/// Stands for the values after filling a box that is not free.
static NOT_FREE: ValueRow = [f64::MIN; 128];

impl<'a, const N: usize> MixedPoints<'a, N> {
    #[inline(always)]
    fn new(table: &'a ValueTable<'a>, positions: &'a [Position; N]) -> Self {
        let mut rows = [[&NOT_FREE; N]; 13];
        let mut after = [[0.0; N]; 13];
        for (rows, (after, category)) in rows.iter_mut().zip(after.iter_mut().zip(Category::ALL)) {
            for (lane, position) in positions.iter().enumerate() {
                let free = position.free();
                let row = table.row(free.without(category));
                rows[lane] = if free.contains(category) { row } else { &NOT_FREE };
                after[lane] = rows[lane][BonusState::of(*position).index(0)];
            }
        }
        Self { table, positions, rows, after }
    }

    /// Sets the value of every final roll to that of its best legal box.
    #[inline(always)]
    fn fill(&self, variant: Variant, boxes: &mut BoxValues<N>, values: &mut HandValues<N>) {
        boxes.set(variant, CategorySet::ALL, self);
        boxes.fill(values);
        for (lane, position) in self.positions.iter().enumerate() {
            let (free, state) = (position.free(), [BonusState::of(*position)]);
            if free.contains(Category::Yahtzee) {
                continue;
            }
            let points = ExpectedPoints::new(variant, free, self.table, &state);
            for (face, roll) in Face::ALL.into_iter().zip(*YAHTZEES) {
                [values.rolls[roll][lane]] = further_yahtzee(variant, free, face, &points);
            }
        }
    }
}

impl<const N: usize> FillValues<N, f64> for MixedPoints<'_, N> {
    #[inline(always)]
    fn value(&self, category: Category, score: u8, _further: bool) -> Lanes<N> {
        let first = category == Category::Yahtzee && score > 0;
        let mut value = self.after[category.index()];
        if category.is_upper() || first {
            let more = if category.is_upper() { score } else { 0 };
            for (lane, position) in self.positions.iter().enumerate() {
                let state = BonusState::of(*position);
                let state = BonusState { has_yahtzee: state.has_yahtzee || first, ..state };
                value[lane] = self.rows[category.index()][lane][state.index(more)];
            }
        }
        for value in &mut value {
            *value += f64::from(score);
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pseudo-random numbers.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, bound: usize) -> usize {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize % bound
        }

        fn position(&mut self) -> Position {
            loop {
                let free = CategorySet::from_bits(self.below(1 << 13) as u16);
                let (upper, has_yahtzee) = (self.below(128) as u32, self.below(2) == 1);
                match Position::new(free, upper, has_yahtzee) {
                    Ok(position) if !free.is_empty() => return position,
                    Ok(_) | Err(_) => {}
                }
            }
        }

        /// Five dice, these among them.
        fn roll(&mut self, kept: Hand) -> Hand {
            (kept.len()..5).fold(kept, |hand, _| {
                hand.with_die(Face::ALL[self.below(6)]).expect("at most five dice")
            })
        }

        /// A turn from a position, with any choices.
        fn turn(&mut self, variant: Variant, position: Position) -> TurnHistory {
            let roll = self.roll(Hand::EMPTY);
            let (mut shown, mut keeps) = (roll, [None; 2]);
            for keep in keeps.iter_mut().take(self.below(4).min(2)) {
                let mask = self.below(32);
                let dice = shown.dice().enumerate().filter(|(index, _)| mask >> index & 1 == 1);
                let kept = Hand::from_dice(dice.map(|(_, die)| die)).expect("at most five dice");
                shown = self.roll(kept);
                *keep = Some((kept, shown));
            }
            let legal = position.legal(variant, shown);
            let category = legal.iter().nth(self.below(legal.len())).expect("a legal box");
            TurnHistory { position, roll, keeps, category }
        }
    }

    /// The values of final rolls, by the rules alone.
    fn final_rolls(solution: &Solution, position: Position) -> HandValues<1> {
        let (variant, free, state) =
            (solution.variant(), position.free(), [BonusState::of(position)]);
        let table = solution.table();
        let points = ExpectedPoints::new(variant, free, &table, &state);
        let mut values = HandValues::new();
        for (value, hand) in values.rolls.iter_mut().zip(Hand::rolls()) {
            let face = hand.dice().next().expect("five dice");
            let further = hand.count(face) == 5 && !free.contains(Category::Yahtzee);
            let fill = |category: Category| {
                let score = if further {
                    variant.further_score(free, category, face)
                } else {
                    category.score(&hand.roll().expect("five dice"))
                };
                points.value(category, score, further)[0]
            };
            *value = [position.legal(variant, hand).iter().map(fill).fold(f64::MIN, f64::max)];
        }
        values
    }

    /// The appraisal of a turn from the values of all its hands, each step as it is defined.
    fn plain(solution: &Solution, turn: &TurnHistory) -> TurnAppraisal {
        let mut appraisal = TurnAppraisal::default();
        let mut values = final_rolls(solution, turn.position);
        for stage in [2, 1, 0] {
            if let Some(shown) = turn.shown(stage) {
                let best = values.in_lane(shown, 0);
                appraisal.luck += best;
                appraisal.losses[stage] += best;
                if stage == turn.last_stage() {
                    let filled = solution.fill_with_late_bonus(turn.position, turn.category, shown);
                    appraisal.losses[stage] = (appraisal.losses[stage] - filled).max(0.0);
                }
            }
            let Some(before) = stage.checked_sub(1) else { break };
            let keep = turn.kept(before).map(|(kept, _)| kept);
            if let Some(kept) = keep {
                appraisal.variance += values.mean_square_in_lane(kept, 0);
            }
            values.average(&TABLES);
            if let Some(kept) = keep {
                let value = values.in_lane(kept, 0);
                appraisal.luck -= value;
                appraisal.variance -= value * value;
                appraisal.losses[before] -= value;
            }
            values.take_best(&TABLES);
        }
        let ([value], [squares]) = (values.first_roll(&TABLES), values.first_roll_squared(&TABLES));
        appraisal.luck -= value;
        appraisal.variance = (appraisal.variance + (squares - value * value)).max(0.0);
        appraisal
    }

    #[test]
    fn appraisals_have_the_bits_of_the_plain_computation() {
        let mut numbers = Numbers(1);
        for variant in Variant::ALL {
            let solution = Solution::shared(variant);
            let turns: Vec<_> = (0..1003)
                .map(|number| {
                    let start = number % 13 == 0;
                    let position = if start { Position::START } else { numbers.position() };
                    numbers.turn(variant, position)
                })
                .collect();
            let bits = |of: &TurnAppraisal| {
                let [a, b, c] = of.losses;
                [a, b, c, of.luck, of.variance].map(f64::to_bits)
            };
            for (turn, fast) in turns.iter().zip(solution.appraise(&turns)) {
                let plain = plain(solution, turn);
                assert_eq!(bits(&fast), bits(&plain), "{variant} {turn:?}: {fast:?} {plain:?}");
            }
        }
    }
}
