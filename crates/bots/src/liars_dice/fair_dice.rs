//! Distributions of fair dice.

use std::sync::LazyLock;

use dicehill_rules::Face;

use super::count_distribution::{CountDistribution, MAX_DICE, TailProbabilities};

/// For 0 to 25 dice, each of which counts with probability 1/3, and with probability 1/6.
static DISTRIBUTIONS: LazyLock<[Vec<CountDistribution>; 2]> = LazyLock::new(|| {
    [1.0 / 3.0, 1.0 / 6.0].map(|chance| {
        (0..=MAX_DICE as u8).map(|dice| CountDistribution::new(dice, chance)).collect()
    })
});

/// The tail probabilities of the same dice.
static TAILS: LazyLock<[Vec<TailProbabilities>; 2]> = LazyLock::new(|| {
    DISTRIBUTIONS
        .each_ref()
        .map(|distributions| distributions.iter().cloned().map(TailProbabilities::new).collect())
});

/// The probability that a fair die counts for a bid on `face`.
pub(super) fn fair_chance(face: Face) -> f64 {
    if face == Face::ONE { 1.0 / 6.0 } else { 1.0 / 3.0 }
}

/// The distribution of the number of `dice` fair dice that count for a bid on `face`.
///
/// # Panics
/// If there are more than 25 dice.
pub(super) fn fair_distribution(dice: usize, face: Face) -> &'static CountDistribution {
    &DISTRIBUTIONS[usize::from(face == Face::ONE)][dice]
}

/// The tail probabilities of the number of `dice` fair dice that count for a bid on `face`.
///
/// # Panics
/// If there are more than 25 dice.
pub(super) fn fair_tail(dice: usize, face: Face) -> &'static TailProbabilities {
    &TAILS[usize::from(face == Face::ONE)][dice]
}
