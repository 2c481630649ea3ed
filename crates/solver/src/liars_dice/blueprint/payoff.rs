//! The expected payoff of blueprints against each other.

use crate::liars_dice::blueprint::Blueprint;
use crate::liars_dice::blueprint::abstract_round::AbstractRound;
use crate::liars_dice::game::round::Side;

impl Blueprint {
    /// The starter's expected payoff, -1 to 1, if it plays by this blueprint and the responder by
    /// the other. An information set without actions calls.
    ///
    /// # Panics
    /// If the blueprints are for different rounds.
    #[must_use]
    pub fn payoff(&self, responder: &Self) -> f64 {
        assert_eq!(self.round, responder.round, "two blueprints of one round");
        let game = AbstractRound::new(self.round);
        let strategies = [
            game.action_table_of(self, Side::Starter),
            game.action_table_of(responder, Side::Responder),
        ];
        game.evaluate(Side::Starter, &strategies).value
    }
}
