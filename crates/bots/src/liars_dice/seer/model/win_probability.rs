//! The probability of winning the game from the start of a round.

use crate::liars_dice::count_distribution::MAX_DICE;
use crate::liars_dice::seer::features::round_start::{MAX_PLAYERS, RoundStart};

/// Features of the logistic regression: the logit of the share of the dice; the dice on the table; and an indicator for each number of
/// players that act before.
pub(crate) const FEATURES: usize = 2 + MAX_PLAYERS;
/// Tables of 2 to 5 players.
const TABLES: usize = MAX_PLAYERS - 1;

/// Weights by number of players, from 2.
pub(crate) type Weights = [[f64; FEATURES]; TABLES];

/// The win probability as a logistic regression, trained by self-play.
///
/// If each round were a fair coin toss, the win probability would be the share of the dice ("gambler's ruin"; Feller, "An
/// Introduction to Probability Theory and Its Applications", volume 1, chapter XIV). Training starts from those weights. A player
/// with more dice also knows more of them, so that the trained curve is steeper.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct WinProbability {
    pub(crate) weights: Weights,
    /// By players, dice on the table, own dice, and players that act before.
    probabilities: Vec<f64>,
}

impl WinProbability {
    /// Weights by which the win probability is the share of the dice.
    pub(crate) const FAIR: [f64; FEATURES] = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];

    pub(crate) fn new(weights: Weights) -> Self {
        let mut probabilities = vec![0.0; TABLES * (MAX_DICE + 1) * (MAX_DICE + 1) * MAX_PLAYERS];
        for (players, weights) in (2..).zip(&weights) {
            for all in players..=MAX_DICE as u8 {
                for (own, before) in (1..all).flat_map(|own| (0..players).map(move |of| (own, of)))
                {
                    let start = RoundStart { players, all, own, before };
                    probabilities[index(start)] = logistic(logit(weights, &features(start)));
                }
            }
        }
        Self { weights, probabilities }
    }

    /// The win probability: 0 without dice, 1 with all of them.
    pub(crate) fn of(&self, start: RoundStart) -> f64 {
        let RoundStart { all, own, .. } = start;
        if own == 0 || own == all {
            f64::from(u8::from(own > 0))
        } else {
            self.probabilities[index(start)]
        }
    }
}

fn index(RoundStart { players, all, own, before }: RoundStart) -> usize {
    let dice = (usize::from(players - 2) * (MAX_DICE + 1) + usize::from(all)) * (MAX_DICE + 1);
    (dice + usize::from(own)) * MAX_PLAYERS + usize::from(before)
}

/// The features of a state in which the player has some of the dice, but not all.
pub(crate) fn features(RoundStart { all, own, before, .. }: RoundStart) -> [f64; FEATURES] {
    let mut features = [0.0; FEATURES];
    features[0] = libm::log(f64::from(own) / f64::from(all - own));
    features[1] = (f64::from(all) - 15.0) / 10.0;
    features[2 + usize::from(before)] = 1.0;
    features
}

pub(crate) fn logit(weights: &[f64; FEATURES], features: &[f64; FEATURES]) -> f64 {
    weights.iter().zip(features).map(|(weight, feature)| weight * feature).sum()
}

/// The probability with this logit.
pub(crate) fn logistic(logit: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-logit))
}

#[cfg(test)]
mod tests {
    use super::{TABLES, WinProbability};
    use crate::liars_dice::seer::features::round_start::RoundStart;
    use crate::liars_dice::seer::model::parameters::Parameters;

    #[test]
    fn with_fair_weights_the_win_probability_is_the_share_of_the_dice() {
        let fair = WinProbability::new([WinProbability::FAIR; TABLES]);
        for (players, all) in [(2, 10), (3, 20), (5, 25)] {
            for own in 0..=all {
                let chance = fair.of(RoundStart { players, all, own, before: players - 1 });
                let share = f64::from(own) / f64::from(all);
                assert!((chance - share).abs() < 1e-12, "{own} of {all}: {chance}");
            }
        }
    }

    /// The win probability rises with the dice, and the probabilities of players with equal dice add up to about 1.
    #[test]
    fn the_trained_win_probability_is_consistent() {
        let learned = &Parameters::shipped().win_probability;
        for players in 2..=5 {
            let all = 5 * players;
            let of = |own, before| learned.of(RoundStart { players, all, own, before });
            for before in 0..players {
                for own in 1..=all {
                    assert!(of(own, before) > of(own - 1, before), "{own} of {all}");
                }
            }
            let sum: f64 = (0..players).map(|before| of(5, before)).sum();
            assert!((0.9..1.1).contains(&sum), "{players} equals: {sum}");
        }
    }
}
