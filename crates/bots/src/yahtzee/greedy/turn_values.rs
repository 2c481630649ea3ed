//! The values of a turn, by backward induction from the box that is filled at its end.

use dicehill_rules::Face;
use dicehill_rules::yahtzee::Scorecard;
use dicehill_solver::yahtzee::{Hand, Turn as SolvedTurn};

use super::fill_values::FillValues;

/// The value of every keep in the turn that starts from a card.
pub(super) struct TurnValues {
    card: Scorecard,
    solved: SolvedTurn,
}

impl TurnValues {
    /// The turn that starts from `card`.
    pub(super) fn new(card: &Scorecard) -> Self {
        Self { card: card.clone(), solved: solve(card) }
    }

    /// Whether the turn starts from `card`.
    pub(super) fn is_of(&self, card: &Scorecard) -> bool {
        self.card == *card
    }

    /// The value of the best keep of a hand at `stage`, 0 or 1.
    pub(super) fn best(&self, stage: u8, hand: Hand) -> f64 {
        self.solved.best(stage, hand)
    }

    /// The value of keeping a hand at `stage`, 0 or 1.
    pub(super) fn keep(&self, stage: u8, hand: Hand) -> f64 {
        self.solved.keep(stage, hand)
    }
}

fn solve(card: &Scorecard) -> SolvedTurn {
    let values = FillValues::new(card);
    let further_yahtzee = f64::from(card.bonus_for(&[Face::ONE; 5]));
    SolvedTurn::from_boxes(card.rules().into(), card.free(), |category, score, further| {
        let bonus = if further { further_yahtzee } else { 0.0 };
        bonus + values.of(category, score)
    })
}
