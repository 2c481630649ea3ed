//! The average strategy of a learner.

use std::ops::Range;

use crate::liars_dice::cfr::learner::Learner;
use crate::liars_dice::cfr::subgame::Block;
use crate::liars_dice::cfr::tables::Part;
use crate::liars_dice::game::history::History;
use crate::liars_dice::game::round::Side;
use crate::liars_dice::response::action_probabilities::Decision;
use crate::liars_dice::strategy::{Kept, LAST, Strategy};
use crate::liars_dice::tree::actions::Choices;
use crate::liars_dice::tree::public_state::Place;
use crate::liars_dice::tree::{TRUNK_BIDS, Tree};

/// Chances are kept in this many parts.
const PARTS: f64 = 65_535.0;
/// Chances below this are kept as none.
const LEAST: f32 = 2e-4;

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
