//! A strategy as it is stored and played.

use super::decision::Decision;
use super::history::History;
use super::learner::{Block, Learner};
use super::part::Part;
use super::response::{Policy, best_response};
use super::round::{Side, Step};
use super::tree::{Limits, Place, Tree};

/// Chances are kept in this many parts.
const PARTS: f64 = 65_535.0;
/// Chances below this are kept as none.
const LEAST: f32 = 2e-4;

/// What each hand of one player does, wherever its own play leads it. Where nothing is kept, it calls.
#[derive(Clone, PartialEq, Debug)]
pub struct Strategy {
    pub(super) round: super::Round,
    pub(super) limits: Limits,
    pub(super) side: Side,
    /// The histories at which something but a call is done, in the order of a walk.
    pub(super) histories: Vec<History>,
    /// Where the choices of each history begin, and at the end their number.
    pub(super) begins: Vec<u32>,
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
        gather.visit(tree.root(), History::NONE, &reach);
        strategy
    }

    /// The round.
    #[must_use]
    pub const fn round(&self) -> super::Round {
        self.round
    }

    /// Whose strategy it is.
    #[must_use]
    pub const fn side(&self) -> Side {
        self.side
    }

    /// The least that it gets on average, whatever the other does.
    #[must_use]
    pub fn guarantee(&self) -> f64 {
        -best_response(&Tree::new(self.round, self.limits), self.side, self)
    }

    fn begin(&mut self, history: History) {
        self.histories.push(history);
    }

    fn end(&mut self) {
        self.begins.push(u32::try_from(self.choices.len()).expect("fewer choices than 2^32"));
    }

    fn keep(&mut self, chances: &[(u8, f32)]) {
        let sum: f32 = chances.iter().map(|(_, chance)| *chance).sum();
        let begin = self.choices.len();
        let parts = |chance: f32| (PARTS * f64::from(chance / sum)).round() as u16;
        let kept = chances.iter().filter(|(_, chance)| *chance > LEAST * sum);
        let kept = kept.map(|(action, chance)| Kept { action: *action, parts: parts(*chance) });
        self.choices.extend(kept);
        if self.choices.len() == begin {
            self.choices.push(Kept { action: 0, parts: 0 });
        }
        self.choices.last_mut().expect("a choice").action |= LAST;
    }
}

impl Policy for Strategy {
    fn decide(&self, history: History, decision: &mut Decision) {
        let Ok(number) = self.histories.binary_search_by(|known| known.order(history)) else {
            return decision.call();
        };
        let range = self.begins[number] as usize..self.begins[number + 1] as usize;
        let hands = self.choices[range].split_inclusive(|kept| kept.action >= LAST);
        for (hand, kept) in hands.enumerate() {
            let sum: u32 = kept.iter().map(|kept| u32::from(kept.parts)).sum();
            for Kept { action, parts } in kept.iter().filter(|kept| kept.parts > 0) {
                let step = (action & !LAST).checked_sub(1);
                decision.set(hand, step, f64::from(*parts) / f64::from(sum));
            }
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
        if self.is_trunk && place.bids >= self.tree.split() {
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
        let width = reach.len();
        let begin = self.cursor;
        self.cursor += choices.count() * width;
        let actions = choices.may_call.then_some(0).into_iter();
        let actions: Vec<u8> = actions.chain(choices.bids.iter().map(|c| c.step + 1)).collect();
        let rows = &self.part.sides[self.to.side.index()].averages[begin..self.cursor];
        let (hands, side) = (self.tree.hands(self.to.side).count(), self.to.side);
        self.to.begin(history);
        let before = self.to.choices.len();
        for hand in 0..hands {
            let chances = rows.iter().skip(hand).step_by(width).copied();
            let chances = actions.iter().copied().zip(chances).filter(|_| reach[hand] > 0.0);
            self.to.keep(&chances.collect::<Vec<_>>());
        }

        self.to.end();
        let number = self.to.histories.len() - 1;
        let mut decision = Decision::new(self.tree.round().bids(), width);
        let history_again = self.to.histories[number];
        self.to.decide(history_again, &mut decision);
        for choice in choices.bids.iter().filter(|choice| !choice.is_called) {
            let mut after = vec![0.0; width];
            for (step, row) in decision.rows().filter(|(step, _)| *step == Some(choice.step)) {
                debug_assert!(step.is_some());
                after.iter_mut().zip(reach).zip(row).for_each(|((to, a), b)| *to = a * *b as f32);
            }
            if after.iter().any(|chance| *chance > 0.0) {
                self.visit(place.after(choice.step), history.with(choice.step), &after);
            } else {
                self.skip(place, choice.step);
            }
        }
    }

    fn skip(&mut self, place: Place, step: Step) {
        let next = place.after(step);
        let extent =
            if self.is_trunk { self.tree.trunk_extent(next) } else { self.tree.extent(next) };
        self.cursor += extent.rows[self.to.side.index()] * self.tree.width(self.to.side);
        self.next_block += extent.blocks;
    }
}
