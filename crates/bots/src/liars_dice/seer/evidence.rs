//! What the revealed hands of a player tell about how it plays.

use super::claim::TRUSTS;
use super::odds::fair_chance;
use super::parameters::Parameters;
use super::style::{Bidding, Style};
use super::turn_taken::{Answered, Made, TurnTaken};
use crate::liars_dice::spread::Spread;

/// How much of a turn's likelihood is left to styles that nobody thought of: no single turn makes a style
/// nearly impossible, and who changes its style is found out.
const UNTHOUGHT_OF: f64 = 0.1;
/// No style gets less than this.
const LEAST: f64 = 1e-4;
/// As how many answers to bids of a class what the styles say of it counts.
const PRIOR_ANSWERS: f64 = 6.0;

/// How likely each style is, and how the player has answered bids.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Evidence {
    /// In proportion to the chance of each style.
    weights: Vec<f64>,
    /// Calls and all answers, by trust in the bid.
    answers: [[f64; 2]; TRUSTS],
}

impl Evidence {
    /// Of a player nobody has seen.
    pub(super) fn new(parameters: &Parameters) -> Self {
        let weights = parameters.styles.iter().map(|style| style.share).collect();
        Self { weights, answers: [[0.0; 2]; TRUSTS] }
    }

    /// The chance of each style, in the order of the parameters.
    pub(super) fn chances(&self) -> impl Iterator<Item = f64> + '_ {
        let sum: f64 = self.weights.iter().sum();
        self.weights.iter().map(move |weight| weight / sum)
    }

    /// Takes note of a turn.
    pub(super) fn add(&mut self, parameters: &Parameters, turn: &TurnTaken) {
        if let Some(answered) = turn.answered {
            let [calls, all] = &mut self.answers[answered.claim.trust(answered.held)];
            *calls += f64::from(u8::from(answered.called));
            *all += 1.0;
            self.weigh(parameters, |style| answer_likelihood(style, answered));
        }
        if let Some(made) = turn.made {
            let fair = Spread::new(made.claim.dice, fair_chance(made.claim.face()));
            self.weigh(parameters, |style| bid_likelihood(style.bidding(made.manner), &fair, made));
        }
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
        for (call, [calls, all]) in mean.calls.iter_mut().zip(self.answers) {
            *call = (PRIOR_ANSWERS * *call + calls) / (PRIOR_ANSWERS + all);
        }
        mean
    }
}

fn answer_likelihood(style: &Style, answered: Answered) -> f64 {
    let call = style.call(answered.claim, answered.held);
    if answered.called { call } else { 1.0 - call }
}

/// The chance of the hand given the bid.
fn bid_likelihood(bidding: &Bidding, fair: &Spread, made: Made) -> f64 {
    let Made { claim, held, .. } = made;
    let weight = |held: usize, chance: f64| chance * bidding.likelihood(claim, held);
    let all: f64 =
        fair.chances().iter().enumerate().map(|(held, chance)| weight(held, *chance)).sum();
    weight(held, fair.chances()[held]) / all
}
