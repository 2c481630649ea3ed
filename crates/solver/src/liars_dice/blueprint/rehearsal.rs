//! How a blueprint is learnt.
//!
//! Each side by turns computes what each action is worth to each of its hands, against what the other does now and given how often both hands come
//! there, and matches its regrets (regret matching plus). The game is one of imperfect recall, for which no convergence is proven; what comes of it is
//! judged by best responses in small rounds, and by play. Gains are those of a hand that has come to a node, not weighed by how often
//! it does: rare nodes learn as fast as others.

use super::super::hands::Hands;
use super::super::round::{Round, Side};
use super::super::vectors::dot;
use super::menu::{Menu, Node};
use super::sheet::{Rows, Sheet};
use super::{Blueprint, Kept};

/// Every action is tried with at least this share, shared between all, so that what follows is learnt too.
const TRIED: f32 = 0.005;
/// The same for the other player, where it is decided which hands ever come to a node.
const FEARED: f32 = 0.02;
/// Hands that come to a node less often have nothing to do there.
const LEAST_REACH: f32 = 1e-7;

/// Both players of a round, who learn against each other.
#[derive(Debug)]
pub struct Rehearsal {
    round: Round,
    menu: Menu,
    hands: [Hands; 2],
    dealt: Rows,
    regrets: Rows,
    play: Rows,
    averages: Rows,
    iterations: u32,
}

impl Rehearsal {
    /// Nobody has learnt anything.
    #[must_use]
    pub fn new(round: Round) -> Self {
        let menu = Menu::new(round);
        let hands = Side::BOTH.map(|side| Hands::of(round.dice(side)));
        let dealt = hands.each_ref().map(|hands| {
            let mut dealt: Vec<f32> = hands.chances().iter().map(|chance| *chance as f32).collect();
            dealt.resize(hands.width(), 0.0);
            dealt
        });
        let rows = || hands.each_ref().map(|hands| vec![0.0; menu.rows() * hands.width()]);
        let (regrets, play, averages) = (rows(), rows(), rows());
        let mut new = Self { round, menu, hands, dealt, regrets, play, averages, iterations: 0 };
        Side::BOTH.into_iter().for_each(|side| new.match_regrets(side));
        new
    }

    /// Both players learn, one after the other; what the starter gets before the responder learns.
    pub fn learn(&mut self) -> f64 {
        self.iterations += 1;
        Side::BOTH.map(|side| self.learn_as(side))[1]
    }

    fn learn_as(&mut self, side: Side) -> f64 {
        let sums = self.sums(side, &self.play);
        self.add_regrets(side, &sums);
        self.match_regrets(side);
        sums.value
    }

    /// Adds what was gained by each action beyond the play, and the play to its average.
    fn add_regrets(&mut self, side: Side, sums: &Sums) {
        let s = side.index();
        let (width, weight) = (self.hands[s].width(), self.weight());
        let play = &self.play[s];
        for (number, node) in self.menu.nodes().iter().enumerate() {
            for hand in 0..self.hands[s].count() {
                let reach = sums.reach[number * width + hand];
                if reach < f32::MIN_POSITIVE {
                    continue;
                }
                let rows = node.first_row..node.first_row + node.rows();
                let places = rows.map(|row| row * width + hand);
                let mean: f32 = places.clone().map(|at| play[at] * sums.worth[at]).sum();
                for at in places {
                    let gain = (sums.worth[at] - mean) / reach;
                    self.regrets[s][at] = (self.regrets[s][at] + gain).max(0.0);
                    self.averages[s][at] += weight * play[at];
                }
            }
        }
    }

    /// Later play counts for more.
    const fn weight(&self) -> f32 {
        let time = self.iterations as f32;
        time * time
    }

    /// What each action of `side` is worth, and how often it is chosen from.
    fn sums(&self, side: Side, play: &Rows) -> Sums {
        let width = self.hands[side.index()].width();
        let mut sums = Sums {
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
            sheet.backward(hand, play, side, &mut sums.worth);
            for node in 0..self.menu.nodes().len() {
                let chances = sheet.chances(node, side);
                let reach = &mut sums.reach[node * width..][..width];
                if side == outer {
                    reach[hand] = dot(chances, &ones);
                } else {
                    reach.iter_mut().zip(chances).for_each(|(to, chance)| *to += chance);
                }
            }
            let value = dot(&self.dealt[inner], sheet.values(0, Side::Starter));
            sums.value += f64::from(chance * value);
        }
        if outer == Side::Responder {
            sums.value = -sums.value;
        }
        sums
    }

    fn match_regrets(&mut self, side: Side) {
        let s = side.index();
        let width = self.hands[s].width();
        let (regrets, play) = (&self.regrets[s], &mut self.play[s]);
        for node in self.menu.nodes() {
            let even = 1.0 / node.rows() as f32;
            for hand in 0..width {
                let places =
                    || (node.first_row..node.first_row + node.rows()).map(|row| row * width + hand);
                let sum: f32 = places().map(|at| regrets[at]).sum();
                for at in places() {
                    let best = if sum > 0.0 { regrets[at] / sum } else { even };
                    play[at] = (1.0 - TRIED) * best + TRIED * even;
                }
            }
        }
    }

    /// What has been done on average.
    #[must_use]
    pub fn blueprint(&self) -> Blueprint {
        let mut blueprint = Blueprint::empty(self.round);
        let kept = Side::BOTH.map(|side| self.keep(side));
        let play = Side::BOTH.map(|side| self.settled(side, &kept[side.index()]));
        for side in Side::BOTH {
            let kept = kept[side.index()].iter();
            for (kept, is_reached) in kept.zip(self.reached(side, play.clone())) {
                blueprint.push(side, if is_reached { kept } else { &[] });
            }
        }
        blueprint
    }

    /// For each node and hand of `side` whether its own play leads there, whatever the other does.
    fn reached(&self, side: Side, mut play: Rows) -> Vec<bool> {
        self.fear(side.other(), &mut play[side.other().index()]);
        let sums = self.sums(side, &play);
        let is_outer = Sheet::new(&self.menu, &self.hands).outer() == side;
        let hands = &self.hands[side.index()];
        let dealt = &self.dealt[side.index()];
        // The chance of the outer hand is left out of the sums.
        let least = |hand: usize| LEAST_REACH * if is_outer { 1.0 } else { dealt[hand] };
        let nodes = sums.reach.chunks_exact(hands.width());
        nodes.flat_map(|reach| (0..hands.count()).map(|hand| reach[hand] >= least(hand))).collect()
    }

    /// For each node and hand what is kept of the average.
    fn keep(&self, side: Side) -> Vec<Vec<Kept>> {
        let (s, hands) = (side.index(), &self.hands[side.index()]);
        let averages = |node: &Node, hand: usize| -> Vec<f32> {
            let rows = node.first_row..node.first_row + node.rows();
            rows.map(|row| self.averages[s][row * hands.width() + hand]).collect()
        };
        let keep = |node| (0..hands.count()).map(move |hand| Kept::of(&averages(node, hand)));
        self.menu.nodes().iter().flat_map(keep).collect()
    }

    /// What is kept, as rows.
    fn settled(&self, side: Side, kept: &[Vec<Kept>]) -> Vec<f32> {
        let hands = &self.hands[side.index()];
        let mut play = vec![0.0; self.menu.rows() * hands.width()];
        for (node, kept) in self.menu.nodes().iter().zip(kept.chunks_exact(hands.count())) {
            for (hand, kept) in kept.iter().enumerate() {
                for choice in kept {
                    let row = node.first_row + usize::from(choice.row);
                    play[row * hands.width() + hand] = choice.chance();
                }
            }
        }
        play
    }

    /// Mixes anything that may be done into the play of `side`.
    fn fear(&self, side: Side, play: &mut [f32]) {
        let width = self.hands[side.index()].width();
        for node in self.menu.nodes() {
            let rows = node.first_row * width..(node.first_row + node.rows()) * width;
            let even = 1.0 / node.rows() as f32;
            for chance in &mut play[rows] {
                *chance = (1.0 - FEARED) * *chance + FEARED * even;
            }
        }
    }
}

/// What comes of one walk.
struct Sums {
    /// For each row and hand what the action is worth, times how often the hand comes there.
    worth: Vec<f32>,
    /// For each node and hand how often it comes there.
    reach: Vec<f32>,
    /// What the starter gets.
    value: f64,
}
