//! How a player plays every hand.

use crate::liars_dice::game::history::History;
use crate::liars_dice::response::action_probabilities::ActionProbabilities;

/// A behaviour strategy of one player.
pub trait Policy {
    /// Writes the action probabilities of all hands after `history`. All of `probabilities` is 0 at
    /// first.
    fn decide(&self, history: History, probabilities: &mut ActionProbabilities);
}
