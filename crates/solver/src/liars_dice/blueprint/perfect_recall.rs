//! What a player gains against a blueprint that it knows if it remembers all bids.
//!
//! While a history is likely enough, the player does what is best given all bids; after rarer ones it plays an answer that remembers as little as the
//! blueprint. Its payoff is exact for that player, and with no rarer ones the best that there is, but for bids that are not considered.

use crate::liars_dice::blueprint::Blueprint;
use crate::liars_dice::blueprint::abstract_round::AbstractRound;
use crate::liars_dice::blueprint::action_abstraction::Node;
use crate::liars_dice::blueprint::reach_and_values::{Rows, Sheet};
use crate::liars_dice::game::hands::Hands;
use crate::liars_dice::game::round::{Side, Step};
use crate::liars_dice::kernels::rows::{add, add_weighted, dot, multiply};
use crate::liars_dice::kernels::showdown::settle;

impl Blueprint {
    /// What `side` gets on average, -1 to 1, if it answers this blueprint knowing it: as well as possible after all bids that are made with a chance
    /// of at least `least` while it bids as it likes, and after others by the answer that is given.
    ///
    /// # Panics
    /// If the answer is of another round.
    #[must_use]
    pub fn recalled_payoff(&self, side: Side, answer: &Self, least: f32) -> f64 {
        assert_eq!(self.round, answer.round, "two blueprints of one round");
        Recall::new(self, side, answer, least).payoff()
    }
}

struct Recall {
    game: AbstractRound,
    side: Side,
    least: f32,
    /// What the hands of the other do.
    policy: Vec<f32>,
    outer: Side,
    /// For each node at which `side` acts and each two hands what the outer player gets with the answer.
    answered: Vec<f32>,
}

impl Recall {
    fn new(blueprint: &Blueprint, side: Side, answer: &Blueprint, least: f32) -> Self {
        let game = AbstractRound::new(blueprint.round);
        let by = |of| game.play_of(if of == side { answer } else { blueprint }, of);
        let mut play = Side::BOTH.map(by);
        let outer = Sheet::new(&game.menu, &game.hands).outer();
        let answered = answered(&game, side, &play);
        let policy = std::mem::take(&mut play[side.other().index()]);
        Self { game, side, least, policy, outer, answered }
    }

    fn payoff(&self) -> f64 {
        let mut values = vec![0.0; self.game.width(self.side)];
        let dealt = self.game.dealt(self.side.other());
        match self.side {
            Side::Starter => self.visit_own(0, dealt, &mut values),
            Side::Responder => self.visit_others(0, dealt, &mut values),
        }
        dot(self.game.dealt(self.side), &values).into()
    }

    fn node(&self, number: usize) -> &Node {
        &self.game.menu.nodes()[number]
    }

    /// Writes what each hand of this side gets where it acts, and the hands of the other come with these chances.
    fn visit_own(&self, number: usize, reach: &[f32], values: &mut [f32]) {
        if reach.iter().sum::<f32>() < self.least {
            return self.answer(number, reach, values);
        }
        let node = self.node(number);
        values.fill(f32::NEG_INFINITY);
        let mut of_choice = vec![0.0; values.len()];
        for row in 0..node.rows() {
            match (node.raise(row), node.last) {
                (Some((_, next)), _) => self.visit_others(next, reach, &mut of_choice),
                (None, last) => self.settle(last, false, reach, &mut of_choice),
            }
            values.iter_mut().zip(&of_choice).for_each(|(to, value)| *to = to.max(*value));
        }
    }

    fn visit_others(&self, number: usize, reach: &[f32], values: &mut [f32]) {
        let node = self.node(number);
        values.fill(0.0);
        let (mut after, mut of_choice) = (vec![0.0; reach.len()], vec![0.0; values.len()]);
        for row in 0..node.rows() {
            let chances = &self.policy[(node.first_row + row) * reach.len()..][..reach.len()];
            if !multiply(reach, chances, 0.0, &mut after) {
                continue;
            }
            match (node.raise(row), node.last) {
                (Some((_, next)), _) => self.visit_own(next, &after, &mut of_choice),
                (None, last) => self.settle(last, true, &after, &mut of_choice),
            }
            add(&of_choice, values);
        }
    }

    /// What the hands of this side get from the call of a bid, which is its own or not.
    fn settle(&self, last: Option<Step>, is_own: bool, reach: &[f32], values: &mut [f32]) {
        let hands = |side: Side| -> &Hands { &self.game.hands[side.index()] };
        let step = last.expect("only bids are called");
        settle(step, is_own, hands(self.side), hands(self.side.other()), reach, values);
    }

    /// The same with the answer.
    fn answer(&self, number: usize, reach: &[f32], values: &mut [f32]) {
        let [outer, inner] = [self.outer, self.outer.other()].map(|side| self.game.width(side));
        let pairs = self.answered[number * outer * inner..][..outer * inner].chunks_exact(inner);
        if self.side == self.outer {
            values.iter_mut().zip(pairs).for_each(|(to, row)| *to = dot(reach, row));
        } else {
            values.fill(0.0);
            let reached = reach.iter().zip(pairs).filter(|(chance, _)| **chance > 0.0);
            reached.for_each(|(chance, row)| add_weighted(row, -chance, values));
        }
    }
}

/// For each node at which `side` acts, and each hand of the outer and of the inner player, what the outer one gets.
fn answered(game: &AbstractRound, side: Side, play: &Rows) -> Vec<f32> {
    let mut sheet = Sheet::new(&game.menu, &game.hands);
    let outer = sheet.outer();
    let [rows, width] = [outer, outer.other()].map(|side| game.width(side));
    let mut all = vec![0.0; game.menu.nodes().len() * rows * width];
    let mut worth = game.rows(side);
    for hand in 0..game.hands[outer.index()].count() {
        sheet.backward(hand, play, side, &mut worth);
        for node in 0..game.menu.nodes().len() {
            let to = &mut all[(node * rows + hand) * width..][..width];
            to.copy_from_slice(sheet.values(node, side));
        }
    }
    all
}
