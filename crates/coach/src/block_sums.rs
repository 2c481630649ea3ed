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
    /// The degrees of freedom of the standard error: one less than the blocks.
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
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BlockSums {
    /// The number of mistakes, if the number is their loss.
    pub(crate) mistakes: u64,
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
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BlockCount {
    pub(crate) games: u64,
    blocks: u64,
    squares: u64,
}

impl BlockCount {
    pub(crate) const fn add(&mut self, games: u64) {
        self.games += games;
        self.blocks += 1;
        self.squares += games * games;
    }
}

impl BlockSums {
    /// Adds the sum of a block of `games` games.
    pub(crate) fn add(&mut self, sum: f64, games: u64) {
        self.sum += sum;
        self.squares += sum * sum;
        self.products += sum * games as f64;
    }

    pub(crate) const fn sum(&self) -> f64 {
        self.sum
    }

    /// The mean per game: a ratio estimator over blocks.
    pub(crate) fn estimate(&self, count: &BlockCount) -> Estimate {
        if count.games == 0 {
            return Estimate::default();
        }
        let mean = self.sum / count.games as f64;
        let se = (count.blocks > 1).then(|| {
            let residuals =
                self.squares - 2.0 * mean * self.products + mean * mean * count.squares as f64;
            let blocks = count.blocks as f64;
            (residuals.max(0.0) * blocks / (blocks - 1.0)).sqrt() / count.games as f64
        });
        Estimate { mean, se, freedom: count.blocks.saturating_sub(1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_one_game_have_the_usual_standard_error() {
        let (mut sums, mut count) = (BlockSums::default(), BlockCount::default());
        for value in [1.0, 2.0, 3.0, 6.0] {
            sums.add(value, 1);
            count.add(1);
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
            sums.add(4.0 * value, 4);
            count.add(4);
        }
        let Estimate { mean, se, .. } = sums.estimate(&count);
        assert_eq!((mean, se), (2.0, Some(1.0)));
    }

    #[test]
    fn one_block_has_no_standard_error() {
        let (mut sums, mut count) = (BlockSums::default(), BlockCount::default());
        sums.add(4.0, 2);
        count.add(2);
        assert_eq!(sums.estimate(&count), Estimate { mean: 2.0, se: None, freedom: 0 });
    }
}
