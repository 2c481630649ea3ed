//! The covariance matrix of several entrants' sums.

/// The covariances of the sums of `size` entrants, symmetric.
#[derive(Clone, Debug)]
pub(crate) struct Covariance {
    size: usize,
    values: Vec<f64>,
}

impl Covariance {
    pub(crate) fn new(size: usize) -> Self {
        Self { size, values: vec![0.0; size * size] }
    }

    pub(crate) const fn size(&self) -> usize {
        self.size
    }

    pub(crate) fn of(&self, a: usize, b: usize) -> f64 {
        self.values[a * self.size + b]
    }

    pub(crate) fn add(&mut self, a: usize, b: usize, value: f64) {
        self.values[a * self.size + b] += value;
        if a != b {
            self.values[b * self.size + a] += value;
        }
    }

    /// The variance of the difference of two of the sums.
    pub(crate) fn difference_variance(&self, a: usize, b: usize) -> f64 {
        self.of(a, a) + self.of(b, b) - 2.0 * self.of(a, b)
    }

    /// The rows of the lower triangular L with L Lᵀ = the covariances: the Cholesky factor.
    ///
    /// A sum that does not vary, or only together with earlier ones, has 0 on the diagonal.
    pub(crate) fn factor(&self) -> Vec<Vec<f64>> {
        let mut rows: Vec<Vec<f64>> = Vec::with_capacity(self.size);
        for a in 0..self.size {
            let mut row: Vec<f64> = Vec::with_capacity(a + 1);
            for b in 0..a {
                let rest = self.of(a, b) - dot(&row, &rows[b][..b]);
                let pivot = rows[b][b];
                row.push(if pivot > 0.0 { rest / pivot } else { 0.0 });
            }
            let rest = self.of(a, a) - dot(&row, &row);
            // A remainder this small is a rounding error.
            row.push(if rest > 1e-12 * self.of(a, a) { rest.sqrt() } else { 0.0 });
            rows.push(row);
        }
        rows
    }
}

/// The dot product of two rows; the longer one is cut.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_times_its_transpose_is_the_covariance_matrix() {
        // The third sum is that of the others: the matrix is singular.
        let mut covariance = Covariance::new(3);
        for (a, b, value) in
            [(0, 0, 4.0), (1, 1, 9.0), (0, 1, 1.0), (0, 2, 5.0), (1, 2, 10.0), (2, 2, 15.0)]
        {
            covariance.add(a, b, value);
        }
        let rows = covariance.factor();
        assert_eq!(rows[2][2], 0.0);
        for (a, b) in [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2)] {
            let product = dot(&rows[a][..=b], &rows[b]);
            assert!((product - covariance.of(a, b)).abs() < 1e-12, "{a} {b} {product}");
        }
        assert_eq!(covariance.difference_variance(0, 1), 11.0);
    }
}
