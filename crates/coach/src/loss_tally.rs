//! Losses of one player's decisions, summed over blocks of games.

use std::array;
use std::collections::BTreeMap;
use std::mem;
use std::ops::AddAssign;

use crate::block_sums::{BlockCount, BlockLoss, BlockSums};

/// The number of worst mistakes that are kept.
const WORST: usize = 10;

/// A decision that lost something.
pub(crate) trait Loss: Copy {
    /// How much less it was worth than the best choice; positive.
    fn loss(&self) -> f64;
}

/// Sums over blocks of games.
pub(crate) trait LossSums: Default {
    /// The sums of one block.
    type Block: Copy + Default + AddAssign;

    /// Adds the sums of a block of `games` games in a stratum.
    fn add_block(&mut self, stratum: usize, block: Self::Block, games: u64);
}

impl LossSums for BlockSums {
    type Block = BlockLoss;

    fn add_block(&mut self, stratum: usize, block: BlockLoss, games: u64) {
        self.mistakes += block.mistakes;
        self.add(stratum, block.loss, games);
    }
}

/// The losses of one player in `N` breakdowns and by habit, and its worst mistakes. The games come in
/// the order of their numbers; consecutive games at one table share their dice and are one block.
pub(crate) struct LossTally<H, M, S: LossSums, const N: usize> {
    totals: LossTotals<H, M, S, N>,
    table: u64,
    block: OpenBlock<H, S::Block, N>,
}

/// The sums over all games.
pub(crate) struct LossTotals<H, M, S, const N: usize> {
    /// The number of games and blocks.
    pub(crate) count: BlockCount,
    /// By index of the breakdown.
    pub(crate) breakdowns: [S; N],
    /// By habit, in their order.
    pub(crate) habits: BTreeMap<H, HabitLosses<M, S>>,
    /// The mistakes that lost most, the worst first.
    pub(crate) worst: Vec<M>,
}

/// The losses of a habit.
pub(crate) struct HabitLosses<M, S> {
    pub(crate) sums: S,
    /// The instance that lost most, the first of several.
    pub(crate) costliest: M,
}

/// The sums of the block that is not complete yet.
struct OpenBlock<H, B, const N: usize> {
    stratum: usize,
    games: u64,
    breakdowns: [B; N],
    habits: BTreeMap<H, B>,
}

impl<H, M, S: LossSums, const N: usize> Default for LossTally<H, M, S, N> {
    fn default() -> Self {
        let totals = LossTotals {
            count: BlockCount::default(),
            breakdowns: array::from_fn(|_| S::default()),
            habits: BTreeMap::new(),
            worst: Vec::new(),
        };
        let breakdowns = [S::Block::default(); N];
        let block = OpenBlock { stratum: 0, games: 0, breakdowns, habits: BTreeMap::new() };
        Self { totals, table: 0, block }
    }
}

impl<H: Copy + Ord, M: Loss, S: LossSums, const N: usize> LossTally<H, M, S, N> {
    /// Starts the next game, at `table` in a stratum.
    pub(crate) fn start_game(&mut self, table: u64, stratum: usize) {
        if (self.table, self.block.stratum) != (table, stratum) {
            self.end_block();
            self.table = table;
            self.block.stratum = stratum;
        }
        self.block.games += 1;
    }

    /// The sums of a breakdown in the current block.
    pub(crate) const fn current(&mut self, breakdown: usize) -> &mut S::Block {
        &mut self.block.breakdowns[breakdown]
    }

    /// Adds a mistake and what it lost to some breakdowns and its habit.
    pub(crate) fn add_mistake(
        &mut self,
        mistake: M,
        lost: S::Block,
        breakdowns: impl IntoIterator<Item = usize>,
        habit: Option<H>,
    ) {
        for breakdown in breakdowns {
            self.block.breakdowns[breakdown] += lost;
        }
        if let Some(habit) = habit {
            *self.block.habits.entry(habit).or_default() += lost;
            let first = || HabitLosses { sums: S::default(), costliest: mistake };
            let losses = self.totals.habits.entry(habit).or_insert_with(first);
            keep_costlier(&mut losses.costliest, mistake);
        }
        self.totals.note_worst(mistake);
    }

    /// The number of games so far.
    pub(crate) const fn games(&self) -> u64 {
        self.totals.count.games + self.block.games
    }

    /// The sums over all games.
    pub(crate) fn finish(mut self) -> LossTotals<H, M, S, N> {
        self.end_block();
        self.totals
    }

    fn end_block(&mut self) {
        let Self { totals, block, .. } = self;
        let (stratum, games) = (block.stratum, mem::take(&mut block.games));
        if games == 0 {
            return;
        }
        totals.count.add(stratum, games);
        for (sums, block) in totals.breakdowns.iter_mut().zip(&mut block.breakdowns) {
            sums.add_block(stratum, mem::take(block), games);
        }
        for (habit, block) in mem::take(&mut block.habits) {
            if let Some(losses) = totals.habits.get_mut(&habit) {
                losses.sums.add_block(stratum, block, games);
            }
        }
    }
}

impl<H, M: Loss, S, const N: usize> LossTotals<H, M, S, N> {
    fn note_worst(&mut self, mistake: M) {
        let index = self.worst.partition_point(|worse| worse.loss() >= mistake.loss());
        if index < WORST {
            self.worst.insert(index, mistake);
            self.worst.truncate(WORST);
        }
    }
}

/// Replaces a mistake by one that lost more. Among equals the first stays.
pub(crate) fn keep_costlier<M: Loss>(costliest: &mut M, mistake: M) {
    if mistake.loss() > costliest.loss() {
        *costliest = mistake;
    }
}
