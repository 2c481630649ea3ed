//! A turn, solved backwards from the box that is filled at its end.

use std::sync::LazyLock;

use dicehill_rules::yahtzee::Scorecard;

use super::hand::{HandValues, RollValues, all_rolls};
use super::worth::{Rolled, Worth};

/// What every keep is worth in the turn that starts from a card.
pub(super) struct Turn {
    card: Scorecard,
    /// With one roll to come.
    last: HandValues,
    /// With two rolls to come; made when it is first asked for.
    first: Option<HandValues>,
}

impl Turn {
    /// The turn that starts from `card`.
    pub(super) fn new(card: &Scorecard) -> Self {
        Self { card: card.clone(), last: HandValues::of_keeps(&best_fills(card)), first: None }
    }

    /// Whether the turn starts from `card`.
    pub(super) fn is_of(&self, card: &Scorecard) -> bool {
        self.card == *card
    }

    /// What it is worth to keep each hand at `stage`, 0 or 1.
    pub(super) fn keeps(&mut self, stage: u8) -> &HandValues {
        if stage > 0 {
            return &self.last;
        }
        let last = &self.last;
        self.first.get_or_insert_with(|| HandValues::of_keeps(&last.of_best_keeps()))
    }
}

/// What all five dice are worth in their best box.
fn best_fills(card: &Scorecard) -> RollValues {
    static ROLLED: LazyLock<Vec<Rolled>> = LazyLock::new(|| all_rolls().map(Rolled::new).into());
    let worth = Worth::new(card);
    let best = |rolled| worth.fills(rolled).map(|(_, value)| value).fold(f64::MIN, f64::max);
    std::array::from_fn(|roll| best(&ROLLED[roll]))
}
