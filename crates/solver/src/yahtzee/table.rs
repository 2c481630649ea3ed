//! The values of all positions, in memory.

use dicehill_rules::yahtzee::{CategorySet, Scorecard};

use super::Position;
use super::position::{ENOUGH, most_upper, totals};

/// Upper totals that are told apart.
const UPPERS: usize = ENOUGH as usize + 1;
/// Sets of free boxes.
pub(super) const SETS: usize = 1 << 13;

/// What is still to come with one set of free boxes: by upper total, first for cards whose Yahtzee box does not hold 50.
///
/// The upper bonus is counted as if it was paid at the end of the game.
pub(super) type Row = [f64; 2 * UPPERS];

/// What makes positions with the same free boxes differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Lane {
    pub(super) upper: u8,
    pub(super) has_yahtzee: bool,
}

impl Lane {
    pub(super) const fn of(position: Position) -> Self {
        Self { upper: position.upper(), has_yahtzee: position.has_yahtzee() }
    }

    /// The place in a row of this lane's position with a further score in the upper boxes.
    #[inline(always)]
    pub(super) fn place(self, more: u8) -> usize {
        usize::from((self.upper + more).min(ENOUGH)) + usize::from(self.has_yahtzee) * UPPERS
    }
}

/// Rows of sets of free boxes, those with fewer boxes first.
pub(super) struct Table<'a> {
    pub(super) rows: &'a [Row],
    pub(super) places: &'a [u16; SETS],
}

impl<'a> Table<'a> {
    #[inline(always)]
    pub(super) fn row(&self, free: CategorySet) -> &'a Row {
        &self.rows[usize::from(self.places[usize::from(free.bits())])]
    }
}

/// All sets of free boxes, those with fewer boxes first.
pub(super) fn sets() -> Vec<CategorySet> {
    let mut sets: Vec<_> = (0..SETS as u16).map(CategorySet::from_bits).collect();
    sets.sort_by_key(|set| (set.len(), set.bits()));
    sets
}

/// The places of all sets in the order of [`sets`], by their bits.
pub(super) fn places(sets: &[CategorySet]) -> [u16; SETS] {
    let mut places = [0; SETS];
    for (place, set) in (0..).zip(sets) {
        places[usize::from(set.bits())] = place;
    }
    places
}

/// The row of full cards.
pub(super) fn last_row() -> Row {
    let mut row = [0.0; 2 * UPPERS];
    for has_yahtzee in [false, true] {
        let enough = Lane { upper: ENOUGH, has_yahtzee };
        row[enough.place(0)] = f64::from(Scorecard::UPPER_BONUS);
    }
    row
}

/// The upper totals that differ in value with these free boxes, ascending. The first of them may stand for all
/// from which the bonus is out of reach.
pub(super) fn different_totals(free: CategorySet) -> impl Iterator<Item = u8> {
    let reachable = totals(free);
    let hopeless = hopeless_below(free);
    let first =
        (reachable.trailing_zeros() as u8 <= hopeless.wrapping_sub(1) && hopeless > 0).then_some(0);
    let others = (hopeless..ENOUGH).filter(move |total| reachable >> total & 1 == 1);
    first.into_iter().chain(others).chain((reachable >> ENOUGH != 0).then_some(ENOUGH))
}

/// The upper total below which the bonus is out of reach.
pub(super) fn hopeless_below(free: CategorySet) -> u8 {
    ENOUGH.saturating_sub(most_upper(free))
}
