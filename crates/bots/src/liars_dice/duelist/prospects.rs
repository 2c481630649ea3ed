//! What both players do next, by an equilibrium of what is left of a round.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use dicehill_rules::Face;
use dicehill_rules::liars_dice::Bid;
use dicehill_solver::liars_dice::{Round, Subgame, SubgameLimits};

use super::range::Range;

/// How many bids above the last are considered; those on ones, which half as many dice bear out, are not.
const BIDS: usize = 8;
/// How many are considered to begin with, from a third of the dice on.
const FIRST_BIDS: usize = 10;
/// How many bids are made before the round is taken to go on.
const MOST_BIDS: usize = 1;
/// What a raise brings at that point, if it holds and if not. Higher bids that hold are raised again and come to nothing, and
/// those that do not are called most often. Found by play against the other house bots.
const STAKE: [f32; 2] = [0.0, -0.8];
/// Learning steps of both sides.
const ITERATIONS: u32 = 20;
/// With more pairs of hands there are half as many, to keep the time for a decision.
const MANY_HANDS: usize = 1000;

/// Actions, the call being none, with the chance that each hand takes them.
pub(super) type Rows = Vec<(Option<Bid>, Vec<f32>)>;

/// A position that is kept: the dice of who acts and of the other, and the only bid.
type Key = ([u8; 2], Option<Bid>);

/// What the player who acts does, and how the other answers each bid.
pub(super) struct Prospects {
    pub(super) actions: Rows,
    pub(super) answers: BTreeMap<Bid, Rows>,
}

impl Prospects {
    /// Solves what is left of a round whose starter is the one to act, after `bids`; the ranges are its own and the other's.
    ///
    /// As long as at most one bid has been made the ranges follow from it, and what was solved once is kept: for the nine
    /// divisions of ten dice that is at most some 50 MB.
    pub(super) fn new(round: Round, bids: &[Bid], ranges: [&Range; 2]) -> Arc<Self> {
        static KEPT: Mutex<BTreeMap<Key, Arc<Prospects>>> = Mutex::new(BTreeMap::new());
        let last = bids.last().copied();
        if bids.len() > 1 {
            return Arc::new(Self::solve(round, last, ranges));
        }
        let kept = || KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (ranges.map(Range::dice), last);
        if let Some(known) = kept().get(&key) {
            return Arc::clone(known);
        }
        let solved = Arc::new(Self::solve(round, last, ranges));
        kept().insert(key, Arc::clone(&solved));
        solved
    }

    fn solve(round: Round, last: Option<Bid>, ranges: [&Range; 2]) -> Self {
        let hands: usize = ranges.iter().map(|range| range.weights().len()).sum();
        let iterations = if hands > MANY_HANDS { ITERATIONS / 2 } else { ITERATIONS };
        let bids = &considered(round, last);
        let limits = SubgameLimits { bids, most_bids: MOST_BIDS, stake: STAKE, iterations };
        let subgame = Subgame::solve(round, last, ranges.map(Range::weights), limits);
        let actions = subgame.actions();
        let bids = actions.iter().filter_map(|(bid, _)| *bid);
        let answers = bids.filter_map(|bid| Some((bid, subgame.answers(bid)?))).collect();
        Self { actions, answers }
    }
}

/// The bids that are considered.
fn considered(round: Round, last: Option<Bid>) -> Vec<Bid> {
    let all = u32::from(round.all_dice());
    let (lowest, most) = if last.is_none() { (all / 3, FIRST_BIDS) } else { (1, BIDS) };
    let bids = Bid::above(last).take_while(|bid| bid.count() <= all);
    bids.filter(|bid| bid.face() != Face::ONE && bid.count() >= lowest).take(most).collect()
}
