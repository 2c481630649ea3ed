//! A best response with perfect recall to a blueprint.
//!
//! While a history is likely enough, the response is the best action given all bids; after rarer
//! ones it follows a response in the blueprint's abstraction. Its payoff is exact for that
//! response. Without a threshold it is the best of all responses, except that bids outside the
//! abstraction are not considered.

use crate::liars_dice::blueprint::Blueprint;
use crate::liars_dice::blueprint::abstract_round::AbstractRound;
use crate::liars_dice::blueprint::action_abstraction::AbstractState;
use crate::liars_dice::blueprint::reach_and_values::{ActionTables, ReachAndValues};
use crate::liars_dice::game::round::{BidIndex, Side};
use crate::liars_dice::kernels::rows::{add, add_weighted, dot, multiply};
use crate::liars_dice::kernels::showdown::showdown_values;

impl Blueprint {
    /// The expected payoff of `side`, -1 to 1, against this blueprint: it best-responds with
    /// perfect recall after all histories that the opponent reaches with probability `least` or
    /// more when `side` plays to reach them, and by `answer` after the others.
    ///
    /// # Panics
    /// If `answer` is for a different round.
    #[must_use]
    pub fn perfect_recall_payoff(&self, side: Side, answer: &Self, least: f32) -> f64 {
        assert_eq!(self.round, answer.round, "two blueprints of one round");
        PerfectRecallResponse::new(self, side, answer, least).payoff()
    }
}

struct PerfectRecallResponse {
    game: AbstractRound,
    side: Side,
    least: f32,
    /// The opponent's action probabilities, by action row and hand.
    policy: Vec<f32>,
    outer: Side,
    /// By abstract state at which `side` acts, hand of the outer and hand of the inner player: the
    /// outer player's payoff under the fallback response.
    fallback_values: Vec<f32>,
}

impl PerfectRecallResponse {
    fn new(blueprint: &Blueprint, side: Side, answer: &Blueprint, least: f32) -> Self {
        let game = AbstractRound::new(blueprint.round);
        let table_of = |of| game.action_table_of(if of == side { answer } else { blueprint }, of);
        let mut strategies = Side::BOTH.map(table_of);
        let outer = ReachAndValues::new(&game.abstraction, &game.hands).outer();
        let fallback_values = fallback_values(&game, side, &strategies);
        let policy = std::mem::take(&mut strategies[side.other().index()]);
        Self { game, side, least, policy, outer, fallback_values }
    }

    fn payoff(&self) -> f64 {
        let mut values = vec![0.0; self.game.width(self.side)];
        let deal = self.game.deal(self.side.other());
        match self.side {
            Side::Starter => self.visit_own(0, deal, &mut values),
            Side::Responder => self.visit_opponent(0, deal, &mut values),
        }
        dot(self.game.deal(self.side), &values).into()
    }

    fn state(&self, index: usize) -> &AbstractState {
        &self.game.abstraction.states()[index]
    }

    /// Writes the counterfactual values of the responding side's hands where it acts, given the
    /// opponent's reach probabilities.
    fn visit_own(&self, index: usize, reach: &[f32], values: &mut [f32]) {
        if reach.iter().sum::<f32>() < self.least {
            return self.visit_fallback(index, reach, values);
        }
        let state = self.state(index);
        values.fill(f32::NEG_INFINITY);
        let mut action_values = vec![0.0; values.len()];
        for row in 0..state.action_count() {
            match (state.raise(row), state.last) {
                (Some((_, next)), _) => self.visit_opponent(next, reach, &mut action_values),
                (None, last) => self.settle(last, self.side.other(), reach, &mut action_values),
            }
            values.iter_mut().zip(&action_values).for_each(|(to, value)| *to = to.max(*value));
        }
    }

    fn visit_opponent(&self, index: usize, reach: &[f32], values: &mut [f32]) {
        let state = self.state(index);
        values.fill(0.0);
        let (mut next_reach, mut action_values) = (vec![0.0; reach.len()], vec![0.0; values.len()]);
        for row in 0..state.action_count() {
            let chances = &self.policy[(state.first_row + row) * reach.len()..][..reach.len()];
            if !multiply(reach, chances, 0.0, &mut next_reach) {
                continue;
            }
            match (state.raise(row), state.last) {
                (Some((_, next)), _) => self.visit_own(next, &next_reach, &mut action_values),
                (None, last) => self.settle(last, self.side, &next_reach, &mut action_values),
            }
            add(&action_values, values);
        }
    }

    /// The values of the responding side's hands if the last bid, by `bidder`, is called.
    fn settle(&self, last: Option<BidIndex>, bidder: Side, reach: &[f32], values: &mut [f32]) {
        let bid = last.expect("only bids are called");
        let [own, opponents] =
            [self.side, self.side.other()].map(|side| &self.game.hands[side.index()]);
        showdown_values(bid, bidder == self.side, own, opponents, reach, values);
    }

    /// The values of the responding side's hands under the fallback response.
    fn visit_fallback(&self, index: usize, reach: &[f32], values: &mut [f32]) {
        let [outer, inner] = [self.outer, self.outer.other()].map(|side| self.game.width(side));
        let pairs =
            self.fallback_values[index * outer * inner..][..outer * inner].chunks_exact(inner);
        if self.side == self.outer {
            values.iter_mut().zip(pairs).for_each(|(to, row)| *to = dot(reach, row));
        } else {
            values.fill(0.0);
            let reached = reach.iter().zip(pairs).filter(|(chance, _)| **chance > 0.0);
            reached.for_each(|(chance, row)| add_weighted(row, -chance, values));
        }
    }
}

/// By abstract state at which `side` acts, hand of the outer and hand of the inner player: the
/// outer player's payoff.
fn fallback_values(game: &AbstractRound, side: Side, strategies: &ActionTables) -> Vec<f32> {
    let mut reach_and_values = ReachAndValues::new(&game.abstraction, &game.hands);
    let outer = reach_and_values.outer();
    let [rows, width] = [outer, outer.other()].map(|side| game.width(side));
    let mut values = vec![0.0; game.abstraction.states().len() * rows * width];
    let mut action_values = game.action_table(side);
    for hand in 0..game.hands[outer.index()].count() {
        reach_and_values.backward(hand, strategies, side, &mut action_values);
        for state in 0..game.abstraction.states().len() {
            let to = &mut values[(state * rows + hand) * width..][..width];
            to.copy_from_slice(reach_and_values.values(state, side));
        }
    }
    values
}
