//! Samples in the terms of the model that ratings are fitted to.

use super::davidson_luce::{Observations, TableGames};
use super::random_stream::RandomStream;
use super::sample_outcome::SampleOutcome;

/// Resamples per interval, as long as they cost no more than [`RESAMPLING_BUDGET`].
const MAX_RESAMPLES: usize = 1000;
/// The fewest resamples that make an interval.
const MIN_RESAMPLES: usize = 100;
/// Operations allowed for all resamples, roughly: fewer are drawn in a field that would need more.
const RESAMPLING_BUDGET: usize = 300_000_000;
/// Operations allowed for [`MIN_RESAMPLES`]; a field that would need more gets no intervals.
const MAX_RESAMPLING_WORK: usize = 3_000_000_000;

/// The samples with a winner, and the entrants that they rate.
pub(super) struct RatedSamples {
    /// Ascending.
    pub(super) rated: Vec<usize>,
    /// The distinct tables; seats are indices into `rated`.
    tables: Vec<Vec<usize>>,
    pub(super) tie_sizes: Vec<usize>,
    pub(super) samples: Vec<Sample>,
}

/// The outcome of a sample, in the terms of [`Observations`].
pub(super) struct Sample {
    /// How often it occurred.
    pub(super) count: f64,
    /// Index of the table.
    table: usize,
    /// Games with a winner.
    pub(super) games: f64,
    /// Index in [`Observations::observed`] and the amount that the sample adds there.
    pub(super) observed: Vec<(usize, f64)>,
}

impl RatedSamples {
    /// `None` if some entrants cannot be compared, or there are none.
    pub(super) fn new(outcomes: &[SampleOutcome], entrants: usize) -> Option<Self> {
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

    pub(super) fn observations(&self) -> Observations {
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
    pub(super) fn set_weights(&self, counts: &[f64], observations: &mut Observations) {
        observations.observed.fill(0.0);
        observations.tables.iter_mut().for_each(|table| table.games = 0.0);
        for (sample, count) in self.samples.iter().zip(counts) {
            observations.tables[sample.table].games += count * sample.games;
            for (index, share) in &sample.observed {
                observations.observed[*index] += count * share;
            }
        }
    }

    /// Draws that are a function of how often each outcome occurred.
    pub(super) fn draws(&self) -> RandomStream {
        RandomStream::seeded_by(self.samples.iter().map(|sample| sample.count as u64))
    }

    /// A weight for each sample, as a resample has it.
    pub(super) fn drawn_counts(&self, draws: &mut RandomStream) -> Vec<f64> {
        self.samples.iter().map(|sample| draws.gamma(sample.count)).collect()
    }

    /// The number of resamples that the budget allows; 0 for fewer than two samples.
    pub(super) fn resample_count(&self) -> usize {
        if self.samples.iter().map(|sample| sample.count).sum::<f64>() < 2.0 {
            return 0;
        }
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
pub(super) fn connected_entrants(
    outcomes: &[&SampleOutcome],
    entrants: usize,
) -> Option<Vec<usize>> {
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
