//! The house bots for Liar's Dice.

mod actions;
mod badnomial;
mod bayes;
mod count_distribution;
mod duelist;
mod fair_dice;
mod hand_counts;
mod honest;
mod nobody;
mod pirate;
mod random;
mod seer;
mod straight_shooter;

use dicehill_rules::liars_dice::LiarsDice;

use crate::HouseBot;

pub use duelist::{DuelistTraining, duelist_blueprint};
pub use seer::advice::{
    EvaluatedAction, HiddenHandBelief, LastBidBelief, LiarsDiceAdvice, ObservedPosition,
    ObservedPositionError, advise_liars_dice,
};
pub use seer::training::SeerTraining;

/// All house bots for Liar's Dice.
#[must_use]
pub fn liars_dice_bots() -> [HouseBot<LiarsDice>; 9] {
    [
        HouseBot::new(
            "badnomial",
            1,
            "the challenge's winner: weighs the odds of its own bid, the bidder's and the next player's",
            || Box::new(badnomial::Badnomial),
        ),
        HouseBot::new(
            "bayes",
            1,
            "our own: infers hidden dice from the bids, and takes the action worth most dice",
            || Box::new(bayes::Bayes),
        ),
        HouseBot::new(
            "duelist",
            3,
            "our own for two: plays strategies learned by self-play, without adapting to its opponent",
            || Box::<duelist::Duelist>::default(),
        ),
        HouseBot::new(
            "honest",
            1,
            "bids no more than its own dice and a third of the others' support",
            || Box::new(honest::Honest),
        ),
        HouseBot::new(
            "nobody",
            1,
            "the challenge's second: trusts its best face, and raises players with many dice",
            || Box::new(nobody::Nobody),
        ),
        HouseBot::new(
            "pirate",
            2,
            "the challenge's fifth: sticks to its best face and counts on a quarter of the others'",
            || Box::new(pirate::Pirate),
        ),
        HouseBot::new(
            "random",
            1,
            "chooses uniformly among the call and the higher bids up to the dice on the table",
            || Box::<random::Random>::default(),
        ),
        HouseBot::new(
            "seer",
            1,
            "our own for three seats or more: learns how the others play from each hand shown",
            || Box::<seer::Seer>::default(),
        ),
        HouseBot::new(
            "straight-shooter",
            1,
            "the challenge's third: bids the face that is nearest to its expectation",
            || Box::new(straight_shooter::StraightShooter),
        ),
    ]
}
