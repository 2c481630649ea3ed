//! One traversal of the tree, which updates the regrets of one player.

use crate::liars_dice::cfr::subgame::Subgame;
use crate::liars_dice::cfr::tables::CfrTables;
use crate::liars_dice::game::round::{BidIndex, Side};
use crate::liars_dice::kernels::rows::{
    add, add_product, add_weighted, is_zero, match_regrets, multiply, select_reach, take_better,
    update_regrets,
};
use crate::liars_dice::kernels::showdown::settle;
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

/// A traversal of a part of the tree that updates the regrets of `side`.
pub(crate) struct Traversal<'a> {
    tree: &'a Tree,
    side: Side,
    iteration: u32,
    tables: &'a mut CfrTables,
    /// By side: the next row.
    cursor: [usize; 2],
    /// By side: the next final decision.
    final_cursor: [usize; 2],
    /// Number of bids at which subgames begin.
    split: usize,
    subgames: &'a mut [Subgame],
    next_subgame: usize,
    pass: SubgamePass,
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
    pub(crate) fn of_trunk(
        tree: &'a Tree,
        side: Side,
        iteration: u32,
        tables: &'a mut CfrTables,
        subgames: &'a mut [Subgame],
        pass: SubgamePass,
    ) -> Self {
        Self {
            tree,
            side,
            iteration,
            tables,
            cursor: [0; 2],
            final_cursor: [0; 2],
            split: TRUNK_BIDS,
            subgames,
            next_subgame: 0,
            pass,
        }
    }

    pub(crate) fn of_subgame(
        tree: &'a Tree,
        side: Side,
        iteration: u32,
        tables: &'a mut CfrTables,
    ) -> Self {
        let (split, pass) = (usize::MAX, SubgamePass::TakeValues);
        Self {
            tree,
            side,
            iteration,
            tables,
            cursor: [0; 2],
            final_cursor: [0; 2],
            split,
            subgames: &mut [],
            next_subgame: 0,
            pass,
        }
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
        if state.bids >= self.split {
            self.visit_subgame(reach, values);
        } else if self.tree.legal_actions(state).is_final {
            self.visit_final(state, reach, values, buffers);
        } else if state.actor() == self.side {
            self.visit_own(state, reach, values, buffers);
        } else {
            self.visit_opponent(state, reach, values, buffers);
        }
    }

    #[inline(always)]
    fn visit_subgame(&mut self, reach: &[f32], values: &mut [f32]) {
        let subgame = &mut self.subgames[self.next_subgame];
        self.next_subgame += 1;
        match self.pass {
            SubgamePass::StoreReach => {
                subgame.is_reached = true;
                subgame.reach.resize(reach.len(), 0.0);
                subgame.reach.copy_from_slice(reach);
                subgame.values.resize(values.len(), 0.0);
            }
            SubgamePass::TakeValues => values.copy_from_slice(&subgame.values),
        }
    }

    #[inline(always)]
    fn updates_regrets(&self) -> bool {
        self.split == usize::MAX || self.pass == SubgamePass::TakeValues
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

    /// The rows of the current decision of `side`.
    #[inline(always)]
    fn take_rows(&mut self, side: Side, count: usize) -> std::ops::Range<usize> {
        let begin = self.cursor[side.index()];
        self.cursor[side.index()] = begin + count * self.tree.width(side);
        begin..self.cursor[side.index()]
    }

    /// The strategy of a decision of `side` with these rows, from their regrets and predictions. `sums` is a buffer.
    #[inline(always)]
    fn set_strategy(
        &self,
        side: Side,
        range: std::ops::Range<usize>,
        can_call: bool,
        sums: &mut [f32],
        strategy: &mut [f32],
    ) {
        let rows = &self.tables.sides[side.index()];
        let predictions = &rows.predictions[range.clone()];
        match_regrets(&rows.regrets[range], predictions, can_call, sums, strategy);
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
        let range = self.take_rows(side, legal.count());
        let (buffer, buffers) = buffers.split_first_mut().expect("a buffer for each bid");
        let width = values.len();
        let DepthBuffers { strategy, values: action_values, sums, .. } = buffer;
        let (strategy, action_values) =
            (&mut strategy[..range.len()], &mut action_values[..range.len()]);
        self.set_strategy(side, range.clone(), legal.can_call, &mut sums[..width], strategy);
        let mut each = action_values.chunks_exact_mut(width);
        if let (true, Some(last)) = (legal.can_call, state.last) {
            let to = each.next().expect("a row for the call");
            self.settle(last, side.other(), reach, to);
        }
        let first_bid = usize::from(legal.can_call);
        let mut skipped = 0u64;
        for (number, (legal_bid, to)) in (first_bid..).zip(legal.bids.iter().zip(each)) {
            let chances = &strategy[number * width..][..width];
            if !legal_bid.is_called && self.is_skipped(range.start + number) && is_zero(chances) {
                self.skip(state, *legal_bid);
                skipped |= 1 << number;
            } else {
                self.evaluate(state, *legal_bid, reach, to, buffers);
            }
        }
        values.fill(0.0);
        for (value, chance) in action_values.chunks_exact(width).zip(strategy.chunks_exact(width)) {
            add_product(value, chance, values);
        }
        if self.updates_regrets() {
            let rows = &mut self.tables.sides[side.index()];
            let (regrets, predictions) = (&mut rows.regrets, &mut rows.predictions);
            let (regrets, predictions) = (&mut regrets[range.clone()], &mut predictions[range]);
            update_regrets(action_values, values, skipped, regrets, predictions);
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
        let (tree, other) = (self.tree, self.side.other());
        let legal = tree.legal_actions(state);
        let range = self.take_rows(other, legal.count());
        let (buffer, buffers) = buffers.split_first_mut().expect("a buffer for each bid");
        let width = reach.len();
        let DepthBuffers { strategy, values: action_values, reach: next_reach, sums } = buffer;
        let strategy = &mut strategy[..range.len()];
        let (next_reach, action_values) =
            (&mut next_reach[..width], &mut action_values[..values.len()]);
        self.set_strategy(other, range.clone(), legal.can_call, &mut sums[..width], strategy);
        values.fill(0.0);
        let mut begin = range.start;
        let mut each = strategy.chunks_exact(width);
        if let (true, Some(last)) = (legal.can_call, state.last) {
            let chances = each.next().expect("a row for the call");
            if multiply(reach, chances, tree.min_reach(), next_reach) {
                self.add_to_average(other, begin, next_reach);
                self.settle(last, self.side, next_reach, action_values);
                add(action_values, values);
            }
            begin += width;
        }
        for (legal_bid, chances) in legal.bids.iter().zip(each) {
            if multiply(reach, chances, tree.min_reach(), next_reach) {
                self.add_to_average(other, begin, next_reach);
                self.evaluate(state, *legal_bid, next_reach, action_values, buffers);
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
        let begin = self.final_cursor[actor.index()];
        let width = self.tree.width(actor);
        self.final_cursor[actor.index()] += width;
        let DepthBuffers { values: action_values, reach: next_reach, .. } = &mut buffers[0];
        let action_values = &mut action_values[..values.len()];
        let called = self.tree.legal_actions(state).bids.iter();
        let called = called.map(|legal_bid| (legal_bid.index, actor));
        let last = state.last.expect("a call is possible");
        let all = std::iter::once((last, actor.other())).chain(called).enumerate();
        let mut best_actions = std::mem::take(&mut self.tables.sides[actor.index()].best_actions);
        let best = &mut best_actions[begin..begin + width];
        if actor == self.side {
            for (number, (bid, bidder)) in all {
                self.settle(bid, bidder, reach, action_values);
                if number == 0 {
                    values.copy_from_slice(action_values);
                    best.fill(0);
                } else {
                    take_better(number as u8, action_values, values, best);
                }
            }
        } else {
            let next_reach = &mut next_reach[..width];
            values.fill(0.0);
            for (number, (bid, bidder)) in all {
                if select_reach(number as u8, best, reach, next_reach) {
                    self.settle(bid, bidder, next_reach, action_values);
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
        if legal_bid.is_called {
            self.settle(legal_bid.index, state.actor(), reach, values);
        } else {
            self.visit(state.after(legal_bid.index), reach, values, buffers);
        }
    }

    #[inline(always)]
    fn settle(&self, bid: BidIndex, bidder: Side, reach: &[f32], values: &mut [f32]) {
        let (own, opponents) = (self.tree.hands(self.side), self.tree.hands(self.side.other()));
        settle(bid, bidder == self.side, own, opponents, reach, values);
    }

    /// Skips the subtree of an action that no hand reaches.
    fn skip(&mut self, state: PublicState, legal_bid: LegalBid) {
        if legal_bid.is_called {
            return;
        }
        let next = state.after(legal_bid.index);
        let is_trunk = self.split != usize::MAX;
        let size = if is_trunk { self.tree.trunk_size(next) } else { self.tree.subtree_size(next) };
        for side in Side::BOTH {
            self.cursor[side.index()] += size.action_rows[side.index()] * self.tree.width(side);
            self.final_cursor[side.index()] +=
                size.final_decisions[side.index()] * self.tree.width(side);
        }
        let subgames = &mut self.subgames[self.next_subgame..];
        if is_trunk {
            subgames.iter_mut().take(size.subgames).for_each(|subgame| subgame.is_reached = false);
            self.next_subgame += size.subgames;
        }
    }
}

/// Later iterations weigh more in the average strategy. The cube was the fastest of the weights
/// tried.
fn weight(iteration: u32) -> f32 {
    let iteration = iteration as f32;
    iteration * iteration * iteration
}
