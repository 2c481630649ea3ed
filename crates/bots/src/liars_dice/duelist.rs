//! Our own player for two: plays a blueprint of each round that was learnt beforehand.
//!
//! A round between two has only two outcomes, so that the chance to win it is all that counts, whatever the dice. **What it
//! knows.** For each division of ten dice, the chances with which each hand calls or raises after the last bid and the face of the
//! bid before it (`solver::Blueprint`); the file beside this one was learnt by play of the blueprint against itself
//! (`cargo xtask train liars-dice --bot duelist`). **What it does.** It draws an action with the chances of its own hand. It
//! does not adapt to its opponent. A blueprint is no equilibrium: an opponent that knows it gains from each round.
//! `cargo xtask prove duelist` measures how much.
//!
//! The blueprints of all nine divisions take some 30 MB, and are read once in a process, before the first decision between two, in
//! less than half a second of a core. A decision is a look into them.
//!
//! After bids that the blueprint does not foresee it holds the odds of the call against those of the lowest raises. With more at the table, or fewer
//! or more dice than two players bring, it plays like `bayes`.

mod school;

use dicehill_arena::{Bot, Failure, Start};
use dicehill_rules::Face;
use dicehill_rules::liars_dice::{Action, Bid, LiarsDice, Odds, View};
use dicehill_solver::liars_dice::{Hands, Round, Side};

pub use self::school::{DuelistTraining, duelist_blueprint};

use super::bayes::Bayes;
use super::own::Own;
use super::{bid, liar, plain_faces};
use crate::draw::Draw;

/// Draws from the blueprint of the round.
pub(super) struct Duelist {
    draw: Draw,
    /// Who plays where more sit.
    crowd: Bayes,
}

impl Default for Duelist {
    fn default() -> Self {
        Self { draw: Draw::new(0), crowd: Bayes }
    }
}

impl Bot<LiarsDice> for Duelist {
    fn start(&mut self, start: &Start) {
        self.draw = Draw::new(start.seed);
        if start.players == 2 {
            // So that no decision waits for it.
            (1..Round::MOST_DICE).for_each(|starter| {
                duelist_blueprint(starter);
            });
        }
    }

    fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
        let is_duel = view.players() == 2 && view.dice_in_play() == u32::from(Round::MOST_DICE);
        if !is_duel {
            return self.crowd.act(view);
        }
        if view.last_bid().is_some_and(|last| last.count() >= view.dice_in_play()) {
            // There is nothing above it that could hold.
            return liar();
        }
        match self.drawn(&choices(view)) {
            Some(Some(drawn)) => bid(drawn.count(), drawn.face()),
            Some(None) => liar(),
            None => by_odds(view),
        }
    }
}

impl Duelist {
    /// One of the choices; none if there are none.
    fn drawn(&mut self, choices: &[(Option<Bid>, u32)]) -> Option<Option<Bid>> {
        let sum: u32 = choices.iter().map(|(_, parts)| parts).sum();
        if sum == 0 {
            return None;
        }
        let mut left = self.draw.below(sum);
        let drawn = choices.iter().find(|(_, parts)| {
            let is_drawn = left < *parts;
            left = left.saturating_sub(*parts);
            is_drawn
        });
        drawn.map(|(bid, _)| *bid)
    }
}

/// What the blueprint does with the hand in view.
fn choices(view: &View<'_>) -> Vec<(Option<Bid>, u32)> {
    let side = Side::after(view.bids.len());
    let own = view.dice.len() as u8;
    let starter = if side == Side::Starter { own } else { Round::MOST_DICE - own };
    let hand = Hands::of(own).find(view.dice).expect("a hand of so many dice");
    duelist_blueprint(starter).choices(side, view.bids, hand)
}

/// Calls what is less likely to hold than the likeliest of the lowest raises on plain faces.
fn by_odds(view: &View<'_>) -> Result<Action, Failure> {
    let own = Own::new(view.dice);
    let holds = |bid: Bid| {
        let needed = i64::from(bid.count()) - i64::from(own.counting(bid.face()));
        Odds::of_face(bid.face(), view.hidden_dice(), needed).chance()
    };
    let raises = Bid::above(view.last_bid()).filter(|bid| bid.face() != Face::ONE);
    let raises = raises.take(plain_faces().count()).map(|bid| (bid, holds(bid)));
    let (best, chance) = raises.max_by(|a, b| a.1.total_cmp(&b.1)).expect("there are higher bids");
    match view.last_bid() {
        Some(last) if 1.0 - holds(last) >= chance => liar(),
        _ => bid(best.count(), best.face()),
    }
}
