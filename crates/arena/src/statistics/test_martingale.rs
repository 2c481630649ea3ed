//! Evidence that a mean is above zero, by betting on it: a test martingale.

/// Number of bets in the mixture.
const STAKE_COUNT: usize = 16;
/// Wealth is capped here, and counts as lost below the inverse: products stay finite, and giving up wealth keeps the
/// guarantee.
const MAX_WEALTH: f64 = 1e200;

/// The shares of their wealth that the bets of the mixture stake: 1, 1/2, 1/4 and the further halves.
pub(crate) const STAKES: [f64; STAKE_COUNT] = {
    let mut stakes = [1.0; STAKE_COUNT];
    let mut index = 1;
    while index < STAKE_COUNT {
        stakes[index] = stakes[index - 1] / 2.0;
        index += 1;
    }
    stakes
};

/// A mixture of bets that a value is positive on average.
///
/// Each bet stakes a fixed share of its wealth: a gain g multiplies the wealth by 1 + stake x g. If the conditional
/// mean of every value is zero or less, the wealth is a supermartingale, and by Ville's inequality (1939) it ever grows
/// e-fold with probability at most 1/e. So the wealth is an e-value, valid after every value. Source: I. Waudby-Smith
/// and A. Ramdas, "Estimating means of bounded random variables by betting", J. R. Stat. Soc. B 86 (2024), here with a
/// mixture over a grid of stakes, because the best stake, about mean / (mean² + variance), is unknown.
#[derive(Clone, Debug)]
pub(crate) struct TestMartingale {
    /// By bet, in the order of [`STAKES`].
    wealth: [f64; STAKE_COUNT],
}

impl TestMartingale {
    pub(crate) const fn new() -> Self {
        Self { wealth: [1.0; STAKE_COUNT] }
    }

    /// Adds a value in units of the largest possible loss: at least -1.
    pub(crate) fn add(&mut self, gain: f64) {
        for (wealth, stake) in self.wealth.iter_mut().zip(&STAKES) {
            let next = *wealth * (1.0 + stake * gain);
            *wealth = if next < 1.0 / MAX_WEALTH { 0.0 } else { next.min(MAX_WEALTH) };
        }
    }

    /// The wealth as a multiple of the initial wealth.
    pub(crate) fn e_value(&self) -> f64 {
        mixture(&self.wealth)
    }
}

/// Bets that a mean is above zero, and bets that it is below.
#[derive(Clone, Debug)]
pub(crate) struct TwoSidedTest {
    /// The largest absolute value.
    pub(crate) bound: u64,
    pub(crate) above: TestMartingale,
    pub(crate) below: TestMartingale,
}

impl TwoSidedTest {
    pub(crate) const fn new(bound: u64) -> Self {
        assert!(bound > 0, "values differ");
        Self { bound, above: TestMartingale::new(), below: TestMartingale::new() }
    }

    pub(crate) fn add(&mut self, value: i64) {
        assert!(value.unsigned_abs() <= self.bound, "{value} exceeds {}", self.bound);
        let gain = value as f64 / self.bound as f64;
        self.above.add(gain);
        self.below.add(-gain);
    }
}

/// The weighted mean of the wealth of all bets, in the order of [`STAKES`]. Higher stakes weigh more, so that large
/// differences are found early.
pub(crate) fn mixture(wealth: &[f64; STAKE_COUNT]) -> f64 {
    WEIGHTS.iter().zip(wealth).map(|(weight, wealth)| weight * wealth).sum()
}

/// Proportional to 1/2, 1/3, 1/4, ...; their sum is 1.
const WEIGHTS: [f64; STAKE_COUNT] = {
    let mut weights = [0.0; STAKE_COUNT];
    let (mut sum, mut index) = (0.0, 0);
    while index < STAKE_COUNT {
        weights[index] = 1.0 / (index + 2) as f64;
        sum += weights[index];
        index += 1;
    }
    while index > 0 {
        index -= 1;
        weights[index] /= sum;
    }
    weights
};
