//! Ratings: all games at once, whatever their order.

use super::best::share_the_first_place;
use super::covariance::dot;
use super::davidson_luce::{Contest, Contests};
use super::draws::Draws;
use super::interval::Interval;
use crate::ledger::Course;

/// Elo's points for each unit of a strength's logarithm: 400 / ln 10.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;
/// Resamples of an interval, where they take no more than [`USUAL_WORK`].
const RESAMPLES: usize = 1000;
/// The fewest that an interval is made of.
const FEWEST_RESAMPLES: usize = 100;
/// Steps that [`RESAMPLES`] may take, about.
const USUAL_WORK: usize = 300_000_000;
/// Steps that [`FEWEST_RESAMPLES`] may take; where they take more there are no intervals.
const MOST_WORK: usize = 3_000_000_000;

/// How strong an entrant is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rating {
    /// On Elo's scale. The mean of all who are rated is 0, each with the weight that its games have.
    pub(crate) rating: f64,
    /// `None` of fewer than two samples, or where the work would be too much.
    pub(crate) interval: Option<Interval>,
    /// The share of the resamples in which it is the highest, where there is an interval.
    pub(crate) highest: Option<f64>,
}

/// The ratings of `entrants` entrants by what came of their samples.
///
/// `None` for those in whose games nobody won. If those who won or lost have not all met, directly
/// or by way of others, nobody is rated: nothing says how one half compares with the other.
pub(crate) fn ratings(courses: &[Course], entrants: usize) -> Vec<Option<Rating>> {
    let Some(field) = Field::new(courses, entrants) else { return vec![None; entrants] };
    let contests = field.contests();
    let fitted = contests.fit(&vec![0.0; contests.observed.len()]);
    // Somebody of whom the games say little, as of one who has lost them all, must not carry everybody
    // else along.
    let weights = contests.information(&fitted);
    let estimates = centred(&fitted, &weights);
    let resamples = field.resamples(&contests, &fitted, &weights);
    let mut firsts = vec![0.0; field.rated.len()];
    resamples.iter().for_each(|values| share_the_first_place(values, &mut firsts));
    let mut ratings = vec![None; entrants];
    for (index, entrant) in field.rated.iter().enumerate() {
        let drawn: Vec<f64> = resamples.iter().map(|values| values[index]).collect();
        let interval = interval(drawn, estimates[index]);
        let highest = interval.map(|_| firsts[index] / resamples.len() as f64);
        ratings[*entrant] = Some(Rating { rating: estimates[index], interval, highest });
    }
    ratings
}

/// The strengths on Elo's scale, with the weighted mean 0.
fn centred(strengths: &[f64], weights: &[f64]) -> Vec<f64> {
    let mean = dot(strengths, weights) / weights.iter().sum::<f64>();
    strengths.iter().zip(weights).map(|(strength, _)| ELO * (strength - mean)).collect()
}

/// The middle 95 % of what was drawn, with the estimate in it.
fn interval(mut drawn: Vec<f64>, estimate: f64) -> Option<Interval> {
    if drawn.is_empty() {
        return None;
    }
    drawn.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let place = share * (drawn.len() - 1) as f64;
        let (below, above) = (place.floor(), place.ceil());
        let (low, high) = (drawn[below as usize], drawn[above as usize]);
        low + (place - below) * (high - low)
    };
    Some(Interval { low: at(0.025).min(estimate), high: at(0.975).max(estimate) })
}

/// The samples in which somebody won, and who is rated by them.
struct Field {
    /// Ascending.
    rated: Vec<usize>,
    /// The tables that occur, by index among the rated.
    tables: Vec<Vec<usize>>,
    orders: Vec<usize>,
    samples: Vec<Sample>,
}

/// What came of a sample, in the terms of [`Contests`].
struct Sample {
    /// How often.
    count: f64,
    /// Index of the table.
    table: usize,
    /// Games that somebody won.
    games: f64,
    /// What it adds to [`Contests::observed`].
    observed: Vec<(usize, f64)>,
}

impl Field {
    /// `None` if somebody is not to be compared with somebody else.
    fn new(courses: &[Course], entrants: usize) -> Option<Self> {
        let decided: Vec<&Course> =
            courses.iter().filter(|course| !course.winners.is_empty()).collect();
        let rated = connected(&decided, entrants)?;
        let mut place_of = vec![usize::MAX; entrants];
        rated.iter().enumerate().for_each(|(place, entrant)| place_of[*entrant] = place);
        let mut tables: Vec<Vec<usize>> =
            decided.iter().map(|course| course.seats.clone()).collect();
        tables.sort_unstable();
        tables.dedup();
        let mut orders: Vec<usize> =
            decided.iter().flat_map(|course| &course.winners).map(|(size, _)| *size).collect();
        orders.sort_unstable();
        orders.dedup();
        orders.retain(|size| *size > 1);
        let sample = |course: &&Course| Sample {
            count: course.count as f64,
            table: tables.binary_search(&course.seats).expect("all tables are listed"),
            games: course.winners.iter().map(|(size, _)| 1.0 / *size as f64).sum(),
            observed: observed(course, &place_of, rated.len(), &orders),
        };
        let samples = decided.iter().map(sample).collect();
        for table in &mut tables {
            table.iter_mut().for_each(|seat| *seat = place_of[*seat]);
        }
        Some(Self { rated, tables, orders, samples })
    }

    fn contests(&self) -> Contests {
        let counts: Vec<f64> = self.samples.iter().map(|sample| sample.count).collect();
        let half = vec![Contests::VIRTUAL; self.rated.len() + self.orders.len()];
        let mut contests = Contests {
            tables: self
                .tables
                .iter()
                .map(|seats| Contest { seats: seats.clone(), games: 0.0 })
                .collect(),
            orders: self.orders.clone(),
            observed: half.clone(),
            successes: half.clone(),
            failures: half,
        };
        self.weigh(&counts, &mut contests);
        contests
    }

    /// Makes `contests` those of so many of each sample.
    fn weigh(&self, counts: &[f64], contests: &mut Contests) {
        contests.observed.fill(0.0);
        contests.tables.iter_mut().for_each(|table| table.games = 0.0);
        for (sample, count) in self.samples.iter().zip(counts) {
            contests.tables[sample.table].games += count * sample.games;
            for (index, share) in &sample.observed {
                contests.observed[*index] += count * share;
            }
        }
    }

    /// Ratings fitted to resamples, none if there are too few samples or it would be too much work.
    ///
    /// A resample gives every sample a weight of its own, drawn from the exponential distribution:
    /// Rubin, "The Bayesian bootstrap", Annals of Statistics 9 (1981). Samples that are the same weigh
    /// together as the gamma distribution says. The virtual games are drawn in the same way, so
    /// that not even those who have won everything get an interval of no width.
    fn resamples(&self, contests: &Contests, fitted: &[f64], weights: &[f64]) -> Vec<Vec<f64>> {
        if self.samples.iter().map(|sample| sample.count).sum::<f64>() < 2.0 {
            return Vec::new();
        }
        let mut contests = contests.clone();
        let mut draws = Draws::of(self.samples.iter().map(|sample| sample.count as u64));
        let mut resample = |_| {
            let counts: Vec<f64> = self.samples.iter().map(|s| draws.gamma(s.count)).collect();
            self.weigh(&counts, &mut contests);
            contests.successes.fill_with(|| draws.half_gamma());
            contests.failures.fill_with(|| draws.half_gamma());
            centred(&contests.fit(fitted), weights)
        };
        (0..self.resample_count()).map(&mut resample).collect()
    }

    /// As many resamples as are worth their work.
    fn resample_count(&self) -> usize {
        let size = self.rated.len() + self.orders.len();
        let table = |seats: &Vec<usize>| seats.len() * seats.len() * (1 + self.orders.len());
        let step = self.tables.iter().map(table).sum::<usize>() + 20 * size * size;
        let work = self.samples.len() + 4 * step;
        match USUAL_WORK / work.max(1) {
            _ if work.saturating_mul(FEWEST_RESAMPLES) > MOST_WORK => 0,
            affordable => affordable.clamp(FEWEST_RESAMPLES, RESAMPLES),
        }
    }
}

/// Each winner's share, and the ties.
fn observed(
    course: &Course,
    place_of: &[usize],
    rated: usize,
    orders: &[usize],
) -> Vec<(usize, f64)> {
    let mut observed = Vec::new();
    for (size, winner) in &course.winners {
        let share = 1.0 / *size as f64;
        observed.push((place_of[*winner], share));
        if let Ok(order) = orders.binary_search(size) {
            observed.push((rated + order, share));
        }
    }
    observed
}

/// Everybody who sat where somebody won, ascending; `None` if they fall into groups that never met, or
/// if there is nobody.
fn connected(courses: &[&Course], entrants: usize) -> Option<Vec<usize>> {
    let mut group: Vec<usize> = (0..entrants).collect();
    let mut sat = vec![false; entrants];
    for course in courses {
        let first = course.seats[0];
        for seat in &course.seats {
            sat[*seat] = true;
            let (a, b) = (root(&mut group, first), root(&mut group, *seat));
            group[a.max(b)] = a.min(b);
        }
    }
    let rated: Vec<usize> = (0..entrants).filter(|entrant| sat[*entrant]).collect();
    let first = root(&mut group, *rated.first()?);
    rated.iter().all(|entrant| root(&mut group, *entrant) == first).then_some(rated)
}

/// The representative of somebody's group; what is passed on the way comes nearer to it.
fn root(group: &mut [usize], of: usize) -> usize {
    let mut at = of;
    while group[at] != at {
        group[at] = group[group[at]];
        at = group[at];
    }
    at
}
