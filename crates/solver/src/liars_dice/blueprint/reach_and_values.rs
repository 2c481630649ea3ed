//! One hand of one player against all of the other.

use std::ops::Range;

use crate::liars_dice::blueprint::action_abstraction::{Menu, Node};
use crate::liars_dice::game::hands::Hands;
use crate::liars_dice::game::round::{Side, Step, count, face};
use crate::liars_dice::kernels::rows::{add_product, add_weighted, dot};

/// For each player the rows of all nodes, with a number for each of its hands.
pub(crate) type Rows = [Vec<f32>; 2];

/// The joint chances and the values of all nodes for one hand of the player with fewer hands, the outer one.
///
/// A node is told apart by its number and by who acts there. Since bids rise, one pass in their order brings the chances, and one against it
/// the values. The chances are joint because histories that are not told apart have others of both players.
pub(crate) struct Sheet<'a> {
    menu: &'a Menu,
    hands: &'a [Hands; 2],
    outer: Side,
    width: usize,
    chances: Vec<f32>,
    values: Vec<f32>,
    called: Vec<f32>,
}

impl<'a> Sheet<'a> {
    pub(crate) fn new(menu: &'a Menu, hands: &'a [Hands; 2]) -> Self {
        let fewer = hands[0].width() <= hands[1].width();
        let outer = if fewer { Side::Starter } else { Side::Responder };
        let width = hands[outer.other().index()].width();
        let length = 2 * menu.nodes().len() * width;
        let (chances, values) = (vec![0.0; length], vec![0.0; length]);
        Self { menu, hands, outer, width, chances, values, called: vec![0.0; width] }
    }

    pub(crate) const fn outer(&self) -> Side {
        self.outer
    }

    fn at(&self, node: usize, side: Side) -> Range<usize> {
        let begin = (2 * node + side.index()) * self.width;
        begin..begin + self.width
    }

    /// Of each hand of the inner player the chance that play comes to a node at which `side` acts.
    pub(crate) fn chances(&self, node: usize, side: Side) -> &[f32] {
        &self.chances[self.at(node, side)]
    }

    /// What the outer player gets there, -1 to 1, against each hand of the inner one.
    pub(crate) fn values(&self, node: usize, side: Side) -> &[f32] {
        &self.values[self.at(node, side)]
    }

    /// Computes the chances, given those with which the inner player's hands are dealt.
    pub(crate) fn forward(&mut self, hand: usize, dealt: &[f32], play: &Rows) {
        self.chances.fill(0.0);
        let root = self.at(0, Side::Starter);
        self.chances[root].copy_from_slice(dealt);
        for (number, node) in self.menu.nodes().iter().enumerate() {
            for actor in node.actors() {
                self.spread(hand, (number, node), actor, &play[actor.index()]);
            }
        }
    }

    fn spread(&mut self, hand: usize, (number, node): (usize, &Node), actor: Side, play: &[f32]) {
        let from = self.at(number, actor);
        for row in node.calls()..node.rows() {
            let Some((_, next)) = node.raise(row) else { continue };
            let to = self.at(next, actor.other());
            let row = self.row(node.first_row + row, actor, hand);
            let (before, after) = self.chances.split_at_mut(from.end);
            let (from, to) = (&before[from.clone()], &mut after[to.start - from.end..]);
            let to = &mut to[..from.len()];
            if actor == self.outer {
                add_weighted(from, play[row.start], to);
            } else {
                add_product(from, &play[row], to);
            }
        }
    }

    /// Where in the rows of `side` the chances of this sheet are: one number for the outer player, and a row for the inner one.
    fn row(&self, row: usize, side: Side, hand: usize) -> Range<usize> {
        if side == self.outer {
            let at = row * self.hands[side.index()].width() + hand;
            at..at + 1
        } else {
            row * self.width..(row + 1) * self.width
        }
    }

    /// Computes the values. What each action of `side` is worth to it, times the chances, is added to `worth`.
    pub(crate) fn backward(&mut self, hand: usize, play: &Rows, side: Side, worth: &mut [f32]) {
        self.values.fill(0.0);
        for (number, node) in self.menu.nodes().iter().enumerate().rev() {
            for actor in node.actors() {
                if let Some(step) = node.last {
                    self.call(hand, step, actor);
                }
                let worth = (side == actor).then_some(&mut *worth);
                self.gather(hand, (number, node), actor, &play[actor.index()], worth);
            }
        }
    }

    fn gather(
        &mut self,
        hand: usize,
        (number, node): (usize, &Node),
        actor: Side,
        play: &[f32],
        mut worth: Option<&mut [f32]>,
    ) {
        let at = self.at(number, actor);
        let chances = &self.chances[at.clone()];
        let width = self.width;
        for place in 0..node.rows() {
            let row = self.row(node.first_row + place, actor, hand);
            let next = node.raise(place).map(|(_, next)| self.at(next, actor.other()));
            let (before, after) = self.values.split_at_mut(at.end);
            let value = &mut before[at.clone()];
            let child = match next {
                Some(next) => &after[next.start - at.end..][..width],
                None => &self.called,
            };
            if actor == self.outer {
                add_weighted(child, play[row.start], value);
                if let Some(worth) = &mut worth {
                    worth[row.start] += dot(chances, child);
                }
            } else {
                add_product(child, &play[row.clone()], value);
                if let Some(worth) = &mut worth {
                    take_product(chances, child, &mut worth[row]);
                }
            }
        }
    }

    /// What the outer player gets with `hand` if the bid is called by `caller`.
    fn call(&mut self, hand: usize, step: Step, caller: Side) {
        let [own, other] = [self.outer, self.outer.other()].map(|side| &self.hands[side.index()]);
        let sign = if caller == self.outer { -1.0 } else { 1.0 };
        self.called.fill(-sign);
        let missing = count(step).saturating_sub(own.counting(face(step))[hand]);
        if missing <= other.dice() {
            add_weighted(other.at_least(face(step), missing.into()), 2.0 * sign, &mut self.called);
        }
    }
}

/// `to -= a * b`.
#[inline(always)]
fn take_product(a: &[f32], b: &[f32], to: &mut [f32]) {
    for ((to, a), b) in to.iter_mut().zip(a).zip(b) {
        *to -= a * b;
    }
}
