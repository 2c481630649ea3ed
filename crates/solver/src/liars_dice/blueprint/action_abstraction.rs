//! The information and action abstraction of a blueprint.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use crate::liars_dice::game::round::{BidIndex, Round, Side, bid_count, bid_face};

/// The number of raises considered: those directly above the last bid.
const RAISES: usize = 14;
/// The dice counts considered for the first bid.
const FIRST_COUNTS: RangeInclusive<u8> = 1..=6;
/// One of this many dice is left out of the highest bid considered.
const LEFT_OUT: u8 = 5;

/// The abstract states: the last bid and the face of the bid before it.
///
/// Of the bids before the last, the face of the latest is the most informative: both players know
/// it, and it was claimed by the player who now has to act.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ActionAbstraction {
    states: Vec<AbstractState>,
    indices: BTreeMap<Key, usize>,
    action_rows: usize,
}

/// The last bid, and the face index of the bid before it plus 1, or 0.
type Key = (Option<BidIndex>, u8);

/// The actions in an abstract state, for the side to act.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct AbstractState {
    /// `None` before the first bid.
    pub(crate) last: Option<BidIndex>,
    /// Bids above the last, each with the index of the state that it leads to.
    pub(crate) raises: Vec<(BidIndex, usize)>,
    /// The first action row: the call's if there is a last bid, then those of the raises.
    pub(crate) first_row: usize,
}

impl AbstractState {
    /// The number of calls among the actions: 0 before the first bid, else 1.
    pub(crate) const fn calls(&self) -> usize {
        self.last.is_some() as usize
    }

    /// The number of actions.
    pub(crate) const fn action_count(&self) -> usize {
        self.raises.len() + self.calls()
    }

    /// The bid and next state of an action; `None` for the call.
    pub(crate) fn raise(&self, action: usize) -> Option<(BidIndex, usize)> {
        action.checked_sub(self.calls()).map(|raise| self.raises[raise])
    }

    /// The sides that can act here.
    pub(crate) fn actors(&self) -> impl Iterator<Item = Side> + use<> {
        let is_first = self.last.is_none();
        Side::BOTH.into_iter().filter(move |side| !is_first || *side == Side::Starter)
    }
}

impl ActionAbstraction {
    pub(crate) fn new(round: Round) -> Self {
        let mut keys = vec![(None, 0)];
        for last in bids(round) {
            keys.extend(raises(round, Some(last)).map(|bid| key(Some(bid), Some(last))));
            keys.push((Some(last), 0));
        }
        keys.sort_unstable();
        keys.dedup();
        let indices: BTreeMap<Key, usize> = keys.iter().copied().zip(0..).collect();
        let mut abstraction = Self { states: Vec::new(), indices, action_rows: 0 };
        for (last, _) in keys {
            let raise = |bid| (bid, abstraction.indices[&key(Some(bid), last)]);
            let raises = raises(round, last).map(raise).collect();
            let state = AbstractState { last, raises, first_row: abstraction.action_rows };
            abstraction.action_rows += state.action_count();
            abstraction.states.push(state);
        }
        abstraction
    }

    /// Ascending by the last bid, so that raises lead to later states.
    pub(crate) fn states(&self) -> &[AbstractState] {
        &self.states
    }

    /// The number of action rows of all states.
    pub(crate) const fn action_rows(&self) -> usize {
        self.action_rows
    }

    /// The index of the state after these two bids, or of another state with the same last bid;
    /// `None` if the last bid is above all bids considered.
    pub(crate) fn find(&self, last: Option<BidIndex>, before: Option<BidIndex>) -> Option<usize> {
        let with_same_last = || self.indices.range((last, 0)..=(last, 6)).next();
        let index = self.indices.get(&key(last, before));
        index.or_else(|| with_same_last().map(|(_, index)| index)).copied()
    }
}

fn key(last: Option<BidIndex>, before: Option<BidIndex>) -> Key {
    (last, before.map_or(0, |before| 1 + bid_face(before) as u8))
}

fn bids(round: Round) -> impl Iterator<Item = BidIndex> {
    let most = round.all_dice() - round.all_dice() / LEFT_OUT;
    0..6 * most
}

fn raises(round: Round, last: Option<BidIndex>) -> impl Iterator<Item = BidIndex> {
    let most = if last.is_some() { RAISES } else { usize::MAX };
    let is_raise = move |bid: &BidIndex| match last {
        Some(last) => *bid > last,
        None => FIRST_COUNTS.contains(&bid_count(*bid)),
    };
    bids(round).filter(is_raise).take(most)
}
