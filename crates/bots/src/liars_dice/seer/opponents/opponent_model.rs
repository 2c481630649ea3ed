//! A Bayesian model of how one opponent plays, learned from its revealed hands.

use crate::liars_dice::count_distribution::{ByDice, MAX_DICE};
use crate::liars_dice::fair_dice::fair_distribution;
use crate::liars_dice::seer::features::bid_context::{
    BidContext, BidKind, SUPPORT_BINS, TRUST_BINS, TableSize,
};
use crate::liars_dice::seer::features::observed_turn::{BidResponse, ObservedBid, ObservedTurn};
use crate::liars_dice::seer::model::likelihood_factors::LikelihoodFactors;
use crate::liars_dice::seer::model::parameters::Parameters;
use crate::liars_dice::seer::model::style_table::{ByStyle, MAX_STYLES, StyleTable, dot};

/// The share of a turn's likelihood that is reserved for unknown styles: no single turn rules out a style, and a change of style is
/// detected.
const UNMODELLED_SHARE: f64 = 0.1;
/// Lower bound of the weight of a style.
const MIN_WEIGHT: f64 = 1e-4;
/// The step of gradient ascent for the hand behind one bid.
const LEARNING_RATE: f64 = 0.4;
/// The weight of the styles' prediction for a trust bin, in observed answers.
const PRIOR_ANSWERS: f64 = 6.0;

/// The posterior over playing styles, and how the player deviates from their mean.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct OpponentModel {
    /// Unnormalised posterior of each style.
    weights: ByStyle,
    /// Number of calls and of all answers, by table size and trust bin.
    answers: [[[f64; 2]; TRUST_BINS]; 2],
    /// How the hands behind the player's bids differ from the styles' predictions, by [`bid_group`].
    own_factors: [LikelihoodFactors; 4],
}

impl OpponentModel {
    /// The prior: the model of an unknown player.
    pub(crate) const fn new(parameters: &Parameters) -> Self {
        let weights = parameters.style_table.shares;
        Self {
            weights,
            answers: [[[0.0; 2]; TRUST_BINS]; 2],
            own_factors: [const { LikelihoodFactors::NONE }; 4],
        }
    }

    /// Updates the model with a turn.
    pub(crate) fn observe(&mut self, parameters: &Parameters, turn: &ObservedTurn) {
        let styles = &parameters.style_table;
        if let Some(BidResponse { context, held, called }) = turn.response {
            let trust = context.trust_bin(held);
            let [calls, all] = &mut self.answers[context.table_size as usize][trust];
            *calls += f64::from(u8::from(called));
            *all += 1.0;
            let call_probabilities = styles.calls(context.table_size)[trust];
            let likelihoods = call_probabilities.map(|call| if called { call } else { 1.0 - call });
            self.update_weights(styles, &likelihoods);
        }
        if let Some(made_bid) = turn.made_bid {
            self.observe_bid(styles, made_bid);
        }
    }

    /// Updates the model with the hand behind a bid: the posterior of the styles, and the player's own factors.
    fn observe_bid(&mut self, styles: &StyleTable, made_bid: ObservedBid) {
        let ObservedBid { bid_kind, context, held: shown } = made_bid;
        let fair = fair_distribution(usize::from(context.dice), context.face()).chances();
        let mut evidence = [0.0; MAX_STYLES];
        let mut joint = [0.0; MAX_STYLES];
        let mut expected = [0.0; MAX_DICE + 1];
        for (held, fair) in fair.iter().enumerate() {
            let likelihood = styles.likelihood(bid_kind, context, held);
            evidence
                .iter_mut()
                .zip(likelihood)
                .for_each(|(sum, likelihood)| *sum += fair * likelihood);
            expected[held] = fair * dot(&self.weights, likelihood);
            if held == shown {
                joint = likelihood.map(|likelihood| fair * likelihood);
            }
        }
        self.update_own_factors(made_bid, &mut expected[..fair.len()]);
        let mut likelihoods = [0.0; MAX_STYLES];
        for (likelihood, (joint, evidence)) in
            likelihoods.iter_mut().zip(joint.iter().zip(evidence)).take(styles.len)
        {
            *likelihood = joint / evidence;
        }
        self.update_weights(styles, &likelihoods);
    }

    /// One step of gradient ascent on the log-likelihood of the hand behind a bid, in the logarithms of the player's own factors.
    /// `expected` has the styles' prediction for each number of dice that count.
    fn update_own_factors(&mut self, made_bid: ObservedBid, expected: &mut [f64]) {
        let ObservedBid { bid_kind, context, held } = made_bid;
        let own = &mut self.own_factors[bid_group(context.table_size, bid_kind)];
        for (held, chance) in expected.iter_mut().enumerate() {
            *chance *= own.likelihood(context, held);
        }
        let sum: f64 = expected.iter().sum();
        let mut gradient =
            LikelihoodFactors { support: [0.0; SUPPORT_BINS], trust: [0.0; TRUST_BINS] };
        gradient.support[context.support_bin(held)] += 1.0;
        gradient.trust[context.trust_bin(held)] += 1.0;
        for (held, chance) in expected.iter().enumerate() {
            gradient.support[context.support_bin(held)] -= chance / sum;
            gradient.trust[context.trust_bin(held)] -= chance / sum;
        }
        own.ascend(LEARNING_RATE, &gradient);
    }

    /// Bayes' rule, with a share of the likelihood for unknown styles.
    fn update_weights(&mut self, styles: &StyleTable, likelihoods: &ByStyle) {
        let weights = &mut self.weights;
        let mean = dot(weights, likelihoods) / weights.iter().sum::<f64>();
        for (weight, likelihood) in weights.iter_mut().zip(likelihoods) {
            *weight *= (1.0 - UNMODELLED_SHARE) * likelihood / mean + UNMODELLED_SHARE;
        }
        let sum: f64 = weights.iter().sum();
        for weight in &mut weights[..styles.len] {
            *weight = (*weight / sum).max(MIN_WEIGHT);
        }
    }

    /// The posterior probability of each style.
    fn style_probabilities(&self) -> ByStyle {
        let sum: f64 = self.weights.iter().sum();
        self.weights.map(|weight| weight / sum)
    }

    /// The probability that the player calls a bid, by trust bin: the styles' prediction, shrunk towards the player's own answers.
    pub(crate) fn calls(
        &self,
        parameters: &Parameters,
        table_size: TableSize,
    ) -> [f64; TRUST_BINS] {
        let chances = self.style_probabilities();
        let mut calls = parameters.style_table.calls(table_size).map(|call| dot(&chances, &call));
        for (call, [called, all]) in calls.iter_mut().zip(self.answers[table_size as usize]) {
            *call = (PRIOR_ANSWERS * *call + called) / (PRIOR_ANSWERS + all);
        }
        calls
    }

    /// The relative likelihood of a bid for each number of the player's dice that count for it: the styles' prediction times the
    /// player's own factors.
    pub(crate) fn likelihoods(
        &self,
        parameters: &Parameters,
        bid_kind: BidKind,
        context: BidContext,
    ) -> ByDice {
        let chances = self.style_probabilities();
        let own = &self.own_factors[bid_group(context.table_size, bid_kind)];
        let mut likelihoods = [0.0; MAX_DICE + 1];
        for (held, likelihood) in
            likelihoods.iter_mut().enumerate().take(usize::from(context.dice) + 1)
        {
            let by_style = parameters.style_table.likelihood(bid_kind, context, held);
            *likelihood = dot(&chances, by_style) * own.likelihood(context, held);
        }
        likelihoods
    }
}

/// The group of bids that share their own factors: by table size, and by whether the face is that of the bid before.
const fn bid_group(table_size: TableSize, bid_kind: BidKind) -> usize {
    2 * table_size as usize + matches!(bid_kind, BidKind::SameFace) as usize
}

#[cfg(test)]
mod tests {
    use dicehill_rules::liars_dice::Bid;

    use super::OpponentModel;
    use crate::liars_dice::seer::features::bid_context::{BidContext, BidKind};
    use crate::liars_dice::seer::features::observed_turn::{ObservedBid, ObservedTurn};
    use crate::liars_dice::seer::model::parameters::Parameters;

    /// 200,000 equal observations leave every likelihood within bounds.
    #[test]
    fn a_long_run_of_equal_hands_rules_out_no_hand() {
        let parameters = Parameters::shipped();
        let bid: Bid = "5 6".parse().expect("a bid");
        let context = BidContext::new(bid, &[5, 5, 5], 1);
        let made_bid = Some(ObservedBid { bid_kind: BidKind::SameFace, context, held: 3 });
        let mut model = OpponentModel::new(parameters);
        for _ in 0..200_000 {
            model.observe(parameters, &ObservedTurn { response: None, made_bid });
        }
        let likelihoods = model.likelihoods(parameters, BidKind::SameFace, context);
        let most = likelihoods.iter().copied().fold(0.0, f64::max);
        assert!(
            likelihoods[..=5].iter().all(|one| (1e-12..=1e12).contains(one)),
            "{likelihoods:?}"
        );
        assert_eq!(likelihoods[3].to_bits(), most.to_bits(), "{likelihoods:?}");
    }
}
