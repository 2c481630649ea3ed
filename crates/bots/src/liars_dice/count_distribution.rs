//! Distributions of the number of dice that count for a bid.

/// The largest number of dice on a table.
pub(super) const MAX_DICE: usize = 25;

/// A value for each number of dice, 0 to 25.
pub(super) type ByDice = [f64; MAX_DICE + 1];

/// The probability of each number of dice that count, from none to all.
#[derive(Clone, Debug)]
pub(super) struct CountDistribution {
    /// 0 above `dice`.
    chances: [f64; MAX_DICE + 1],
    dice: usize,
}

impl CountDistribution {
    /// The binomial distribution of `dice` dice, each of which counts with probability `chance`, below 1.
    ///
    /// # Panics
    /// If there are more than 25 dice.
    pub(super) fn new(dice: u8, chance: f64) -> Self {
        let dice = usize::from(dice);
        let odds = chance / (1.0 - chance);
        let mut chances = [0.0; MAX_DICE + 1];
        chances[0] = (0..dice).fold(1.0, |none, _| none * (1.0 - chance));
        for count in 1..=dice {
            let ways = (dice + 1 - count) as f64 / count as f64;
            chances[count] = chances[count - 1] * odds * ways;
        }
        Self { chances, dice }
    }

    /// The distribution of `weights.len() - 1` dice, in proportion to the weight of each number.
    ///
    /// # Panics
    /// If there are more than 25 dice.
    pub(super) fn weighted(weights: &[f64]) -> Self {
        let mut chances = [0.0; MAX_DICE + 1];
        let sum: f64 = weights.iter().sum();
        for (chance, weight) in chances.iter_mut().zip(weights) {
            *chance = weight / sum;
        }
        Self { chances, dice: weights.len() - 1 }
    }

    /// Adds independent dice: the convolution of both distributions.
    ///
    /// # Panics
    /// If there are then more than 25 dice.
    pub(super) fn add(&mut self, other: &Self) {
        // Descending, so that sums are added only to entries that were already read.
        for count in (0..=self.dice).rev() {
            let chance = std::mem::take(&mut self.chances[count]);
            for (sum, with) in self.chances[count..].iter_mut().zip(other.chances()) {
                *sum += chance * with;
            }
        }
        self.dice += other.dice;
    }

    /// The probability of each number, from 0 to the number of dice.
    pub(super) fn chances(&self) -> &[f64] {
        &self.chances[..=self.dice]
    }
}

/// The probabilities that at least each number of dice count.
#[derive(Clone, Debug)]
pub(super) struct TailProbabilities(CountDistribution);

impl TailProbabilities {
    pub(super) fn new(mut distribution: CountDistribution) -> Self {
        for count in (0..distribution.dice).rev() {
            distribution.chances[count] += distribution.chances[count + 1];
        }
        Self(distribution)
    }

    /// The probability that at least `needed` dice count.
    pub(super) fn at_least(&self, needed: u32) -> f64 {
        self.0.chances.get(needed as usize).copied().unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use dicehill_rules::liars_dice::Odds;

    use super::{CountDistribution, TailProbabilities};

    #[test]
    fn sums_of_fair_dice_are_binomial() {
        for first in 0..=25 {
            let mut distribution = CountDistribution::new(first, 1.0 / 3.0);
            distribution.add(&CountDistribution::new(25 - first, 1.0 / 3.0));
            let tail = TailProbabilities::new(distribution);
            for needed in 0..=30 {
                let odds = Odds::with_wild_ones(25, i64::from(needed));
                let difference = tail.at_least(needed) - odds.chance();
                assert!(difference.abs() < 1e-12, "{first} dice, {needed} needed: {difference}");
            }
        }
    }
}
