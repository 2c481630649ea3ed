//! Luck-adjusted means, by control variates.
//!
//! Each sample has a value, and controls whose expectations are known to be 0. The regression of the value on the
//! controls estimates the part of its deviation that was luck; subtracting it keeps the expectation and lowers the
//! variance. Source: S. Lavenberg and P. Welch, "A perspective on the use of control variables to increase the
//! efficiency of Monte Carlo simulations", Management Science 27 (1981).

use super::Sums;
use super::covariance::dot;

/// Number of control variates.
pub(crate) const CONTROLS: usize = 5;
/// The controls of a sample.
pub(crate) type Controls = [f64; CONTROLS];

/// The adjustment needs this many samples per control.
const MIN_SAMPLES_PER_CONTROL: usize = 10;
/// A control is collinear with the others if at most this share of its variance is unexplained by them.
const COLLINEARITY_TOLERANCE: f64 = 1e-9;
/// A variance of at most this share of another is a rounding error of 0.
const ROUNDING_TOLERANCE: f64 = 1e-12;

/// Sums over samples, in their order: of the controls, of their products, and of their products with the value.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Moments {
    sums: Controls,
    /// Symmetric; only the lower triangle is filled.
    products: [Controls; CONTROLS],
    with_value: Controls,
}

impl Moments {
    pub(crate) fn add(&mut self, value: f64, controls: &Controls) {
        for (a, control) in controls.iter().enumerate() {
            self.sums[a] += control;
            self.with_value[a] += value * control;
            for (product, other) in self.products[a].iter_mut().zip(&controls[..=a]) {
                *product += control * other;
            }
        }
    }
}

/// The sums over the samples of one stratum: of the values alone, and with the controls.
#[derive(Clone, Copy)]
pub(crate) struct StratumSums<'a> {
    pub(crate) values: &'a Sums,
    pub(crate) moments: &'a Moments,
}

/// A sum of values, plain and luck-adjusted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Adjusted {
    pub(crate) plain: f64,
    pub(crate) plain_variance: f64,
    pub(crate) sum: f64,
    /// The variance of `sum`; 0 if the controls explain everything.
    pub(crate) variance: f64,
    /// The number of controls used: those that are not collinear with others.
    pub(crate) controls: usize,
}

/// Sums of products of deviations from the means of a stratum.
#[derive(Clone, Copy, Default)]
struct Scatter {
    controls: [Controls; CONTROLS],
    with_value: Controls,
    value: f64,
}

impl StratumSums<'_> {
    fn scatter(&self) -> Scatter {
        let n = self.values.count as f64;
        let Moments { sums, products, with_value } = self.moments;
        let value_sum = self.values.sum as f64;
        let mut scatter = Scatter::default();
        for a in 0..CONTROLS {
            scatter.with_value[a] = with_value[a] - sums[a] * (value_sum / n);
            for b in 0..=a {
                let product = products[a][b] - sums[a] * (sums[b] / n);
                let is_rounding_error = a == b && product <= ROUNDING_TOLERANCE * products[a][b];
                let product = if is_rounding_error { 0.0 } else { product };
                (scatter.controls[a][b], scatter.controls[b][a]) = (product, product);
            }
        }
        scatter.value = self.values.variance().map_or(0.0, |variance| variance * (n - 1.0));
        scatter
    }
}

impl Scatter {
    fn add(&mut self, other: &Self) {
        self.value += other.value;
        for a in 0..CONTROLS {
            self.with_value[a] += other.with_value[a];
            for b in 0..CONTROLS {
                self.controls[a][b] += other.controls[a][b];
            }
        }
    }

    /// The sum of squared residuals of the regression with these weights.
    fn residual(&self, weights: &Controls) -> f64 {
        let square: f64 =
            self.controls.iter().zip(weights).map(|(row, weight)| weight * dot(row, weights)).sum();
        let residual = self.value - 2.0 * dot(&self.with_value, weights) + square;
        if residual > ROUNDING_TOLERANCE * self.value { residual } else { 0.0 }
    }
}

/// The luck-adjusted sum of the values of all strata; `None` if a stratum has a single sample, there are too few
/// samples in total, or all values are equal.
///
/// The weights of the controls are those of least squares within the strata. The variance of the sum adds up, over the
/// strata, the square of the sample count times the variance of the mean, with n - strata - controls degrees of freedom
/// in total.
pub(crate) fn adjust(strata: &[StratumSums<'_>]) -> Option<Adjusted> {
    let samples: u64 = strata.iter().map(|stratum| stratum.values.count).sum();
    let degrees_of_freedom = samples as f64 - strata.len() as f64;
    let has_single_sample = strata.iter().any(|stratum| stratum.values.count < 2);
    if has_single_sample || degrees_of_freedom < (MIN_SAMPLES_PER_CONTROL * CONTROLS) as f64 {
        return None;
    }
    let scatters: Vec<_> = strata.iter().map(StratumSums::scatter).collect();
    let mut pooled = Scatter::default();
    scatters.iter().for_each(|scatter| pooled.add(scatter));
    if pooled.value <= 0.0 {
        return None;
    }
    let (weights, controls) = least_squares(&pooled);
    let scale = degrees_of_freedom / (degrees_of_freedom - controls as f64);
    let variance = |of: &dyn Fn(&Scatter) -> f64| -> f64 {
        let each = strata.iter().zip(&scatters).map(|(stratum, scatter)| {
            let n = stratum.values.count as f64;
            of(scatter) * n / (n - 1.0)
        });
        each.sum()
    };
    let plain: f64 = strata.iter().map(|stratum| stratum.values.sum as f64).sum();
    let luck: f64 = strata.iter().map(|stratum| dot(&stratum.moments.sums, &weights)).sum();
    Some(Adjusted {
        plain,
        plain_variance: variance(&|scatter| scatter.value),
        sum: plain - luck,
        variance: scale * variance(&|scatter| scatter.residual(&weights)),
        controls,
    })
}

/// The weights of the controls, and how many are not 0.
fn least_squares(pooled: &Scatter) -> (Controls, usize) {
    let factor = Factor::of(pooled);
    (factor.solve(pooled), factor.chosen.len())
}

/// A Cholesky decomposition of the controls' correlations with complete pivoting, which ends when the remaining controls
/// are collinear with the chosen ones.
struct Factor {
    /// The standard deviations of all controls, up to a common factor.
    scales: Controls,
    /// The chosen controls, in order, and their diagonal entries.
    chosen: Vec<usize>,
    pivots: Vec<f64>,
    /// By control: an entry for every control that was chosen before it.
    rows: [Vec<f64>; CONTROLS],
}

impl Factor {
    fn of(pooled: &Scatter) -> Self {
        let scales =
            std::array::from_fn::<f64, CONTROLS, _>(|a| pooled.controls[a][a].max(0.0).sqrt());
        let correlation = |a: usize, b: usize| pooled.controls[a][b] / (scales[a] * scales[b]);
        let mut rest: Vec<usize> = (0..CONTROLS).filter(|a| scales[*a] > 0.0).collect();
        let mut remaining_variance = scales.map(|scale| if scale > 0.0 { 1.0 } else { 0.0 });
        let (mut chosen, mut pivots) = (Vec::new(), Vec::new());
        let mut rows = [const { Vec::new() }; CONTROLS];
        while let Some(next) = largest_pivot(&rest, &remaining_variance)
            .filter(|next| remaining_variance[*next] > COLLINEARITY_TOLERANCE)
        {
            rest.retain(|other| *other != next);
            let pivot = remaining_variance[next].sqrt();
            let own = rows[next].clone();
            for other in &rest {
                let entry = (correlation(*other, next) - dot(&rows[*other], &own)) / pivot;
                rows[*other].push(entry);
                remaining_variance[*other] -= entry * entry;
            }
            chosen.push(next);
            pivots.push(pivot);
        }
        Self { scales, chosen, pivots, rows }
    }

    /// The weights of the controls, by forward and back substitution.
    fn solve(&self, pooled: &Scatter) -> Controls {
        let Self { scales, chosen, pivots, rows } = self;
        let mut solved: Vec<f64> = Vec::with_capacity(chosen.len());
        for (control, pivot) in chosen.iter().zip(pivots) {
            let right = pooled.with_value[*control] / scales[*control];
            solved.push((right - dot(&rows[*control], &solved)) / pivot);
        }
        for index in (0..chosen.len()).rev() {
            let later = index + 1..chosen.len();
            let solved_part: f64 =
                later.map(|after| rows[chosen[after]][index] * solved[after]).sum();
            solved[index] = (solved[index] - solved_part) / pivots[index];
        }
        let mut weights = [0.0; CONTROLS];
        for (control, value) in chosen.iter().zip(solved) {
            weights[*control] = value / scales[*control];
        }
        weights
    }
}

/// The control with the largest remaining variance; the first of several.
fn largest_pivot(rest: &[usize], variance: &Controls) -> Option<usize> {
    let larger = |best, other| if variance[other] > variance[best] { other } else { best };
    rest.iter().copied().reduce(larger)
}

#[cfg(test)]
mod tests;
