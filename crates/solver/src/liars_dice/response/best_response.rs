//! Exact best responses, which judge all strategies.

use crate::liars_dice::game::history::History;
use crate::liars_dice::game::round::Side;
use crate::liars_dice::kernels::showdown::showdown_values_f64;
use crate::liars_dice::response::action_probabilities::ActionProbabilities;
use crate::liars_dice::response::policy::Policy;
use crate::liars_dice::tree::Tree;
use crate::liars_dice::tree::public_state::PublicState;

/// The expected payoff, -1 to 1, of the best response in `tree` to `policy`, which plays `side`.
///
/// It is computed in double precision and in a fixed order, so every machine gets the same bits.
#[must_use]
pub fn best_response(tree: &Tree, side: Side, policy: &impl Policy) -> f64 {
    let (hands, responders) = (tree.hands(side), tree.hands(side.other()));
    let mut reach = hands.chances().to_vec();
    reach.resize(hands.width(), 0.0);
    let mut values = vec![0.0; responders.width()];
    let mut buffers = DepthBuffers::stack(tree, side);
    let response = BestResponse { tree, side, policy };
    response.visit(History::EMPTY, &reach, &mut values, &mut buffers);
    responders.chances().iter().zip(&values).map(|(chance, value)| chance * value).sum()
}

struct BestResponse<'a, P> {
    tree: &'a Tree,
    side: Side,
    policy: &'a P,
}

/// Buffers for the decision at one depth.
struct DepthBuffers {
    probabilities: ActionProbabilities,
    reach: Vec<f64>,
    values: Vec<f64>,
}

impl DepthBuffers {
    fn stack(tree: &Tree, side: Side) -> Vec<Self> {
        let (width, response_width) = (tree.width(side), tree.width(side.other()));
        let buffer = |_| Self {
            probabilities: ActionProbabilities::new(tree.round().bids(), width),
            reach: vec![0.0; width],
            values: vec![0.0; response_width],
        };
        (0..=tree.depth()).map(buffer).collect()
    }
}

impl<P: Policy> BestResponse<'_, P> {
    /// Writes the counterfactual values of the responding player's hands.
    fn visit(
        &self,
        history: History,
        reach: &[f64],
        values: &mut [f64],
        buffers: &mut [DepthBuffers],
    ) {
        if history.actor() == self.side {
            self.visit_policy(history, reach, values, buffers);
        } else {
            self.visit_response(history, reach, values, buffers);
        }
    }

    fn visit_policy(
        &self,
        history: History,
        reach: &[f64],
        values: &mut [f64],
        buffers: &mut [DepthBuffers],
    ) {
        let (buffer, deeper) = buffers.split_first_mut().expect("a buffer for each bid");
        let DepthBuffers { probabilities, reach: next_reach, values: action_values } = buffer;
        probabilities.clear();
        self.policy.decide(history, probabilities);
        values.fill(0.0);
        let highest = self.tree.round().bids() - 1;
        for (bid, probabilities) in probabilities.rows() {
            if !multiply(reach, probabilities, next_reach) {
                continue;
            }
            match bid {
                None => self.settle(history, next_reach, action_values),
                Some(bid) if usize::from(bid) == highest => {
                    self.settle(history.with(bid), next_reach, action_values);
                }
                Some(bid) => self.visit(history.with(bid), next_reach, action_values, deeper),
            }
            values.iter_mut().zip(&*action_values).for_each(|(to, value)| *to += value);
        }
    }

    fn visit_response(
        &self,
        history: History,
        reach: &[f64],
        values: &mut [f64],
        buffers: &mut [DepthBuffers],
    ) {
        let (buffer, deeper) = buffers.split_first_mut().expect("a buffer for each bid");
        let action_values = &mut buffer.values;
        let actions = self.tree.legal_actions(history.into());
        values.fill(f64::NEG_INFINITY);
        let mut take_max = |action_values: &[f64]| {
            values.iter_mut().zip(action_values).for_each(|(to, value)| *to = to.max(*value));
        };
        if actions.can_call {
            self.settle(history, reach, action_values);
            take_max(action_values);
        }
        for legal_bid in &actions.bids {
            let next = history.with(legal_bid.index);
            if legal_bid.is_called {
                self.settle(next, reach, action_values);
            } else {
                self.visit(next, reach, action_values, deeper);
            }
            take_max(action_values);
        }
    }

    /// The values of the responding player's hands when the last bid is called.
    fn settle(&self, history: History, reach: &[f64], values: &mut [f64]) {
        let state = PublicState::from(history);
        let bid = state.last.expect("only bids are called");
        let responder = self.side.other();
        let (own, opponents) = (self.tree.hands(responder), self.tree.hands(self.side));
        showdown_values_f64(bid, state.bidder() == responder, own, opponents, reach, values);
    }
}

/// `to = a * b`. Returns whether any product is not 0.
fn multiply(a: &[f64], b: &[f64], to: &mut [f64]) -> bool {
    let mut any_left = false;
    for ((to, a), b) in to.iter_mut().zip(a).zip(b) {
        *to = a * b;
        any_left |= *to != 0.0;
    }
    any_left
}
