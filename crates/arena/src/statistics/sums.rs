//! The sums from which mean and variance of a sample follow.

/// The count, the sum and the sum of squares of a sample's values: exact, as integers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sums {
    pub(crate) count: u64,
    pub(crate) sum: u128,
    pub(crate) squares: u128,
}

impl Sums {
    pub(crate) const fn add(&mut self, value: u64) {
        self.count += 1;
        self.sum += value as u128;
        self.squares += value as u128 * value as u128;
    }

    /// The mean; `None` without values.
    pub(crate) fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    /// The sample variance, with the divisor n - 1; `None` for fewer than two values.
    pub(crate) fn variance(&self) -> Option<f64> {
        let (n, sum, squares) = (self.count as i128, self.sum as i128, self.squares as i128);
        (n > 1).then(|| (n * squares - sum * sum) as f64 / (n * (n - 1)) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variance_has_the_divisor_n_minus_one() {
        let mut sums = Sums::default();
        for value in [2, 4, 4, 4, 5, 5, 7, 9] {
            sums.add(value);
        }
        assert_eq!(sums.mean(), Some(5.0));
        assert_eq!(sums.variance(), Some(32.0 / 7.0));
        assert_eq!(Sums::default().variance(), None);
    }
}
