//! The number of positions to solve.

use dicehill_rules::yahtzee::Category;

use crate::yahtzee::game::variant::Variant;
use crate::yahtzee::values::table::{distinct_totals, sets};

impl Variant {
    /// The number of positions that the solver distinguishes.
    #[must_use]
    pub fn positions(self) -> usize {
        let kinds = |has_none: bool| if has_none && self.distinguishes_yahtzees() { 2 } else { 1 };
        sets()
            .into_iter()
            .map(|free| distinct_totals(free).count() * kinds(!free.contains(Category::Yahtzee)))
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_positions_is_known() {
        assert_eq!(Variant::ALL.map(Variant::positions), [359_616, 239_744, 359_616, 239_744]);
    }
}
