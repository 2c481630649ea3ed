//! The Davidson-Luce model of who wins a table, and its fit.
//!
//! Entrant i has the strength exp(x_i), and a tie of t winners the weight exp(y_t), with y_1 = 0. The set T of winners
//! at a table has a probability proportional to exp(y_t + mean of x_i over T), where t is the size of T. Without ties
//! this is the Bradley-Terry model at tables of two, and the first choice of the Plackett-Luce model at larger ones;
//! with ties at tables of two it is Davidson's model.
//!
//! Sources: Davidson, "On extending the Bradley-Terry model to accommodate ties", JASA 65 (1970);
//! Firth, Kosmidis and Turner, "Davidson-Luce model for multi-item choice with ties", arXiv:1909.07123
//! (2019).
//!
//! The model is log-linear, so the log-likelihood is concave. It is maximised by Newton's method, whose linear systems
//! are solved by Cholesky's decomposition, or by conjugate gradients with virtual games. Without them conjugate gradients
//! do not converge in every large field, because the matrix is singular: only old documents are computed so.

use super::covariance::dot;
use super::statistics_version::StatisticsVersion;

/// The most steps of Newton's method. It needs about six, and more if strengths differ widely.
const MAX_ITERATIONS: usize = 200;
/// The fit ends with a step shorter than this; the remaining error is about its square.
const STEP_TOLERANCE: f64 = 1e-4;
/// The most unknowns of a linear system that is solved by decomposition in documents of the statistics 2 and 3.
const OLD_MAX_DECOMPOSED: usize = 64;
/// A pivot below this fraction of its diagonal entry is a rounding error.
const PIVOT_TOLERANCE: f64 = 1e-13;
/// By conjugate gradients a linear system is solved when the squared residual is this fraction of the initial one.
const RESIDUAL_TOLERANCE: f64 = 1e-24;
/// The largest entry of a step: within it the odds of two outcomes change so little that the likelihood must grow (Sun
/// and Tran-Dinh, "Generalized self-concordant functions", 2019).
const MAX_STEP_LENGTH: f64 = 0.85;

/// The games at one table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TableGames {
    /// Indices of the entrants.
    pub(crate) seats: Vec<usize>,
    /// The number of games with a winner.
    pub(crate) games: f64,
}

/// The data that the model is fitted to.
#[derive(Clone, Debug)]
pub(crate) struct Observations {
    /// Each table once.
    pub(crate) tables: Vec<TableGames>,
    /// The sizes of the ties that occur, ascending; each at least 2.
    pub(crate) tie_sizes: Vec<usize>,
    /// For each entrant the games won, each divided by its number of winners; then for each tie size the number of
    /// games that ended so.
    pub(crate) observed: Vec<f64>,
    /// A virtual success for each entry of `observed`.
    pub(crate) virtual_successes: Vec<f64>,
    /// A virtual failure for each entry, against an entrant or a tie size of strength 1.
    pub(crate) virtual_failures: Vec<f64>,
}

impl Observations {
    /// The number of virtual successes, and of virtual failures, that is the same for all entrants.
    ///
    /// One half of each is the log-F(1, 1) prior of Greenland and Mansournia, "Penalization, bias reduction, and
    /// default priors", Statistics in Medicine 34 (2015). It keeps the fit finite for entrants that won or lost every
    /// game.
    pub(crate) const VIRTUAL: f64 = 0.5;

    pub(crate) fn entrants(&self) -> usize {
        self.observed.len() - self.tie_sizes.len()
    }

    /// The logarithms of strengths and tie weights at the maximum of the likelihood, searched from `start`.
    ///
    /// `derivatives` are of the same size; resampling reuses their memory.
    pub(crate) fn fit(&self, start: &[f64], derivatives: &mut Derivatives) -> Vec<f64> {
        let mut at = start.to_vec();
        let mut step = Vec::new();
        for _ in 0..MAX_ITERATIONS {
            derivatives.compute(self, &at);
            derivatives.newton_step(self.entrants(), &mut step);
            let longest = step.iter().fold(0.0, |most: f64, entry| most.max(entry.abs()));
            add(&mut at, (MAX_STEP_LENGTH / longest).min(1.0), &step);
            if longest < STEP_TOLERANCE {
                break;
            }
        }
        at
    }

    /// Adds `wins[i]` games that entrant i wins alone, divided among its tables as its games are.
    pub(crate) fn add_wins(&mut self, wins: &[f64]) {
        let games = self.games();
        let each: Vec<f64> = wins.iter().zip(&games).map(|(wins, games)| wins / games).collect();
        for table in &mut self.tables {
            table.games *= 1.0 + table.seats.iter().map(|seat| each[*seat]).sum::<f64>();
        }
        self.observed.iter_mut().zip(wins).for_each(|(observed, wins)| *observed += wins);
    }

    /// The games of each entrant, without virtual ones.
    pub(crate) fn games(&self) -> Vec<f64> {
        let mut games = vec![0.0; self.entrants()];
        for table in &self.tables {
            table.seats.iter().for_each(|seat| games[*seat] += table.games);
        }
        games
    }

    /// The Fisher information of each strength, above 0.
    pub(crate) fn information(&self, at: &[f64], derivatives: &mut Derivatives) -> Vec<f64> {
        derivatives.compute(self, at);
        (0..self.entrants()).map(|index| derivatives.curvature[index * at.len() + index]).collect()
    }
}

/// The gradient and the Hessian of the log-likelihood at one point.
pub(crate) struct Derivatives {
    gradient: Vec<f64>,
    /// The negative second derivatives, by rows.
    curvature: Vec<f64>,
    /// Whether only differences of strengths matter, because no entrant has virtual games.
    is_relative: bool,
    /// The most unknowns of a linear system that is solved by decomposition.
    max_decomposed: usize,
    strengths: Strengths,
    moments: Moments,
    /// Conjugate gradients: the preconditioned residual, the search direction, and the matrix times the direction.
    preconditioned: Vec<f64>,
    direction: Vec<f64>,
    product: Vec<f64>,
}

impl Derivatives {
    /// For this number of strengths and tie weights.
    pub(crate) fn new(size: usize) -> Self {
        Self {
            gradient: vec![0.0; size],
            curvature: vec![0.0; size * size],
            is_relative: false,
            max_decomposed: usize::MAX,
            strengths: Strengths::default(),
            moments: Moments::default(),
            preconditioned: Vec::new(),
            direction: Vec::new(),
            product: Vec::new(),
        }
    }

    /// The same with the solver of large systems that documents of this version were computed with.
    pub(crate) fn of_version(self, version: StatisticsVersion) -> Self {
        let max_decomposed =
            if version < StatisticsVersion::Fourth { OLD_MAX_DECOMPOSED } else { usize::MAX };
        Self { max_decomposed, ..self }
    }

    fn compute(&mut self, observations: &Observations, at: &[f64]) {
        self.gradient.copy_from_slice(&observations.observed);
        self.curvature.fill(0.0);
        let virtual_games =
            observations.virtual_successes.iter().zip(&observations.virtual_failures);
        self.is_relative =
            virtual_games.take(observations.entrants()).all(|(won, lost)| won + lost == 0.0);
        self.strengths.compute(observations, at);
        for table in &observations.tables {
            self.apply_table(observations, table);
        }
        for (index, log_strength) in at.iter().enumerate() {
            self.add_virtual(
                index,
                *log_strength,
                observations.virtual_successes[index],
                observations.virtual_failures[index],
            );
        }
    }

    /// Subtracts the expectations of the table's outcomes from the gradient and adds their covariances to the curvature.
    fn apply_table(&mut self, observations: &Observations, table: &TableGames) {
        let size = self.gradient.len();
        let entrants = observations.entrants();
        self.moments.compute(&observations.tie_sizes, &self.strengths, &table.seats);
        let Moments { means, products, .. } = &self.moments;
        let count = means.len();
        let index_of = |row: usize| match table.seats.get(row) {
            Some(entrant) => *entrant,
            None => entrants + row - table.seats.len(),
        };
        for a in 0..count {
            let (row, mean) = (index_of(a), means[a]);
            self.gradient[row] -= table.games * mean;
            for (b, product) in products[a * count..][..=a].iter().enumerate() {
                let covariance = table.games * (product - mean * means[b]);
                let column = index_of(b);
                self.curvature[row * size + column] += covariance;
                if a != b {
                    self.curvature[column * size + row] += covariance;
                }
            }
        }
    }

    fn add_virtual(
        &mut self,
        index: usize,
        log_strength: f64,
        virtual_successes: f64,
        virtual_failures: f64,
    ) {
        let rate = 1.0 / (1.0 + libm::exp(-log_strength));
        let games = virtual_successes + virtual_failures;
        self.gradient[index] += virtual_successes - games * rate;
        self.curvature[index * self.gradient.len() + index] += games * rate * (1.0 - rate);
    }

    /// Solves curvature times step = gradient; both are overwritten.
    fn newton_step(&mut self, entrants: usize, step: &mut Vec<f64>) {
        // Fits with virtual games are in recorded documents, which are recomputed to the last bit.
        if !self.is_relative || self.gradient.len() > self.max_decomposed {
            self.step_by_conjugate_gradients(step);
            return;
        }
        // The matrix has the vector of ones in its kernel. With its square added the solution is the one whose
        // strengths add up to 0.
        let size = self.gradient.len();
        for row in self.curvature.chunks_mut(size).take(entrants) {
            row[..entrants].iter_mut().for_each(|entry| *entry += 1.0);
        }
        self.step_by_decomposition(step);
    }

    /// By Cholesky's decomposition; an unknown that the data do not determine stays as it is.
    fn step_by_decomposition(&mut self, step: &mut Vec<f64>) {
        let size = self.gradient.len();
        let rows = &mut self.curvature;
        step.clone_from(&self.gradient);
        for a in 0..size {
            for b in 0..=a {
                let (above, below) = rows.split_at_mut(a * size);
                let known = if a == b { &below[..b] } else { &above[b * size..b * size + b] };
                let rest = below[b] - dot(&below[..b], known);
                below[b] = match a == b {
                    true if rest > PIVOT_TOLERANCE * below[b] => rest.sqrt(),
                    true => f64::INFINITY,
                    false => rest / above[b * size + b],
                };
            }
            let row = &rows[a * size..][..=a];
            step[a] = (step[a] - dot(&row[..a], &step[..a])) / row[a];
        }
        for a in (0..size).rev() {
            let below = (a + 1..size).map(|b| rows[b * size + a] * step[b]).sum::<f64>();
            step[a] = (step[a] - below) / rows[a * size + a];
        }
    }

    /// By conjugate gradients, preconditioned with the diagonal. The gradient is overwritten with the residual.
    ///
    /// Without virtual games the matrix is singular, because only differences of strengths matter. The gradient then
    /// lies in its range, and the method still converges.
    ///
    /// Source: Hestenes and Stiefel, "Methods of conjugate gradients for solving linear systems", 1952.
    fn step_by_conjugate_gradients(&mut self, step: &mut Vec<f64>) {
        let size = self.gradient.len();
        let residual = &mut self.gradient;
        step.clear();
        step.resize(size, 0.0);
        let precondition = |(index, rest): (usize, &f64)| match self.curvature[index * size + index]
        {
            pivot if pivot > 0.0 => rest / pivot,
            _ => 0.0,
        };
        self.preconditioned.clear();
        self.preconditioned.extend(residual.iter().enumerate().map(precondition));
        self.direction.clone_from(&self.preconditioned);
        let mut squared_norm = dot(residual, &self.direction);
        let enough = RESIDUAL_TOLERANCE * squared_norm;
        for _ in 0..2 * size + 10 {
            if squared_norm <= enough {
                break;
            }
            self.product.clear();
            let rows = self.curvature.chunks_exact(size);
            self.product.extend(rows.map(|row| dot(row, &self.direction)));
            let curvature = dot(&self.direction, &self.product);
            if curvature <= 0.0 {
                break;
            }
            let length = squared_norm / curvature;
            add(step, length, &self.direction);
            add(residual, -length, &self.product);
            self.preconditioned.clear();
            self.preconditioned.extend(residual.iter().enumerate().map(precondition));
            let next_squared_norm = dot(residual, &self.preconditioned);
            let momentum = next_squared_norm / squared_norm;
            for (old, new) in self.direction.iter_mut().zip(&self.preconditioned) {
                *old = new + momentum * *old;
            }
            squared_norm = next_squared_norm;
        }
    }
}

/// Adds `times * more` to `to`.
fn add(to: &mut [f64], times: f64, more: &[f64]) {
    to.iter_mut().zip(more).for_each(|(to, more)| *to += times * more);
}

/// exp(x_i / t) for each entrant and each size t of a set of winners, and exp(y_t).
#[derive(Default)]
struct Strengths {
    /// By size; the first size is 1.
    by_size: Vec<Vec<f64>>,
    weights: Vec<f64>,
}

impl Strengths {
    fn compute(&mut self, observations: &Observations, at: &[f64]) {
        let (log_strengths, ties) = at.split_at(observations.entrants());
        let sizes = std::iter::once(&1).chain(&observations.tie_sizes);
        self.by_size.resize_with(1 + observations.tie_sizes.len(), Vec::new);
        for (roots, size) in self.by_size.iter_mut().zip(sizes) {
            roots.clear();
            roots.extend(log_strengths.iter().map(|x| libm::exp(x / *size as f64)));
        }
        self.weights.clear();
        self.weights.push(1.0);
        self.weights.extend(ties.iter().map(|y| libm::exp(*y)));
    }
}

/// The expected share of each seat in a win, the probability of each tie size, and the expected products of any two of
/// these.
#[derive(Default)]
struct Moments {
    means: Vec<f64>,
    /// The lower triangle, by rows.
    products: Vec<f64>,
    seats: Vec<f64>,
}

impl Moments {
    fn compute(&mut self, tie_sizes: &[usize], strengths: &Strengths, seats: &[usize]) {
        let count = seats.len() + tie_sizes.len();
        self.means.clear();
        self.means.resize(count, 0.0);
        self.products.clear();
        self.products.resize(count * count, 0.0);
        let mut total = 0.0;
        for (number, (roots, weight)) in
            strengths.by_size.iter().zip(&strengths.weights).enumerate()
        {
            let size = if number == 0 { 1 } else { tie_sizes[number - 1] };
            if size > seats.len() {
                continue;
            }
            self.seats.clear();
            self.seats.extend(seats.iter().map(|seat| roots[*seat]));
            total += match number {
                0 => self.add_single_winners(),
                _ => self.add_size(size, *weight, seats.len() + number - 1),
            };
        }
        self.means.iter_mut().chain(&mut self.products).for_each(|moment| *moment /= total);
    }

    /// Adds the sets of one winner, whose weight is 1. Returns their total weight.
    fn add_single_winners(&mut self) -> f64 {
        let count = self.means.len();
        for (a, own) in self.seats.iter().enumerate() {
            self.means[a] += own;
            self.products[a * count + a] += own;
        }
        self.seats.iter().fold(0.0, |total, own| total + own)
    }

    /// Adds the ties of `size` winners; `row` is that of the tie size. Returns their total weight.
    fn add_size(&mut self, size: usize, weight: f64, row: usize) -> f64 {
        let count = self.means.len();
        let all = symmetric_polynomials(&self.seats, size);
        let share = 1.0 / size as f64;
        for a in 0..self.seats.len() {
            let own = self.seats[a];
            let others = without_value(&all, own, size - 1);
            let wins = share * weight * own * others[size - 1];
            self.means[a] += wins;
            self.products[a * count + a] += share * wins;
            self.products[row * count + a] += wins;
            for b in 0..a {
                let rest = without_value(&others, self.seats[b], size - 2);
                let both = weight * own * self.seats[b] * rest[size - 2];
                self.products[a * count + b] += share * share * both;
            }
        }
        let total = weight * all[size];
        self.means[row] += total;
        self.products[row * count + row] += total;
        total
    }
}

/// The largest ties that are modelled: larger ones count as games without a winner.
pub(crate) const MAX_TIE_SIZE: usize = 5;

/// Elementary symmetric polynomials, of the degrees 0 to [`MAX_TIE_SIZE`].
type SymmetricPolynomials = [f64; MAX_TIE_SIZE + 1];

/// The elementary symmetric polynomials of `values`, up to the degree `most`.
fn symmetric_polynomials(values: &[f64], most: usize) -> SymmetricPolynomials {
    let mut sums = [0.0; MAX_TIE_SIZE + 1];
    sums[0] = 1.0;
    for value in values {
        for degree in (1..most + 1).rev() {
            sums[degree] += value * sums[degree - 1];
        }
    }
    sums
}

/// The polynomials of all values but `value`, up to the degree `most`.
fn without_value(all: &SymmetricPolynomials, value: f64, most: usize) -> SymmetricPolynomials {
    let mut sums = *all;
    for degree in 1..most + 1 {
        sums[degree] = all[degree] - value * sums[degree - 1];
    }
    sums
}

#[cfg(test)]
mod tests;
