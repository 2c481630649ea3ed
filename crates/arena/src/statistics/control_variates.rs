//! Means without the luck that is known: control variates.
//!
//! Of a value in each sample, and of controls whose expectations are known to be 0, the regression of the
//! value on the controls says how much of its deviation was luck. Taking that away leaves the expectation as
//! it is and the variance smaller. Source: S. Lavenberg and P. Welch, "A perspective on the use of control
//! variables to increase the efficiency of Monte Carlo simulations", Management Science 27 (1981).

use super::Sums;
use super::covariance::dot;

/// Controls of a value.
pub(crate) const CONTROLS: usize = 5;
/// The controls of a sample.
pub(crate) type Controls = [f64; CONTROLS];

/// Samples for each control, at least.
const LEAST_SAMPLES: usize = 10;
/// A control of whose variance the others leave no more than this share says nothing new.
const COLLINEAR: f64 = 1e-9;
/// A variance of no more than this share of another is what rounding leaves of nothing.
const NOTHING: f64 = 1e-12;

/// Sums over samples, in the order in which they come: of the controls, of their products, of their products
/// with the value.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Moments {
    sums: Controls,
    /// Symmetric; the lower triangle is kept.
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

/// The samples of one stratum: those of its values, and how they go with the controls.
#[derive(Clone, Copy)]
pub(crate) struct Part<'a> {
    pub(crate) values: &'a Sums,
    pub(crate) moments: &'a Moments,
}

/// A sum of values, with and without the luck that the controls know.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Adjusted {
    pub(crate) plain: f64,
    pub(crate) plain_variance: f64,
    pub(crate) sum: f64,
    /// Of `sum`: 0 if the controls know everything.
    pub(crate) variance: f64,
    /// Controls that say something which the others do not.
    pub(crate) controls: usize,
}

/// Sums of products of deviations from the means of a stratum.
#[derive(Clone, Copy, Default)]
struct Scatter {
    controls: [Controls; CONTROLS],
    with_value: Controls,
    value: f64,
}

impl Part<'_> {
    fn scatter(&self) -> Scatter {
        let n = self.values.count as f64;
        let Moments { sums, products, with_value } = self.moments;
        let value_sum = self.values.sum as f64;
        let mut scatter = Scatter::default();
        for a in 0..CONTROLS {
            scatter.with_value[a] = with_value[a] - sums[a] * (value_sum / n);
            for b in 0..=a {
                let product = products[a][b] - sums[a] * (sums[b] / n);
                // What rounding leaves of nothing is nothing.
                let is_nothing = a == b && product <= NOTHING * products[a][b];
                let product = if is_nothing { 0.0 } else { product };
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

    /// The sum of the squares that `weights` leave.
    fn residue(&self, weights: &Controls) -> f64 {
        let square: f64 =
            self.controls.iter().zip(weights).map(|(row, weight)| weight * dot(row, weights)).sum();
        let left = self.value - 2.0 * dot(&self.with_value, weights) + square;
        if left > NOTHING * self.value { left } else { 0.0 }
    }
}

/// The sum of the values of all parts without the luck that the controls know; `None` if some part has a single
/// sample, all together have too few, or the values are all alike.
///
/// The weights of the controls are those of least squares within the parts. The sum's variance is the sum,
/// over the parts, of m² times the variance of their means, with n - parts - controls degrees of freedom in all.
pub(crate) fn adjust(parts: &[Part<'_>]) -> Option<Adjusted> {
    let samples: u64 = parts.iter().map(|part| part.values.count).sum();
    let free = samples as f64 - parts.len() as f64;
    let is_short = parts.iter().any(|part| part.values.count < 2);
    if is_short || free < (LEAST_SAMPLES * CONTROLS) as f64 {
        return None;
    }
    let scatters: Vec<_> = parts.iter().map(Part::scatter).collect();
    let mut pooled = Scatter::default();
    scatters.iter().for_each(|scatter| pooled.add(scatter));
    if pooled.value <= 0.0 {
        return None;
    }
    let (weights, controls) = least_squares(&pooled);
    let scale = free / (free - controls as f64);
    let variance = |of: &dyn Fn(&Scatter) -> f64| -> f64 {
        let each = parts.iter().zip(&scatters).map(|(part, scatter)| {
            let n = part.values.count as f64;
            of(scatter) * n / (n - 1.0)
        });
        each.sum()
    };
    let plain: f64 = parts.iter().map(|part| part.values.sum as f64).sum();
    let luck: f64 = parts.iter().map(|part| dot(&part.moments.sums, &weights)).sum();
    Some(Adjusted {
        plain,
        plain_variance: variance(&|scatter| scatter.value),
        sum: plain - luck,
        variance: scale * variance(&|scatter| scatter.residue(&weights)),
        controls,
    })
}

/// The weights of the controls, and how many have one: Cholesky's decomposition of their correlations, the
/// control of whose variance most is left always next, until nothing is.
fn least_squares(pooled: &Scatter) -> (Controls, usize) {
    let scales = std::array::from_fn::<f64, CONTROLS, _>(|a| pooled.controls[a][a].max(0.0).sqrt());
    let correlation = |a: usize, b: usize| pooled.controls[a][b] / (scales[a] * scales[b]);
    let mut rest: Vec<usize> = (0..CONTROLS).filter(|a| scales[*a] > 0.0).collect();
    let mut left = scales.map(|scale| if scale > 0.0 { 1.0 } else { 0.0 });
    let (mut chosen, mut pivots): (Vec<usize>, Vec<f64>) = (Vec::new(), Vec::new());
    // The rows of the factor, of all controls: as many entries as are chosen.
    let mut rows = [const { Vec::new() }; CONTROLS];
    while let Some(next) = largest(&rest, &left).filter(|next| left[*next] > COLLINEAR) {
        rest.retain(|other| *other != next);
        let pivot = left[next].sqrt();
        let own = rows[next].clone();
        for other in &rest {
            let entry = (correlation(*other, next) - dot(&rows[*other], &own)) / pivot;
            rows[*other].push(entry);
            left[*other] -= entry * entry;
        }
        chosen.push(next);
        pivots.push(pivot);
    }
    (solve(pooled, &scales, &rows, (&chosen, &pivots)), chosen.len())
}

/// The first of those of which most is left.
fn largest(rest: &[usize], left: &Controls) -> Option<usize> {
    rest.iter().copied().reduce(|best, other| if left[other] > left[best] { other } else { best })
}

/// Forward and back through the factor.
fn solve(
    pooled: &Scatter,
    scales: &Controls,
    rows: &[Vec<f64>; CONTROLS],
    (chosen, pivots): (&[usize], &[f64]),
) -> Controls {
    let mut solved: Vec<f64> = Vec::with_capacity(chosen.len());
    for (control, pivot) in chosen.iter().zip(pivots) {
        let right = pooled.with_value[*control] / scales[*control];
        solved.push((right - dot(&rows[*control], &solved)) / pivot);
    }
    for at in (0..chosen.len()).rev() {
        let later = at + 1..chosen.len();
        let known: f64 = later.map(|after| rows[chosen[after]][at] * solved[after]).sum();
        solved[at] = (solved[at] - known) / pivots[at];
    }
    let mut weights = [0.0; CONTROLS];
    for (control, value) in chosen.iter().zip(solved) {
        weights[*control] = value / scales[*control];
    }
    weights
}

#[cfg(test)]
mod tests;
