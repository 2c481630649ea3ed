//! What the revealed hands of a player tell about how it plays.

use super::claim::{Claim, Company, Manner, SUPPORTS, TRUSTS};
use super::factors::Factors;
use super::odds::{MOST_DICE, fair_spread};
use super::parameters::Parameters;
use super::styles::{ByStyle, MOST_STYLES, Styles, dot};
use super::turn_taken::{Answered, Made, TurnTaken};

/// How much of a turn's likelihood is left to styles that nobody thought of: no single turn makes a style
/// nearly impossible, and who changes its style is found out.
const UNTHOUGHT_OF: f64 = 0.1;
/// No style gets less than this.
const LEAST: f64 = 1e-4;
/// How much is learned from the hand behind one bid.
const STEP: f64 = 0.4;
/// As how many answers to bids of a class what the styles say of it counts.
const PRIOR_ANSWERS: f64 = 6.0;

/// Something about each number of dice, 0 to 25.
pub(super) type ByDice = [f64; MOST_DICE + 1];

/// How likely each style is, and how the player has answered bids.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Evidence {
    /// In proportion to the chance of each style.
    weights: ByStyle,
    /// Calls and all answers, among two and among more, by trust in the bid.
    answers: [[[f64; 2]; TRUSTS]; 2],
    /// How the hands behind its bids differ from those that the styles make expect, by [`of_bid`].
    own: [Factors; 4],
}

impl Evidence {
    /// Of a player nobody has seen.
    pub(super) const fn new(parameters: &Parameters) -> Self {
        let weights = parameters.side_by_side.shares;
        Self { weights, answers: [[[0.0; 2]; TRUSTS]; 2], own: [const { Factors::NONE }; 4] }
    }

    /// Takes note of a turn.
    pub(super) fn add(&mut self, parameters: &Parameters, turn: &TurnTaken) {
        let styles = &parameters.side_by_side;
        if let Some(Answered { claim, held, called }) = turn.answered {
            let trust = claim.trust(held);
            let [calls, all] = &mut self.answers[claim.company as usize][trust];
            *calls += f64::from(u8::from(called));
            *all += 1.0;
            let of_call = styles.calls(claim.company)[trust];
            self.weigh(styles, &of_call.map(|call| if called { call } else { 1.0 - call }));
        }
        if let Some(made) = turn.made {
            self.add_bid(styles, made);
        }
    }

    /// Takes note of the hand behind a bid: of its chance by each style, and of how it differs from what was expected.
    fn add_bid(&mut self, styles: &Styles, made: Made) {
        let Made { manner, claim, held: shown } = made;
        let fair = fair_spread(usize::from(claim.dice), claim.face()).chances();
        let mut of_all = [0.0; MOST_STYLES];
        let mut of_shown = [0.0; MOST_STYLES];
        let mut expected = [0.0; MOST_DICE + 1];
        for (held, fair) in fair.iter().enumerate() {
            let likelihood = styles.likelihood(manner, claim, held);
            of_all.iter_mut().zip(likelihood).for_each(|(sum, of)| *sum += fair * of);
            expected[held] = fair * dot(&self.weights, likelihood);
            if held == shown {
                of_shown = likelihood.map(|of| fair * of);
            }
        }
        self.learn(made, &mut expected[..fair.len()]);
        let mut of_styles = [0.0; MOST_STYLES];
        for (of, (shown, all)) in
            of_styles.iter_mut().zip(of_shown.iter().zip(of_all)).take(styles.known)
        {
            *of = shown / all;
        }
        self.weigh(styles, &of_styles);
    }

    /// Makes the hand behind a bid likelier than those that the styles make expect: a step of gradient ascent on
    /// the likelihood of hands, in the logarithms of the factors.
    fn learn(&mut self, made: Made, expected: &mut [f64]) {
        let Made { manner, claim, held } = made;
        let own = &mut self.own[of_bid(claim.company, manner)];
        for (held, chance) in expected.iter_mut().enumerate() {
            *chance *= own.likelihood(claim, held);
        }
        let sum: f64 = expected.iter().sum();
        let mut more = Factors { support: [0.0; SUPPORTS], trust: [0.0; TRUSTS] };
        more.support[claim.support(held)] += 1.0;
        more.trust[claim.trust(held)] += 1.0;
        for (held, chance) in expected.iter().enumerate() {
            more.support[claim.support(held)] -= chance / sum;
            more.trust[claim.trust(held)] -= chance / sum;
        }
        own.grow(STEP, &more);
    }

    /// Bayes' rule, with a share of the likelihood for what no style foresees.
    fn weigh(&mut self, styles: &Styles, likelihoods: &ByStyle) {
        let weights = &mut self.weights;
        let mean = dot(weights, likelihoods) / weights.iter().sum::<f64>();
        for (weight, of) in weights.iter_mut().zip(likelihoods) {
            *weight *= (1.0 - UNTHOUGHT_OF) * of / mean + UNTHOUGHT_OF;
        }
        let sum: f64 = weights.iter().sum();
        for weight in &mut weights[..styles.known] {
            *weight = (*weight / sum).max(LEAST);
        }
    }

    /// The chance of each style.
    fn chances(&self) -> ByStyle {
        let sum: f64 = self.weights.iter().sum();
        self.weights.map(|weight| weight / sum)
    }

    /// The chance that the player calls a bid, by how far it can trust it: as the styles have it, and as it has
    /// answered so far.
    pub(super) fn calls(&self, parameters: &Parameters, company: Company) -> [f64; TRUSTS] {
        let chances = self.chances();
        let mut calls = parameters.side_by_side.calls(company).map(|call| dot(&chances, &call));
        for (call, [called, all]) in calls.iter_mut().zip(self.answers[company as usize]) {
            *call = (PRIOR_ANSWERS * *call + called) / (PRIOR_ANSWERS + all);
        }
        calls
    }

    /// How likely a bid makes each number of the player's dice that count for it: as the styles have it, and
    /// as the hands behind its bids have differed from that.
    pub(super) fn likelihoods(
        &self,
        parameters: &Parameters,
        manner: Manner,
        claim: Claim,
    ) -> ByDice {
        let chances = self.chances();
        let own = &self.own[of_bid(claim.company, manner)];
        let mut likelihoods = [0.0; MOST_DICE + 1];
        for (held, likelihood) in
            likelihoods.iter_mut().enumerate().take(usize::from(claim.dice) + 1)
        {
            let of_styles = parameters.side_by_side.likelihood(manner, claim, held);
            *likelihood = dot(&chances, of_styles) * own.likelihood(claim, held);
        }
        likelihoods
    }
}

/// Bids that are alike: those on the face of the bid before them and the others, among two and among more.
const fn of_bid(company: Company, manner: Manner) -> usize {
    2 * company as usize + matches!(manner, Manner::SameFace) as usize
}

#[cfg(test)]
mod tests {
    use dicehill_rules::liars_dice::Bid;

    use super::Evidence;
    use crate::liars_dice::seer::claim::{Claim, Manner};
    use crate::liars_dice::seer::parameters::Parameters;
    use crate::liars_dice::seer::turn_taken::{Made, TurnTaken};

    /// Whoever always holds the same hand is believed to, however long that has been seen.
    #[test]
    fn a_long_life_leaves_no_belief_without_a_chance() {
        let parameters = Parameters::shipped();
        let bid: Bid = "5 6".parse().expect("a bid");
        let claim = Claim::new(bid, &[5, 5, 5], 1);
        let made = Some(Made { manner: Manner::SameFace, claim, held: 3 });
        let mut evidence = Evidence::new(parameters);
        for _ in 0..200_000 {
            evidence.add(parameters, &TurnTaken { answered: None, made });
        }
        let likelihoods = evidence.likelihoods(parameters, Manner::SameFace, claim);
        let most = likelihoods.iter().copied().fold(0.0, f64::max);
        assert!(
            likelihoods[..=5].iter().all(|one| (1e-12..=1e12).contains(one)),
            "{likelihoods:?}"
        );
        assert_eq!(likelihoods[3].to_bits(), most.to_bits(), "{likelihoods:?}");
    }
}
