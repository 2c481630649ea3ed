//! How many positions are solved.

use dicehill_rules::yahtzee::Category;

use crate::yahtzee::game::variant::Variant;
use crate::yahtzee::values::table::{different_totals, sets};

impl Variant {
    /// How many positions differ in value, as far as the solver tells them apart.
    #[must_use]
    pub fn positions(self) -> usize {
        let kinds = |has_none: bool| if has_none && self.tells_yahtzees_apart() { 2 } else { 1 };
        sets()
            .into_iter()
            .map(|free| different_totals(free).count() * kinds(!free.contains(Category::Yahtzee)))
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_counted() {
        assert_eq!(Variant::ALL.map(Variant::positions), [359_616, 239_744, 359_616, 239_744]);
    }
}
