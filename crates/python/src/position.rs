//! Positions of games for notebooks.

use dicehill_rules::liars_dice::{Hand, LiarsDice};
use dicehill_rules::yahtzee::{Category, Scorecard, Yahtzee};
use dicehill_rules::{Face, Seat};
use serde_json::{Value, json};

/// A game whose position can be shown, with everything that is hidden from players.
pub(crate) trait ShownPosition {
    fn position(&self) -> Value;
}

impl ShownPosition for Yahtzee {
    fn position(&self) -> Value {
        json!({
            "round": self.round(),
            "stage": self.stage(),
            "dice": pips(self.dice()),
            "cards": self.cards().iter().map(card).collect::<Vec<_>>(),
        })
    }
}

fn card(card: &Scorecard) -> Value {
    // A list, because the order of an object's keys gets lost.
    let filled = |category: &Category| json!([category.name(), card.filled(*category)]);
    json!({
        "boxes": Category::ALL.iter().map(filled).collect::<Vec<_>>(),
        "upper bonus": card.upper_bonus(),
        "Yahtzee bonus": card.yahtzee_bonus(),
        "score": card.score(),
    })
}

impl ShownPosition for LiarsDice {
    fn position(&self) -> Value {
        let hands = self.seats().iter().zip(self.hands());
        let hand = |(seat, hand): (&Seat, &Hand)| json!({"seat": seat.index(), "dice": pips(hand.faces())});
        json!({
            "round": self.round(),
            "hands": hands.map(hand).collect::<Vec<_>>(),
            "bids": self.bids().iter().map(ToString::to_string).collect::<Vec<_>>(),
        })
    }
}

fn pips(dice: &[Face]) -> Vec<u8> {
    dice.iter().map(|die| die.pips()).collect()
}
