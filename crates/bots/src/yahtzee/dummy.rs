//! `dummy`, the example player of the challenge.

use dicehill_arena::{Bot, Failure, Start};
use dicehill_rules::yahtzee::{Action, Category, CategorySet, View, Yahtzee};

use crate::split_mix64::SplitMix64;

/// Fills a random free box with the first roll. A Yahtzee goes to the Yahtzee box if that is free, else to a box that the joker rule
/// allows.
pub(super) struct Dummy {
    rng: SplitMix64,
}

impl Default for Dummy {
    fn default() -> Self {
        Self { rng: SplitMix64::new(0) }
    }
}

impl Bot<Yahtzee> for Dummy {
    fn start(&mut self, start: &Start) {
        self.rng = SplitMix64::new(start.seed);
    }

    fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
        let free = view.card.free();
        let is_yahtzee = view.dice.iter().all(|die| *die == view.dice[0]);
        let category = if is_yahtzee && free.contains(Category::Yahtzee) {
            Category::Yahtzee
        } else if is_yahtzee && free.contains(Category::upper(view.dice[0])) {
            Category::upper(view.dice[0])
        } else {
            self.any(view.legal())
        };
        Ok(Action::Fill(category))
    }
}

impl Dummy {
    fn any(&mut self, categories: CategorySet) -> Category {
        let place = self.rng.below(categories.len() as u32) as usize;
        categories.iter().nth(place).expect("a choice below their number")
    }
}
