//! The chance to win that explains best which positions were won.

use std::collections::BTreeMap;

use crate::liars_dice::seer::holdings::Holdings;
use crate::liars_dice::seer::win_chance::{FEATURES, WinChance, features, logistic, logit};

/// As how many positions, of a feature of 1, the chance between equals counts.
const PRIOR: f64 = 20.0;
/// Steps of Newton's method; the weights have settled before.
const STEPS: usize = 12;

/// Positions won and all, at the starts of rounds.
pub(super) type Starts = BTreeMap<Holdings, [u64; 2]>;

type Weights = [f64; FEATURES];

/// Logistic regression for each number of players: maximum likelihood with a normal prior, by Newton's method.
pub(super) fn win_chance(starts: &Starts) -> WinChance {
    WinChance::new(std::array::from_fn(|table| {
        let of_table = |start: &(&Holdings, &[u64; 2])| usize::from(start.0.players) == table + 2;
        let starts: Vec<_> = starts
            .iter()
            .filter(of_table)
            .map(|(holdings, [won, all])| (features(*holdings), *won as f64, *all as f64))
            .collect();
        (0..STEPS).fold(WinChance::FAIR, |weights, _| step(&weights, &starts))
    }))
}

fn step(weights: &Weights, starts: &[(Weights, f64, f64)]) -> Weights {
    let mut gradient = [0.0; FEATURES];
    let mut curvature = [[0.0; FEATURES]; FEATURES];
    for (index, (weight, fair)) in weights.iter().zip(WinChance::FAIR).enumerate() {
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
    let mut by = solved(curvature, gradient);
    by.iter_mut().zip(weights).for_each(|(by, weight)| *by += weight);
    by
}

/// The solution of a system of linear equations whose matrix is positive definite, by elimination.
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
    use super::{Starts, win_chance};
    use crate::liars_dice::seer::holdings::Holdings;
    use crate::liars_dice::seer::win_chance::WinChance;

    #[test]
    fn it_finds_the_weights_that_positions_were_won_by() {
        let mut weights = [WinChance::FAIR; 4];
        weights[1] = [1.4, 0.2, -0.3, 0.1, 0.5, 0.0, 0.0];
        let truth = WinChance::new(weights);
        let mut starts = Starts::new();
        for (all, before) in [(15, 0), (15, 1), (20, 2), (25, 0), (25, 1), (20, 0)] {
            for own in 1..all - 1 {
                let holdings = Holdings { players: 3, all, own, before };
                let games = 1e7;
                starts.insert(holdings, [(truth.of(holdings) * games) as u64, games as u64]);
            }
        }
        let found = win_chance(&starts).weights;
        for (found, truth) in found[1].iter().zip(weights[1]) {
            assert!((found - truth).abs() < 1e-3, "{found} for {truth}");
        }
        assert_eq!(found[0], WinChance::FAIR, "nothing was seen among two");
    }
}
