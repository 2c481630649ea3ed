//! `duelist`: for two players; plays a blueprint strategy that was trained by self-play.
//!
//! A round between two players has only two outcomes, so that the probability of winning it is the only objective. For each division of
//! the ten dice, a blueprint (`solver::Blueprint`) has the probabilities of the call and of each raise, given the hand, the last bid and
//! the face of the bid before it. The bot draws an action with the probabilities of its hand, and does not adapt to its opponent.
//! `cargo xtask train liars-dice --bot duelist` trains the blueprints. They are no equilibrium: an opponent that knows them gains from
//! each round, and `cargo xtask prove duelist` measures how much.
//!
//! The nine blueprints take about 30 MB. A process reads them once, before the first decision between two players, in less than half a
//! second of CPU time. A decision is a lookup.
//!
//! After bids outside the blueprint, the bot compares the odds of the call with those of the lowest raises. With more than two players,
//! or with a total other than ten dice, it plays like `bayes`.

mod blueprints;
mod training;

use dicehill_arena::{Bot, Failure, Start};
use dicehill_rules::Face;
use dicehill_rules::liars_dice::{Action, Bid, LiarsDice, Odds, View};
use dicehill_solver::liars_dice::{Hands, Round, Side};

pub use self::blueprints::duelist_blueprint;
pub use self::training::DuelistTraining;

use super::actions::{bid, call, non_wild_faces};
use super::bayes::Bayes;
use super::hand_counts::HandCounts;
use crate::split_mix64::SplitMix64;

/// Draws actions from the blueprint of the round.
pub(super) struct Duelist {
    rng: SplitMix64,
    /// Plays where there is no blueprint.
    fallback: Bayes,
}

impl Default for Duelist {
    fn default() -> Self {
        Self { rng: SplitMix64::new(0), fallback: Bayes }
    }
}

impl Bot<LiarsDice> for Duelist {
    fn start(&mut self, start: &Start) {
        self.rng = SplitMix64::new(start.seed);
        if start.players == 2 {
            // Read now, so that no decision has to wait.
            (1..Round::MAX_DICE).for_each(|starter| {
                duelist_blueprint(starter);
            });
        }
    }

    fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
        let is_duel = view.players() == 2 && view.dice_in_play() == u32::from(Round::MAX_DICE);
        if !is_duel {
            return self.fallback.act(view);
        }
        if view.last_bid().is_some_and(|last| last.count() >= view.dice_in_play()) {
            // No higher bid can hold.
            return call();
        }
        match self.draw(&choices(view)) {
            Some(Some(drawn)) => bid(drawn.count(), drawn.face()),
            Some(None) => call(),
            None => by_odds(view),
        }
    }
}

impl Duelist {
    /// Draws a choice in proportion to the weights, where an inner `None` is the call; `None` if all weights are 0.
    fn draw(&mut self, choices: &[(Option<Bid>, u32)]) -> Option<Option<Bid>> {
        let sum: u32 = choices.iter().map(|(_, weight)| weight).sum();
        if sum == 0 {
            return None;
        }
        let mut left = self.rng.below(sum);
        let drawn = choices.iter().find(|(_, weight)| {
            let is_drawn = left < *weight;
            left = left.saturating_sub(*weight);
            is_drawn
        });
        drawn.map(|(bid, _)| *bid)
    }
}

/// The actions of the blueprint for the player's hand, with their weights; `None` is the call.
fn choices(view: &View<'_>) -> Vec<(Option<Bid>, u32)> {
    let side = Side::to_act(view.bids.len());
    let own = view.dice.len() as u8;
    let starter = if side == Side::Starter { own } else { Round::MAX_DICE - own };
    let hand = Hands::new(own).find(view.dice).expect("the player's dice are a hand of that size");
    duelist_blueprint(starter).action_weights(side, view.bids, hand)
}

/// Calls if the call is at least as likely to be right as the likeliest of the lowest raises on non-wild faces.
fn by_odds(view: &View<'_>) -> Result<Action, Failure> {
    let own = HandCounts::new(view.dice);
    let holds = |bid: Bid| {
        let needed = i64::from(bid.count()) - i64::from(own.counting(bid.face()));
        Odds::for_face(bid.face(), view.hidden_dice(), needed).chance()
    };
    let raises = Bid::above(view.last_bid()).filter(|bid| bid.face() != Face::ONE);
    let raises = raises.take(non_wild_faces().count()).map(|bid| (bid, holds(bid)));
    let (best, chance) = raises.max_by(|a, b| a.1.total_cmp(&b.1)).expect("there are higher bids");
    match view.last_bid() {
        Some(last) if 1.0 - holds(last) >= chance => call(),
        _ => bid(best.count(), best.face()),
    }
}
