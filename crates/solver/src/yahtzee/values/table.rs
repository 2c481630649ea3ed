//! The table of all values.

use std::array;

use dicehill_rules::yahtzee::{Category, CategorySet, Scorecard};

use crate::yahtzee::game::position::{BONUS_FROM, Position, most_upper, totals};
use crate::yahtzee::game::variant::Variant;
use crate::yahtzee::turns::box_values::FillValues;
use crate::yahtzee::turns::hand_values::Lanes;

/// The number of distinguished upper totals.
const UPPER_TOTALS: usize = BONUS_FROM as usize + 1;
/// The number of sets of free boxes.
pub(crate) const SETS: usize = 1 << 13;

/// The points to come with one set of free boxes: by upper total, first for scorecards whose
/// Yahtzee box does not hold 50.
///
/// The upper bonus counts as paid at the end of the game.
pub(crate) type ValueRow = [f64; 2 * UPPER_TOTALS];

/// What distinguishes positions with the same free boxes: progress towards the two bonuses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BonusState {
    pub(crate) upper: u8,
    pub(crate) has_yahtzee: bool,
}

impl BonusState {
    pub(crate) const fn of(position: Position) -> Self {
        Self { upper: position.upper(), has_yahtzee: position.has_yahtzee() }
    }

    /// The index in a row after scoring `more` in the upper boxes.
    #[inline(always)]
    pub(crate) fn index(self, more: u8) -> usize {
        usize::from((self.upper + more).min(BONUS_FROM))
            + usize::from(self.has_yahtzee) * UPPER_TOTALS
    }
}

/// What is solved of the positions with one set of free boxes.
#[derive(Clone)]
pub(crate) struct SolvedRow {
    pub(crate) values: ValueRow,
    /// By the same index: the variance that the first roll of the turn gives the value.
    pub(crate) variances: ValueRow,
}

/// The rows solved so far, those of sets with fewer boxes first.
pub(crate) struct ValueTable<'a> {
    pub(crate) rows: &'a [SolvedRow],
    pub(crate) indices: &'a [u16; SETS],
}

impl<'a> ValueTable<'a> {
    #[inline(always)]
    pub(crate) fn row(&self, free: CategorySet) -> &'a ValueRow {
        &self.solved(free).values
    }

    #[inline(always)]
    pub(crate) fn solved(&self, free: CategorySet) -> &'a SolvedRow {
        &self.rows[usize::from(self.indices[usize::from(free.bits())])]
    }
}

/// All sets of free boxes, those with fewer boxes first.
pub(crate) fn sets() -> Vec<CategorySet> {
    let mut sets: Vec<_> = (0..SETS as u16).map(CategorySet::from_bits).collect();
    sets.sort_by_key(|set| (set.len(), set.bits()));
    sets
}

/// By bits of a set: its index in [`sets`].
pub(crate) fn indices(sets: &[CategorySet]) -> [u16; SETS] {
    let mut indices = [0; SETS];
    for (index, set) in (0..).zip(sets) {
        indices[usize::from(set.bits())] = index;
    }
    indices
}

impl SolvedRow {
    pub(crate) const ZERO: Self =
        Self { values: [0.0; 2 * UPPER_TOTALS], variances: [0.0; 2 * UPPER_TOTALS] };

    /// The row of full scorecards.
    pub(crate) fn full_card() -> Self {
        let mut row = Self::ZERO;
        for has_yahtzee in [false, true] {
            let enough = BonusState { upper: BONUS_FROM, has_yahtzee };
            row.values[enough.index(0)] = f64::from(Scorecard::UPPER_BONUS);
        }
        row
    }
}

/// The upper totals that differ in value with these free boxes, ascending. The first stands for all
/// totals from which the bonus is out of reach.
pub(crate) fn distinct_totals(free: CategorySet) -> impl Iterator<Item = u8> {
    let reachable = totals(free);
    let out_of_reach = bonus_out_of_reach_below(free);
    let first = (reachable.trailing_zeros() as u8 <= out_of_reach.wrapping_sub(1)
        && out_of_reach > 0)
        .then_some(0);
    let others = (out_of_reach..BONUS_FROM).filter(move |total| reachable >> total & 1 == 1);
    first.into_iter().chain(others).chain((reachable >> BONUS_FROM != 0).then_some(BONUS_FROM))
}

/// The upper total below which the bonus is out of reach.
pub(crate) fn bonus_out_of_reach_below(free: CategorySet) -> u8 {
    BONUS_FROM.saturating_sub(most_upper(free))
}

/// The expected points after filling each box, in positions with the same free boxes.
pub(crate) struct ExpectedPoints<'a, const N: usize> {
    variant: Variant,
    free: CategorySet,
    table: &'a ValueTable<'a>,
    lanes: &'a [BonusState; N],
    /// By box: the points to come after filling it without adding to the upper total. Not used for
    /// filled boxes.
    after: [Lanes<N>; 13],
}

impl<'a, const N: usize> ExpectedPoints<'a, N> {
    #[inline(always)]
    pub(crate) fn new(
        variant: Variant,
        free: CategorySet,
        table: &'a ValueTable<'a>,
        lanes: &'a [BonusState; N],
    ) -> Self {
        let mut after = [[0.0; N]; 13];
        for category in free.iter().filter(|category| category.is_lower()) {
            let row = table.row(free.without(category));
            after[category.index()] = array::from_fn(|lane| row[lanes[lane].index(0)]);
        }
        Self { variant, free, table, lanes, after }
    }
}

impl<const N: usize> FillValues<N, f64> for ExpectedPoints<'_, N> {
    #[inline(always)]
    fn value(&self, category: Category, score: u8, further: bool) -> Lanes<N> {
        let (upper, first) = (category.is_upper(), category == Category::Yahtzee && score > 0);
        let after = if upper || first {
            let row = self.table.row(self.free.without(category));
            let more = if upper { score } else { 0 };
            array::from_fn(|lane| {
                let lane = self.lanes[lane];
                row[BonusState { has_yahtzee: lane.has_yahtzee || first, ..lane }.index(more)]
            })
        } else {
            self.after[category.index()]
        };
        array::from_fn(|lane| {
            let value = after[lane] + f64::from(score);
            if further {
                value + f64::from(self.variant.further_yahtzee_bonus(self.lanes[lane].has_yahtzee))
            } else {
                value
            }
        })
    }
}
