//! Logistic regression of the win probability on the states at the start of rounds.

use std::collections::BTreeMap;

use crate::liars_dice::seer::features::round_start::RoundStart;
use crate::liars_dice::seer::model::win_probability::{
    FEATURES, WinProbability, features, logistic, logit,
};

/// The weight of the prior, in states with a feature of 1.
const PRIOR: f64 = 20.0;
/// Steps of Newton's method; the weights converge before.
const STEPS: usize = 12;

/// Number of wins and of all games, by state at the start of a round.
pub(crate) type StartCounts = BTreeMap<RoundStart, [u64; 2]>;

type Weights = [f64; FEATURES];

/// Fits the weights for each number of players: maximum likelihood with a normal prior, by Newton's method.
pub(crate) fn fit_win_probability(starts: &StartCounts) -> WinProbability {
    WinProbability::new(std::array::from_fn(|table| {
        let of_table = |start: &(&RoundStart, &[u64; 2])| usize::from(start.0.players) == table + 2;
        let starts: Vec<_> = starts
            .iter()
            .filter(of_table)
            .map(|(start, [won, all])| (features(*start), *won as f64, *all as f64))
            .collect();
        (0..STEPS).fold(WinProbability::FAIR, |weights, _| step(&weights, &starts))
    }))
}

fn step(weights: &Weights, starts: &[(Weights, f64, f64)]) -> Weights {
    let mut gradient = [0.0; FEATURES];
    let mut curvature = [[0.0; FEATURES]; FEATURES];
    for (index, (weight, fair)) in weights.iter().zip(WinProbability::FAIR).enumerate() {
        gradient[index] = PRIOR / 4.0 * (fair - weight);
        curvature[index][index] = PRIOR / 4.0;
    }
    for (features, won, all) in starts {
        let chance = logistic(logit(weights, features));
        let curve = all * chance * (1.0 - chance);
        for (row, feature) in features.iter().enumerate() {
            gradient[row] += (won - all * chance) * feature;
            for (sum, other) in curvature[row].iter_mut().zip(features) {
                *sum += curve * feature * other;
            }
        }
    }
    let mut step = solved(curvature, gradient);
    step.iter_mut().zip(weights).for_each(|(step, weight)| *step += weight);
    step
}

/// Solves a system of linear equations with a positive definite matrix, by Gaussian elimination.
fn solved(mut matrix: [Weights; FEATURES], mut right: Weights) -> Weights {
    for pivot in 0..FEATURES {
        let row = matrix[pivot];
        for below in pivot + 1..FEATURES {
            let factor = matrix[below][pivot] / row[pivot];
            matrix[below].iter_mut().zip(row).for_each(|(cell, of)| *cell -= factor * of);
            right[below] -= factor * right[pivot];
        }
    }
    for pivot in (0..FEATURES).rev() {
        let known: f64 = (pivot + 1..FEATURES).map(|of| matrix[pivot][of] * right[of]).sum();
        right[pivot] = (right[pivot] - known) / matrix[pivot][pivot];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::{StartCounts, fit_win_probability};
    use crate::liars_dice::seer::features::round_start::RoundStart;
    use crate::liars_dice::seer::model::win_probability::WinProbability;

    #[test]
    fn the_fit_recovers_the_true_weights() {
        let mut weights = [WinProbability::FAIR; 4];
        weights[1] = [1.4, 0.2, -0.3, 0.1, 0.5, 0.0, 0.0];
        let truth = WinProbability::new(weights);
        let mut starts = StartCounts::new();
        for (all, before) in [(15, 0), (15, 1), (20, 2), (25, 0), (25, 1), (20, 0)] {
            for own in 1..all - 1 {
                let start = RoundStart { players: 3, all, own, before };
                let games = 1e7;
                starts.insert(start, [(truth.of(start) * games) as u64, games as u64]);
            }
        }
        let found = fit_win_probability(&starts).weights;
        for (found, truth) in found[1].iter().zip(weights[1]) {
            assert!((found - truth).abs() < 1e-3, "{found} for {truth}");
        }
        assert_eq!(found[0], WinProbability::FAIR, "there are no games between two");
    }
}
