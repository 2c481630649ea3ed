//! Strategies that get better by playing against each other.

mod bytes;

use std::num::NonZero;
use std::sync::Mutex;
use std::thread;

use super::history::History;
use super::part::Part;
use super::round::{Round, Side};
use super::tree::{Limits, Place, Tree};
use super::walk::{Below, Level, Walk};

/// Learns the strategies of both players in a tree.
#[derive(Debug)]
pub struct Learner {
    tree: Tree,
    history: History,
    chances: [Vec<f32>; 2],
    trunk: Part,
    blocks: Vec<Block>,
    iterations: u32,
}

/// Why nothing can be learnt below a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SubgameError {
    /// It is not of this round, or nothing can be bid any more.
    #[error("nothing can be bid after these bids")]
    History,
    /// Chances that are none, or of other hands.
    #[error("the {0} has {1} hands, each with a chance that is not negative")]
    Range(Side, usize),
}

/// What is below one history, learnt apart from all others.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) place: Place,
    pub(super) part: Part,
    /// With which chances the other's hands come here.
    pub(super) reach: Vec<f32>,
    /// Whether they do at all.
    pub(super) is_live: bool,
    pub(super) values: Vec<f32>,
}

impl Learner {
    /// Begins to learn: nobody has regrets.
    #[must_use]
    pub fn new(tree: Tree) -> Self {
        let chances = Side::BOTH.map(|side| tree.hands(side).chances().to_vec());
        Self::from_ranges(tree, History::NONE, &chances.each_ref().map(Vec::as_slice))
    }

    /// Begins to learn what is done after `history`, where the hands of both are as likely as `ranges` say, the starter's first. Who
    /// acts there is certified for these ranges, if `limits` certify it; they count the bids of `history` too.
    ///
    /// # Errors
    /// If the history is not of this round, or the ranges have other numbers of hands.
    pub fn below(
        round: Round,
        limits: Limits,
        history: History,
        ranges: &[&[f64]; 2],
    ) -> Result<Self, SubgameError> {
        let last = history.last_number();
        if last.is_some_and(|last| usize::from(last) + 1 >= round.bids()) {
            return Err(SubgameError::History);
        }
        let tree = Tree::below(round, limits, Place { bids: history.bids(), last });
        for side in Side::BOTH {
            let (range, hands) = (ranges[side.index()], tree.hands(side).count());
            let is_chance = |chance: &f64| chance.is_finite() && *chance >= 0.0;
            if range.len() != hands || !range.iter().all(is_chance) {
                return Err(SubgameError::Range(side, hands));
            }
        }
        Ok(Self::from_ranges(tree, history, ranges))
    }

    /// Begins to learn where the players hold each hand with these chances, the starter's first.
    pub(super) fn from_ranges(tree: Tree, history: History, ranges: &[&[f64]; 2]) -> Self {
        let chances = Side::BOTH.map(|side| {
            let mut chances: Vec<f32> = ranges[side.index()].iter().map(|c| *c as f32).collect();
            chances.resize(tree.width(side), 0.0);
            chances
        });
        let trunk = Part::new(&tree, tree.trunk_extent(tree.root()));
        let mut blocks = Vec::new();
        find_blocks(&tree, tree.root(), &mut blocks);
        Self { tree, history, chances, trunk, blocks, iterations: 0 }
    }

    /// The tree.
    #[must_use]
    pub const fn tree(&self) -> &Tree {
        &self.tree
    }

    /// After which bids they learn.
    #[must_use]
    pub const fn history(&self) -> History {
        self.history
    }

    /// How often both players have learnt.
    #[must_use]
    pub const fn iterations(&self) -> u32 {
        self.iterations
    }

    pub(super) const fn parts(&self) -> (&Part, &Vec<Block>) {
        (&self.trunk, &self.blocks)
    }

    /// Both players learn so often, with so many threads. What comes of it does not depend on the threads.
    pub fn learn(&mut self, iterations: u32, threads: NonZero<usize>) {
        let mut stacks: Vec<_> = (0..threads.get()).map(|_| Level::stack(&self.tree)).collect();
        for _ in 0..iterations {
            self.iterations += 1;
            let weight = self.weight();
            for side in Side::BOTH {
                self.update(side, weight, &mut stacks);
            }
        }
    }

    /// Later strategies weigh more in the average. The cube was the fastest of those tried.
    fn weight(&self) -> f32 {
        let iterations = self.iterations as f32;
        iterations * iterations * iterations
    }

    fn update(&mut self, side: Side, weight: f32, stacks: &mut [Vec<Level>]) {
        self.walk_trunk(side, weight, Below::Reach, &mut stacks[0]);
        self.walk_blocks(side, weight, stacks);
        self.walk_trunk(side, weight, Below::Values, &mut stacks[0]);
    }

    fn walk_trunk(&mut self, side: Side, weight: f32, below: Below, levels: &mut [Level]) {
        let Self { tree, chances, trunk, blocks, .. } = self;
        let mut values = vec![0.0; tree.width(side)];
        let mut walk = Walk::trunk(tree, side, weight, trunk, blocks, below);
        walk.visit(tree.root(), &chances[side.other().index()], &mut values, levels);
    }

    fn walk_blocks(&mut self, side: Side, weight: f32, stacks: &mut [Vec<Level>]) {
        let tree = &self.tree;
        let work = Mutex::new(self.blocks.iter_mut().filter(|block| block.is_live));
        let next = || work.lock().expect("no walk panics").next();
        let learn_some = |levels: &mut Vec<Level>| {
            while let Some(Block { place, part, reach, values, .. }) = next() {
                Walk::block(tree, side, weight, part).visit(*place, reach, values, levels);
            }
        };
        let (first, others) = stacks.split_first_mut().expect("a thread");
        thread::scope(|scope| {
            for levels in others {
                scope.spawn(|| learn_some(levels));
            }
            learn_some(first);
        });
    }
}

/// The blocks in the order in which the tree is walked.
fn find_blocks(tree: &Tree, place: Place, blocks: &mut Vec<Block>) {
    if place.bids >= tree.split() {
        let width = tree.width(Side::Starter).max(tree.width(Side::Responder));
        blocks.push(Block {
            place,
            part: Part::new(tree, tree.extent(place)),
            reach: vec![0.0; width],
            is_live: false,
            values: vec![0.0; width],
        });
        return;
    }
    for choice in tree.choices(place).bids.iter().filter(|choice| !choice.is_called) {
        find_blocks(tree, place.after(choice.step), blocks);
    }
}
