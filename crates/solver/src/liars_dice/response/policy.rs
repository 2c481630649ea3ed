//! What a player does with each hand.

use crate::liars_dice::game::history::History;
use crate::liars_dice::response::action_probabilities::Decision;

/// How a player plays: what each hand does at each history.
pub trait Policy {
    /// Writes what the hands do after `history`, whose bids are all that was done. `decision` is empty.
    fn decide(&self, history: History, decision: &mut Decision);
}
