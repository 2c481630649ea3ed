//! Reach probabilities and values of one hand of one player against all hands of the other.

use std::ops::Range;

use crate::liars_dice::blueprint::action_abstraction::{AbstractState, ActionAbstraction};
use crate::liars_dice::game::hands::Hands;
use crate::liars_dice::game::round::{BidIndex, Side, bid_count, bid_face};
use crate::liars_dice::kernels::rows::{add_product, add_weighted, dot};

/// By player, then by action row, then by hand: a number for each action of each information set.
pub(crate) type ActionTables = [Vec<f32>; 2];

/// Joint reach probabilities and values of all abstract states for one hand of the outer player,
/// who has fewer hands, against all hands of the inner player.
///
/// An entry belongs to an abstract state and the side that acts there. Bids ascend, so one pass in
/// the order of states computes reach probabilities, and one in reverse order values. Reach
/// probabilities are joint, because an abstract state merges histories that both players reach with
/// different probabilities.
pub(crate) struct ReachAndValues<'a> {
    abstraction: &'a ActionAbstraction,
    hands: &'a [Hands; 2],
    outer: Side,
    width: usize,
    chances: Vec<f32>,
    values: Vec<f32>,
    call_values: Vec<f32>,
}

impl<'a> ReachAndValues<'a> {
    pub(crate) fn new(abstraction: &'a ActionAbstraction, hands: &'a [Hands; 2]) -> Self {
        let starter_has_fewer = hands[0].width() <= hands[1].width();
        let outer = if starter_has_fewer { Side::Starter } else { Side::Responder };
        let width = hands[outer.other().index()].width();
        let length = 2 * abstraction.states().len() * width;
        let (chances, values) = (vec![0.0; length], vec![0.0; length]);
        Self { abstraction, hands, outer, width, chances, values, call_values: vec![0.0; width] }
    }

    pub(crate) const fn outer(&self) -> Side {
        self.outer
    }

    fn at(&self, state: usize, side: Side) -> Range<usize> {
        let begin = (2 * state + side.index()) * self.width;
        begin..begin + self.width
    }

    /// By hand of the inner player: the joint probability to reach the state with `side` to act.
    pub(crate) fn chances(&self, state: usize, side: Side) -> &[f32] {
        &self.chances[self.at(state, side)]
    }

    /// By hand of the inner player: the outer player's value there, -1 to 1.
    pub(crate) fn values(&self, state: usize, side: Side) -> &[f32] {
        &self.values[self.at(state, side)]
    }

    /// Computes reach probabilities from those of the inner player's deals.
    pub(crate) fn forward(&mut self, hand: usize, deal: &[f32], strategies: &ActionTables) {
        self.chances.fill(0.0);
        let root = self.at(0, Side::Starter);
        self.chances[root].copy_from_slice(deal);
        for (index, state) in self.abstraction.states().iter().enumerate() {
            for actor in state.actors() {
                self.propagate(hand, (index, state), actor, &strategies[actor.index()]);
            }
        }
    }

    fn propagate(
        &mut self,
        hand: usize,
        (index, state): (usize, &AbstractState),
        actor: Side,
        strategies: &[f32],
    ) {
        let from = self.at(index, actor);
        for row in state.calls()..state.action_count() {
            let Some((_, next)) = state.raise(row) else { continue };
            let to = self.at(next, actor.other());
            let row = self.row(state.first_row + row, actor, hand);
            let (before, after) = self.chances.split_at_mut(from.end);
            let (from, to) = (&before[from.clone()], &mut after[to.start - from.end..]);
            let to = &mut to[..from.len()];
            if actor == self.outer {
                add_weighted(from, strategies[row.start], to);
            } else {
                add_product(from, &strategies[row], to);
            }
        }
    }

    /// Where an action row of `side` has the probabilities used here: one number for the outer
    /// player, all hands for the inner one.
    fn row(&self, row: usize, side: Side, hand: usize) -> Range<usize> {
        if side == self.outer {
            let at = row * self.hands[side.index()].width() + hand;
            at..at + 1
        } else {
            row * self.width..(row + 1) * self.width
        }
    }

    /// Computes values, and adds the counterfactual values of the actions of `side` to
    /// `action_values`.
    pub(crate) fn backward(
        &mut self,
        hand: usize,
        strategies: &ActionTables,
        side: Side,
        action_values: &mut [f32],
    ) {
        self.values.fill(0.0);
        for (index, state) in self.abstraction.states().iter().enumerate().rev() {
            for actor in state.actors() {
                if let Some(bid) = state.last {
                    self.set_call_values(hand, bid, actor);
                }
                let action_values = (side == actor).then_some(&mut *action_values);
                self.back_up(
                    hand,
                    (index, state),
                    actor,
                    &strategies[actor.index()],
                    action_values,
                );
            }
        }
    }

    fn back_up(
        &mut self,
        hand: usize,
        (index, state): (usize, &AbstractState),
        actor: Side,
        strategies: &[f32],
        mut action_values: Option<&mut [f32]>,
    ) {
        let at = self.at(index, actor);
        let chances = &self.chances[at.clone()];
        let width = self.width;
        for action in 0..state.action_count() {
            let row = self.row(state.first_row + action, actor, hand);
            let next = state.raise(action).map(|(_, next)| self.at(next, actor.other()));
            let (before, after) = self.values.split_at_mut(at.end);
            let value = &mut before[at.clone()];
            let child = match next {
                Some(next) => &after[next.start - at.end..][..width],
                None => &self.call_values,
            };
            if actor == self.outer {
                add_weighted(child, strategies[row.start], value);
                if let Some(action_values) = &mut action_values {
                    action_values[row.start] += dot(chances, child);
                }
            } else {
                add_product(child, &strategies[row.clone()], value);
                if let Some(action_values) = &mut action_values {
                    subtract_product(chances, child, &mut action_values[row]);
                }
            }
        }
    }

    /// The outer player's value with `hand` if `caller` calls the bid.
    fn set_call_values(&mut self, hand: usize, bid: BidIndex, caller: Side) {
        let [own, other] = [self.outer, self.outer.other()].map(|side| &self.hands[side.index()]);
        let sign = if caller == self.outer { -1.0 } else { 1.0 };
        self.call_values.fill(-sign);
        let missing = bid_count(bid).saturating_sub(own.matching(bid_face(bid))[hand]);
        if missing <= other.dice() {
            add_weighted(
                other.at_least(bid_face(bid), missing.into()),
                2.0 * sign,
                &mut self.call_values,
            );
        }
    }
}

/// `to -= a * b`.
#[inline(always)]
fn subtract_product(a: &[f32], b: &[f32], to: &mut [f32]) {
    for ((to, a), b) in to.iter_mut().zip(a).zip(b) {
        *to -= a * b;
    }
}
