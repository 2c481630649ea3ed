//! The expected payoff of blueprints against each other.

use crate::liars_dice::blueprint::Blueprint;
use crate::liars_dice::blueprint::abstract_round::AbstractRound;
use crate::liars_dice::game::round::Side;

impl Blueprint {
    /// What the starter gets on average, -1 to 1, if it plays by this blueprint and the responder by the other. A hand without choices calls.
    ///
    /// # Panics
    /// If the other is of another round.
    #[must_use]
    pub fn payoff(&self, responder: &Self) -> f64 {
        assert_eq!(self.round, responder.round, "two blueprints of one round");
        let game = AbstractRound::new(self.round);
        let play = [game.play_of(self, Side::Starter), game.play_of(responder, Side::Responder)];
        game.evaluate(Side::Starter, &play).value
    }
}
