//! `bayes`: takes the action with the highest expected gain in dice.
//!
//! - **Beliefs.** Hidden dice are independent. By Bayes' rule, the faces that a player has bid on are likelier in its hand (`belief`).
//! - **Search.** One ply of expectimax. A call moves one die, so that its expected gain is 1 - 2 x P(the bid holds). A bid that the
//!   next player calls has the opposite gain. Both the probability of that call (`call_model`) and the probability that the bid holds
//!   depend on the next player's hand, so that they are summed jointly over that hand. If the next player raises instead, the gain is
//!   a small constant.
//! - **Objective.** Dice, because in a fair game in which every round moves one die, the probability of winning is the share of the
//!   dice (gambler's ruin; Feller, *An Introduction to Probability Theory and Its Applications*, volume 1, chapter XIV).
//!
//! The constants were tuned by hand, coarsely, against the house bots. No opponent is recognised by name.
//!
//! Floating point is limited to the IEEE 754 operations that round alike on every machine.

mod belief;
mod call_model;

use dicehill_arena::{Bot, Failure};
use dicehill_rules::Face;
use dicehill_rules::liars_dice::{Action, LiarsDice, View};

use self::belief::inferred_chance;
use self::call_model::CallModel;
use super::actions::{bid, call, non_wild_faces};
use super::count_distribution::{CountDistribution, TailProbabilities};
use super::fair_dice::fair_chance;
use super::hand_counts::HandCounts;

/// The expected gain if the next player raises, in dice: another player is at risk, and the bot knows more at its next turn.
const RAISE_GAIN: f64 = 0.1;
/// An action replaces an earlier one only if its gain is higher by more than this.
const MIN_DIFFERENCE: f64 = 1e-9;

/// Takes the action with the highest expected gain. Of equal actions it takes the first of: the call; the bids on twos,
/// ascending; those on threes; up to those on sixes. It never bids on ones, for which only half as many dice count as
/// for other faces.
pub(super) struct Bayes;

impl Bot<LiarsDice> for Bayes {
    fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
        let own = HandCounts::new(view.dice);
        let hidden = view.hidden_dice();
        let call_model =
            CallModel::new(view.dice_in_play() - u32::from(view.counts[view.next_position()]));
        let mut best = BestAction::new(gain_of_call(view, &own));
        for face in non_wild_faces() {
            let hidden_dice = HiddenDice::new(view, face);
            let held = own.counting(face);
            for count in lowest_count(view, face)..=held + hidden {
                let value = hidden_dice.bid_value(count.saturating_sub(held), count, &call_model);
                best.offer(value.gain, count, face);
                if !value.may_rise {
                    break;
                }
            }
        }
        best.action()
    }
}

/// The lowest legal count of a bid on a face.
fn lowest_count(view: &View<'_>, face: Face) -> u32 {
    match view.last_bid() {
        None => 1,
        Some(last) => last.count() + u32::from(face <= last.face()),
    }
}

/// The expected gain of the call, in dice; `None` if there is nothing to call.
fn gain_of_call(view: &View<'_>, own: &HandCounts) -> Option<f64> {
    let last = view.last_bid()?;
    let needed = last.count().saturating_sub(own.counting(last.face()));
    Some(1.0 - 2.0 * HiddenDice::new(view, last.face()).holds(needed))
}

/// The best action so far.
struct BestAction {
    gain: f64,
    /// `None` is the call.
    bid: Option<(u32, Face)>,
}

impl BestAction {
    fn new(call: Option<f64>) -> Self {
        Self { gain: call.unwrap_or(f64::NEG_INFINITY), bid: None }
    }

    fn offer(&mut self, gain: f64, count: u32, face: Face) {
        if gain > self.gain + MIN_DIFFERENCE {
            *self = Self { gain, bid: Some((count, face)) };
        }
    }

    fn action(&self) -> Result<Action, Failure> {
        match self.bid {
            Some((count, face)) => bid(count, face),
            // There is a bid to call: without one, the first bid on offer replaced this.
            None => call(),
        }
    }
}

/// The hidden dice that count for bids on one face.
struct HiddenDice {
    /// Those of the next player.
    next: CountDistribution,
    /// Those of all other opponents.
    rest: TailProbabilities,
}

/// The evaluation of a bid.
struct BidValue {
    /// The expected gain, in dice.
    gain: f64,
    /// Whether a higher bid on the face may have a higher gain: it is likelier to be called, and then loses if this one does.
    may_rise: bool,
}

impl HiddenDice {
    fn new(view: &View<'_>, face: Face) -> Self {
        let (next, fair) = (view.next_position(), fair_chance(face));
        let mut rest = CountDistribution::new(0, fair);
        let mut fair_dice = 0;
        for other in (0..view.players()).filter(|other| *other != view.you && *other != next) {
            match inferred_chance(view, other, face) {
                Some(chance) => rest.add(&CountDistribution::new(view.counts[other], chance)),
                None => fair_dice += view.counts[other],
            }
        }
        rest.add(&CountDistribution::new(fair_dice, fair));
        let chance = inferred_chance(view, next, face).unwrap_or(fair);
        Self {
            next: CountDistribution::new(view.counts[next], chance),
            rest: TailProbabilities::new(rest),
        }
    }

    /// The probability that at least `needed` of the dice count.
    fn holds(&self, needed: u32) -> f64 {
        let hands = self.next.chances().iter().zip(0..);
        hands.map(|(chance, held)| chance * self.rest.at_least(needed.saturating_sub(held))).sum()
    }

    /// The evaluation of a bid of `count` that holds if at least `needed` of the dice count.
    fn bid_value(&self, needed: u32, count: u32, call_model: &CallModel) -> BidValue {
        if call_model.calls(count) == 0.0 {
            return BidValue { gain: RAISE_GAIN, may_rise: true };
        }
        let (mut gain_if_called, mut called, mut holds) = (0.0, 0.0, 0.0);
        for (chance, held) in self.next.chances().iter().zip(0..) {
            let holds_given_held = self.rest.at_least(needed.saturating_sub(held));
            let calls = chance * call_model.calls(count.saturating_sub(held));
            gain_if_called += calls * (2.0 * holds_given_held - 1.0);
            called += calls;
            holds += chance * holds_given_held;
        }
        BidValue { gain: gain_if_called + (1.0 - called) * RAISE_GAIN, may_rise: holds >= 0.5 }
    }
}
