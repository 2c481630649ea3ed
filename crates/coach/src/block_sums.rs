//! Means per game with standard errors that are clustered by block: games at one table share their
//! dice.

use std::ops::AddAssign;

use dicehill_arena::Interval;

/// A mean per game with its standard error.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// The standard error; `None` with fewer than two blocks.
    pub se: Option<f64>,
    /// The degrees of freedom of the standard error: the blocks less the strata.
    pub freedom: u64,
}

impl Estimate {
    /// The 95 % interval, by Student's distribution.
    #[must_use]
    pub fn interval(&self) -> Option<Interval> {
        Interval::student(self.mean, self.se?, self.freedom)
    }

    /// The estimate in another unit.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        Self { mean: factor * self.mean, se: self.se.map(|se| factor.abs() * se), ..self }
    }
}

/// Sums of a number over blocks of games.
#[derive(Clone, Debug, Default)]
pub(crate) struct BlockSums {
    /// The number of mistakes, if the number is their loss.
    pub(crate) mistakes: u64,
    sum: f64,
    /// Of the strata up to the last one in which the number was added.
    strata: Vec<StratumSums>,
}

/// Sums of a number over the blocks of one stratum.
#[derive(Clone, Copy, Debug, Default)]
struct StratumSums {
    sum: f64,
    squares: f64,
    /// The sum of block sum times number of games.
    products: f64,
}

/// The losses in one block of games.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BlockLoss {
    /// The number of mistakes.
    pub(crate) mistakes: u64,
    /// Their total loss.
    pub(crate) loss: f64,
}

impl AddAssign for BlockLoss {
    fn add_assign(&mut self, other: Self) {
        self.mistakes += other.mistakes;
        self.loss += other.loss;
    }
}

/// The numbers of blocks and games.
#[derive(Clone, Debug, Default)]
pub(crate) struct BlockCount {
    pub(crate) games: u64,
    strata: Vec<StratumCount>,
}

/// The numbers of blocks and games of one stratum.
#[derive(Clone, Copy, Debug, Default)]
struct StratumCount {
    games: u64,
    blocks: u64,
    squares: u64,
}

impl BlockCount {
    /// Adds a block of `games` games.
    pub(crate) fn add(&mut self, stratum: usize, games: u64) {
        self.games += games;
        let count = at(&mut self.strata, stratum);
        count.games += games;
        count.blocks += 1;
        count.squares += games * games;
    }
}

impl BlockSums {
    /// Adds the sum of a block of `games` games.
    pub(crate) fn add(&mut self, stratum: usize, sum: f64, games: u64) {
        self.sum += sum;
        let sums = at(&mut self.strata, stratum);
        sums.sum += sum;
        sums.squares += sum * sum;
        sums.products += sum * games as f64;
    }

    pub(crate) const fn sum(&self) -> f64 {
        self.sum
    }

    /// The mean per game: a ratio estimator over blocks, stratified if there are several strata. It has no standard
    /// error if one of them has a single block.
    pub(crate) fn estimate(&self, count: &BlockCount) -> Estimate {
        if count.games == 0 {
            return Estimate::default();
        }
        let of_stratum = |(stratum, count): (usize, &StratumCount)| {
            self.strata.get(stratum).copied().unwrap_or_default().variance(count)
        };
        let variance: Option<f64> = count.strata.iter().enumerate().map(of_stratum).sum();
        Estimate {
            mean: self.sum / count.games as f64,
            se: variance.map(|variance| variance.sqrt() / count.games as f64),
            freedom: count.strata.iter().map(|count| count.blocks.saturating_sub(1)).sum(),
        }
    }
}

impl StratumSums {
    /// The variance of the sum over all blocks; `None` for a single one.
    fn variance(&self, count: &StratumCount) -> Option<f64> {
        let Self { sum, squares, products } = self;
        (count.blocks > 1).then(|| {
            let (blocks, mean) = (count.blocks as f64, sum / count.games as f64);
            let residuals = squares - 2.0 * mean * products + mean * mean * count.squares as f64;
            residuals.max(0.0) * blocks / (blocks - 1.0)
        })
    }
}

/// The element at `index`, after as many new ones as are missing.
fn at<T: Default>(all: &mut Vec<T>, index: usize) -> &mut T {
    if all.len() <= index {
        all.resize_with(index + 1, T::default);
    }
    &mut all[index]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_one_game_have_the_usual_standard_error() {
        let (mut sums, mut count) = (BlockSums::default(), BlockCount::default());
        for value in [1.0, 2.0, 3.0, 6.0] {
            sums.add(0, value, 1);
            count.add(0, 1);
        }
        let Estimate { mean, se, .. } = sums.estimate(&count);
        assert_eq!(mean, 3.0);
        // The sample variance is 14 / 3.
        let expected = (14.0_f64 / 3.0 / 4.0).sqrt();
        assert!(se.is_some_and(|se| (se - expected).abs() < 1e-12), "{se:?}");
    }

    #[test]
    fn games_of_a_block_are_one_sample() {
        let (mut sums, mut count) = (BlockSums::default(), BlockCount::default());
        for value in [1.0, 3.0] {
            sums.add(0, 4.0 * value, 4);
            count.add(0, 4);
        }
        let Estimate { mean, se, .. } = sums.estimate(&count);
        assert_eq!((mean, se), (2.0, Some(1.0)));
    }

    #[test]
    fn one_block_has_no_standard_error() {
        let (mut sums, mut count) = (BlockSums::default(), BlockCount::default());
        sums.add(0, 4.0, 2);
        count.add(0, 2);
        assert_eq!(sums.estimate(&count), Estimate { mean: 2.0, se: None, freedom: 0 });
    }

    /// Against a weak opponent scores are higher; that the opponents differ is no uncertainty of the mean.
    #[test]
    fn strata_are_compared_within_themselves_alone() {
        let (mut sums, mut count) = (BlockSums::default(), BlockCount::default());
        for (stratum, value) in [(0, 1.0), (0, 3.0), (1, 101.0), (1, 103.0)] {
            sums.add(stratum, value, 1);
            count.add(stratum, 1);
        }
        // Each has a sample variance of 2, and with it 4 for the sum of its two blocks.
        let expected = Estimate { mean: 52.0, se: Some(8.0_f64.sqrt() / 4.0), freedom: 2 };
        assert_eq!(sums.estimate(&count), expected);
        count.add(2, 1);
        assert_eq!(sums.estimate(&count).se, None);
    }
}
