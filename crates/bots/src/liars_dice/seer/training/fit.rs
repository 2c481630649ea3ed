//! A style that explains what was counted best.

use super::tally::KindTally;
use crate::liars_dice::seer::claim::{Claim, Company, Manner, SUPPORTS, TRUSTS};
use crate::liars_dice::seer::factors::Factors;
use crate::liars_dice::seer::odds::{MOST_DICE, fair_chance};
use crate::liars_dice::seer::parameters::NamedStyle;
use crate::liars_dice::spread::Spread;

/// As how many calls and answers the expected ones of a class count.
const PRIOR_ANSWERS: f64 = 2.0;
/// As how many bids a factor of 1 counts.
const PRIOR_BIDS: f64 = 5.0;
/// Turns of the fit; the factors have settled long before.
const TURNS: usize = 60;
/// No chance of a call is nearer to 0 or 1.
const LEAST: f64 = 0.004;
/// Factors stay within this and its reciprocal.
const MOST: f64 = 100.0;

/// The form of a bid, and how often how many dice counted for it.
type Bids<'a> = Vec<(Claim, &'a [u64; MOST_DICE + 1])>;

pub(super) fn style(name: &str, share: f64, counts: &KindTally) -> NamedStyle {
    let factors = Company::ALL.map(|company| {
        Manner::ALL.map(|manner| {
            let is_meant =
                |(of, claim): &(Manner, Claim)| *of == manner && claim.company == company;
            let bids = counts.bids.iter().filter(|(form, _)| is_meant(form));
            factors(&bids.map(|((_, claim), held)| (*claim, held)).collect())
        })
    });
    NamedStyle { name: name.to_owned(), share, calls: counts.answers.map(calls), factors }
}

fn calls(answers: [[u64; 2]; TRUSTS]) -> [f64; TRUSTS] {
    let mut calls = [0.0; TRUSTS];
    for (class, (call, [called, all])) in calls.iter_mut().zip(answers).enumerate() {
        let expected = 1.0 - class as f64 / (TRUSTS - 1) as f64;
        let share = (called as f64 + PRIOR_ANSWERS * expected) / (all as f64 + PRIOR_ANSWERS);
        *call = share.clamp(LEAST, 1.0 - LEAST);
    }
    calls
}

/// Maximum likelihood of the hands given the bids: each factor is scaled until as many hands of its class
/// are expected as were counted (iterative scaling; Darroch and Ratcliff, "Generalized iterative scaling for
/// log-linear models", 1972). What was counted seldom stays near 1.
fn factors(bids: &Bids<'_>) -> Factors {
    let mut factors = Factors { support: [1.0; SUPPORTS], trust: [1.0; TRUSTS] };
    for _ in 0..TURNS {
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
        let by = (counted + PRIOR_BIDS) / (expected + PRIOR_BIDS);
        *factor = (*factor * by).clamp(1.0 / MOST, MOST);
    }
}

/// Hands of each class, as they were counted and as they are expected.
struct Moments {
    support: [[f64; 2]; SUPPORTS],
    trust: [[f64; 2]; TRUSTS],
    /// The mean likelihood of a hand of which nothing is known.
    likelihood: f64,
}

impl Moments {
    fn new(factors: &Factors, bids: &Bids<'_>) -> Self {
        let mut moments =
            Self { support: [[0.0; 2]; SUPPORTS], trust: [[0.0; 2]; TRUSTS], likelihood: 0.0 };
        let mut bids_seen = 0.0;
        for (claim, counts) in bids {
            let all = counts.iter().sum::<u64>() as f64;
            moments.likelihood += all * moments.add(factors, *claim, counts, all);
            bids_seen += all;
        }
        moments.likelihood = if bids_seen == 0.0 { 1.0 } else { moments.likelihood / bids_seen };
        moments
    }

    /// Adds the hands behind bids of one form and returns the mean likelihood of a fair hand.
    fn add(
        &mut self,
        factors: &Factors,
        claim: Claim,
        counts: &[u64; MOST_DICE + 1],
        all: f64,
    ) -> f64 {
        let fair = Spread::new(claim.dice, fair_chance(claim.face()));
        let classes = |held: usize| (claim.support(held), claim.trust(held));
        let weight = |(held, chance): (usize, &f64)| {
            let (support, trust) = classes(held);
            chance * factors.support[support] * factors.trust[trust]
        };
        let mean: f64 = fair.chances().iter().enumerate().map(weight).sum();
        for (held, chance) in fair.chances().iter().enumerate() {
            let (support, trust) = classes(held);
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
