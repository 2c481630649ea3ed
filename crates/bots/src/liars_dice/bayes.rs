//! Our own player: weighs the call and its bids by the dice they are expected to win.
//!
//! **What it believes.** Hidden dice are independent, and Bayes' rule makes the faces that somebody
//! has bid on likelier in that player's hand (`belief`). **What it expects.** A call changes one
//! die: the call of a bid is worth 1 - 2 x the chance that the bid holds, in dice. A bid is worth
//! that with the other sign in the cases in which the next player calls it. Whether it does depends
//! on what it holds itself (`caller`), so that the chance of a call and the chance that the bid
//! holds are summed up together, over all the numbers that the next player may hold. If it raises
//! instead, the turn goes on with a small gain. **What it does.** The action that is worth most.
//!
//! It adds up dice and leaves alone whose they are, because in a fair game in which every round
//! moves one die the chance to win is one's share of the dice (the gambler's ruin; Feller, *An
//! Introduction to Probability Theory and Its Applications*, volume 1, chapter XIV). The method is
//! one ply of expectimax over that value with a model of the opponents; the constants were tuned by
//! hand against the house bots, coarsely, and name nobody.
//!
//! Floating point is limited to the IEEE 754 operations that round alike on every machine.

mod belief;
mod caller;

use dicehill_arena::{Bot, Failure};
use dicehill_rules::Face;
use dicehill_rules::liars_dice::{Action, LiarsDice, View};

use self::belief::{fair_chance, told_chance};
use self::caller::Caller;
use super::own::Own;
use super::spread::{Spread, Tail};
use super::{bid, liar, plain_faces};

/// What it is worth to be raised over, in dice: somebody else is at risk, and who comes to act
/// again will know more.
const RAISED_OVER: f64 = 0.1;
/// By how much an action has to be worth more to be taken before an earlier one.
const NOTICEABLE: f64 = 1e-9;

/// Takes the action that is expected to win the most dice. Of actions worth the same it takes the
/// first of: the call; the bids on twos, ascending; those on threes; and so on to the sixes. It
/// never bids on ones, which half as many dice bear out as any other face.
pub(super) struct Bayes;

impl Bot<LiarsDice> for Bayes {
    fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
        let own = Own::new(view.dice);
        let hidden = view.hidden_dice();
        let caller = Caller::new(view.dice_in_play() - u32::from(view.counts[view.after()]));
        let mut best = Best::new(worth_of_call(view, &own));
        for face in plain_faces() {
            let unseen = Unseen::new(view, face);
            let held = own.counting(face);
            for count in lowest(view, face)..=held + hidden {
                let prospect = unseen.prospect(count.saturating_sub(held), count, &caller);
                best.offer(prospect.worth, count, face);
                if !prospect.may_rise {
                    break;
                }
            }
        }
        best.action()
    }
}

/// The lowest count that may be bid on a face.
fn lowest(view: &View<'_>, face: Face) -> u32 {
    match view.last_bid() {
        None => 1,
        Some(last) => last.count() + u32::from(face <= last.face()),
    }
}

/// What the call is worth, in dice; `None` if there is nothing to call.
fn worth_of_call(view: &View<'_>, own: &Own) -> Option<f64> {
    let last = view.last_bid()?;
    let needed = last.count().saturating_sub(own.counting(last.face()));
    Some(1.0 - 2.0 * Unseen::new(view, last.face()).holds(needed))
}

/// The best action so far.
struct Best {
    worth: f64,
    /// The call without one.
    bid: Option<(u32, Face)>,
}

impl Best {
    fn new(call: Option<f64>) -> Self {
        Self { worth: call.unwrap_or(f64::NEG_INFINITY), bid: None }
    }

    fn offer(&mut self, worth: f64, count: u32, face: Face) {
        if worth > self.worth + NOTICEABLE {
            *self = Self { worth, bid: Some((count, face)) };
        }
    }

    fn action(&self) -> Result<Action, Failure> {
        match self.bid {
            Some((count, face)) => bid(count, face),
            // There is a bid to call: without one, the first bid on offer was taken.
            None => liar(),
        }
    }
}

/// The dice that the player does not see, as they count for bids on one face.
struct Unseen {
    /// In the next player's hand.
    next: Spread,
    /// In all other hands.
    rest: Tail,
}

/// What comes of a bid.
struct Prospect {
    /// In dice.
    worth: f64,
    /// Whether higher bids on the face may be worth more: they are likelier to be called, and
    /// then lose if this one does.
    may_rise: bool,
}

impl Unseen {
    fn new(view: &View<'_>, face: Face) -> Self {
        let (next, fair) = (view.after(), fair_chance(face));
        let mut rest = Spread::new(0, fair);
        let mut fair_dice = 0;
        for other in (0..view.players()).filter(|other| *other != view.you && *other != next) {
            match told_chance(view, other, face) {
                Some(chance) => rest.add(&Spread::new(view.counts[other], chance)),
                None => fair_dice += view.counts[other],
            }
        }
        rest.add(&Spread::new(fair_dice, fair));
        let chance = told_chance(view, next, face).unwrap_or(fair);
        Self { next: Spread::new(view.counts[next], chance), rest: Tail::new(rest) }
    }

    /// The chance that at least `needed` of the dice count.
    fn holds(&self, needed: u32) -> f64 {
        let hands = self.next.chances().iter().zip(0..);
        hands.map(|(chance, held)| chance * self.rest.at_least(needed.saturating_sub(held))).sum()
    }

    /// What comes of a bid of `count` that holds if at least `needed` of the dice count.
    fn prospect(&self, needed: u32, count: u32, caller: &Caller) -> Prospect {
        if caller.calls(count) == 0.0 {
            return Prospect { worth: RAISED_OVER, may_rise: true };
        }
        let (mut won, mut called, mut holds) = (0.0, 0.0, 0.0);
        for (chance, held) in self.next.chances().iter().zip(0..) {
            let right = self.rest.at_least(needed.saturating_sub(held));
            let calls = chance * caller.calls(count.saturating_sub(held));
            won += calls * (2.0 * right - 1.0);
            called += calls;
            holds += chance * right;
        }
        Prospect { worth: won + (1.0 - called) * RAISED_OVER, may_rise: holds >= 0.5 }
    }
}
