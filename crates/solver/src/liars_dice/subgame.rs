//! What is left of a round, solved while it is played.

use std::num::NonZero;

use dicehill_rules::liars_dice::Bid;

use super::learner::Learner;
use super::round::{Round, Side};
use super::tree::{Limits, Place, Tree};

/// How much of what is left is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SubgameLimits {
    /// The bids that are considered: bit `n` for the n-th lowest, from `1 1`.
    pub bids: u64,
    /// After so many bids more the next player calls, at least 1.
    pub most_bids: usize,
    /// How often both players learn, at least 1.
    pub iterations: u32,
}

/// An approximate equilibrium of what is left of a round, given what each player may hold.
///
/// Both players are bound by the limits, so that nothing is certified of it. It is solved anew where play has come to, from the hands
/// that both would have come there with (subgame solving without a gadget: Ganzfried and Sandholm 2015).
/// The same input gives the same bits.
#[derive(Debug)]
pub struct Subgame {
    learner: Learner,
}

impl Subgame {
    /// Solves what is left of `round`, whose starter acts next, after the bid `last`. `ranges` are the weights of the
    /// starter's and the responder's hands, in the order of [`super::Hands`]; they need not sum to 1.
    ///
    /// # Panics
    /// If `last` claims more dice than there are.
    #[must_use]
    pub fn solve(
        round: Round,
        last: Option<Bid>,
        ranges: [&[f64]; 2],
        limits: SubgameLimits,
    ) -> Self {
        let last = last.map(|bid| round.step(bid).expect("a bid that can hold"));
        let SubgameLimits { bids, most_bids, iterations } = limits;
        let limits = Limits { most_bids, own_bids: bids, ..Limits::NONE };
        let tree = Tree::below(round, limits, Place { bids: 0, last });
        let chances = Side::BOTH.map(|side| {
            let range = ranges[side.index()];
            let sum: f64 = range.iter().sum();
            let mut chances: Vec<f32> = range.iter().map(|c| (c / sum) as f32).collect();
            chances.resize(tree.width(side), 0.0);
            chances
        });
        let mut learner = Learner::with_chances(tree, chances);
        learner.learn(iterations, NonZero::<usize>::MIN);
        Self { learner }
    }

    /// What the starter does next: the call (`None`) and bids, each with the chance for every hand.
    #[must_use]
    pub fn actions(&self) -> Vec<(Option<Bid>, Vec<f64>)> {
        self.rows(Side::Starter, self.learner.tree().root(), 0)
    }

    /// What the responder does after the starter's bid `bid`; `None` if that is not looked at.
    #[must_use]
    pub fn answers(&self, bid: Bid) -> Option<Vec<(Option<Bid>, Vec<f64>)>> {
        let tree = self.learner.tree();
        let wanted = tree.round().step(bid)?;
        let width = tree.width(Side::Responder);
        let mut begin = 0;
        for choice in tree.choices(tree.root()).bids.iter().filter(|choice| !choice.is_called) {
            let place = tree.root().after(choice.step);
            if choice.step == wanted {
                return Some(self.rows(Side::Responder, place, begin));
            }
            begin += tree.choices(place).count() * width;
        }
        None
    }

    /// The average play of `side` at a place, whose rows begin there.
    fn rows(&self, side: Side, place: Place, begin: usize) -> Vec<(Option<Bid>, Vec<f64>)> {
        let tree = self.learner.tree();
        let (choices, width) = (tree.choices(place), tree.width(side));
        let hands = tree.hands(side).count();
        let bids = choices.bids.iter().map(|choice| Some(Round::bid(choice.step)));
        let actions = choices.may_call.then_some(None).into_iter().chain(bids);
        let averages = &self.learner.parts().0.sides[side.index()].averages[begin..];
        let rows = averages.chunks_exact(width).take(choices.count());
        let mut sums = vec![0.0; hands];
        for row in rows.clone() {
            sums.iter_mut().zip(row).for_each(|(sum, chance)| *sum += f64::from(*chance));
        }
        let even = 1.0 / choices.count() as f64;
        let share = |(chance, sum): (&f32, &f64)| {
            if *sum > 0.0 { f64::from(*chance) / sum } else { even }
        };
        let shares = rows.map(|row| row.iter().zip(&sums).map(share).collect());
        actions.zip(shares).collect()
    }
}
