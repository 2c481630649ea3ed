//! A strategy as it is stored and played.

mod bytes;

pub use bytes::ReadStrategyError;

use std::ops::Range;

use dicehill_rules::liars_dice::Bid;

use super::decision::Decision;
use super::history::History;
use super::learner::{Block, Learner};
use super::part::Part;
use super::response::{Policy, best_response};
use super::round::{Round, Side, Step};
use super::tree::{Choices, Limits, Place, TRUNK_BIDS, Tree};

/// Chances are kept in this many parts.
const PARTS: f64 = 65_535.0;
/// Chances below this are kept as none.
const LEAST: f32 = 2e-4;

/// What each hand of one player does, wherever its own play leads it. Where nothing is kept, it calls.
#[derive(Clone, PartialEq, Debug)]
pub struct Strategy {
    pub(super) round: Round,
    pub(super) limits: Limits,
    pub(super) side: Side,
    /// The histories at which something but a call is done, in the order of a walk.
    pub(super) histories: Vec<History>,
    /// Where the choices of each history begin, and at the end their number.
    pub(super) begins: Vec<u64>,
    /// For each hand in turn its choices, the last of them marked.
    pub(super) choices: Vec<Kept>,
}

/// A choice of a hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Kept {
    /// 0 for a call, and 1 more than the number of a bid; 128 is added to a hand's last choice.
    pub(super) action: u8,
    pub(super) parts: u16,
}

const LAST: u8 = 128;

impl Kept {
    fn step(self) -> Option<Step> {
        (self.action & !LAST).checked_sub(1)
    }

    fn share(self, sum: u32) -> f64 {
        f64::from(self.parts) / f64::from(sum)
    }
}

impl Strategy {
    /// What `side` has played on average.
    ///
    /// # Panics
    /// If the tree does not certify `side`.
    #[must_use]
    pub fn of(learner: &Learner, side: Side) -> Self {
        let tree = learner.tree();
        assert!(tree.certifies(side), "the tree certifies {side}");
        let (round, limits) = (tree.round(), tree.limits());
        let (histories, begins, choices) = (Vec::new(), vec![0], Vec::new());
        let mut strategy = Self { round, limits, side, histories, begins, choices };
        let (trunk, blocks) = learner.parts();
        let reach = vec![1.0; tree.width(side)];
        let mut gather = Gather {
            tree,
            part: trunk,
            blocks,
            next_block: 0,
            is_trunk: true,
            cursor: 0,
            to: &mut strategy,
        };
        gather.visit(Place::ROOT, History::NONE, &reach);
        strategy
    }

    /// The round.
    #[must_use]
    pub const fn round(&self) -> Round {
        self.round
    }

    /// Whose strategy it is.
    #[must_use]
    pub const fn side(&self) -> Side {
        self.side
    }

    /// The tree within whose limits it plays.
    #[must_use]
    pub const fn limits(&self) -> Limits {
        self.limits
    }

    /// Histories at which it does something but call.
    #[must_use]
    pub const fn histories(&self) -> usize {
        self.histories.len()
    }

    /// What a hand does after `history`, and with which chance: a bid, or a call where there is none. It is empty where the
    /// hand's own play never leads.
    #[must_use]
    pub fn choices(&self, history: History, hand: usize) -> Vec<(Option<Bid>, f64)> {
        let Some(number) = self.find(history) else { return vec![(None, 1.0)] };
        let kept = self.hands(number).nth(hand).unwrap_or_default();
        let sum: u32 = kept.iter().map(|kept| u32::from(kept.parts)).sum();
        let kept = kept.iter().filter(|kept| kept.parts > 0);
        kept.map(|kept| (kept.step().map(Round::bid), kept.share(sum))).collect()
    }

    fn find(&self, history: History) -> Option<usize> {
        self.histories.binary_search_by(|known| known.order(history)).ok()
    }

    /// What is kept of each hand at the history of this number.
    fn hands(&self, number: usize) -> impl Iterator<Item = &[Kept]> {
        let range = self.begins[number] as usize..self.begins[number + 1] as usize;
        self.choices[range].split_inclusive(|kept| kept.action >= LAST)
    }

    fn write(&self, number: usize, decision: &mut Decision) {
        for (hand, kept) in self.hands(number).enumerate() {
            let sum: u32 = kept.iter().map(|kept| u32::from(kept.parts)).sum();
            if sum == 0 {
                decision.set(hand, None, 1.0);
            }
            for kept in kept.iter().filter(|kept| kept.parts > 0) {
                decision.set(hand, kept.step(), kept.share(sum));
            }
        }
    }

    /// The least that it gets on average, whatever the other does.
    #[must_use]
    pub fn guarantee(&self) -> f64 {
        let answer = best_response(&Tree::new(self.round, self.limits), self.side, self);
        // The chances of all hands sum to 1 but for rounding.
        -answer.clamp(-1.0, 1.0)
    }

    fn keep(&mut self, chances: &[(u8, f32)]) {
        let sum: f32 = chances.iter().map(|(_, chance)| *chance).sum();
        let begin = self.choices.len();
        let parts = |chance: f32| (PARTS * f64::from(chance / sum)).round() as u16;
        let kept = chances.iter().filter(|(_, chance)| *chance > LEAST * sum);
        let kept = kept.map(|(action, chance)| Kept { action: *action, parts: parts(*chance) });
        self.choices.extend(kept);
        if self.choices.len() == begin {
            // Whoever has not learnt anything yet calls, or makes the first bid that it may.
            let action = chances.first().map_or(0, |(action, _)| *action);
            self.choices.push(Kept { action, parts: u16::from(action > 0) });
        }
        self.choices.last_mut().expect("a choice").action |= LAST;
    }
}

impl Policy for Strategy {
    fn decide(&self, history: History, decision: &mut Decision) {
        match self.find(history) {
            Some(number) => self.write(number, decision),
            None => decision.call(),
        }
    }
}

/// A walk over what one player has played.
struct Gather<'a> {
    tree: &'a Tree,
    part: &'a Part,
    blocks: &'a [Block],
    next_block: usize,
    is_trunk: bool,
    cursor: usize,
    to: &'a mut Strategy,
}

impl Gather<'_> {
    fn visit(&mut self, place: Place, history: History, reach: &[f32]) {
        if self.is_trunk && place.bids >= TRUNK_BIDS {
            let block = &self.blocks[self.next_block];
            self.next_block += 1;
            let trunk = std::mem::replace(&mut self.part, &block.part);
            let cursor = std::mem::replace(&mut self.cursor, 0);
            self.is_trunk = false;
            self.visit(place, history, reach);
            (self.part, self.cursor, self.is_trunk) = (trunk, cursor, true);
        } else if place.actor() == self.to.side {
            self.visit_own(place, history, reach);
        } else {
            self.visit_others(place, history, reach);
        }
    }

    fn visit_others(&mut self, place: Place, history: History, reach: &[f32]) {
        for choice in self.tree.choices(place).bids.iter().filter(|choice| !choice.is_called) {
            self.visit(place.after(choice.step), history.with(choice.step), reach);
        }
    }

    fn visit_own(&mut self, place: Place, history: History, reach: &[f32]) {
        let choices = self.tree.choices(place);
        let begin = self.cursor;
        self.cursor += choices.count() * reach.len();
        self.keep_rows(choices, begin..self.cursor, reach);
        self.to.histories.push(history);
        self.to.begins.push(self.to.choices.len() as u64);
        let mut decision = Decision::new(self.tree.round().bids(), reach.len());
        self.to.write(self.to.histories.len() - 1, &mut decision);
        let mut after = vec![0.0; reach.len()];
        for choice in choices.bids.iter().filter(|choice| !choice.is_called) {
            let products = reach.iter().zip(decision.row(choice.step));
            after.iter_mut().zip(products).for_each(|(to, (a, b))| *to = a * *b as f32);
            if after.iter().any(|chance| *chance > 0.0) {
                self.visit(place.after(choice.step), history.with(choice.step), &after);
            } else {
                self.skip(place.after(choice.step));
            }
        }
    }

    /// Keeps what the hands that come here do.
    fn keep_rows(&mut self, choices: &Choices, rows: Range<usize>, reach: &[f32]) {
        let width = reach.len();
        let actions = choices.may_call.then_some(0).into_iter();
        let actions: Vec<u8> = actions.chain(choices.bids.iter().map(|c| c.step + 1)).collect();
        let rows = &self.part.sides[self.to.side.index()].averages[rows];
        let hands = self.tree.hands(self.to.side).count();
        for (hand, reach) in reach.iter().enumerate().take(hands) {
            let chances = rows.iter().skip(hand).step_by(width).copied();
            let chances = actions.iter().copied().zip(chances).filter(|_| *reach > 0.0);
            self.to.keep(&chances.collect::<Vec<_>>());
        }
    }

    fn skip(&mut self, next: Place) {
        let extent =
            if self.is_trunk { self.tree.trunk_extent(next) } else { self.tree.extent(next) };
        self.cursor += extent.rows[self.to.side.index()] * self.tree.width(self.to.side);
        self.next_block += extent.blocks;
    }
}
