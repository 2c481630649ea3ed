//! One traversal of the tree, which updates the regrets of one player.

use std::slice;

use crate::liars_dice::cfr::cursors::Cursors;
use crate::liars_dice::cfr::subgame::Subgame;
use crate::liars_dice::cfr::tables::CfrTables;
use crate::liars_dice::game::round::Side;
use crate::liars_dice::kernels::rows::{
    add, add_weighted, is_zero, multiply, reach_of_action, strategy_value, update_best,
};
use crate::liars_dice::kernels::showdown::showdown_values;
use crate::liars_dice::tree::actions::LegalBid;
use crate::liars_dice::tree::public_state::PublicState;
use crate::liars_dice::tree::{TRUNK_BIDS, Tree};

/// What a traversal of the trunk does at the root of a subgame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SubgamePass {
    /// Stores the reach probabilities of the opponent's hands in the subgame; no regrets are
    /// updated.
    StoreReach,
    /// Takes the values that the subgame has computed.
    TakeValues,
}

/// An action that no hand plays is evaluated in one of this many iterations. It is mostly worse
/// than the others, so little of the result changes, in a third of the time. This follows
/// regret-based pruning (Brown and Sandholm 2015), which skips an action only while its regrets
/// prove that nothing changes; here the certificate covers the difference.
const MAX_SKIP_PERIOD: u32 = 8;

/// The part of the tree that a traversal visits.
pub(crate) enum Region<'a> {
    /// The histories with fewer than [`TRUNK_BIDS`] bids.
    Trunk {
        /// The subgames that begin there and were not reached or skipped yet, in the order of traversal.
        subgames: slice::IterMut<'a, Subgame>,
        pass: SubgamePass,
    },
    /// One subgame.
    Subgame,
}

/// A traversal of a part of the tree that updates the regrets of `side`.
pub(crate) struct Traversal<'a> {
    tree: &'a Tree,
    side: Side,
    iteration: u32,
    tables: &'a mut CfrTables,
    region: Region<'a>,
    cursors: Cursors,
}

/// Buffers for the decision at one depth.
#[derive(Clone, Debug)]
pub(crate) struct DepthBuffers {
    strategy: Vec<f32>,
    values: Vec<f32>,
    reach: Vec<f32>,
    sums: Vec<f32>,
}

impl DepthBuffers {
    /// Buffers for every depth of the tree.
    pub(crate) fn stack(tree: &Tree) -> Vec<Self> {
        let width = tree.width(Side::Starter).max(tree.width(Side::Responder));
        let rows = tree.round().bids() + 1;
        let buffer = Self {
            strategy: vec![0.0; rows * width],
            values: vec![0.0; rows * width],
            reach: vec![0.0; width],
            sums: vec![0.0; width],
        };
        vec![buffer; tree.depth() + 1]
    }
}

impl<'a> Traversal<'a> {
    pub(crate) fn new(
        tree: &'a Tree,
        side: Side,
        iteration: u32,
        tables: &'a mut CfrTables,
        region: Region<'a>,
    ) -> Self {
        Self { tree, side, iteration, tables, region, cursors: Cursors::default() }
    }

    /// Writes the counterfactual values of the updated side's hands at `state`, given the reach
    /// probabilities of the opponent's hands.
    pub(crate) fn visit(
        &mut self,
        state: PublicState,
        reach: &[f32],
        values: &mut [f32],
        buffers: &mut [DepthBuffers],
    ) {
        match &mut self.region {
            Region::Trunk { subgames, pass } if state.bids >= TRUNK_BIDS => {
                let subgame = subgames.next().expect("a subgame for each history of its length");
                visit_subgame(subgame, *pass, reach, values);
            }
            Region::Trunk { .. } | Region::Subgame => {
                self.visit_decision(state, reach, values, buffers);
            }
        }
    }

    #[inline(always)]
    fn visit_decision(
        &mut self,
        state: PublicState,
        reach: &[f32],
        values: &mut [f32],
        buffers: &mut [DepthBuffers],
    ) {
        if self.tree.legal_actions(state).is_final {
            self.visit_final(state, reach, values, buffers);
        } else if state.actor() == self.side {
            self.visit_own(state, reach, values, buffers);
        } else {
            self.visit_opponent(state, reach, values, buffers);
        }
    }

    #[inline(always)]
    fn updates_regrets(&self) -> bool {
        match self.region {
            Region::Trunk { pass: SubgamePass::StoreReach, .. } => false,
            Region::Trunk { pass: SubgamePass::TakeValues, .. } | Region::Subgame => true,
        }
    }

    /// Whether an action that no hand plays is skipped in this iteration. The choice is hashed:
    /// actions that are always evaluated together lead to strategies that are best against that
    /// schedule only.
    fn is_skipped(&self, number: usize) -> bool {
        let period = (self.iteration / 2).clamp(1, MAX_SKIP_PERIOD);
        let hash = (number as u32).wrapping_mul(0x9E37_79B1);
        let hash = hash ^ self.iteration.wrapping_mul(0x85EB_CA6B);
        let hash = (hash ^ hash >> 15).wrapping_mul(0x2C1B_3C6D);
        !(hash ^ hash >> 12).is_multiple_of(period)
    }

    #[inline(always)]
    fn visit_own(
        &mut self,
        state: PublicState,
        reach: &[f32],
        values: &mut [f32],
        buffers: &mut [DepthBuffers],
    ) {
        let (tree, side) = (self.tree, self.side);
        let legal = tree.legal_actions(state);
        let entries = self.cursors.take_actions(tree, side, legal.count());
        let (buffer, deeper) = buffers.split_first_mut().expect("a buffer for each bid");
        let DepthBuffers { strategy, values: action_values, sums, .. } = buffer;
        let width = values.len();
        let strategy = &mut strategy[..entries.len()];
        let action_values = &mut action_values[..entries.len()];
        // The strategy, by regret matching.
        let tables = &self.tables.sides[side.index()];
        tables.match_regrets(entries.clone(), legal.can_call, &mut sums[..width], strategy);
        // The value of each action.
        let mut rows = action_values.chunks_exact_mut(width);
        if legal.can_call {
            self.settle(state, reach, rows.next().expect("a row for the call"));
        }
        let mut skipped = 0u64;
        let first_bid = usize::from(legal.can_call);
        for (number, (legal_bid, row)) in (first_bid..).zip(legal.bids.iter().zip(rows)) {
            let probabilities = &strategy[number * width..][..width];
            let may_skip = !legal_bid.is_called && self.is_skipped(entries.start + number);
            if may_skip && is_zero(probabilities) {
                self.skip(state, *legal_bid);
                skipped |= 1 << number;
            } else {
                self.evaluate(state, *legal_bid, reach, row, deeper);
            }
        }
        strategy_value(action_values, strategy, values);
        if self.updates_regrets() {
            let tables = &mut self.tables.sides[side.index()];
            tables.update_regrets(entries, action_values, values, skipped);
        }
    }

    #[inline(always)]
    fn visit_opponent(
        &mut self,
        state: PublicState,
        reach: &[f32],
        values: &mut [f32],
        buffers: &mut [DepthBuffers],
    ) {
        let (tree, side) = (self.tree, self.side.other());
        let legal = tree.legal_actions(state);
        let entries = self.cursors.take_actions(tree, side, legal.count());
        let (buffer, deeper) = buffers.split_first_mut().expect("a buffer for each bid");
        let DepthBuffers { strategy, values: action_values, reach: next_reach, sums } = buffer;
        let width = reach.len();
        let strategy = &mut strategy[..entries.len()];
        let next_reach = &mut next_reach[..width];
        let action_values = &mut action_values[..values.len()];
        // The strategy, by regret matching.
        let tables = &self.tables.sides[side.index()];
        tables.match_regrets(entries.clone(), legal.can_call, &mut sums[..width], strategy);
        // The values, added up over the actions.
        values.fill(0.0);
        let mut begin = entries.start;
        let mut rows = strategy.chunks_exact(width);
        if legal.can_call {
            let probabilities = rows.next().expect("a row for the call");
            if multiply(reach, probabilities, tree.min_reach(), next_reach) {
                self.add_to_average(side, begin, next_reach);
                self.settle(state, next_reach, action_values);
                add(action_values, values);
            }
            begin += width;
        }
        for (legal_bid, probabilities) in legal.bids.iter().zip(rows) {
            if multiply(reach, probabilities, tree.min_reach(), next_reach) {
                self.add_to_average(side, begin, next_reach);
                self.evaluate(state, *legal_bid, next_reach, action_values, deeper);
                add(action_values, values);
            } else {
                self.skip(state, *legal_bid);
            }
            begin += width;
        }
    }

    /// A decision after which no player acts.
    #[inline(always)]
    fn visit_final(
        &mut self,
        state: PublicState,
        reach: &[f32],
        values: &mut [f32],
        buffers: &mut [DepthBuffers],
    ) {
        let actor = state.actor();
        let entries = self.cursors.take_final_decision(self.tree, actor);
        let DepthBuffers { values: action_values, reach: next_reach, .. } = &mut buffers[0];
        let action_values = &mut action_values[..values.len()];
        let next_reach = &mut next_reach[..entries.len()];
        let bids = self.tree.legal_actions(state).bids.iter();
        // By action, the call first: the state in which the last bid is called.
        let called =
            std::iter::once(state).chain(bids.map(|legal_bid| state.after(legal_bid.index)));
        let mut best_actions = std::mem::take(&mut self.tables.sides[actor.index()].best_actions);
        let best = &mut best_actions[entries];
        if actor == self.side {
            for (number, called) in (0u8..).zip(called) {
                self.settle(called, reach, action_values);
                if number == 0 {
                    values.copy_from_slice(action_values);
                    best.fill(0);
                } else {
                    update_best(number, action_values, values, best);
                }
            }
        } else {
            values.fill(0.0);
            for (number, called) in (0u8..).zip(called) {
                if reach_of_action(number, best, reach, next_reach) {
                    self.settle(called, next_reach, action_values);
                    add(action_values, values);
                }
            }
        }
        self.tables.sides[actor.index()].best_actions = best_actions;
    }

    #[inline(always)]
    fn add_to_average(&mut self, side: Side, begin: usize, reach: &[f32]) {
        let updates_regrets = self.updates_regrets();
        let averages = &mut self.tables.sides[side.index()].averages;
        let row = averages.get_mut(begin..begin + reach.len());
        if let Some(row) = row.filter(|_| updates_regrets) {
            add_weighted(reach, weight(self.iteration), row);
        }
    }

    #[inline(always)]
    fn evaluate(
        &mut self,
        state: PublicState,
        legal_bid: LegalBid,
        reach: &[f32],
        values: &mut [f32],
        buffers: &mut [DepthBuffers],
    ) {
        let next = state.after(legal_bid.index);
        if legal_bid.is_called {
            self.settle(next, reach, values);
        } else {
            self.visit(next, reach, values, buffers);
        }
    }

    /// The values when the last bid is called.
    #[inline(always)]
    fn settle(&self, state: PublicState, reach: &[f32], values: &mut [f32]) {
        let bid = state.last.expect("only bids are called");
        let (own, opponents) = (self.tree.hands(self.side), self.tree.hands(self.side.other()));
        showdown_values(bid, state.bidder() == self.side, own, opponents, reach, values);
    }

    /// Skips the subtree of an action that no hand reaches.
    fn skip(&mut self, state: PublicState, legal_bid: LegalBid) {
        if legal_bid.is_called {
            return;
        }
        let next = state.after(legal_bid.index);
        match &mut self.region {
            Region::Trunk { subgames, .. } => {
                let size = self.tree.trunk_size(next);
                self.cursors.skip(self.tree, size);
                let skipped = subgames.take(size.subgames);
                skipped.for_each(|subgame| subgame.is_reached = false);
            }
            Region::Subgame => self.cursors.skip(self.tree, self.tree.subtree_size(next)),
        }
    }
}

#[inline(always)]
fn visit_subgame(subgame: &mut Subgame, pass: SubgamePass, reach: &[f32], values: &mut [f32]) {
    match pass {
        SubgamePass::StoreReach => {
            subgame.is_reached = true;
            subgame.reach.resize(reach.len(), 0.0);
            subgame.reach.copy_from_slice(reach);
            subgame.values.resize(values.len(), 0.0);
        }
        SubgamePass::TakeValues => values.copy_from_slice(&subgame.values),
    }
}

/// Later iterations weigh more in the average strategy. The cube was the fastest of the weights
/// tried.
fn weight(iteration: u32) -> f32 {
    let iteration = iteration as f32;
    iteration * iteration * iteration
}
