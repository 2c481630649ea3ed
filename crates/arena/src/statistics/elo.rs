//! Elo ratings on a scale whose zero does not depend on entrants that never win, with intervals that hold the truth as
//! often as they say.

use super::davidson_luce::{Derivatives, Observations};
use super::design_effect::design_effect;
use super::interval::{Bounds, ELO_PER_LOGIT, Interval, quantile};
use super::rated_samples::{RatedSamples, connected_entrants};
use super::sample_outcome::SampleOutcome;
use super::statistics_version::StatisticsVersion;
use super::student::{Z95, student_quantile};
use super::win_graph::Top;

/// An entrant's Elo rating on the scale of mean strength: 400 log10(s / s̄), where s is its strength and s̄ the mean
/// strength of all rated entrants. So an entrant at 0 would win its share of the games with all of them at one table.
///
/// Unlike a mean of ratings, a mean of strengths hardly changes with an entrant that never wins: its strength is nearly
/// 0, however far down its rating is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EloRating {
    /// `None` if the games bound the rating on one side only.
    pub value: Option<f64>,
    /// Its 95 % interval, or the 95 % bound on the one side; `None` if the resampling would take too long.
    pub ci95: Option<Bounds>,
}

/// The ratings of `entrants` entrants from the outcomes of their samples, each of `games_per_sample` games.
///
/// `None` for entrants whose games had no winner, and for those that wins connect with the top neither way. All are
/// `None` if games do not connect the entrants, or for a single sample.
pub(crate) fn elo_ratings(
    outcomes: &[SampleOutcome],
    entrants: usize,
    games_per_sample: u64,
    version: StatisticsVersion,
) -> Vec<Option<EloRating>> {
    let mut ratings = vec![None; entrants];
    let decided: Vec<&SampleOutcome> =
        outcomes.iter().filter(|outcome| !outcome.winners.is_empty()).collect();
    let samples: u64 = decided.iter().map(|outcome| outcome.count).sum();
    let Some(rated) = connected_entrants(&decided, entrants) else { return ratings };
    if samples < 2 {
        return ratings;
    }
    let Top { members, below } = Top::new(&decided, entrants);
    let scale = (rated.len() as f64).ln();
    let games_per_sample = games_per_sample as f64;
    let field = Field { outcomes: decided, games_per_sample, scale, version };
    let strengths = if let [alone] = members.as_slice() {
        ratings[*alone] = Some(field.undefeated(*alone));
        vec![0.0]
    } else {
        let (found, strengths) = field.top_ratings(&members, entrants);
        members.iter().zip(found).for_each(|(entrant, elo)| ratings[*entrant] = Some(elo));
        strengths
    };
    for entrant in below {
        ratings[entrant] = field.bound(entrant, &members, &strengths);
    }
    ratings
}

/// Resamples per interval: with these the quantiles are exact enough that intervals hold the truth in 0.2 % fewer runs.
const MAX_RESAMPLES: usize = 400;
/// The probability with which a one-sided bound does not hold.
const MISS: f64 = 0.05;

/// The games of a field, and its scale.
struct Field<'a> {
    outcomes: Vec<&'a SampleOutcome>,
    games_per_sample: f64,
    /// The logarithm of the number of rated entrants.
    scale: f64,
    version: StatisticsVersion,
}

impl Field<'_> {
    /// The ratings of the entrants that wins connect both ways, of which there are at least two, and the logarithms of
    /// their strengths.
    fn top_ratings(&self, members: &[usize], entrants: usize) -> (Vec<EloRating>, Vec<f64>) {
        let outcomes = self.among(members);
        let samples = RatedSamples::new(&outcomes, entrants).expect("wins connect them");
        let effect = design_effect(&outcomes, self.games_per_sample);
        let mut prior = vec![effect / 2.0; members.len()];
        let mut observations = samples.observations();
        observations.virtual_successes[..members.len()].fill(0.0);
        observations.virtual_failures[..members.len()].fill(0.0);
        let start = vec![0.0; observations.observed.len()];
        let mut derivatives = Derivatives::new(start.len()).of_version(self.version);
        let (ratings, fitted) = self.fit(&mut observations, &start, &prior, &mut derivatives);
        let mut draws = samples.draws();
        let mut resample = |_| {
            samples.set_weights(&samples.drawn_counts(&mut draws), &mut observations);
            prior.fill_with(|| effect * draws.half_gamma());
            self.fit(&mut observations, &fitted, &prior, &mut derivatives).0
        };
        let resamples = samples.resample_count().min(MAX_RESAMPLES);
        let drawn: Vec<_> = (0..resamples).map(&mut resample).collect();
        let elo = |(index, rating): (usize, f64)| {
            let own = drawn.iter().map(|values| values[index]).collect();
            let interval = self.interval(own, rating, samples_of(&outcomes, members[index]));
            EloRating { value: Some(rating), ci95: interval.map(Bounds::from) }
        };
        let ratings = ratings.into_iter().enumerate().map(elo).collect();
        (ratings, fitted[..members.len()].to_vec())
    }

    /// The ratings that fit these observations with the prior, and the logarithms of all strengths and tie weights.
    ///
    /// `prior` are wins that are added to those of each entrant: half an effective game, or a draw with that mean from
    /// the gamma distribution of shape 1/2, which at one table is Jeffreys' prior. Of them a share enters the fit of all
    /// entrants ([`Self::shared`]), and the rest only the entrant's own rating.
    fn fit(
        &self,
        observations: &mut Observations,
        start: &[f64],
        prior: &[f64],
        derivatives: &mut Derivatives,
    ) -> (Vec<f64>, Vec<f64>) {
        let shared = self.shared(observations);
        let wins: Vec<f64> = prior.iter().map(|wins| shared * wins).collect();
        observations.add_wins(&wins);
        let fitted = observations.fit(start, derivatives);
        let slopes = observations.information(&fitted, derivatives);
        let games = observations.games();
        let strengths = &fitted[..prior.len()];
        let all: f64 = strengths.iter().map(|strength| libm::exp(*strength)).sum();
        let rating = |index: usize| {
            let (won, own) = (observations.observed[index], strengths[index]);
            // One step of Newton's method in the logit of the expected win rate.
            let rest = libm::log1p((1.0 - shared) * prior[index] / won);
            let more = rest * won * (1.0 - won / games[index]) / slopes[index];
            let others = all - libm::exp(own);
            ELO_PER_LOGIT * (self.scale - libm::log1p(others * libm::exp(-own - more)))
        };
        ((0..prior.len()).map(rating).collect(), fitted)
    }

    /// The share of the added wins that enters the fit of all entrants: 3/m, at most 1, at tables of m entrants on
    /// average. At large tables less, so that the added wins of many weak entrants do not add up against a strong one.
    /// In a large field of small tables less would not do: without them the fit makes differences larger than they are.
    fn shared(&self, observations: &Observations) -> f64 {
        if self.version < StatisticsVersion::Fifth {
            return (2.0 / observations.entrants() as f64).min(1.0);
        }
        let games: f64 = observations.tables.iter().map(|table| table.games).sum();
        let seats: f64 = observations.games().iter().sum();
        (3.0 * games / seats).min(1.0)
    }

    /// The central 95 % of the drawn ratings; `None` without draws. They are widened if each sample has several games:
    /// the variance between few samples is uncertain, while that between games follows from the win rate. No rating is
    /// above that of an entrant with all the strength.
    fn interval(&self, mut drawn: Vec<f64>, rating: f64, samples: u64) -> Option<Interval> {
        if drawn.is_empty() {
            return None;
        }
        drawn.sort_by(f64::total_cmp);
        // Of n draws that divide a distribution into n + 1 equally likely parts.
        let of = |share: f64| quantile(&drawn, share * (drawn.len() + 1) as f64 - 1.0);
        let widen = if self.games_per_sample > 1.0 { student_quantile(samples) / Z95 } else { 1.0 };
        let most = ELO_PER_LOGIT * self.scale;
        Some(Interval {
            low: (rating + widen * (of(0.025) - rating)).min(rating),
            high: (rating + widen * (of(0.975) - rating)).clamp(rating, most.max(rating)),
        })
    }

    /// The outcomes among `members`: of tables at which at least two of them sat, without the others.
    fn among(&self, members: &[usize]) -> Vec<SampleOutcome> {
        let restricted = self.outcomes.iter().map(|outcome| {
            let is_member = |seat: &&usize| members.binary_search(seat).is_ok();
            let seats = outcome.seats.iter().filter(is_member).copied().collect();
            SampleOutcome { seats, ..(*outcome).clone() }
        });
        restricted.filter(|outcome| outcome.seats.len() > 1).collect()
    }

    /// The rating of an entrant that won every game that others won too: bounded below only.
    fn undefeated(&self, entrant: usize) -> EloRating {
        let mut games = std::collections::BTreeMap::new();
        for outcome in self.outcomes.iter().filter(|outcome| outcome.seats.contains(&entrant)) {
            for other in outcome.seats.iter().filter(|seat| **seat != entrant) {
                *games.entry(*other).or_insert(0.0) += games_of(outcome);
            }
        }
        let fewest = games.values().copied().fold(f64::INFINITY, f64::min);
        let low = self.scale + libm::log1p(-self.unseen(fewest));
        let bounds = Bounds { low: Some(ELO_PER_LOGIT * low), high: None };
        EloRating { value: None, ci95: Some(bounds) }
    }

    /// The rating of an entrant that no win connects with `members`, whose strengths are given by their logarithms:
    /// bounded above only. `None` if it never sat with one of them.
    fn bound(&self, entrant: usize, members: &[usize], strengths: &[f64]) -> Option<EloRating> {
        let strength =
            |seat: &usize| members.binary_search(seat).map(|at| libm::exp(strengths[at]));
        let mut tables = Vec::new();
        for outcome in self.outcomes.iter().filter(|outcome| outcome.seats.contains(&entrant)) {
            let others: f64 = outcome.seats.iter().flat_map(strength).sum();
            tables.push((if others > 0.0 { games_of(outcome) } else { 0.0 }, others));
        }
        let games: f64 = tables.iter().map(|(games, _)| games).sum();
        if games == 0.0 {
            return None;
        }
        let most = games * self.unseen(games);
        let expected = |own: f64| -> f64 {
            tables.iter().map(|(games, others)| games * own / (own + others)).sum()
        };
        let (mut low, mut high) = (-100.0, 100.0);
        while high - low > 1e-9 {
            let middle = f64::midpoint(low, high);
            if expected(libm::exp(middle)) < most { low = middle } else { high = middle }
        }
        let all: f64 = strengths.iter().map(|strength| libm::exp(*strength)).sum();
        let high = self.scale - libm::log1p(all * libm::exp(-high));
        let bounds = Bounds { low: None, high: Some(ELO_PER_LOGIT * high) };
        Some(EloRating { value: None, ci95: Some(bounds) })
    }

    /// The largest chance of an event that may well have occurred in none of the samples of these games: the exact 95 %
    /// bound of Clopper and Pearson, with whole samples as trials.
    fn unseen(&self, games: f64) -> f64 {
        1.0 - libm::exp(libm::log(MISS) * self.games_per_sample / games)
    }
}

/// The games with a winner of all samples with this outcome.
fn games_of(outcome: &SampleOutcome) -> f64 {
    let each: f64 = outcome.winners.iter().map(|(size, _)| 1.0 / *size as f64).sum();
    outcome.count as f64 * each
}

/// The samples in which an entrant sat.
fn samples_of(outcomes: &[SampleOutcome], entrant: usize) -> u64 {
    let own = outcomes.iter().filter(|outcome| outcome.seats.contains(&entrant));
    own.map(|outcome| outcome.count).sum()
}
