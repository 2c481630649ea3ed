//! The Davidson-Luce model of who wins a table, and its fit.
//!
//! An entrant i has a strength exp(x_i), and a tie of t winners a weight exp(y_t), with y_1 = 0. Of a
//! table the set T of winners has a probability in proportion to exp(y_t + mean of x_i over T), t being
//! the size of T. Without ties this is Bradley and Terry's model at tables of two, and Luce's first
//! choice, which begins a ranking of Plackett and Luce, at larger ones; with ties at tables of two it is
//! Davidson's.
//!
//! Sources: Davidson, "On extending the Bradley-Terry model to accommodate ties", JASA 65 (1970);
//! Firth, Kosmidis and Turner, "Davidson-Luce model for multi-item choice with ties", arXiv:1909.07123
//! (2019).
//!
//! The logarithm of the likelihood is concave: the model is log-linear. It is maximized by Newton's
//! method, whose linear systems are solved by conjugate gradients.

use super::covariance::dot;

/// Steps that Newton's method takes at most. It needs about six, and more where strengths are far
/// apart.
const MOST_STEPS: usize = 200;
/// The fit ends with a step shorter than this; what is left is about its square.
const SMALL_STEP: f64 = 1e-4;
/// A linear system is solved when its error, squared, is this part of what it was.
const SMALL_ERROR: f64 = 1e-24;
/// No entry of a step is longer: the odds of two outcomes then change so little that the likelihood
/// must grow (Sun and Tran-Dinh, "Generalized self-concordant functions", 2019).
const LONG_STEP: f64 = 0.85;

/// The games of one table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Contest {
    /// Who sits there, by index.
    pub(crate) seats: Vec<usize>,
    /// How many games somebody won there.
    pub(crate) games: f64,
}

/// What the model has to explain.
#[derive(Clone, Debug)]
pub(crate) struct Contests {
    /// Each table once.
    pub(crate) tables: Vec<Contest>,
    /// The sizes of the ties that occur, ascending; each at least 2.
    pub(crate) orders: Vec<usize>,
    /// For each entrant the games won, each divided by the number of its winners; then for each order
    /// the games that ended so.
    pub(crate) observed: Vec<f64>,
    /// For each of the same a virtual success.
    pub(crate) successes: Vec<f64>,
    /// And a virtual failure, against an entrant, or a kind of outcome, of strength 1.
    pub(crate) failures: Vec<f64>,
}

impl Contests {
    /// Virtual successes and failures that are fair to everybody.
    ///
    /// Half of each is the log-F(1, 1) prior of Greenland and Mansournia, "Penalization, bias
    /// reduction, and default priors", Statistics in Medicine 34 (2015). It keeps the fit finite for
    /// those who have won or lost everything.
    pub(crate) const VIRTUAL: f64 = 0.5;

    pub(crate) fn entrants(&self) -> usize {
        self.observed.len() - self.orders.len()
    }

    /// Strengths and weights of ties, as logarithms, that make the likelihood greatest; from `start`.
    pub(crate) fn fit(&self, start: &[f64]) -> Vec<f64> {
        let mut at = start.to_vec();
        let mut slope = Slope::new(at.len());
        let mut step = Vec::new();
        for _ in 0..MOST_STEPS {
            slope.take(self, &at);
            slope.newton_step(&mut step);
            let longest = step.iter().fold(0.0, |most: f64, entry| most.max(entry.abs()));
            add(&mut at, (LONG_STEP / longest).min(1.0), &step);
            if longest < SMALL_STEP {
                break;
            }
        }
        at
    }

    /// How much the games say of each strength: Fisher's information, above 0.
    pub(crate) fn information(&self, at: &[f64]) -> Vec<f64> {
        let mut slope = Slope::new(at.len());
        slope.take(self, at);
        (0..self.entrants()).map(|index| slope.curvature[index * at.len() + index]).collect()
    }
}

/// Gradient and curvature of the logarithm of the likelihood at one place.
struct Slope {
    gradient: Vec<f64>,
    /// The negative second derivatives, by rows.
    curvature: Vec<f64>,
    strengths: Strengths,
    moments: Moments,
    /// For solving: the gradient's rest by the diagonal, where to go, and what the matrix makes of that.
    scaled: Vec<f64>,
    direction: Vec<f64>,
    image: Vec<f64>,
}

impl Slope {
    fn new(size: usize) -> Self {
        Self {
            gradient: vec![0.0; size],
            curvature: vec![0.0; size * size],
            strengths: Strengths::default(),
            moments: Moments::default(),
            scaled: Vec::new(),
            direction: Vec::new(),
            image: Vec::new(),
        }
    }

    fn take(&mut self, contests: &Contests, at: &[f64]) {
        self.gradient.copy_from_slice(&contests.observed);
        self.curvature.fill(0.0);
        self.strengths.take(contests, at);
        for table in &contests.tables {
            self.subtract_table(contests, table);
        }
        for (index, place) in at.iter().enumerate() {
            self.add_virtual(index, *place, contests.successes[index], contests.failures[index]);
        }
    }

    fn subtract_table(&mut self, contests: &Contests, table: &Contest) {
        let size = self.gradient.len();
        let entrants = contests.entrants();
        self.moments.take(&contests.orders, &self.strengths, &table.seats);
        let Moments { means, products, .. } = &self.moments;
        let count = means.len();
        let index_of = |place: usize| match table.seats.get(place) {
            Some(entrant) => *entrant,
            None => entrants + place - table.seats.len(),
        };
        for a in 0..count {
            let row = index_of(a);
            self.gradient[row] -= table.games * means[a];
            for b in 0..=a {
                let covariance = table.games * (products[a * count + b] - means[a] * means[b]);
                let column = index_of(b);
                self.curvature[row * size + column] += covariance;
                if a != b {
                    self.curvature[column * size + row] += covariance;
                }
            }
        }
    }

    fn add_virtual(&mut self, index: usize, place: f64, successes: f64, failures: f64) {
        let rate = 1.0 / (1.0 + libm::exp(-place));
        let games = successes + failures;
        self.gradient[index] += successes - games * rate;
        self.curvature[index * self.gradient.len() + index] += games * rate * (1.0 - rate);
    }

    /// Solves curvature times step = gradient by conjugate gradients, scaled by the diagonal.
    ///
    /// Without virtual games the matrix is singular, because only differences of strengths matter; the
    /// gradient then lies in its range, which is all that the method needs.
    ///
    /// Source: Hestenes and Stiefel, "Methods of conjugate gradients for solving linear systems", 1952.
    fn newton_step(&mut self, step: &mut Vec<f64>) {
        let size = self.gradient.len();
        let residual = &mut self.gradient;
        step.clear();
        step.resize(size, 0.0);
        let scaled = |(index, rest): (usize, &f64)| match self.curvature[index * size + index] {
            pivot if pivot > 0.0 => rest / pivot,
            _ => 0.0,
        };
        self.scaled.clear();
        self.scaled.extend(residual.iter().enumerate().map(scaled));
        self.direction.clone_from(&self.scaled);
        let mut error = dot(residual, &self.direction);
        let enough = SMALL_ERROR * error;
        for _ in 0..2 * size + 10 {
            if error <= enough {
                break;
            }
            self.image.clear();
            let rows = self.curvature.chunks(size);
            self.image.extend(rows.map(|row| dot(row, &self.direction)));
            let bend = dot(&self.direction, &self.image);
            if bend <= 0.0 {
                break;
            }
            let length = error / bend;
            add(step, length, &self.direction);
            add(residual, -length, &self.image);
            self.scaled.clear();
            self.scaled.extend(residual.iter().enumerate().map(scaled));
            let after = dot(residual, &self.scaled);
            let turn = after / error;
            for (old, new) in self.direction.iter_mut().zip(&self.scaled) {
                *old = new + turn * *old;
            }
            error = after;
        }
    }
}

/// Adds so many times `more` to `to`.
fn add(to: &mut [f64], times: f64, more: &[f64]) {
    to.iter_mut().zip(more).for_each(|(to, more)| *to += times * more);
}

/// exp(x_i / t) for each entrant and size t of a set of winners, and exp(y_t).
#[derive(Default)]
struct Strengths {
    /// By size, the first of which is 1.
    by_size: Vec<Vec<f64>>,
    weights: Vec<f64>,
}

impl Strengths {
    fn take(&mut self, contests: &Contests, at: &[f64]) {
        let (places, ties) = at.split_at(contests.entrants());
        let sizes = std::iter::once(&1).chain(&contests.orders);
        self.by_size.resize_with(1 + contests.orders.len(), Vec::new);
        for (roots, size) in self.by_size.iter_mut().zip(sizes) {
            roots.clear();
            roots.extend(places.iter().map(|x| libm::exp(x / *size as f64)));
        }
        self.weights.clear();
        self.weights.push(1.0);
        self.weights.extend(ties.iter().map(|y| libm::exp(*y)));
    }
}

/// The expected share of each seat in a win, the probability of each order of ties, and the expected
/// products of any two of these.
#[derive(Default)]
struct Moments {
    means: Vec<f64>,
    /// The lower triangle, by rows.
    products: Vec<f64>,
    seats: Vec<f64>,
}

impl Moments {
    fn take(&mut self, orders: &[usize], strengths: &Strengths, seats: &[usize]) {
        let count = seats.len() + orders.len();
        self.means.clear();
        self.means.resize(count, 0.0);
        self.products.clear();
        self.products.resize(count * count, 0.0);
        let mut total = 0.0;
        for (number, (roots, weight)) in
            strengths.by_size.iter().zip(&strengths.weights).enumerate()
        {
            let size = if number == 0 { 1 } else { orders[number - 1] };
            if size > seats.len() {
                continue;
            }
            self.seats.clear();
            self.seats.extend(seats.iter().map(|seat| roots[*seat]));
            let row = (number > 0).then(|| seats.len() + number - 1);
            total += self.add_size(size, *weight, row);
        }
        self.means.iter_mut().chain(&mut self.products).for_each(|moment| *moment /= total);
    }

    /// Adds the sets of `size` winners, whose probability goes to `row` too. Returns their weight.
    fn add_size(&mut self, size: usize, weight: f64, row: Option<usize>) -> f64 {
        let count = self.means.len();
        let all = symmetric(&self.seats, size);
        let share = 1.0 / size as f64;
        for a in 0..self.seats.len() {
            let own = self.seats[a];
            let others = without(&all, own, size - 1);
            let wins = share * weight * own * others[size - 1];
            self.means[a] += wins;
            self.products[a * count + a] += share * wins;
            if let Some(row) = row {
                self.products[row * count + a] += wins;
            }
            if size > 1 {
                for b in 0..a {
                    let rest = without(&others, self.seats[b], size - 2);
                    let both = weight * own * self.seats[b] * rest[size - 2];
                    self.products[a * count + b] += share * share * both;
                }
            }
        }
        let total = weight * all[size];
        if let Some(row) = row {
            self.means[row] += total;
            self.products[row * count + row] += total;
        }
        total
    }
}

/// Ties that are modelled: larger ones count as games without a winner.
pub(crate) const MOST_WINNERS: usize = 5;

/// Elementary symmetric polynomials, of the degrees 0 to [`MOST_WINNERS`].
type Symmetric = [f64; MOST_WINNERS + 1];

/// Those of `values`, up to the degree `most`.
fn symmetric(values: &[f64], most: usize) -> Symmetric {
    let mut sums = [0.0; MOST_WINNERS + 1];
    sums[0] = 1.0;
    for value in values {
        for degree in (1..=most).rev() {
            sums[degree] += value * sums[degree - 1];
        }
    }
    sums
}

/// Those without one of the values, up to the degree `most`.
fn without(all: &Symmetric, value: f64, most: usize) -> Symmetric {
    let mut sums = *all;
    for degree in 1..=most {
        sums[degree] = all[degree] - value * sums[degree - 1];
    }
    sums
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;

    use super::*;

    /// A fit of somebody else's.
    #[derive(Deserialize)]
    struct Vector {
        name: String,
        entrants: usize,
        games: Vec<Games>,
        strengths: Vec<f64>,
        ties: BTreeMap<usize, f64>,
    }

    #[derive(Deserialize)]
    struct Games {
        seats: Vec<usize>,
        winners: Vec<usize>,
        count: f64,
    }

    impl Vector {
        /// Without virtual games.
        fn contests(&self) -> Contests {
            let orders: Vec<usize> = self.ties.keys().copied().collect();
            let mut tables: BTreeMap<&[usize], f64> = BTreeMap::new();
            let mut observed = vec![0.0; self.entrants + orders.len()];
            for Games { seats, winners, count } in &self.games {
                *tables.entry(seats).or_default() += count;
                winners.iter().for_each(|w| observed[*w] += count / winners.len() as f64);
                if let Ok(order) = orders.binary_search(&winners.len()) {
                    observed[self.entrants + order] += count;
                }
            }
            let contest = |(seats, games): (&[usize], f64)| Contest { seats: seats.into(), games };
            let none = vec![0.0; observed.len()];
            Contests {
                tables: tables.into_iter().map(contest).collect(),
                orders,
                observed,
                successes: none.clone(),
                failures: none,
            }
        }
    }

    #[test]
    fn others_fit_the_same() {
        let vectors = include_str!("../../tests/data/ratings.json");
        let vectors: Vec<Vector> = serde_json::from_str(vectors).unwrap();
        assert!(vectors.len() > 8);
        for vector in vectors {
            let contests = vector.contests();
            let fitted = contests.fit(&vec![0.0; contests.observed.len()]);
            let (strengths, ties) = fitted.split_at(vector.entrants);
            let mean = strengths.iter().sum::<f64>() / strengths.len() as f64;
            let found =
                strengths.iter().map(|strength| strength - mean).chain(ties.iter().copied());
            let expected = vector.strengths.iter().chain(vector.ties.values());
            for (found, expected) in found.zip(expected) {
                assert!((found - expected).abs() < 1e-6, "{}: {fitted:?}", vector.name);
            }
        }
    }

    #[test]
    fn moments_are_those_of_all_sets_of_winners() {
        let contests = Contests {
            tables: Vec::new(),
            orders: vec![2, 4],
            observed: vec![0.0; 6],
            successes: vec![0.0; 6],
            failures: vec![0.0; 6],
        };
        let at = [0.7, -0.2, 1.1, -2.0, -0.4, 0.3];
        let (mut moments, mut strengths) = (Moments::default(), Strengths::default());
        strengths.take(&contests, &at);
        moments.take(&contests.orders, &strengths, &[0, 1, 2, 3]);
        let (mut total, mut means, mut products) = (0.0, [0.0; 6], [[0.0; 6]; 6]);
        for set in 1u32..16 {
            let size = set.count_ones() as usize;
            let mut row = [0.0; 6];
            (0..4).filter(|i| set >> i & 1 == 1).for_each(|i| row[i] = 1.0 / size as f64);
            match size {
                1 => {}
                2 => row[4] = 1.0,
                4 => row[5] = 1.0,
                _ => continue,
            }
            let chance = dot(&row, &at).exp();
            total += chance;
            for a in 0..6 {
                means[a] += chance * row[a];
                (0..6).for_each(|b| products[a][b] += chance * row[a] * row[b]);
            }
        }
        for a in 0..6 {
            assert!((moments.means[a] - means[a] / total).abs() < 1e-12, "{a}");
            for (b, product) in products[a].iter().enumerate().take(a + 1) {
                let found = moments.products[a * 6 + b];
                assert!((found - product / total).abs() < 1e-12, "{a} {b}");
            }
        }
    }
}
