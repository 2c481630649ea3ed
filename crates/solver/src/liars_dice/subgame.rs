//! What is left of a round, solved while it is played.

use std::num::NonZero;

use dicehill_rules::liars_dice::Bid;

use super::history::History;
use super::learner::Learner;
use super::round::{Round, Side};
use super::tree::{Limits, Place, Tree};

/// Actions, the call being none, with the chance that each hand takes them.
type Rows = Vec<(Option<Bid>, Vec<f32>)>;

/// How much of what is left is looked at.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SubgameLimits<'a> {
    /// The bids that are considered.
    pub bids: &'a [Bid],
    /// Bids that are made one after the other, at least 1. One more may be made on any face but ones, which ends the subgame.
    pub most_bids: usize,
    /// What that last bid brings its bidder if it holds and if not, -1 to 1. If it were called for sure that would be 1
    /// and -1; but then every low bid there would win.
    pub stake: [f32; 2],
    /// How often both players learn, at least 1.
    pub iterations: u32,
}

/// An approximate equilibrium of what is left of a round, given what each player may hold.
///
/// It is solved where play has come to, for the hands with which both would have come there (unsafe subgame solving, as Ganzfried and
/// Sandholm 2015 and Brown and Sandholm 2017 call it), and ends with an estimate: nothing is certified of it. The same input gives
/// the same bits.
#[derive(Debug)]
pub struct Subgame {
    learner: Learner,
}

impl Subgame {
    /// Solves what is left of `round`, whose starter acts next, after the bid `last`. `ranges` are the weights of the
    /// starter's and the responder's hands, in the order of [`super::Hands`]; they need not sum to 1.
    ///
    /// # Panics
    /// If a bid claims more dice than there are.
    #[must_use]
    pub fn solve(
        round: Round,
        last: Option<Bid>,
        ranges: [&[f64]; 2],
        limits: SubgameLimits<'_>,
    ) -> Self {
        let step = |bid: Bid| round.step(bid).expect("a bid that can hold");
        let own_bids = limits.bids.iter().fold(0, |bids, bid| bids | 1 << step(*bid));
        let most_bids = limits.most_bids + 1;
        let root = Place { bids: 0, last: last.map(step) };
        let within = Limits { most_bids, own_bids, ..Limits::NONE };
        let tree = Tree::ending(round, within, root, limits.stake);
        let ranges = ranges.map(|range| {
            let sum: f64 = range.iter().sum();
            range.iter().map(|weight| weight / sum).collect::<Vec<_>>()
        });
        let ranges = ranges.each_ref().map(Vec::as_slice);
        let mut learner = Learner::from_ranges(tree, History::NONE, &ranges);
        learner.learn(limits.iterations, NonZero::<usize>::MIN);
        Self { learner }
    }

    /// What the starter does next: the call (`None`) and bids, each with the chance for every hand.
    #[must_use]
    pub fn actions(&self) -> Rows {
        self.rows(Side::Starter, self.learner.tree().root(), 0)
    }

    /// What the responder does after the starter's bid `bid`; `None` if that is not looked at.
    #[must_use]
    pub fn answers(&self, bid: Bid) -> Option<Rows> {
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
    fn rows(&self, side: Side, place: Place, begin: usize) -> Rows {
        let tree = self.learner.tree();
        let (choices, width) = (tree.choices(place), tree.width(side));
        let hands = tree.hands(side).count();
        let bids = choices.bids.iter().map(|choice| Some(Round::bid(choice.step)));
        let actions = choices.may_call.then_some(None).into_iter().chain(bids);
        let averages = &self.learner.parts().0.sides[side.index()].averages[begin..];
        let rows = averages.chunks_exact(width).take(choices.count());
        let mut sums = vec![0.0; hands];
        for row in rows.clone() {
            sums.iter_mut().zip(row).for_each(|(sum, chance)| *sum += chance);
        }
        let even = 1.0 / choices.count() as f32;
        let share = |(chance, sum): (&f32, &f32)| {
            if *sum > 0.0 { chance / sum } else { even }
        };
        let shares = rows.map(|row| row.iter().zip(&sums).map(share).collect());
        actions.zip(shares).collect()
    }
}
