//! One player learns from the values of all its choices.

use crate::liars_dice::cfr::subgame::Block;
use crate::liars_dice::cfr::tables::Part;
use crate::liars_dice::game::round::{Side, Step};
use crate::liars_dice::kernels::rows::{
    add, add_product, add_weighted, choose, is_nothing, match_regrets, multiply, regret, select,
};
use crate::liars_dice::kernels::showdown::settle;
use crate::liars_dice::tree::actions::Choice;
use crate::liars_dice::tree::public_state::Place;
use crate::liars_dice::tree::{TRUNK_BIDS, Tree};

/// What a walk does where a block begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Below {
    /// Tells the block with which chances the hands come there. Nothing is learnt.
    Reach,
    /// Takes the values that the block has found.
    Values,
}

/// A choice that no hand makes is looked at in one of so many iterations; as it is mostly worse than others, that changes little of
/// what is learnt, and takes a third of the time (after regret-based pruning, Brown and Sandholm 2015, which waits as long as its
/// regrets prove that nothing changes; here certificates prove what comes of it).
const LONGEST_PAUSE: u32 = 8;

/// A walk over a part of the tree in which `side` learns.
pub(crate) struct Walk<'a> {
    tree: &'a Tree,
    side: Side,
    iteration: u32,
    part: &'a mut Part,
    /// The next row of each side.
    cursor: [usize; 2],
    /// The next closing decision of each side.
    answer: [usize; 2],
    /// Bids after which a block begins.
    split: usize,
    blocks: &'a mut [Block],
    next_block: usize,
    below: Below,
}

/// Room for the decision after some number of bids.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    strategy: Vec<f32>,
    values: Vec<f32>,
    reach: Vec<f32>,
    sums: Vec<f32>,
}

impl Level {
    /// Room for all decisions on the way down.
    pub(crate) fn stack(tree: &Tree) -> Vec<Self> {
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
    pub(crate) fn trunk(
        tree: &'a Tree,
        side: Side,
        iteration: u32,
        part: &'a mut Part,
        blocks: &'a mut [Block],
        below: Below,
    ) -> Self {
        Self {
            tree,
            side,
            iteration,
            part,
            cursor: [0; 2],
            answer: [0; 2],
            split: TRUNK_BIDS,
            blocks,
            next_block: 0,
            below,
        }
    }

    pub(crate) fn block(tree: &'a Tree, side: Side, iteration: u32, part: &'a mut Part) -> Self {
        let (split, below) = (usize::MAX, Below::Values);
        Self {
            tree,
            side,
            iteration,
            part,
            cursor: [0; 2],
            answer: [0; 2],
            split,
            blocks: &mut [],
            next_block: 0,
            below,
        }
    }

    /// Writes what each hand of the side that learns gets at `place`, which the hands of the other reach with these chances.
    pub(crate) fn visit(
        &mut self,
        place: Place,
        reach: &[f32],
        values: &mut [f32],
        levels: &mut [Level],
    ) {
        if place.bids >= self.split {
            self.visit_block(reach, values);
        } else if self.tree.choices(place).is_closing {
            self.visit_closing(place, reach, values, levels);
        } else if place.actor() == self.side {
            self.visit_own(place, reach, values, levels);
        } else {
            self.visit_others(place, reach, values, levels);
        }
    }

    #[inline(always)]
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

    #[inline(always)]
    fn learns(&self) -> bool {
        self.split == usize::MAX || self.below == Below::Values
    }

    /// Whether a choice that no hand makes is passed by this time. Which are is mixed anew each time: what is always looked at together
    /// leads to strategies that answer that alone.
    fn rests(&self, number: usize) -> bool {
        let pause = (self.iteration / 2).clamp(1, LONGEST_PAUSE);
        let mixed = (number as u32).wrapping_mul(0x9E37_79B1);
        let mixed = mixed ^ self.iteration.wrapping_mul(0x85EB_CA6B);
        let mixed = (mixed ^ mixed >> 15).wrapping_mul(0x2C1B_3C6D);
        !(mixed ^ mixed >> 12).is_multiple_of(pause)
    }

    /// The rows of the decision that `side` takes here.
    #[inline(always)]
    fn take_rows(&mut self, side: Side, count: usize) -> std::ops::Range<usize> {
        let begin = self.cursor[side.index()];
        self.cursor[side.index()] = begin + count * self.tree.width(side);
        begin..self.cursor[side.index()]
    }

    #[inline(always)]
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
        let first_bid = usize::from(choices.may_call);
        let mut idle = 0u64;
        for (number, (choice, to)) in (first_bid..).zip(choices.bids.iter().zip(each)) {
            let chances = &strategy[number * width..][..width];
            if !choice.is_called && self.rests(range.start + number) && is_nothing(chances) {
                self.skip(place, *choice);
                idle |= 1 << number;
            } else {
                self.follow(place, *choice, reach, to, levels);
            }
        }
        values.fill(0.0);
        for (value, chance) in by_choice.chunks_exact(width).zip(strategy.chunks_exact(width)) {
            add_product(value, chance, values);
        }
        if self.learns() {
            let rows = &mut self.part.sides[side.index()];
            let (regrets, predictions) = (&mut rows.regrets, &mut rows.predictions);
            let (regrets, predictions) = (&mut regrets[range.clone()], &mut predictions[range]);
            regret(by_choice, values, idle, regrets, predictions);
        }
    }

    #[inline(always)]
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
            if multiply(reach, chances, tree.least(), after) {
                self.remember(other, begin, after);
                self.settle(last, self.side, after, of_choice);
                add(of_choice, values);
            }
            begin += width;
        }
        for (choice, chances) in choices.bids.iter().zip(each) {
            if multiply(reach, chances, tree.least(), after) {
                self.remember(other, begin, after);
                self.follow(place, *choice, after, of_choice, levels);
                add(of_choice, values);
            } else {
                self.skip(place, *choice);
            }
            begin += width;
        }
    }

    /// Nobody acts after what is done here.
    #[inline(always)]
    fn visit_closing(
        &mut self,
        place: Place,
        reach: &[f32],
        values: &mut [f32],
        levels: &mut [Level],
    ) {
        let actor = place.actor();
        let begin = self.answer[actor.index()];
        let width = self.tree.width(actor);
        self.answer[actor.index()] += width;
        let Level { values: of_choice, reach: after, .. } = &mut levels[0];
        let of_choice = &mut of_choice[..values.len()];
        let called = self.tree.choices(place).bids.iter();
        let called = called.map(|choice| (choice.step, actor));
        let last = place.last.expect("a call is possible");
        let all = std::iter::once((last, actor.other())).chain(called).enumerate();
        let mut answers = std::mem::take(&mut self.part.sides[actor.index()].answers);
        let answer = &mut answers[begin..begin + width];
        if actor == self.side {
            for (number, (step, bidder)) in all {
                self.settle(step, bidder, reach, of_choice);
                if number == 0 {
                    values.copy_from_slice(of_choice);
                    answer.fill(0);
                } else {
                    choose(number as u8, of_choice, values, answer);
                }
            }
        } else {
            let after = &mut after[..width];
            values.fill(0.0);
            for (number, (step, bidder)) in all {
                if select(number as u8, answer, reach, after) {
                    self.settle(step, bidder, after, of_choice);
                    add(of_choice, values);
                }
            }
        }
        self.part.sides[actor.index()].answers = answers;
    }

    #[inline(always)]
    fn remember(&mut self, side: Side, begin: usize, reach: &[f32]) {
        let learns = self.learns();
        let averages = &mut self.part.sides[side.index()].averages;
        let row = averages.get_mut(begin..begin + reach.len());
        if let Some(row) = row.filter(|_| learns) {
            add_weighted(reach, weight(self.iteration), row);
        }
    }

    #[inline(always)]
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

    #[inline(always)]
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
            self.answer[side.index()] += extent.answers[side.index()] * self.tree.width(side);
        }
        let blocks = &mut self.blocks[self.next_block..];
        if is_trunk {
            blocks.iter_mut().take(extent.blocks).for_each(|block| block.is_live = false);
            self.next_block += extent.blocks;
        }
    }
}

/// Later strategies weigh more in the average. The cube was the fastest of those tried.
fn weight(iteration: u32) -> f32 {
    let iteration = iteration as f32;
    iteration * iteration * iteration
}
