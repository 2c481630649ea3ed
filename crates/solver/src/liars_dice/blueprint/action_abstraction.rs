//! What a blueprint remembers of the bids, and what it considers.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use crate::liars_dice::game::round::{Round, Side, Step, count, face};

/// How many bids above the last are considered.
const RAISES: usize = 14;
/// The counts with which a round begins.
const FIRST: RangeInclusive<u8> = 1..=6;
/// The highest bids claim all dice but one of so many.
const SPARED: u8 = 5;

/// All that a blueprint tells apart: the last bid, and the face of the bid before it.
///
/// Who has just bid has seen the bid before, and its own last bid; of that the face says the most: what both have claimed to hold.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Menu {
    nodes: Vec<Node>,
    numbers: BTreeMap<Key, usize>,
    rows: usize,
}

/// The last bid, and 1 more than the place of the face before it, or 0.
type Key = (Option<Step>, u8);

/// What may be done by whoever is to act.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Node {
    /// None before the first bid.
    pub(crate) last: Option<Step>,
    /// Each with the number of the node that it leads to.
    pub(crate) raises: Vec<(Step, usize)>,
    /// Where its rows begin: that of the call, if there is a last bid, and those of the raises.
    pub(crate) first_row: usize,
}

impl Node {
    /// 1 if there is something to call.
    pub(crate) const fn calls(&self) -> usize {
        self.last.is_some() as usize
    }

    /// How many actions there are.
    pub(crate) const fn rows(&self) -> usize {
        self.raises.len() + self.calls()
    }

    /// Where an action leads to; none for the call.
    pub(crate) fn raise(&self, row: usize) -> Option<(Step, usize)> {
        row.checked_sub(self.calls()).map(|raise| self.raises[raise])
    }

    /// Who may be to act.
    pub(crate) fn actors(&self) -> impl Iterator<Item = Side> + use<> {
        let is_first = self.last.is_none();
        Side::BOTH.into_iter().filter(move |side| !is_first || *side == Side::Starter)
    }
}

impl Menu {
    pub(crate) fn new(round: Round) -> Self {
        let mut keys = vec![(None, 0)];
        for last in bids(round) {
            keys.extend(raises(round, Some(last)).map(|step| key(Some(step), Some(last))));
            keys.push((Some(last), 0));
        }
        keys.sort_unstable();
        keys.dedup();
        let numbers: BTreeMap<Key, usize> = keys.iter().copied().zip(0..).collect();
        let mut menu = Self { nodes: Vec::new(), numbers, rows: 0 };
        for (last, _) in keys {
            let lead = |step| (step, menu.numbers[&key(Some(step), last)]);
            let raises = raises(round, last).map(lead).collect();
            let node = Node { last, raises, first_row: menu.rows };
            menu.rows += node.rows();
            menu.nodes.push(node);
        }
        menu
    }

    /// Ascending by the last bid, so that raises lead to later ones.
    pub(crate) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Rows of all nodes.
    pub(crate) const fn rows(&self) -> usize {
        self.rows
    }

    /// The number of the node after two bids, or of one with the same last bid; none if that is above all that is considered.
    pub(crate) fn find(&self, last: Option<Step>, before: Option<Step>) -> Option<usize> {
        let same = || self.numbers.range((last, 0)..=(last, 6)).next();
        let number = self.numbers.get(&key(last, before));
        number.or_else(|| same().map(|(_, number)| number)).copied()
    }
}

fn key(last: Option<Step>, before: Option<Step>) -> Key {
    (last, before.map_or(0, |before| 1 + face(before) as u8))
}

fn bids(round: Round) -> impl Iterator<Item = Step> {
    let most = round.all_dice() - round.all_dice() / SPARED;
    0..6 * most
}

fn raises(round: Round, last: Option<Step>) -> impl Iterator<Item = Step> {
    let most = if last.is_some() { RAISES } else { usize::MAX };
    let is_raise = move |step: &Step| match last {
        Some(last) => *step > last,
        None => FIRST.contains(&count(*step)),
    };
    bids(round).filter(is_raise).take(most)
}
