//! The probability that each entrant is the best.

use super::covariance::{Covariance, dot};
use super::random_stream::RandomStream;

/// Draws from the posterior of the expected totals.
const DRAWS: usize = 10_000;
/// Operations that all draws together may take.
const MAX_WORK: usize = 1_000_000_000;

/// For each entrant the probability that its expected total is the highest.
///
/// The posterior of the expected totals under a flat prior is multivariate t with `freedom` degrees of freedom, centred
/// at `totals`. Entrants that are level share a draw.
pub(crate) fn best_probabilities(
    totals: &[f64],
    covariance: &Covariance,
    freedom: f64,
) -> Vec<f64> {
    let size = covariance.size();
    let count = DRAWS.min(MAX_WORK / (size * size).max(1)).max(1);
    let factor = covariance.factor();
    let mut draws = RandomStream::seeded_by(totals.iter().map(|total| total.to_bits()));
    let mut firsts = vec![0.0; size];
    let (mut normals, mut drawn) = (vec![0.0; size], vec![0.0; size]);
    for _ in 0..count {
        let scale = (freedom / (2.0 * draws.gamma(freedom / 2.0))).sqrt();
        normals.fill_with(|| scale * draws.normal());
        for ((drawn, total), row) in drawn.iter_mut().zip(totals).zip(&factor) {
            *drawn = total + dot(row, &normals);
        }
        add_first_place_shares(&drawn, &mut firsts);
    }
    firsts.iter().map(|first| first / count as f64).collect()
}

/// Adds one to the entry of the highest value, divided among those that are level.
pub(crate) fn add_first_place_shares(values: &[f64], firsts: &mut [f64]) {
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
    fn with_many_degrees_of_freedom_the_probability_is_that_of_the_normal_distribution() {
        for (lead, expected) in [(0.0, 0.5), (1.0, 0.841_345), (1.959_964, 0.975)] {
            let probabilities = best_probabilities(&[lead, 0.0], &spread(&[0.5, 0.5]), 1e9);
            assert!((probabilities[0] - expected).abs() < 0.01, "{lead}: {probabilities:?}");
            assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn with_few_degrees_of_freedom_the_probability_is_that_of_students_distribution() {
        // Student's distribution with two degrees of freedom: 1/2 + t / (2 sqrt(t^2 + 2)).
        let probabilities = best_probabilities(&[3.0, 0.0], &spread(&[0.5, 0.5]), 2.0);
        assert!((probabilities[0] - 0.952_267).abs() < 0.01, "{probabilities:?}");
    }

    #[test]
    fn entrants_without_variance_share_the_first_place() {
        assert_eq!(best_probabilities(&[1.0, 1.0, 0.0], &spread(&[0.0; 3]), 1.0), [0.5, 0.5, 0.0]);
        assert_eq!(best_probabilities(&[], &spread(&[]), 1.0), Vec::<f64>::new());
    }
}
