//! The iterations of counterfactual regret minimisation, and how threads share them.

mod checkpoint;

use std::num::NonZero;
use std::sync::Mutex;
use std::thread;

use crate::liars_dice::cfr::subgame::{Subgame, collect_subgames};
use crate::liars_dice::cfr::tables::CfrTables;
use crate::liars_dice::cfr::traversal::{DepthBuffers, Region, SubgamePass, Traversal};
use crate::liars_dice::game::round::Side;
use crate::liars_dice::tree::Tree;
use crate::liars_dice::tree::public_state::PublicState;

/// Learns the strategies of both players in a tree by predictive CFR+.
#[derive(Debug)]
pub struct Learner {
    tree: Tree,
    chances: [Vec<f32>; 2],
    trunk: CfrTables,
    subgames: Vec<Subgame>,
    iterations: u32,
}

impl Learner {
    /// Starts without regrets.
    #[must_use]
    pub fn new(tree: Tree) -> Self {
        let chances = Side::BOTH.map(|side| {
            let chances = tree.hands(side).chances().iter();
            let mut chances: Vec<f32> = chances.map(|chance| *chance as f32).collect();
            chances.resize(tree.width(side), 0.0);
            chances
        });
        let trunk = CfrTables::new(&tree, tree.trunk_size(PublicState::ROOT));
        let mut subgames = Vec::new();
        collect_subgames(&tree, PublicState::ROOT, &mut subgames);
        Self { tree, chances, trunk, subgames, iterations: 0 }
    }

    /// The tree in which the strategies are learned.
    #[must_use]
    pub const fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The number of iterations so far; one updates both players.
    #[must_use]
    pub const fn iterations(&self) -> u32 {
        self.iterations
    }

    pub(crate) const fn tables(&self) -> (&CfrTables, &Vec<Subgame>) {
        (&self.trunk, &self.subgames)
    }

    /// Runs `iterations` on `threads` threads. The result does not depend on the number of threads.
    pub fn learn(&mut self, iterations: u32, threads: NonZero<usize>) {
        let mut buffers_by_thread: Vec<_> =
            (0..threads.get()).map(|_| DepthBuffers::stack(&self.tree)).collect();
        for _ in 0..iterations {
            self.iterations += 1;
            for side in Side::BOTH {
                self.update(side, &mut buffers_by_thread);
            }
        }
    }

    fn update(&mut self, side: Side, buffers_by_thread: &mut [Vec<DepthBuffers>]) {
        self.traverse_trunk(side, SubgamePass::StoreReach, &mut buffers_by_thread[0]);
        self.solve_subgames(side, buffers_by_thread);
        self.traverse_trunk(side, SubgamePass::TakeValues, &mut buffers_by_thread[0]);
    }

    fn traverse_trunk(&mut self, side: Side, pass: SubgamePass, buffers: &mut [DepthBuffers]) {
        let Self { tree, chances, trunk, subgames, iterations, .. } = self;
        let mut values = vec![0.0; tree.width(side)];
        let region = Region::Trunk { subgames: subgames.iter_mut(), pass };
        Traversal::new(tree, side, *iterations, trunk, region).visit(
            PublicState::ROOT,
            &chances[side.other().index()],
            &mut values,
            buffers,
        );
    }

    fn solve_subgames(&mut self, side: Side, buffers_by_thread: &mut [Vec<DepthBuffers>]) {
        let (tree, iteration) = (&self.tree, self.iterations);
        let work = Mutex::new(self.subgames.iter_mut().filter(|subgame| subgame.is_reached));
        let next = || work.lock().expect("no traversal panics").next();
        let solve_some = |buffers: &mut Vec<DepthBuffers>| {
            while let Some(Subgame { state, tables, reach, values, .. }) = next() {
                Traversal::new(tree, side, iteration, tables, Region::Subgame)
                    .visit(*state, reach, values, buffers);
            }
        };
        let (first, more) = buffers_by_thread.split_first_mut().expect("a thread");
        thread::scope(|scope| {
            for buffers in more {
                scope.spawn(|| solve_some(buffers));
            }
            solve_some(first);
        });
    }
}
