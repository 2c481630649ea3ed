//! Elo ratings, fitted to all games at once; the order of the games does not matter.

use super::best_probability::add_first_place_shares;
use super::covariance::dot;
use super::davidson_luce::{Derivatives, Observations};
use super::interval::{ELO_PER_LOGIT, Interval, quantile};
use super::rated_samples::RatedSamples;
use super::sample_outcome::SampleOutcome;

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
    let unknowns = observations.observed.len();
    let mut derivatives = Derivatives::new(unknowns);
    let fitted = observations.fit(&vec![0.0; unknowns], &mut derivatives);
    // Weighted, so that an entrant with an uncertain rating, such as one that lost every game, does not shift all
    // other ratings.
    let weights = observations.information(&fitted, &mut derivatives);
    let estimates = centred(&fitted, &weights);
    let resamples = resamples(&samples, &observations, &fitted, &weights);
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

/// Ratings fitted to resamples; empty for fewer than two samples, or if it would take too long.
///
/// A resample weights every sample by a draw from the exponential distribution: Rubin, "The Bayesian bootstrap",
/// Annals of Statistics 9 (1981). The weights of equal samples add up to a gamma distribution. The virtual games
/// are weighted in the same way, so that even an entrant that won every game gets an interval of positive width.
fn resamples(
    samples: &RatedSamples,
    observations: &Observations,
    fitted: &[f64],
    weights: &[f64],
) -> Vec<Vec<f64>> {
    let mut observations = observations.clone();
    let mut derivatives = Derivatives::new(fitted.len());
    let mut draws = samples.draws();
    let mut resample = |_| {
        samples.set_weights(&samples.drawn_counts(&mut draws), &mut observations);
        observations.virtual_successes.fill_with(|| draws.half_gamma());
        observations.virtual_failures.fill_with(|| draws.half_gamma());
        centred(&observations.fit(fitted, &mut derivatives), weights)
    };
    (0..samples.resample_count()).map(&mut resample).collect()
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
    let of = |share: f64| quantile(&drawn, share * (drawn.len() - 1) as f64);
    Some(Interval { low: of(0.025).min(estimate), high: of(0.975).max(estimate) })
}
