//! Both players' strategies for a round, and the bracket between what they guarantee.

use std::num::NonZero;
use std::ops::Range;

use crate::liars_dice::cfr::learner::Learner;
use crate::liars_dice::game::round::{Round, Side};
use crate::liars_dice::strategy::Strategy;
use crate::liars_dice::tree::Tree;
use crate::liars_dice::tree::limits::Limits;
use crate::liars_dice::value::bracket::Bracket;

/// Solves a round: in one tree if the whole game fits, and else in one for each player.
#[derive(Debug)]
pub struct RoundSolver {
    round: Round,
    learners: Vec<Learner>,
    best: [Option<Certified>; 2],
}

/// A strategy, and what it gets at least, exactly.
#[derive(Clone, PartialEq, Debug)]
pub struct Certified {
    /// The strategy.
    pub strategy: Strategy,
    /// The least that it gets on average, -1 to 1.
    pub guarantee: f64,
}

/// Why a round is not solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveRoundError {
    /// A strategy needs a bid before it can call.
    #[error("a limit of {0} bids: it is at least 2")]
    Bids(usize),
    /// It takes more memory than is allowed.
    #[error(
        "these rounds take {needed} bytes, and {allowed} are allowed; a lower limit of bids takes less"
    )]
    Memory {
        /// What it takes.
        needed: usize,
        /// What is allowed.
        allowed: usize,
    },
}

impl RoundSolver {
    /// The trees in which `round` is solved. With `bids`, each player calls once so many bids have been made, or one more, so
    /// that it is its turn; without, the limits are some for which a minute of two cores is enough to get near what they allow. From
    /// six dice on they leave the certified player bids from what is expected on alone, none of them on ones, and from seven on only
    /// on four counts: more would be learnt of a larger tree, but later.
    ///
    /// # Errors
    /// If nobody could call within `bids`.
    pub fn limits(round: Round, bids: Option<usize>) -> Result<Vec<Limits>, SolveRoundError> {
        if let Some(few) = bids.filter(|bids| *bids < 2) {
            return Err(SolveRoundError::Bids(few));
        }
        let all = round.all_dice();
        let lowest = 2 * all / 5;
        let (most_bids, call_from, own_bids) = match (bids, all) {
            (None, ..=3) => return Ok(vec![Limits::NONE]),
            (Some(bids), ..=3) => (bids, u8::MAX, u64::MAX),
            (None, 4 | 5) => (6, 5, u64::MAX),
            (None, 6) => (6, 5, own_bids(lowest..all + 1)),
            (None, _) => (5, all / 3 + 4, own_bids(lowest..lowest + 4)),
            (Some(bids), _) => (bids, all, u64::MAX),
        };
        if most_bids >= round.bids() {
            return Ok(vec![Limits::NONE]);
        }
        let limits = |side: Side| {
            let is_its_turn = Side::after(most_bids) == side;
            let most_bids = if is_its_turn { most_bids } else { most_bids + 1 };
            // What it might hold alone is not called unheard.
            let call_from = call_from.max(round.dice(side) + 1);
            Limits { call_from, own_bids, ..Limits::bids(side, most_bids) }
        };
        Ok(Side::BOTH.map(limits).into())
    }

    /// Begins to solve a round within `memory` bytes.
    ///
    /// # Errors
    /// If it takes more, or `bids` are too few.
    pub fn new(round: Round, bids: Option<usize>, memory: usize) -> Result<Self, SolveRoundError> {
        let trees: Vec<_> =
            Self::limits(round, bids)?.into_iter().map(|limits| Tree::new(round, limits)).collect();
        let needed = trees.iter().map(Tree::bytes).fold(0, usize::saturating_add);
        if needed > memory {
            return Err(SolveRoundError::Memory { needed, allowed: memory });
        }
        Ok(Self::of(round, trees.into_iter().map(Learner::new).collect()))
    }

    /// Goes on with learners whose trees are those of [`RoundSolver::limits`].
    #[must_use]
    pub fn of(round: Round, learners: Vec<Learner>) -> Self {
        Self { round, learners, best: [None, None] }
    }

    /// The round.
    #[must_use]
    pub const fn round(&self) -> Round {
        self.round
    }

    /// One learner for both players, or one for each, the starter's first.
    #[must_use]
    pub fn learners(&self) -> &[Learner] {
        &self.learners
    }

    /// The same, to be kept or led on.
    pub fn learners_mut(&mut self) -> &mut [Learner] {
        &mut self.learners
    }

    /// The best strategies that were certified so far, the starter's first.
    #[must_use]
    pub const fn best(&self) -> &[Option<Certified>; 2] {
        &self.best
    }

    /// What is known of the round's value by the best strategies so far.
    #[must_use]
    pub fn bracket(&self) -> Bracket {
        let [starter, responder] = self
            .best
            .each_ref()
            .map(|best| best.as_ref().map_or(-1.0, |certified| certified.guarantee));
        Bracket { lower: starter, upper: -responder }
    }

    /// All learners learn so often.
    pub fn learn(&mut self, iterations: u32, threads: NonZero<usize>) {
        self.learners.iter_mut().for_each(|learner| learner.learn(iterations, threads));
    }

    /// Finds what the strategies of now guarantee, and keeps each that is the best so far.
    pub fn certify(&mut self) -> Bracket {
        for learner in &self.learners {
            let sides = Side::BOTH.into_iter().filter(|side| learner.tree().certifies(*side));
            for side in sides {
                let strategy = Strategy::of(learner, side);
                let guarantee = strategy.guarantee();
                let best = &mut self.best[side.index()];
                if best.as_ref().is_none_or(|best| best.guarantee < guarantee) {
                    *best = Some(Certified { strategy, guarantee });
                }
            }
        }
        self.bracket()
    }

    /// Takes up a strategy that was certified earlier, if it is better.
    pub fn remember(&mut self, certified: Certified) {
        let best = &mut self.best[certified.strategy.side().index()];
        if best.as_ref().is_none_or(|best| best.guarantee < certified.guarantee) {
            *best = Some(certified);
        }
    }
}

/// The bids of these counts on twos to sixes.
fn own_bids(counts: Range<u8>) -> u64 {
    let plain = counts.flat_map(|count| (1..6).map(move |face| 6 * (count - 1) + face));
    plain.fold(0, |bids, step| bids | 1 << step)
}
