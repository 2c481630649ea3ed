//! What the revealed hands of a player tell about how it plays.

use super::claim::{Company, Manner, SUPPORTS, TRUSTS};
use super::odds::{MOST_DICE, fair_chance};
use super::parameters::Parameters;
use super::style::{Factors, Style};
use super::turn_taken::{Answered, Made, TurnTaken};
use crate::liars_dice::spread::Spread;

/// How much of a turn's likelihood is left to styles that nobody thought of: no single turn makes a style
/// nearly impossible, and who changes its style is found out.
const UNTHOUGHT_OF: f64 = 0.1;
/// No style gets less than this.
const LEAST: f64 = 1e-4;
/// How much is learned from the hand behind one bid.
const STEP: f64 = 0.4;
/// As how many answers to bids of a class what the styles say of it counts.
const PRIOR_ANSWERS: f64 = 6.0;

/// How likely each style is, and how the player has answered bids.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Evidence {
    /// In proportion to the chance of each style.
    weights: Vec<f64>,
    /// Calls and all answers, among two and among more, by trust in the bid.
    answers: [[[f64; 2]; TRUSTS]; 2],
    /// How the hands behind its bids differ from those that the styles make expect, by [`of_bid`].
    own: [Factors; 4],
}

impl Evidence {
    /// Of a player nobody has seen.
    pub(super) fn new(parameters: &Parameters) -> Self {
        let weights = parameters.styles.iter().map(|style| style.share).collect();
        Self { weights, answers: [[[0.0; 2]; TRUSTS]; 2], own: [const { Factors::NONE }; 4] }
    }

    /// The chance of each style, in the order of the parameters.
    pub(super) fn chances(&self) -> impl Iterator<Item = f64> + '_ {
        let sum: f64 = self.weights.iter().sum();
        self.weights.iter().map(move |weight| weight / sum)
    }

    /// Takes note of a turn.
    pub(super) fn add(&mut self, parameters: &Parameters, turn: &TurnTaken) {
        if let Some(answered) = turn.answered {
            let Answered { claim, held, .. } = answered;
            let [calls, all] = &mut self.answers[claim.company as usize][claim.trust(held)];
            *calls += f64::from(u8::from(answered.called));
            *all += 1.0;
            self.weigh(parameters, |style| answer_likelihood(style, answered));
        }
        if let Some(made) = turn.made {
            let fair = Spread::new(made.claim.dice, fair_chance(made.claim.face()));
            self.learn(parameters, &fair, made);
            self.weigh(parameters, |style| bid_likelihood(style, &fair, made));
        }
    }

    /// Makes the hand behind a bid likelier than the others were: a step of gradient ascent on the
    /// likelihood of hands, in the logarithms of the factors.
    fn learn(&mut self, parameters: &Parameters, fair: &Spread, made: Made) {
        let Made { claim, held, .. } = made;
        let own = &self.own[of_bid(claim.company, made.manner)];
        let mut chances = [0.0; MOST_DICE + 1];
        for (weight, named) in self.weights.iter().zip(&parameters.styles) {
            let bidding = named.style.bidding(claim.company, made.manner);
            for (held, (chance, fair)) in chances.iter_mut().zip(fair.chances()).enumerate() {
                *chance += weight * fair * bidding.likelihood(claim, held);
            }
        }
        let chances = &mut chances[..fair.chances().len()];
        for (held, chance) in chances.iter_mut().enumerate() {
            *chance *= own.likelihood(claim, held);
        }
        let sum: f64 = chances.iter().sum();
        let mut more = Factors { support: [0.0; SUPPORTS], trust: [0.0; TRUSTS] };
        more.support[claim.support(held)] += 1.0;
        more.trust[claim.trust(held)] += 1.0;
        for (held, chance) in chances.iter().enumerate() {
            more.support[claim.support(held)] -= chance / sum;
            more.trust[claim.trust(held)] -= chance / sum;
        }
        self.own[of_bid(claim.company, made.manner)].grow(STEP, &more);
    }

    /// Bayes' rule, with a share of the likelihood for what no style foresees.
    fn weigh(&mut self, parameters: &Parameters, likelihood: impl Fn(&Style) -> f64) {
        let of_styles: Vec<_> =
            parameters.styles.iter().map(|named| likelihood(&named.style)).collect();
        let mean: f64 = self.chances().zip(&of_styles).map(|(chance, of)| chance * of).sum();
        for (weight, of) in self.weights.iter_mut().zip(of_styles) {
            *weight *= (1.0 - UNTHOUGHT_OF) * of / mean + UNTHOUGHT_OF;
        }
        let sum: f64 = self.weights.iter().sum();
        self.weights.iter_mut().for_each(|weight| *weight = (*weight / sum).max(LEAST));
    }

    /// How the player is expected to play: the mean of the styles, and how it has answered so far.
    pub(super) fn style(&self, parameters: &Parameters) -> Style {
        let mut mean = Style::NONE;
        for (chance, named) in self.chances().zip(&parameters.styles) {
            mean.add(chance, &named.style);
        }
        for (habits, answers) in mean.among.iter_mut().zip(self.answers) {
            for (call, [calls, all]) in habits.calls.iter_mut().zip(answers) {
                *call = (PRIOR_ANSWERS * *call + calls) / (PRIOR_ANSWERS + all);
            }
        }
        for company in Company::ALL {
            for manner in Manner::ALL {
                let own = &self.own[of_bid(company, manner)];
                mean.among[company as usize].bids[manner as usize].scale(own);
            }
        }
        mean
    }
}

/// Bids that are alike: those on the face of the bid before them and the others, among two and among more.
const fn of_bid(company: Company, manner: Manner) -> usize {
    2 * company as usize + matches!(manner, Manner::SameFace) as usize
}

fn answer_likelihood(style: &Style, answered: Answered) -> f64 {
    let call = style.call(answered.claim, answered.held);
    if answered.called { call } else { 1.0 - call }
}

/// The chance of the hand given the bid.
fn bid_likelihood(style: &Style, fair: &Spread, made: Made) -> f64 {
    let bidding = style.bidding(made.claim.company, made.manner);
    let Made { claim, held, .. } = made;
    let weight = |held: usize, chance: f64| chance * bidding.likelihood(claim, held);
    let all: f64 =
        fair.chances().iter().enumerate().map(|(held, chance)| weight(held, *chance)).sum();
    weight(held, fair.chances()[held]) / all
}
