//! Strategies that get better by playing against each other.

mod checkpoint;

use std::num::NonZero;
use std::sync::Mutex;
use std::thread;

use crate::liars_dice::cfr::subgame::{Block, find_blocks};
use crate::liars_dice::cfr::tables::Part;
use crate::liars_dice::cfr::traversal::{Below, Level, Walk};
use crate::liars_dice::game::round::Side;
use crate::liars_dice::tree::Tree;
use crate::liars_dice::tree::public_state::Place;

/// Learns the strategies of both players in a tree.
#[derive(Debug)]
pub struct Learner {
    tree: Tree,
    chances: [Vec<f32>; 2],
    trunk: Part,
    blocks: Vec<Block>,
    iterations: u32,
}

impl Learner {
    /// Begins to learn: nobody has regrets.
    #[must_use]
    pub fn new(tree: Tree) -> Self {
        let chances = Side::BOTH.map(|side| {
            let chances = tree.hands(side).chances().iter();
            let mut chances: Vec<f32> = chances.map(|chance| *chance as f32).collect();
            chances.resize(tree.width(side), 0.0);
            chances
        });
        let trunk = Part::new(&tree, tree.trunk_extent(Place::ROOT));
        let mut blocks = Vec::new();
        find_blocks(&tree, Place::ROOT, &mut blocks);
        Self { tree, chances, trunk, blocks, iterations: 0 }
    }

    /// The tree.
    #[must_use]
    pub const fn tree(&self) -> &Tree {
        &self.tree
    }

    /// How often both players have learnt.
    #[must_use]
    pub const fn iterations(&self) -> u32 {
        self.iterations
    }

    pub(crate) const fn parts(&self) -> (&Part, &Vec<Block>) {
        (&self.trunk, &self.blocks)
    }

    /// Both players learn so often, with so many threads. What comes of it does not depend on the threads.
    pub fn learn(&mut self, iterations: u32, threads: NonZero<usize>) {
        let mut stacks: Vec<_> = (0..threads.get()).map(|_| Level::stack(&self.tree)).collect();
        for _ in 0..iterations {
            self.iterations += 1;
            for side in Side::BOTH {
                self.update(side, &mut stacks);
            }
        }
    }

    fn update(&mut self, side: Side, stacks: &mut [Vec<Level>]) {
        self.walk_trunk(side, Below::Reach, &mut stacks[0]);
        self.walk_blocks(side, stacks);
        self.walk_trunk(side, Below::Values, &mut stacks[0]);
    }

    fn walk_trunk(&mut self, side: Side, below: Below, levels: &mut [Level]) {
        let Self { tree, chances, trunk, blocks, iterations, .. } = self;
        let mut values = vec![0.0; tree.width(side)];
        let mut walk = Walk::trunk(tree, side, *iterations, trunk, blocks, below);
        walk.visit(Place::ROOT, &chances[side.other().index()], &mut values, levels);
    }

    fn walk_blocks(&mut self, side: Side, stacks: &mut [Vec<Level>]) {
        let (tree, iteration) = (&self.tree, self.iterations);
        let work = Mutex::new(self.blocks.iter_mut().filter(|block| block.is_live));
        let next = || work.lock().expect("no walk panics").next();
        let learn_some = |levels: &mut Vec<Level>| {
            while let Some(Block { place, part, reach, values, .. }) = next() {
                Walk::block(tree, side, iteration, part).visit(*place, reach, values, levels);
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
