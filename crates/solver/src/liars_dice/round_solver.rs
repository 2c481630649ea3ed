//! Certified strategies of both players for a round, and the bracket of its value.

use std::num::NonZero;
use std::ops::Range;

use crate::liars_dice::cfr::learner::Learner;
use crate::liars_dice::game::round::{Round, Side};
use crate::liars_dice::strategy::Strategy;
use crate::liars_dice::tree::Tree;
use crate::liars_dice::tree::limits::TreeLimits;
use crate::liars_dice::value::bracket::Bracket;

/// The iterations before the first certification. Each later one takes half as many more.
const FIRST_CERTIFIED: u32 = 16;

/// Solves a round: in one tree if the whole game fits, else in one tree for each player.
///
/// ```
/// use std::num::NonZero;
///
/// use dicehill_solver::liars_dice::{Round, RoundSolver};
///
/// let mut solver = RoundSolver::new(Round::new(1, 1)?, None, 1 << 30)?;
/// let mut bracket = solver.certify();
/// while bracket.exploitability() > 0.01 {
///     solver.learn(20, NonZero::<usize>::MIN);
///     bracket = solver.certify();
/// }
/// assert!(bracket.lower <= bracket.upper);
/// let [starter, _] = solver.best();
/// assert_eq!(starter.as_ref().map(|certified| certified.guarantee), Some(bracket.lower));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RoundSolver {
    round: Round,
    learners: Vec<Learner>,
    best: [Option<CertifiedStrategy>; 2],
}

/// A strategy and its exact guarantee.
#[derive(Clone, PartialEq, Debug)]
pub struct CertifiedStrategy {
    /// The strategy.
    pub strategy: Strategy,
    /// Its expected payoff against a best response, -1 to 1.
    pub guarantee: f64,
}

/// Why a round cannot be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveRoundError {
    /// A player cannot call before the first bid.
    #[error("a limit of {0} bids: it is at least 2")]
    Bids(usize),
    /// The trees need more memory than allowed.
    #[error(
        "these rounds need {needed} bytes, but {allowed} are allowed; a lower limit of bids needs less"
    )]
    Memory {
        /// Bytes needed.
        needed: usize,
        /// Bytes allowed.
        allowed: usize,
    },
}

impl RoundSolver {
    /// The trees in which `round` is solved.
    ///
    /// With `bids`, each player always calls after that many bids, or one more if it is not its
    /// turn then. Without, the limits are such that a minute of two cores gets close to what they
    /// allow. From six dice on, the certified player bids only the expected number of dice or more
    /// and never on ones; from seven dice on, only four different counts. A larger tree would allow
    /// better strategies but take longer to learn them.
    ///
    /// # Errors
    /// If `bids` is below 2.
    pub fn limits(round: Round, bids: Option<usize>) -> Result<Vec<TreeLimits>, SolveRoundError> {
        if let Some(too_few) = bids.filter(|bids| *bids < 2) {
            return Err(SolveRoundError::Bids(too_few));
        }
        let all = round.all_dice();
        let lowest = 2 * all / 5;
        let (max_bids, call_from, own_bids) = match (bids, all) {
            // The whole game is small.
            (None, ..=3) => return Ok(vec![TreeLimits::NONE]),
            (Some(bids), ..=3) => (bids, u8::MAX, u64::MAX),
            (None, 4 | 5) => (6, 5, u64::MAX),
            (None, 6) => (6, 5, own_bids(lowest..all + 1)),
            (None, _) => (5, all / 3 + 4, own_bids(lowest..lowest + 4)),
            (Some(bids), _) => (bids, all, u64::MAX),
        };
        if max_bids >= round.bids() {
            return Ok(vec![TreeLimits::NONE]);
        }
        let limits = |side: Side| {
            let is_its_turn = Side::to_act(max_bids) == side;
            let max_bids = if is_its_turn { max_bids } else { max_bids + 1 };
            // A bid that the opponent may hold alone is not called.
            let call_from = call_from.max(round.dice(side) + 1);
            TreeLimits { call_from, own_bids, ..TreeLimits::with_max_bids(side, max_bids) }
        };
        Ok(Side::BOTH.map(limits).into())
    }

    /// Prepares to solve a round within `memory` bytes.
    ///
    /// # Errors
    /// If it needs more memory, or `bids` is below 2.
    pub fn new(round: Round, bids: Option<usize>, memory: usize) -> Result<Self, SolveRoundError> {
        let trees: Vec<_> =
            Self::limits(round, bids)?.into_iter().map(|limits| Tree::new(round, limits)).collect();
        let needed = trees.iter().map(Tree::memory_bytes).fold(0, usize::saturating_add);
        if needed > memory {
            return Err(SolveRoundError::Memory { needed, allowed: memory });
        }
        Ok(Self::with_learners(round, trees.into_iter().map(Learner::new).collect()))
    }

    /// Continues with learners in the trees of [`RoundSolver::limits`].
    #[must_use]
    pub fn with_learners(round: Round, learners: Vec<Learner>) -> Self {
        Self { round, learners, best: [None, None] }
    }

    /// The round to solve.
    #[must_use]
    pub const fn round(&self) -> Round {
        self.round
    }

    /// One learner for both players, or one for each, the starter's first.
    #[must_use]
    pub fn learners(&self) -> &[Learner] {
        &self.learners
    }

    /// The learners, mutably: for checkpoints or further iterations.
    pub fn learners_mut(&mut self) -> &mut [Learner] {
        &mut self.learners
    }

    /// The best certified strategies so far, the starter's first.
    #[must_use]
    pub const fn best(&self) -> &[Option<CertifiedStrategy>; 2] {
        &self.best
    }

    /// The bounds of the round's value by the best strategies so far.
    #[must_use]
    pub fn bracket(&self) -> Bracket {
        let [starter, responder] = self
            .best
            .each_ref()
            .map(|best| best.as_ref().map_or(-1.0, |certified| certified.guarantee));
        Bracket { lower: starter, upper: -responder }
    }

    /// The number of iterations at which the strategies should be certified next. It depends on the iterations so far alone,
    /// so that the best strategies do as well.
    #[must_use]
    pub fn next_certified(&self) -> u32 {
        let iterations = self.learners[0].iterations();
        let mut next = FIRST_CERTIFIED;
        while next <= iterations {
            next += next / 2;
        }
        next
    }

    /// Runs `iterations` of each learner on `threads` threads.
    pub fn learn(&mut self, iterations: u32, threads: NonZero<usize>) {
        self.learners.iter_mut().for_each(|learner| learner.learn(iterations, threads));
    }

    /// Computes the guarantees of the current average strategies, and keeps each that is better
    /// than the best so far.
    pub fn certify(&mut self) -> Bracket {
        let Self { learners, best, .. } = self;
        for learner in learners.iter() {
            for side in Side::BOTH.into_iter().filter(|side| learner.tree().certifies(*side)) {
                let strategy = Strategy::average(learner, side);
                let guarantee = strategy.guarantee();
                keep_better(best, CertifiedStrategy { strategy, guarantee });
            }
        }
        self.bracket()
    }

    /// Keeps a strategy that was certified earlier, if it is better than the best so far.
    pub fn add_certified(&mut self, certified: CertifiedStrategy) {
        keep_better(&mut self.best, certified);
    }
}

fn keep_better(best: &mut [Option<CertifiedStrategy>; 2], certified: CertifiedStrategy) {
    let best = &mut best[certified.strategy.side().index()];
    if best.as_ref().is_none_or(|best| best.guarantee < certified.guarantee) {
        *best = Some(certified);
    }
}

/// The bids on these counts of twos to sixes, as a set of bid indices.
fn own_bids(counts: Range<u8>) -> u64 {
    let plain = counts.flat_map(|count| (1..6).map(move |face| 6 * (count - 1) + face));
    plain.fold(0, |bids, bid| bids | 1 << bid)
}
