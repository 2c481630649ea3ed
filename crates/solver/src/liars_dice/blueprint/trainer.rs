//! How a blueprint is learnt.
//!
//! Each side by turns computes what each action is worth to each of its hands, against what the other does now and given how often both hands come
//! there, and matches its regrets (regret matching plus). The game is one of imperfect recall, for which no convergence is proven; what comes of it is
//! judged by best responses in small rounds, by what an exploiter gains, and by play. Gains are those of a hand that has come to a node, not weighed by how often
//! it does: rare nodes learn as fast as others.

use crate::liars_dice::blueprint::abstract_round::{AbstractRound, Evaluation};
use crate::liars_dice::blueprint::action_abstraction::Node;
use crate::liars_dice::blueprint::reach_and_values::Rows;
use crate::liars_dice::blueprint::{Blueprint, Kept};
use crate::liars_dice::game::round::{Round, Side};

/// Every action is tried with at least this share, shared between all, so that what follows is learnt too.
const TRIED: f32 = 0.005;

/// Both players of a round, who learn against each other.
#[derive(Debug)]
pub struct Rehearsal {
    game: AbstractRound,
    regrets: Rows,
    play: Rows,
    averages: Rows,
    iterations: u32,
}

impl Rehearsal {
    /// Nobody has learnt anything.
    #[must_use]
    pub fn new(round: Round) -> Self {
        let game = AbstractRound::new(round);
        let rows = || Side::BOTH.map(|side| game.rows(side));
        let (regrets, play, averages) = (rows(), rows(), rows());
        let mut new = Self { game, regrets, play, averages, iterations: 0 };
        Side::BOTH.into_iter().for_each(|side| new.match_regrets(side));
        new
    }

    /// Against the blueprint of `side`, whose player does not learn.
    pub(crate) fn facing(blueprint: &Blueprint, side: Side) -> Self {
        let mut new = Self::new(blueprint.round());
        new.play[side.index()] = new.game.play_of(blueprint, side);
        new
    }

    /// Both players learn, one after the other; what the starter gets before the responder learns.
    pub fn learn(&mut self) -> f64 {
        self.iterations += 1;
        Side::BOTH.map(|side| self.learn_as(side))[1]
    }

    /// One player learns; what the starter got before.
    pub(crate) fn learn_as(&mut self, side: Side) -> f64 {
        let found = self.game.evaluate(side, &self.play);
        self.add_regrets(side, &found);
        self.match_regrets(side);
        found.value
    }

    /// Adds what was gained by each action beyond the play, and the play to its average.
    fn add_regrets(&mut self, side: Side, found: &Evaluation) {
        let s = side.index();
        let (width, weight) = (self.game.width(side), self.weight());
        let play = &self.play[s];
        for (number, node) in self.game.menu.nodes().iter().enumerate() {
            for hand in 0..self.game.hands[s].count() {
                let reach = found.reach[number * width + hand];
                if reach < f32::MIN_POSITIVE {
                    continue;
                }
                let rows = node.first_row..node.first_row + node.rows();
                let places = rows.map(|row| row * width + hand);
                let mean: f32 = places.clone().map(|at| play[at] * found.worth[at]).sum();
                for at in places {
                    let gain = (found.worth[at] - mean) / reach;
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

    fn match_regrets(&mut self, side: Side) {
        let s = side.index();
        let width = self.game.width(side);
        let (regrets, play) = (&self.regrets[s], &mut self.play[s]);
        for node in self.game.menu.nodes() {
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

    /// Keeps this share of the regrets of `side`.
    pub(crate) fn forget(&mut self, side: Side, share: f32) {
        self.regrets[side.index()].iter_mut().for_each(|regret| *regret *= share);
    }

    /// For each node and hand of `side` the place, among the node's actions, of the one that is played most.
    pub(crate) fn likeliest(&self, side: Side) -> Vec<u8> {
        let (play, width) = (&self.play[side.index()], self.game.width(side));
        let likeliest = |node: &Node, hand: usize| {
            let chance = |row: &u8| play[(node.first_row + usize::from(*row)) * width + hand];
            let rows = 0..node.rows() as u8;
            rows.min_by(|a, b| chance(b).total_cmp(&chance(a))).expect("an action")
        };
        let hands = 0..self.game.hands[side.index()].count();
        let nodes = self.game.menu.nodes().iter();
        nodes.flat_map(|node| hands.clone().map(move |hand| likeliest(node, hand))).collect()
    }

    /// What has been done on average.
    #[must_use]
    pub fn blueprint(&self) -> Blueprint {
        let mut blueprint = Blueprint::empty(self.game.round);
        for side in Side::BOTH {
            let kept = self.keep(side);
            for (kept, is_reached) in kept.iter().zip(self.game.reached(side, &kept)) {
                blueprint.push(side, if is_reached { kept } else { &[] });
            }
        }
        blueprint
    }

    /// For each node and hand what is kept of the average.
    fn keep(&self, side: Side) -> Vec<Vec<Kept>> {
        let (s, hands) = (side.index(), &self.game.hands[side.index()]);
        let averages = |node: &Node, hand: usize| -> Vec<f32> {
            let rows = node.first_row..node.first_row + node.rows();
            rows.map(|row| self.averages[s][row * hands.width() + hand]).collect()
        };
        let keep = |node| (0..hands.count()).map(move |hand| Kept::of(&averages(node, hand)));
        self.game.menu.nodes().iter().flat_map(keep).collect()
    }
}
