//! The difference of two entrants' sums, sample by sample.

use super::interval::Interval;
use super::student::student_quantile;

/// The samples that are added, half of them in favour of each entrant.
pub(crate) const ADDED: f64 = 2.0;

/// The difference of two entrants' points over samples.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairedDifference {
    pub(crate) samples: u64,
    /// The pairings that the samples belong to.
    pub(crate) pairings: u64,
    /// The sum of the differences.
    pub(crate) sum: f64,
    /// The sum of the squares of the differences.
    pub(crate) squares: f64,
    /// The same of their deviations from the mean of their pairing.
    pub(crate) scatter: f64,
}

impl PairedDifference {
    /// The 95 % interval of the expected sum. Each pairing must have two samples.
    ///
    /// Two samples are added in which one entrant and then the other is ahead by the root of the mean square: otherwise a
    /// few samples that all go the same way would leave no doubt. Source: the idea of A. Agresti and B. Coull, "Approximate
    /// is better than exact for interval estimation of binomial proportions", Amer. Statist. 52 (1998), with Student's
    /// distribution for the variance that is estimated.
    pub(crate) fn interval(&self) -> Interval {
        if self.samples == 0 {
            return Interval { low: self.sum, high: self.sum };
        }
        let n = self.samples as f64;
        let all = n + ADDED;
        let freedom = self.samples + ADDED as u64 - self.pairings;
        let scatter = self.scatter.max(0.0)
            + ADDED * self.sum * self.sum / (n * all)
            + ADDED * self.squares / n;
        let variance = n * n * scatter / freedom as f64 / all;
        Interval::around(self.sum * n / all, variance, student_quantile(freedom))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_added_samples_are_counted_like_others() {
        let found =
            PairedDifference { samples: 4, pairings: 1, sum: 6.0, squares: 20.0, scatter: 11.0 };
        // The differences 0, 0, 2, 4 and the added ones; the mean square is 5.
        let all = [0.0, 0.0, 2.0, 4.0, 5f64.sqrt(), -5f64.sqrt()];
        let mean = all.iter().sum::<f64>() / 6.0;
        let square: f64 = all.iter().map(|value| (value - mean) * (value - mean)).sum();
        let error = (square / 5.0 / 6.0).sqrt();
        let Interval { low, high } = found.interval();
        assert!((low - 4.0 * (mean - 2.570_58 * error)).abs() < 1e-3, "{low}");
        assert!((high - 4.0 * (mean + 2.570_58 * error)).abs() < 1e-3, "{high}");
    }
}
