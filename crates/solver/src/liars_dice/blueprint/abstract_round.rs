//! A round as a blueprint sees it, and what play there is worth.

use crate::liars_dice::blueprint::action_abstraction::Menu;
use crate::liars_dice::blueprint::reach_and_values::{Rows, Sheet};
use crate::liars_dice::blueprint::{Blueprint, Kept};
use crate::liars_dice::game::hands::Hands;
use crate::liars_dice::game::round::{Round, Side};
use crate::liars_dice::kernels::rows::dot;

/// A round whose players remember no more than a blueprint does.
#[derive(Debug)]
pub(crate) struct AbstractRound {
    pub(crate) round: Round,
    pub(crate) menu: Menu,
    pub(crate) hands: [Hands; 2],
    dealt: Rows,
}

/// What one side gets from each of its actions.
pub(crate) struct Evaluation {
    /// For each row and hand what the action is worth, times how often the hand comes there.
    pub(crate) worth: Vec<f32>,
    /// For each node and hand how often it comes there.
    pub(crate) reach: Vec<f32>,
    /// What the starter gets.
    pub(crate) value: f64,
}

impl AbstractRound {
    pub(crate) fn new(round: Round) -> Self {
        let hands = Side::BOTH.map(|side| Hands::of(round.dice(side)));
        let dealt = hands.each_ref().map(|hands| {
            let mut dealt: Vec<f32> = hands.chances().iter().map(|chance| *chance as f32).collect();
            dealt.resize(hands.width(), 0.0);
            dealt
        });
        Self { round, menu: Menu::new(round), hands, dealt }
    }

    /// The lanes of a row of `side`.
    pub(crate) fn width(&self, side: Side) -> usize {
        self.hands[side.index()].width()
    }

    /// The chance of each hand of `side`.
    pub(crate) fn dealt(&self, side: Side) -> &[f32] {
        &self.dealt[side.index()]
    }

    /// Rows of zeros for all nodes and hands of `side`.
    pub(crate) fn rows(&self, side: Side) -> Vec<f32> {
        vec![0.0; self.menu.rows() * self.width(side)]
    }

    /// As rows, what each hand of `side` does by a blueprint at each node: where that has nothing, it calls.
    pub(crate) fn play_of(&self, blueprint: &Blueprint, side: Side) -> Vec<f32> {
        let hands = &self.hands[side.index()];
        let mut play = self.rows(side);
        for (number, node) in self.menu.nodes().iter().enumerate() {
            for hand in 0..hands.count() {
                let mut set =
                    |row, chance| play[(node.first_row + row) * hands.width() + hand] = chance;
                let kept = blueprint.kept(side, number * hands.count() + hand);
                if kept.is_empty() {
                    set(0, 1.0);
                }
                kept.iter().for_each(|kept| set(kept.row.into(), kept.chance()));
            }
        }
        play
    }

    /// What each action of `side` is worth if both play so, and how often it is chosen from.
    pub(crate) fn evaluate(&self, side: Side, play: &Rows) -> Evaluation {
        let width = self.hands[side.index()].width();
        let mut all = Evaluation {
            worth: vec![0.0; self.menu.rows() * width],
            reach: vec![0.0; self.menu.nodes().len() * width],
            value: 0.0,
        };
        let mut sheet = Sheet::new(&self.menu, &self.hands);
        let outer = sheet.outer();
        let inner = outer.other().index();
        let ones = vec![1.0; self.hands[inner].width()];
        let mut dealt = ones.clone();
        for hand in 0..self.hands[outer.index()].count() {
            let chance = self.dealt[outer.index()][hand];
            let scale = if side == outer { 1.0 } else { chance };
            dealt.iter_mut().zip(&self.dealt[inner]).for_each(|(to, from)| *to = scale * from);
            sheet.forward(hand, &dealt, play);
            sheet.backward(hand, play, side, &mut all.worth);
            for node in 0..self.menu.nodes().len() {
                let chances = sheet.chances(node, side);
                let reach = &mut all.reach[node * width..][..width];
                if side == outer {
                    reach[hand] = dot(chances, &ones);
                } else {
                    reach.iter_mut().zip(chances).for_each(|(to, chance)| *to += chance);
                }
            }
            let value = dot(&self.dealt[inner], sheet.values(0, Side::Starter));
            all.value += f64::from(chance * value);
        }
        if outer == Side::Responder {
            all.value = -all.value;
        }
        all
    }

    /// For each node and hand of `side` whether its own play may lead there, whatever the other does.
    pub(crate) fn reached(&self, side: Side, kept: &[Vec<Kept>]) -> Vec<bool> {
        let hands = self.hands[side.index()].count();
        // By who acts: this side, or the other.
        let mut own = vec![false; kept.len()];
        let mut others = own.clone();
        let first = if side == Side::Starter { &mut own } else { &mut others };
        first[..hands].fill(true);
        for (number, node) in self.menu.nodes().iter().enumerate() {
            for hand in 0..hands {
                let at = number * hands + hand;
                for row in 0..node.rows() {
                    let Some((_, next)) = node.raise(row) else { continue };
                    let is_kept = kept[at].iter().any(|kept| usize::from(kept.row) == row);
                    others[next * hands + hand] |= own[at] && is_kept;
                    own[next * hands + hand] |= others[at];
                }
            }
        }
        own
    }
}
