//! Evidence that a mean is above zero, as what somebody would win who bet on it.

/// How many bets run side by side; each stakes half of what the one before it does.
const STAKES: usize = 16;
/// More than this no wealth becomes, nor less than its inverse without being lost: products stay finite,
/// and giving wealth away leaves the guarantee as it is.
const MOST_WEALTH: f64 = 1e200;

/// A player with as much money in each of several bets that a value is positive on average.
///
/// Each bet has stakes of its own, a fixed share of its wealth: a gain g multiplies that wealth by
/// 1 + stake x g. If the values have a mean of zero or less, whatever the past, no bet wins on average,
/// and by Ville's inequality (1939) the player is at no time ever e times as rich as at the
/// beginning but with probability 1/e. So the wealth is evidence that can be looked at after every
/// value. Source: I. Waudby-Smith and A. Ramdas, "Estimating means of bounded random variables by
/// betting", J. R. Stat. Soc. B 86 (2024); the bets are theirs with a mixture over a grid of stakes,
/// which has to guess nothing: the best stake is about mean / (mean² + variance).
#[derive(Clone, Debug)]
pub(crate) struct Bets {
    wealth: [f64; STAKES],
}

impl Bets {
    pub(crate) const fn new() -> Self {
        Self { wealth: [1.0; STAKES] }
    }

    /// Takes a value in units of the most that can be lost: at least -1.
    pub(crate) fn add(&mut self, gain: f64) {
        let mut stake = 1.0;
        for wealth in &mut self.wealth {
            let next = *wealth * (1.0 + stake * gain);
            *wealth = if next < 1.0 / MOST_WEALTH { 0.0 } else { next.min(MOST_WEALTH) };
            stake *= 0.5;
        }
    }

    /// How many times as rich as at the beginning.
    pub(crate) fn evidence(&self) -> f64 {
        weighted(|stake| self.wealth[stake])
    }
}

/// Bets on both sides: that a mean is above zero, and that it is below.
#[derive(Clone, Debug)]
pub(crate) struct Sides {
    /// The most that a value can be, either way.
    pub(crate) bound: u64,
    pub(crate) above: Bets,
    pub(crate) below: Bets,
}

impl Sides {
    pub(crate) const fn new(bound: u64) -> Self {
        assert!(bound > 0, "values differ");
        Self { bound, above: Bets::new(), below: Bets::new() }
    }

    pub(crate) fn add(&mut self, value: i64) {
        assert!(value.unsigned_abs() <= self.bound, "{value} exceeds {}", self.bound);
        let gain = value as f64 / self.bound as f64;
        self.above.add(gain);
        self.below.add(-gain);
    }
}

/// The mean of what the bets came to. The higher the stakes the more weight they have: a difference
/// that can be seen at once is not to wait for those that are made for small ones.
pub(crate) fn weighted(wealth: impl Fn(usize) -> f64) -> f64 {
    (0..STAKES).map(|stake| WEIGHTS[stake] * wealth(stake)).sum()
}

/// Proportional to 1/2, 1/3, 1/4 and so on, and 1 in all.
const WEIGHTS: [f64; STAKES] = {
    let mut weights = [0.0; STAKES];
    let (mut sum, mut stake) = (0.0, 0);
    while stake < STAKES {
        weights[stake] = 1.0 / (stake + 2) as f64;
        sum += weights[stake];
        stake += 1;
    }
    while stake > 0 {
        stake -= 1;
        weights[stake] /= sum;
    }
    weights
};
