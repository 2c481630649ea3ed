//! The grid of missing points at each number of free boxes.

use std::collections::BTreeMap;

use crate::yahtzee::contest::rivals::TargetMoves;

/// Numbers of missing points computed at a time.
pub(crate) const BATCH: usize = 16;
/// Copies of the first and the last probability beyond both ends, so that lookups are contiguous
/// and need no bounds.
pub(crate) const PAD: usize = BATCH + 2;

/// Half the range of missing points in standard deviations of the points to come.
const RANGE: f64 = 3.0;
/// Points added to the range, because the distribution is skewed, and discrete late in the game.
const MARGIN: f64 = 16.0;

/// Evenly spaced numbers of missing points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Grid {
    /// Points between neighbours.
    pub(crate) step: usize,
    /// The number of points of the grid.
    pub(crate) len: usize,
}

/// The grid and the moves of the target at one number of free boxes.
pub(crate) struct Level {
    pub(crate) grid: Grid,
    /// Points from the start of a position's grid to its centre, where the missing points equal the
    /// position's value.
    pub(crate) half: f32,
    /// The step of the level with one more box divided by this level's step.
    ratio: usize,
    /// The probabilities that the target moves by `first_move`, `first_move + 1`, ... steps after
    /// the turn.
    moves: Vec<f32>,
    first_move: i32,
}

impl Grid {
    /// The number of probabilities of a position, padding included.
    pub(crate) const fn stride(self) -> usize {
        self.len + 2 * PAD
    }
}

impl Level {
    /// The levels of 0 to 13 free boxes.
    pub(crate) fn all(rivals: &TargetMoves) -> Vec<Self> {
        (0..=13).map(|free| Self::new(free, rivals)).collect()
    }

    fn new(free: usize, rivals: &TargetMoves) -> Self {
        let step = step(free);
        let half = (RANGE * rivals.uncertainty(free) + MARGIN).ceil();
        let mut moves: BTreeMap<i32, f64> = BTreeMap::new();
        let weight = 1.0 / rivals.after(free).len() as f64;
        for change in rivals.after(free) {
            let steps = change / step as f64;
            let (below, share) = (steps.floor(), steps - steps.floor());
            *moves.entry(below as i32).or_default() += (1.0 - share) * weight;
            *moves.entry(below as i32 + 1).or_default() += share * weight;
        }
        let first_move = moves.keys().next().copied().unwrap_or(0);
        let last_move = moves.keys().last().copied().unwrap_or(0);
        let weight = |steps| moves.get(&steps).copied().unwrap_or(0.0) as f32;
        Self {
            grid: Grid { step, len: (2.0 * half) as usize / step + 1 },
            half: half as f32,
            ratio: if free < 13 { self::step(free + 1) / step } else { 1 },
            moves: (first_move..=last_move).map(weight).collect(),
            first_move,
        }
    }

    /// The grid with the step of the level with one more box, and the ratio of the steps.
    pub(crate) const fn coarse(&self) -> (Grid, usize) {
        let Self { grid: Grid { step, len }, ratio, .. } = *self;
        (Grid { step: step * ratio, len: len.div_ceil(ratio) }, ratio)
    }

    /// The means of the probabilities over the moves of the target.
    #[inline(always)]
    pub(crate) fn after_moves(&self, chances: &[f32], means: &mut [f32]) {
        let before = (-self.first_move).max(0) as usize;
        let behind = (self.first_move + self.moves.len() as i32).max(0) as usize;
        let (first, last) = (chances[0], chances[self.grid.len - 1]);
        let mut wide = vec![first; before];
        wide.extend_from_slice(chances);
        wide.resize(before + self.grid.len + behind, last);
        let offset = (before as i32 + self.first_move) as usize;
        means.fill(0.0);
        for (steps, weight) in self.moves.iter().enumerate() {
            for (mean, chance) in means.iter_mut().zip(&wide[offset + steps..]) {
                *mean += weight * chance;
            }
        }
    }
}

/// Points between neighbours with `free` free boxes.
const fn step(free: usize) -> usize {
    match free {
        0..=2 => 1,
        3..=4 => 2,
        _ => 6,
    }
}
