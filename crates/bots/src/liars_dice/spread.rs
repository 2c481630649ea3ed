//! How many of some dice count for a bid, as a distribution.

/// The most dice on a table.
const MOST_DICE: usize = 25;

/// The chance of each number of dice that count.
#[derive(Clone, Debug)]
pub(super) struct Spread {
    /// Those of more than `dice` are 0.
    chances: [f64; MOST_DICE + 1],
    dice: usize,
}

impl Spread {
    /// Of dice each of which counts with a chance below 1: the binomial distribution.
    ///
    /// # Panics
    /// If there are more than 25 dice.
    pub(super) fn new(dice: u8, chance: f64) -> Self {
        let dice = usize::from(dice);
        let odds = chance / (1.0 - chance);
        let mut chances = [0.0; MOST_DICE + 1];
        chances[0] = (0..dice).fold(1.0, |none, _| none * (1.0 - chance));
        for count in 1..=dice {
            let ways = (dice + 1 - count) as f64 / count as f64;
            chances[count] = chances[count - 1] * odds * ways;
        }
        Self { chances, dice }
    }

    /// Of `weights.len() - 1` dice, in proportion to the weights of each number.
    ///
    /// # Panics
    /// If there are more than 25 dice.
    pub(super) fn weighted(weights: &[f64]) -> Self {
        let mut chances = [0.0; MOST_DICE + 1];
        let sum: f64 = weights.iter().sum();
        for (chance, weight) in chances.iter_mut().zip(weights) {
            *chance = weight / sum;
        }
        Self { chances, dice: weights.len() - 1 }
    }

    /// Adds other dice.
    ///
    /// # Panics
    /// If there are more than 25 dice then.
    pub(super) fn add(&mut self, other: &Self) {
        // Downwards, so that what is added lands on numbers that are done with.
        for count in (0..=self.dice).rev() {
            let chance = std::mem::take(&mut self.chances[count]);
            for (sum, with) in self.chances[count..].iter_mut().zip(other.chances()) {
                *sum += chance * with;
            }
        }
        self.dice += other.dice;
    }

    /// The chance of each number from 0 to that of the dice.
    pub(super) fn chances(&self) -> &[f64] {
        &self.chances[..=self.dice]
    }
}

/// The chance of each number of dice, or more, that count.
#[derive(Clone, Debug)]
pub(super) struct Tail(Spread);

impl Tail {
    pub(super) fn new(mut spread: Spread) -> Self {
        for count in (0..spread.dice).rev() {
            spread.chances[count] += spread.chances[count + 1];
        }
        Self(spread)
    }

    /// The chance that at least `needed` dice count.
    pub(super) fn at_least(&self, needed: u32) -> f64 {
        self.0.chances.get(needed as usize).copied().unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use dicehill_rules::liars_dice::Odds;

    use super::{Spread, Tail};

    #[test]
    fn fair_dice_have_the_chances_of_the_binomial_distribution() {
        for first in 0..=25 {
            let mut spread = Spread::new(first, 1.0 / 3.0);
            spread.add(&Spread::new(25 - first, 1.0 / 3.0));
            let tail = Tail::new(spread);
            for needed in 0..=30 {
                let odds = Odds::thirds(25, i64::from(needed));
                let difference = tail.at_least(needed) - odds.chance();
                assert!(difference.abs() < 1e-12, "{first} dice, {needed} needed: {difference}");
            }
        }
    }
}
