//! The chance that each entrant is the best.

use super::covariance::{Covariance, dot};
use super::draws::Draws;

/// Draws of what the entrants' expected totals may be.
const DRAWS: usize = 10_000;
/// Steps that all draws together may take.
const MOST_STEPS: usize = 1_000_000_000;

/// For each entrant the probability that its expected total is the highest.
///
/// The expected totals are multivariate t with `freedom` degrees of freedom about the `totals`: what is
/// known of them after the games, if nothing was known before. Those who are level share a draw.
pub(crate) fn chances_to_be_best(
    totals: &[f64],
    covariance: &Covariance,
    freedom: f64,
) -> Vec<f64> {
    let size = covariance.size();
    let count = DRAWS.min(MOST_STEPS / (size * size).max(1)).max(1);
    let factor = covariance.factor();
    let mut draws = Draws::of(totals.iter().map(|total| total.to_bits()));
    let mut firsts = vec![0.0; size];
    let (mut normals, mut drawn) = (vec![0.0; size], vec![0.0; size]);
    for _ in 0..count {
        let scale = (freedom / (2.0 * draws.gamma(freedom / 2.0))).sqrt();
        normals.fill_with(|| scale * draws.normal());
        for ((drawn, total), row) in drawn.iter_mut().zip(totals).zip(&factor) {
            *drawn = total + dot(row, &normals);
        }
        share_the_first_place(&drawn, &mut firsts);
    }
    firsts.iter().map(|first| first / count as f64).collect()
}

/// Adds one to the highest, divided among those who are level.
pub(crate) fn share_the_first_place(values: &[f64], firsts: &mut [f64]) {
    let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let level = values.iter().filter(|value| **value == highest).count() as f64;
    for (first, value) in firsts.iter_mut().zip(values) {
        if *value == highest {
            *first += 1.0 / level;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(variances: &[f64]) -> Covariance {
        let mut covariance = Covariance::new(variances.len());
        for (index, variance) in variances.iter().enumerate() {
            covariance.add(index, index, *variance);
        }
        covariance
    }

    #[test]
    fn a_lead_of_so_many_deviations_has_the_chance_that_the_normal_distribution_says() {
        for (lead, expected) in [(0.0, 0.5), (1.0, 0.841_345), (1.959_964, 0.975)] {
            let chances = chances_to_be_best(&[lead, 0.0], &spread(&[0.5, 0.5]), 1e9);
            assert!((chances[0] - expected).abs() < 0.01, "{lead}: {chances:?}");
            assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn few_degrees_of_freedom_make_less_sure() {
        // Student's distribution with two degrees of freedom: 1/2 + t / (2 sqrt(t^2 + 2)).
        let chances = chances_to_be_best(&[3.0, 0.0], &spread(&[0.5, 0.5]), 2.0);
        assert!((chances[0] - 0.952_267).abs() < 0.01, "{chances:?}");
    }

    #[test]
    fn those_who_never_vary_share_the_first_place() {
        assert_eq!(chances_to_be_best(&[1.0, 1.0, 0.0], &spread(&[0.0; 3]), 1.0), [0.5, 0.5, 0.0]);
        assert_eq!(chances_to_be_best(&[], &spread(&[]), 1.0), Vec::<f64>::new());
    }
}
