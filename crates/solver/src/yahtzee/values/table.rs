//! The values of all positions, in memory.

use std::array;

use dicehill_rules::yahtzee::{Category, CategorySet, Scorecard};

use crate::yahtzee::game::position::{ENOUGH, Position, most_upper, totals};
use crate::yahtzee::game::variant::Variant;
use crate::yahtzee::turns::box_values::Outlook;
use crate::yahtzee::turns::hand_values::Lanes;

/// Upper totals that are told apart.
const UPPERS: usize = ENOUGH as usize + 1;
/// Sets of free boxes.
pub(crate) const SETS: usize = 1 << 13;

/// What is still to come with one set of free boxes: by upper total, first for cards whose Yahtzee box does not hold 50.
///
/// The upper bonus is counted as if it was paid at the end of the game.
pub(crate) type Row = [f64; 2 * UPPERS];

/// What makes positions with the same free boxes differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Lane {
    pub(crate) upper: u8,
    pub(crate) has_yahtzee: bool,
}

impl Lane {
    pub(crate) const fn of(position: Position) -> Self {
        Self { upper: position.upper(), has_yahtzee: position.has_yahtzee() }
    }

    /// The place in a row of this lane's position with a further score in the upper boxes.
    #[inline(always)]
    pub(crate) fn place(self, more: u8) -> usize {
        usize::from((self.upper + more).min(ENOUGH)) + usize::from(self.has_yahtzee) * UPPERS
    }
}

/// Rows of sets of free boxes, those with fewer boxes first.
pub(crate) struct Table<'a> {
    pub(crate) rows: &'a [Row],
    pub(crate) places: &'a [u16; SETS],
}

impl<'a> Table<'a> {
    #[inline(always)]
    pub(crate) fn row(&self, free: CategorySet) -> &'a Row {
        &self.rows[usize::from(self.places[usize::from(free.bits())])]
    }
}

/// All sets of free boxes, those with fewer boxes first.
pub(crate) fn sets() -> Vec<CategorySet> {
    let mut sets: Vec<_> = (0..SETS as u16).map(CategorySet::from_bits).collect();
    sets.sort_by_key(|set| (set.len(), set.bits()));
    sets
}

/// The places of all sets in the order of [`sets`], by their bits.
pub(crate) fn places(sets: &[CategorySet]) -> [u16; SETS] {
    let mut places = [0; SETS];
    for (place, set) in (0..).zip(sets) {
        places[usize::from(set.bits())] = place;
    }
    places
}

/// The row of full cards.
pub(crate) fn last_row() -> Row {
    let mut row = [0.0; 2 * UPPERS];
    for has_yahtzee in [false, true] {
        let enough = Lane { upper: ENOUGH, has_yahtzee };
        row[enough.place(0)] = f64::from(Scorecard::UPPER_BONUS);
    }
    row
}

/// The upper totals that differ in value with these free boxes, ascending. The first of them may stand for all
/// from which the bonus is out of reach.
pub(crate) fn different_totals(free: CategorySet) -> impl Iterator<Item = u8> {
    let reachable = totals(free);
    let hopeless = hopeless_below(free);
    let first =
        (reachable.trailing_zeros() as u8 <= hopeless.wrapping_sub(1) && hopeless > 0).then_some(0);
    let others = (hopeless..ENOUGH).filter(move |total| reachable >> total & 1 == 1);
    first.into_iter().chain(others).chain((reachable >> ENOUGH != 0).then_some(ENOUGH))
}

/// The upper total below which the bonus is out of reach.
pub(crate) fn hopeless_below(free: CategorySet) -> u8 {
    ENOUGH.saturating_sub(most_upper(free))
}

/// The points to come in positions with the same free boxes.
pub(crate) struct Points<'a, const N: usize> {
    variant: Variant,
    free: CategorySet,
    table: &'a Table<'a>,
    lanes: &'a [Lane; N],
    /// By box: what comes after it, if it adds nothing to the upper total. Not used of boxes that are filled.
    after: [Lanes<N>; 13],
}

impl<'a, const N: usize> Points<'a, N> {
    #[inline(always)]
    pub(crate) fn new(
        variant: Variant,
        free: CategorySet,
        table: &'a Table<'a>,
        lanes: &'a [Lane; N],
    ) -> Self {
        let mut after = [[0.0; N]; 13];
        for category in free.iter().filter(|category| category.is_lower()) {
            let row = table.row(free.without(category));
            after[category.index()] = array::from_fn(|lane| row[lanes[lane].place(0)]);
        }
        Self { variant, free, table, lanes, after }
    }
}

impl<const N: usize> Outlook<N, f64> for Points<'_, N> {
    #[inline(always)]
    fn worth(&self, category: Category, score: u8, further: bool) -> Lanes<N> {
        let (upper, first) = (category.is_upper(), category == Category::Yahtzee && score > 0);
        let after = if upper || first {
            let row = self.table.row(self.free.without(category));
            let more = if upper { score } else { 0 };
            array::from_fn(|lane| {
                let lane = self.lanes[lane];
                row[Lane { has_yahtzee: lane.has_yahtzee || first, ..lane }.place(more)]
            })
        } else {
            self.after[category.index()]
        };
        array::from_fn(|lane| {
            let worth = after[lane] + f64::from(score);
            if further {
                worth + f64::from(self.variant.further_yahtzee_bonus(self.lanes[lane].has_yahtzee))
            } else {
                worth
            }
        })
    }
}
