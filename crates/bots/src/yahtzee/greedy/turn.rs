//! A turn, solved backwards from the box that is filled at its end.

use std::sync::LazyLock;

use dicehill_rules::yahtzee::Scorecard;
use dicehill_solver::yahtzee::{Hand, RollValues, Turn as SolvedTurn};

use super::worth::{Rolled, Worth};

/// What every keep is worth in the turn that starts from a card.
pub(super) struct Turn {
    card: Scorecard,
    solved: SolvedTurn,
}

impl Turn {
    /// The turn that starts from `card`.
    pub(super) fn new(card: &Scorecard) -> Self {
        Self { card: card.clone(), solved: SolvedTurn::new(&best_fills(card)) }
    }

    /// Whether the turn starts from `card`.
    pub(super) fn is_of(&self, card: &Scorecard) -> bool {
        self.card == *card
    }

    /// What it is worth to keep a hand at `stage`, 0 or 1.
    pub(super) fn keep(&self, stage: u8, hand: Hand) -> f64 {
        self.solved.keep(stage, hand)
    }
}

/// What all five dice are worth in their best box.
fn best_fills(card: &Scorecard) -> RollValues {
    static ROLLED: LazyLock<Vec<Rolled>> = LazyLock::new(|| {
        let rolls = Hand::rolls().map(|hand| hand.roll().expect("five dice"));
        rolls.map(Rolled::new).collect()
    });
    let worth = Worth::new(card);
    let best = |rolled| worth.fills(rolled).map(|(_, value)| value).fold(f64::MIN, f64::max);
    std::array::from_fn(|roll| best(&ROLLED[roll]))
}
