//! The evaluation of each action: one-ply expectimax over the win probability.

use dicehill_rules::Face;
use dicehill_rules::liars_dice::{Action, Bid, Position};

use crate::liars_dice::actions::non_wild_faces;
use crate::liars_dice::count_distribution::{CountDistribution, MAX_DICE, TailProbabilities};
use crate::liars_dice::fair_dice::fair_distribution;
use crate::liars_dice::seer::evaluation::call_values::{CallValues, ContinuationValue};
use crate::liars_dice::seer::features::bid_context::{
    BidContext, BidKind, TableSize, lowest_count, trust_bins,
};
use crate::liars_dice::seer::features::observation::Observation;
use crate::liars_dice::seer::model::parameters::{Parameters, RaiseOutcome};
use crate::liars_dice::seer::opponents::hand_belief::HandBelief;
use crate::liars_dice::seer::opponents::opponent_model::OpponentModel;

/// Bids that hold with a lower probability are left out, except the lowest on each face.
const MIN_HOLD_PROBABILITY: f64 = 0.05;

/// The evaluation of an action.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct ActionValue {
    pub(crate) action: Action,
    /// The probability of winning the game.
    pub(crate) value: f64,
    /// The expected number of dice gained in this round, -1 to 1.
    pub(crate) dice: f64,
    /// The probability that the bid, or the called bid, holds.
    pub(crate) holds: f64,
    /// The probability that the next player calls the bid; 1 for a call.
    pub(crate) called: f64,
}

/// A position with the beliefs about it.
pub(crate) struct Evaluator<'a> {
    pub(crate) observation: Observation<'a>,
    parameters: &'a Parameters,
    /// The probability that the next player calls a bid on a non-wild face, by the number of dice that it lacks.
    call_probabilities: [f64; MAX_DICE + 2],
    /// Values if the next player calls the player's bid.
    if_called: CallValues,
    /// Values if the next player raises.
    continuation: ContinuationValue,
    /// The hands of the opponents, in the order of [`Observation::others`].
    hands: Vec<(Position, HandBelief)>,
}

/// The distribution of the hidden dice that count for bids on one face.
struct HiddenDice {
    /// Those of the next player.
    next: CountDistribution,
    /// Those of all other opponents.
    rest: TailProbabilities,
}

impl<'a> Evaluator<'a> {
    /// An evaluator of the position; `model` gives the model of each opponent by position.
    pub(crate) fn new(
        observation: Observation<'a>,
        parameters: &'a Parameters,
        model: impl Fn(Position) -> &'a OpponentModel,
    ) -> Self {
        let hand =
            |position| (position, hand_belief(&observation, position, parameters, model(position)));
        let hands = observation.others().map(hand).collect();
        let call_probabilities =
            call_probabilities(&observation, parameters, model(observation.next()));
        let if_called = CallValues::new(&observation, parameters, observation.next());
        let continuation = ContinuationValue::new(&observation, parameters);
        Self { observation, parameters, call_probabilities, if_called, continuation, hands }
    }

    /// The distribution of the number of an opponent's dice that count for a bid on `face`.
    pub(crate) fn counting(&self, position: Position, face: Face) -> CountDistribution {
        let (_, hand) = self.hands.iter().find(|(of, _)| *of == position).expect("another player");
        hand.counting(face)
    }

    /// The call if it is legal, then the bids worth considering, by face and count.
    pub(crate) fn action_values(&self) -> Vec<ActionValue> {
        let mut action_values = Vec::with_capacity(64);
        let last = self.observation.last_bid().map(|last| (last, self.hidden_dice(last.face())));
        action_values.extend(last.as_ref().map(|(last, hidden)| self.call_value(*last, hidden)));
        // All faces without bids have the same distribution.
        let mut without_bids = None;
        for face in non_wild_faces() {
            if let Some((_, hidden)) = last.as_ref().filter(|(last, _)| last.face() == face) {
                self.add_bids(face, hidden, &mut action_values);
            } else if self.hands.iter().any(|(_, hand)| hand.is_observed(face)) {
                self.add_bids(face, &self.hidden_dice(face), &mut action_values);
            } else {
                let hidden = without_bids.get_or_insert_with(|| self.hidden_dice(face));
                self.add_bids(face, hidden, &mut action_values);
            }
        }
        action_values
    }

    fn call_value(&self, last: Bid, hidden: &HiddenDice) -> ActionValue {
        let needed = last.count().saturating_sub(self.observation.own.counting(last.face()));
        let holds = hidden.at_least(needed);
        let bidder = (self.observation.you + self.observation.counts.len() - 1)
            % self.observation.counts.len();
        let values = CallValues::new(&self.observation, self.parameters, bidder);
        ActionValue {
            action: Action::Call,
            value: holds * values.lost + (1.0 - holds) * values.won,
            dice: 1.0 - 2.0 * holds,
            holds,
            called: 1.0,
        }
    }

    fn add_bids(&self, face: Face, hidden: &HiddenDice, action_values: &mut Vec<ActionValue>) {
        let held = self.observation.own.counting(face);
        let lowest = lowest_count(self.observation.last_bid(), face);
        for count in lowest..=held + self.observation.hidden_dice() {
            let bid = Bid::new(count, face).expect("a count from 1 to the dice on the table");
            let action_value = self.bid_value(bid, hidden);
            action_values.push(action_value);
            if action_value.holds < MIN_HOLD_PROBABILITY {
                break;
            }
        }
    }

    /// The distribution of the hidden dice that count for bids on `face`.
    fn hidden_dice(&self, face: Face) -> HiddenDice {
        let next = self.observation.next();
        let rest = || self.hands.iter().filter(|(position, _)| *position != next);
        let fair_dice = rest().filter_map(|(_, hand)| hand.fair_dice()).sum();
        let mut all = fair_distribution(fair_dice, face).clone();
        for (_, hand) in rest().filter(|(_, hand)| hand.fair_dice().is_none()) {
            all.add(&hand.counting(face));
        }
        HiddenDice { next: self.counting(next, face), rest: TailProbabilities::new(all) }
    }

    fn bid_value(&self, bid: Bid, hidden: &HiddenDice) -> ActionValue {
        let needed = bid.count().saturating_sub(self.observation.own.counting(bid.face()));
        let count = bid.count() as usize;
        let (mut called_and_holds, mut called, mut holds) = (0.0, 0.0, 0.0);
        for (held, chance) in hidden.next.chances().iter().enumerate() {
            let holds_given_held = hidden.rest.at_least(needed.saturating_sub(held as u32));
            let calls =
                chance * self.call_probabilities[count.saturating_sub(held).min(MAX_DICE + 1)];
            called_and_holds += calls * holds_given_held;
            called += calls;
            holds += chance * holds_given_held;
        }
        let raise_outcome = self.parameters.raise_outcome(self.observation.counts.len(), holds);
        let called_and_fails = called - called_and_holds;
        let RaiseOutcome { gains, losses } = raise_outcome;
        let value = called_and_holds * self.if_called.won
            + called_and_fails * self.if_called.lost
            + (1.0 - called) * self.continuation.value(raise_outcome);
        let dice = called_and_holds - called_and_fails + (1.0 - called) * (gains - losses);
        ActionValue { action: Action::Bid(bid), value, dice, holds, called }
    }
}

impl HiddenDice {
    /// The probability that at least `needed` of the dice count.
    fn at_least(&self, needed: u32) -> f64 {
        let rest = |held: usize| self.rest.at_least(needed.saturating_sub(held as u32));
        self.next.chances().iter().enumerate().map(|(held, chance)| chance * rest(held)).sum()
    }
}

/// The probability that the next player calls a bid, by the number of dice that it lacks.
fn call_probabilities(
    observation: &Observation<'_>,
    parameters: &Parameters,
    model: &OpponentModel,
) -> [f64; MAX_DICE + 2] {
    let calls = model.calls(parameters, TableSize::of(observation.counts.len()));
    let (dice, all) = (observation.counts[observation.next()], observation.all_dice());
    trust_bins(Face::SIX, all as usize - usize::from(dice)).map(|trust| calls[usize::from(trust)])
}

/// The belief about the hand of an opponent, from its bids in this round.
fn hand_belief(
    observation: &Observation<'_>,
    position: Position,
    parameters: &Parameters,
    model: &OpponentModel,
) -> HandBelief {
    let mut hand = HandBelief::new(observation.counts[position]);
    for (bid, before) in observation.bids_of(position) {
        let context = BidContext::new(bid, observation.counts, position);
        hand.observe(bid.face(), model.likelihoods(parameters, BidKind::of(bid, before), context));
    }
    hand
}
