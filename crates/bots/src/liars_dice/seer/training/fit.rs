//! Maximum-likelihood fit of a playing style to counts.

use super::training_counts::KindCounts;
use crate::liars_dice::count_distribution::{CountDistribution, MAX_DICE};
use crate::liars_dice::fair_dice::fair_chance;
use crate::liars_dice::seer::features::bid_context::{
    BidContext, BidKind, SUPPORT_BINS, TRUST_BINS, TableSize,
};
use crate::liars_dice::seer::model::likelihood_factors::LikelihoodFactors;
use crate::liars_dice::seer::model::playing_style::PlayingStyle;

/// The weight of the prior probability of a call, in answers.
const PRIOR_ANSWERS: f64 = 2.0;
/// The weight of a factor of 1, in bids.
const PRIOR_BIDS: f64 = 5.0;
/// Iterations of the fit; the factors converge long before.
const ITERATIONS: usize = 60;
/// The least distance of the probability of a call from 0 and 1.
const MIN_PROBABILITY: f64 = 0.004;
/// Upper bound of a factor; its reciprocal is the lower bound.
const MAX_FACTOR: f64 = 100.0;

/// The contexts of bids, each with how often each number of the bidder's dice counted for it.
type Bids<'a> = Vec<(BidContext, &'a [u64; MAX_DICE + 1])>;

/// The style that explains the counts best; `share` is its prior probability.
pub(crate) fn fit_style(name: &str, share: f64, counts: &KindCounts) -> PlayingStyle {
    let factors = TableSize::ALL.map(|table_size| {
        BidKind::ALL.map(|bid_kind| {
            let is_of_kind = |(of, context): &(BidKind, BidContext)| {
                *of == bid_kind && context.table_size == table_size
            };
            let bids = counts.bids.iter().filter(|(key, _)| is_of_kind(key));
            factors(&bids.map(|((_, context), held)| (*context, held)).collect())
        })
    });
    PlayingStyle { name: name.to_owned(), share, calls: counts.answers.map(calls), factors }
}

/// The probability of a call, by trust bin.
fn calls(answers: [[u64; 2]; TRUST_BINS]) -> [f64; TRUST_BINS] {
    let mut calls = [0.0; TRUST_BINS];
    for (bin, (call, [called, all])) in calls.iter_mut().zip(answers).enumerate() {
        let expected = 1.0 - bin as f64 / (TRUST_BINS - 1) as f64;
        let share = (called as f64 + PRIOR_ANSWERS * expected) / (all as f64 + PRIOR_ANSWERS);
        *call = share.clamp(MIN_PROBABILITY, 1.0 - MIN_PROBABILITY);
    }
    calls
}

/// Maximum likelihood of the hands given the bids: each factor is scaled until the expected number of hands in its bin is the number
/// counted (Darroch and Ratcliff, "Generalized iterative scaling for log-linear models", 1972). Factors of rare bins stay near 1.
fn factors(bids: &Bids<'_>) -> LikelihoodFactors {
    let mut factors = LikelihoodFactors { support: [1.0; SUPPORT_BINS], trust: [1.0; TRUST_BINS] };
    for _ in 0..ITERATIONS {
        let moments = Moments::new(&factors, bids);
        scale(&mut factors.support, &moments.support);
        let moments = Moments::new(&factors, bids);
        scale(&mut factors.trust, &moments.trust);
    }
    let Moments { likelihood, .. } = Moments::new(&factors, bids);
    factors.support.iter_mut().for_each(|factor| *factor /= likelihood);
    factors
}

fn scale(factors: &mut [f64], moments: &[[f64; 2]]) {
    for (factor, [counted, expected]) in factors.iter_mut().zip(moments) {
        let ratio = (counted + PRIOR_BIDS) / (expected + PRIOR_BIDS);
        *factor = (*factor * ratio).clamp(1.0 / MAX_FACTOR, MAX_FACTOR);
    }
}

/// The number of hands in each bin, counted and expected.
struct Moments {
    support: [[f64; 2]; SUPPORT_BINS],
    trust: [[f64; 2]; TRUST_BINS],
    /// The mean likelihood of a fair hand.
    likelihood: f64,
}

impl Moments {
    fn new(factors: &LikelihoodFactors, bids: &Bids<'_>) -> Self {
        let mut moments = Self {
            support: [[0.0; 2]; SUPPORT_BINS],
            trust: [[0.0; 2]; TRUST_BINS],
            likelihood: 0.0,
        };
        let mut bids_seen = 0.0;
        for (context, counts) in bids {
            let all = counts.iter().sum::<u64>() as f64;
            moments.likelihood += all * moments.add(factors, *context, counts, all);
            bids_seen += all;
        }
        moments.likelihood = if bids_seen == 0.0 { 1.0 } else { moments.likelihood / bids_seen };
        moments
    }

    /// Adds the hands behind bids of one context and returns the mean likelihood of a fair hand.
    fn add(
        &mut self,
        factors: &LikelihoodFactors,
        context: BidContext,
        counts: &[u64; MAX_DICE + 1],
        all: f64,
    ) -> f64 {
        let fair = CountDistribution::new(context.dice, fair_chance(context.face()));
        let bins = |held: usize| (context.support_bin(held), context.trust_bin(held));
        let weight = |(held, chance): (usize, &f64)| {
            let (support, trust) = bins(held);
            chance * factors.support[support] * factors.trust[trust]
        };
        let mean: f64 = fair.chances().iter().enumerate().map(weight).sum();
        for (held, chance) in fair.chances().iter().enumerate() {
            let (support, trust) = bins(held);
            let moments = [counts[held] as f64, all * weight((held, chance)) / mean];
            for (sum, moment) in self.support[support].iter_mut().zip(moments) {
                *sum += moment;
            }
            for (sum, moment) in self.trust[trust].iter_mut().zip(moments) {
                *sum += moment;
            }
        }
        mean
    }
}
