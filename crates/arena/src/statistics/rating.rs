//! Elo ratings, fitted to all games at once; the order of the games does not matter.

use super::best_probability::add_first_place_shares;
use super::covariance::dot;
use super::davidson_luce::{Observations, TableGames};
use super::interval::Interval;
use super::random_stream::RandomStream;
use super::sample_outcome::SampleOutcome;

/// Elo points per unit of log-strength: 400 / ln 10.
const ELO_PER_LOGIT: f64 = 400.0 / std::f64::consts::LN_10;
/// Resamples per interval, as long as they cost no more than [`RESAMPLING_BUDGET`].
const MAX_RESAMPLES: usize = 1000;
/// The fewest resamples that make an interval.
const MIN_RESAMPLES: usize = 100;
/// Operations allowed for all resamples, roughly: fewer are drawn in a field that would need more.
const RESAMPLING_BUDGET: usize = 300_000_000;
/// Operations allowed for [`MIN_RESAMPLES`]; a field that would need more gets no intervals.
const MAX_RESAMPLING_WORK: usize = 3_000_000_000;

/// An entrant's rating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rating {
    /// In Elo points. The mean over all rated entrants, weighted by the information of their games, is 0.
    pub(crate) rating: f64,
    /// The 95 % interval; `None` for fewer than two samples, or if the resampling would take too long.
    pub(crate) interval: Option<Interval>,
    /// The share of the resamples in which this rating is the highest, if there is an interval.
    pub(crate) highest: Option<f64>,
}

/// The ratings of `entrants` entrants from the outcomes of their samples.
///
/// `None` for entrants whose games had no winner. All ratings are `None` if the entrants fall into groups that are
/// not connected by games: then nothing says how one group compares with another.
pub(crate) fn ratings(outcomes: &[SampleOutcome], entrants: usize) -> Vec<Option<Rating>> {
    let Some(samples) = RatedSamples::new(outcomes, entrants) else { return vec![None; entrants] };
    let observations = samples.observations();
    let fitted = observations.fit(&vec![0.0; observations.observed.len()]);
    // Weighted, so that an entrant with an uncertain rating, such as one that lost every game, does not shift all
    // other ratings.
    let weights = observations.information(&fitted);
    let estimates = centred(&fitted, &weights);
    let resamples = samples.resamples(&observations, &fitted, &weights);
    let mut first_places = vec![0.0; samples.rated.len()];
    resamples.iter().for_each(|values| add_first_place_shares(values, &mut first_places));
    let mut ratings = vec![None; entrants];
    for (index, entrant) in samples.rated.iter().enumerate() {
        let drawn: Vec<f64> = resamples.iter().map(|values| values[index]).collect();
        let interval = interval(drawn, estimates[index]);
        let highest = interval.map(|_| first_places[index] / resamples.len() as f64);
        ratings[*entrant] = Some(Rating { rating: estimates[index], interval, highest });
    }
    ratings
}

/// The strengths in Elo points, with the weighted mean 0.
fn centred(strengths: &[f64], weights: &[f64]) -> Vec<f64> {
    let mean = dot(strengths, weights) / weights.iter().sum::<f64>();
    strengths.iter().zip(weights).map(|(strength, _)| ELO_PER_LOGIT * (strength - mean)).collect()
}

/// The central 95 % of the drawn values, widened to include the estimate.
fn interval(mut drawn: Vec<f64>, estimate: f64) -> Option<Interval> {
    if drawn.is_empty() {
        return None;
    }
    drawn.sort_by(f64::total_cmp);
    let quantile = |share: f64| {
        let position = share * (drawn.len() - 1) as f64;
        let (below, above) = (position.floor(), position.ceil());
        let (low, high) = (drawn[below as usize], drawn[above as usize]);
        low + (position - below) * (high - low)
    };
    Some(Interval { low: quantile(0.025).min(estimate), high: quantile(0.975).max(estimate) })
}

/// The samples with a winner, and the entrants that they rate.
struct RatedSamples {
    /// Ascending.
    rated: Vec<usize>,
    /// The distinct tables; seats are indices into `rated`.
    tables: Vec<Vec<usize>>,
    tie_sizes: Vec<usize>,
    samples: Vec<Sample>,
}

/// The outcome of a sample, in the terms of [`Observations`].
struct Sample {
    /// How often it occurred.
    count: f64,
    /// Index of the table.
    table: usize,
    /// Games with a winner.
    games: f64,
    /// Index in [`Observations::observed`] and the amount that the sample adds there.
    observed: Vec<(usize, f64)>,
}

impl RatedSamples {
    /// `None` if some entrants cannot be compared, or there are none.
    fn new(outcomes: &[SampleOutcome], entrants: usize) -> Option<Self> {
        let decided: Vec<&SampleOutcome> =
            outcomes.iter().filter(|outcome| !outcome.winners.is_empty()).collect();
        let rated = connected_entrants(&decided, entrants)?;
        let mut index_of = vec![usize::MAX; entrants];
        rated.iter().enumerate().for_each(|(index, entrant)| index_of[*entrant] = index);
        let mut tables: Vec<Vec<usize>> =
            decided.iter().map(|outcome| outcome.seats.clone()).collect();
        tables.sort_unstable();
        tables.dedup();
        let mut tie_sizes: Vec<usize> =
            decided.iter().flat_map(|outcome| &outcome.winners).map(|(size, _)| *size).collect();
        tie_sizes.sort_unstable();
        tie_sizes.dedup();
        tie_sizes.retain(|size| *size > 1);
        let sample = |outcome: &&SampleOutcome| Sample {
            count: outcome.count as f64,
            table: tables.binary_search(&outcome.seats).expect("all tables are listed"),
            games: outcome.winners.iter().map(|(size, _)| 1.0 / *size as f64).sum(),
            observed: observed(outcome, &index_of, rated.len(), &tie_sizes),
        };
        let samples = decided.iter().map(sample).collect();
        for table in &mut tables {
            table.iter_mut().for_each(|seat| *seat = index_of[*seat]);
        }
        Some(Self { rated, tables, tie_sizes, samples })
    }

    fn observations(&self) -> Observations {
        let counts: Vec<f64> = self.samples.iter().map(|sample| sample.count).collect();
        let half = vec![Observations::VIRTUAL; self.rated.len() + self.tie_sizes.len()];
        let mut observations = Observations {
            tables: self
                .tables
                .iter()
                .map(|seats| TableGames { seats: seats.clone(), games: 0.0 })
                .collect(),
            tie_sizes: self.tie_sizes.clone(),
            observed: half.clone(),
            virtual_successes: half.clone(),
            virtual_failures: half,
        };
        self.set_weights(&counts, &mut observations);
        observations
    }

    /// Sets `observations` to those of `counts[i]` times sample `i`.
    fn set_weights(&self, counts: &[f64], observations: &mut Observations) {
        observations.observed.fill(0.0);
        observations.tables.iter_mut().for_each(|table| table.games = 0.0);
        for (sample, count) in self.samples.iter().zip(counts) {
            observations.tables[sample.table].games += count * sample.games;
            for (index, share) in &sample.observed {
                observations.observed[*index] += count * share;
            }
        }
    }

    /// Ratings fitted to resamples; empty for fewer than two samples, or if it would take too long.
    ///
    /// A resample weights every sample by a draw from the exponential distribution: Rubin, "The Bayesian bootstrap",
    /// Annals of Statistics 9 (1981). The weights of equal samples add up to a gamma distribution. The virtual games
    /// are weighted in the same way, so that even an entrant that won every game gets an interval of positive width.
    fn resamples(
        &self,
        observations: &Observations,
        fitted: &[f64],
        weights: &[f64],
    ) -> Vec<Vec<f64>> {
        if self.samples.iter().map(|sample| sample.count).sum::<f64>() < 2.0 {
            return Vec::new();
        }
        let mut observations = observations.clone();
        let mut draws =
            RandomStream::seeded_by(self.samples.iter().map(|sample| sample.count as u64));
        let mut resample = |_| {
            let counts: Vec<f64> = self.samples.iter().map(|s| draws.gamma(s.count)).collect();
            self.set_weights(&counts, &mut observations);
            observations.virtual_successes.fill_with(|| draws.half_gamma());
            observations.virtual_failures.fill_with(|| draws.half_gamma());
            centred(&observations.fit(fitted), weights)
        };
        (0..self.resample_count()).map(&mut resample).collect()
    }

    /// The number of resamples that the budget allows.
    fn resample_count(&self) -> usize {
        let size = self.rated.len() + self.tie_sizes.len();
        let table = |seats: &Vec<usize>| seats.len() * seats.len() * (1 + self.tie_sizes.len());
        let step = self.tables.iter().map(table).sum::<usize>() + 20 * size * size;
        let work = self.samples.len() + 4 * step;
        match RESAMPLING_BUDGET / work.max(1) {
            _ if work.saturating_mul(MIN_RESAMPLES) > MAX_RESAMPLING_WORK => 0,
            affordable => affordable.clamp(MIN_RESAMPLES, MAX_RESAMPLES),
        }
    }
}

/// Each winner's share of a win, and the ties.
fn observed(
    outcome: &SampleOutcome,
    index_of: &[usize],
    rated: usize,
    tie_sizes: &[usize],
) -> Vec<(usize, f64)> {
    let mut observed = Vec::new();
    for (size, winner) in &outcome.winners {
        let share = 1.0 / *size as f64;
        observed.push((index_of[*winner], share));
        if let Ok(order) = tie_sizes.binary_search(size) {
            observed.push((rated + order, share));
        }
    }
    observed
}

/// The entrants that played in a game with a winner, ascending; `None` if games do not connect them all, or if there
/// are none.
fn connected_entrants(outcomes: &[&SampleOutcome], entrants: usize) -> Option<Vec<usize>> {
    let mut group: Vec<usize> = (0..entrants).collect();
    let mut has_played = vec![false; entrants];
    for outcome in outcomes {
        let first = outcome.seats[0];
        for seat in &outcome.seats {
            has_played[*seat] = true;
            let (a, b) = (representative(&mut group, first), representative(&mut group, *seat));
            group[a.max(b)] = a.min(b);
        }
    }
    let rated: Vec<usize> = (0..entrants).filter(|entrant| has_played[*entrant]).collect();
    let first = representative(&mut group, *rated.first()?);
    rated.iter().all(|entrant| representative(&mut group, *entrant) == first).then_some(rated)
}

/// The representative of an entrant's component: union-find with path halving.
fn representative(group: &mut [usize], of: usize) -> usize {
    let mut at = of;
    while group[at] != at {
        group[at] = group[group[at]];
        at = group[at];
    }
    at
}
