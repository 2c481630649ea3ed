//! One player learns from the values of all its choices.

use super::learner::Block;
use super::part::Part;
use super::round::{Side, Step};
use super::showdown::settle;
use super::tree::{Choice, Place, Tree};
use super::vectors::{add, add_product, add_weighted, match_regrets, multiply, regret};

/// What a walk does where a block begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Below {
    /// Tells the block with which chances the hands come there. Nothing is learnt.
    Reach,
    /// Takes the values that the block has found.
    Values,
}

/// A walk over a part of the tree in which `side` learns.
pub(super) struct Walk<'a> {
    tree: &'a Tree,
    side: Side,
    weight: f32,
    part: &'a mut Part,
    /// The next row of each side.
    cursor: [usize; 2],
    /// Bids after which a block begins.
    split: usize,
    blocks: &'a mut [Block],
    next_block: usize,
    below: Below,
}

/// Room for the decision after some number of bids.
#[derive(Clone, Debug)]
pub(super) struct Level {
    strategy: Vec<f32>,
    values: Vec<f32>,
    reach: Vec<f32>,
    sums: Vec<f32>,
}

impl Level {
    /// Room for all decisions on the way down.
    pub(super) fn stack(tree: &Tree) -> Vec<Self> {
        let width = tree.width(Side::Starter).max(tree.width(Side::Responder));
        let rows = tree.round().bids() + 1;
        let level = Self {
            strategy: vec![0.0; rows * width],
            values: vec![0.0; rows * width],
            reach: vec![0.0; width],
            sums: vec![0.0; width],
        };
        vec![level; tree.depth() + 1]
    }
}

impl<'a> Walk<'a> {
    pub(super) fn trunk(
        tree: &'a Tree,
        side: Side,
        weight: f32,
        part: &'a mut Part,
        blocks: &'a mut [Block],
        below: Below,
    ) -> Self {
        let split = tree.split();
        Self { tree, side, weight, part, cursor: [0; 2], split, blocks, next_block: 0, below }
    }

    pub(super) fn block(tree: &'a Tree, side: Side, weight: f32, part: &'a mut Part) -> Self {
        let (split, below) = (usize::MAX, Below::Values);
        Self {
            tree,
            side,
            weight,
            part,
            cursor: [0; 2],
            split,
            blocks: &mut [],
            next_block: 0,
            below,
        }
    }

    /// Writes what each hand of the side that learns gets at `place`, which the hands of the other reach with these chances.
    pub(super) fn visit(
        &mut self,
        place: Place,
        reach: &[f32],
        values: &mut [f32],
        levels: &mut [Level],
    ) {
        if place.bids >= self.split {
            self.visit_block(reach, values);
        } else if place.actor() == self.side {
            self.visit_own(place, reach, values, levels);
        } else {
            self.visit_others(place, reach, values, levels);
        }
    }

    fn visit_block(&mut self, reach: &[f32], values: &mut [f32]) {
        let block = &mut self.blocks[self.next_block];
        self.next_block += 1;
        match self.below {
            Below::Reach => {
                block.is_live = true;
                block.reach.resize(reach.len(), 0.0);
                block.reach.copy_from_slice(reach);
                block.values.resize(values.len(), 0.0);
            }
            Below::Values => values.copy_from_slice(&block.values),
        }
    }

    fn learns(&self) -> bool {
        self.split == usize::MAX || self.below == Below::Values
    }

    /// The rows of the decision that `side` takes here.
    fn take_rows(&mut self, side: Side, count: usize) -> std::ops::Range<usize> {
        let begin = self.cursor[side.index()];
        self.cursor[side.index()] = begin + count * self.tree.width(side);
        begin..self.cursor[side.index()]
    }

    fn visit_own(&mut self, place: Place, reach: &[f32], values: &mut [f32], levels: &mut [Level]) {
        let (tree, side) = (self.tree, self.side);
        let choices = tree.choices(place);
        let range = self.take_rows(side, choices.count());
        let (level, levels) = levels.split_first_mut().expect("a level for each bid");
        let width = values.len();
        let Level { strategy, values: by_choice, sums, .. } = level;
        let (strategy, by_choice) = (&mut strategy[..range.len()], &mut by_choice[..range.len()]);
        let rows = &self.part.sides[side.index()];
        match_regrets(
            &rows.regrets[range.clone()],
            &rows.predictions[range.clone()],
            choices.may_call,
            &mut sums[..width],
            strategy,
        );
        let mut each = by_choice.chunks_exact_mut(width);
        if let (true, Some(last)) = (choices.may_call, place.last) {
            let to = each.next().expect("a row for the call");
            self.settle(last, side.other(), reach, to);
        }
        for (choice, to) in choices.bids.iter().zip(each) {
            self.follow(place, *choice, reach, to, levels);
        }
        values.fill(0.0);
        for (value, chance) in by_choice.chunks_exact(width).zip(strategy.chunks_exact(width)) {
            add_product(value, chance, values);
        }
        if self.learns() {
            let rows = &mut self.part.sides[side.index()];
            let (regrets, predictions) = (&mut rows.regrets, &mut rows.predictions);
            regret(by_choice, values, &mut regrets[range.clone()], &mut predictions[range]);
        }
    }

    fn visit_others(
        &mut self,
        place: Place,
        reach: &[f32],
        values: &mut [f32],
        levels: &mut [Level],
    ) {
        let (tree, other) = (self.tree, self.side.other());
        let choices = tree.choices(place);
        let range = self.take_rows(other, choices.count());
        let (level, levels) = levels.split_first_mut().expect("a level for each bid");
        let width = reach.len();
        let Level { strategy, values: of_choice, reach: after, sums } = level;
        let strategy = &mut strategy[..range.len()];
        let (after, of_choice) = (&mut after[..width], &mut of_choice[..values.len()]);
        let rows = &self.part.sides[other.index()];
        match_regrets(
            &rows.regrets[range.clone()],
            &rows.predictions[range.clone()],
            choices.may_call,
            &mut sums[..width],
            strategy,
        );
        values.fill(0.0);
        let mut begin = range.start;
        let mut each = strategy.chunks_exact(width);
        if let (true, Some(last)) = (choices.may_call, place.last) {
            let chances = each.next().expect("a row for the call");
            if multiply(reach, chances, after) {
                self.remember(other, begin, after);
                self.settle(last, self.side, after, of_choice);
                add(of_choice, values);
            }
            begin += width;
        }
        for (choice, chances) in choices.bids.iter().zip(each) {
            if multiply(reach, chances, after) {
                self.remember(other, begin, after);
                self.follow(place, *choice, after, of_choice, levels);
                add(of_choice, values);
            } else {
                self.skip(place, *choice);
            }
            begin += width;
        }
    }

    fn remember(&mut self, side: Side, begin: usize, reach: &[f32]) {
        let averages = &mut self.part.sides[side.index()].averages;
        if self.split == usize::MAX || self.below == Below::Values {
            if let Some(row) = averages.get_mut(begin..begin + reach.len()) {
                add_weighted(reach, self.weight, row);
            }
        }
    }

    fn follow(
        &mut self,
        place: Place,
        choice: Choice,
        reach: &[f32],
        values: &mut [f32],
        levels: &mut [Level],
    ) {
        if choice.is_called {
            self.settle(choice.step, place.actor(), reach, values);
        } else {
            self.visit(place.after(choice.step), reach, values, levels);
        }
    }

    fn settle(&self, step: Step, bidder: Side, reach: &[f32], values: &mut [f32]) {
        let (own, others) = (self.tree.hands(self.side), self.tree.hands(self.side.other()));
        settle(step, bidder == self.side, own, others, reach, values);
    }

    /// Passes by what nobody comes to.
    fn skip(&mut self, place: Place, choice: Choice) {
        if choice.is_called {
            return;
        }
        let next = place.after(choice.step);
        let is_trunk = self.split != usize::MAX;
        let extent = if is_trunk { self.tree.trunk_extent(next) } else { self.tree.extent(next) };
        for side in Side::BOTH {
            self.cursor[side.index()] += extent.rows[side.index()] * self.tree.width(side);
        }
        let blocks = &mut self.blocks[self.next_block..];
        if is_trunk {
            blocks.iter_mut().take(extent.blocks).for_each(|block| block.is_live = false);
            self.next_block += extent.blocks;
        }
    }
}
