//! The chance to win the game, given who has how many dice.

use super::holdings::{Holdings, MOST_PLAYERS};
use super::odds::MOST_DICE;

/// What the chance depends on, as numbers of which the logit is a weighted sum: the logit of the share of the
/// dice; the dice on the table; and for each number of players that act before, 1 or 0.
pub(super) const FEATURES: usize = 2 + MOST_PLAYERS;
/// Tables of 2 to 5 players.
const TABLES: usize = MOST_PLAYERS - 1;

/// By table.
pub(super) type Weights = [[f64; FEATURES]; TABLES];

/// Learned by self-play.
///
/// Where a round is as good as a toss, the chance to win is the share of the dice ("gambler's ruin"; Feller, "An
/// Introduction to Probability Theory and Its Applications", volume 1, chapter XIV): that is where learning starts
/// from. Who has more dice knows more of them, so that the chance rises faster.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct WinChance {
    pub(super) weights: Weights,
    /// By players, dice on the table, own dice, and players that act before.
    chances: Vec<f64>,
}

impl WinChance {
    /// Weights by which the chance is the share of the dice.
    pub(super) const FAIR: [f64; FEATURES] = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];

    pub(super) fn new(weights: Weights) -> Self {
        let mut chances = vec![0.0; TABLES * (MOST_DICE + 1) * (MOST_DICE + 1) * MOST_PLAYERS];
        for (players, weights) in (2..).zip(&weights) {
            for all in players..=MOST_DICE as u8 {
                for (own, before) in (1..all).flat_map(|own| (0..players).map(move |of| (own, of)))
                {
                    let holdings = Holdings { players, all, own, before };
                    chances[index(holdings)] = logistic(logit(weights, &features(holdings)));
                }
            }
        }
        Self { weights, chances }
    }

    /// 0 without dice, 1 with all of them.
    pub(super) fn of(&self, holdings: Holdings) -> f64 {
        let Holdings { all, own, .. } = holdings;
        if own == 0 || own == all {
            f64::from(u8::from(own > 0))
        } else {
            self.chances[index(holdings)]
        }
    }
}

fn index(Holdings { players, all, own, before }: Holdings) -> usize {
    let dice = (usize::from(players - 2) * (MOST_DICE + 1) + usize::from(all)) * (MOST_DICE + 1);
    (dice + usize::from(own)) * MOST_PLAYERS + usize::from(before)
}

/// Of a player that has some of the dice, but not all.
pub(super) fn features(Holdings { all, own, before, .. }: Holdings) -> [f64; FEATURES] {
    let mut features = [0.0; FEATURES];
    features[0] = libm::log(f64::from(own) / f64::from(all - own));
    features[1] = (f64::from(all) - 15.0) / 10.0;
    features[2 + usize::from(before)] = 1.0;
    features
}

pub(super) fn logit(weights: &[f64; FEATURES], features: &[f64; FEATURES]) -> f64 {
    weights.iter().zip(features).map(|(weight, feature)| weight * feature).sum()
}

/// The chance whose logit is given.
pub(super) fn logistic(logit: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-logit))
}

#[cfg(test)]
mod tests {
    use super::{TABLES, WinChance};
    use crate::liars_dice::seer::holdings::Holdings;
    use crate::liars_dice::seer::parameters::Parameters;

    #[test]
    fn a_fair_chance_is_the_share_of_the_dice() {
        let fair = WinChance::new([WinChance::FAIR; TABLES]);
        for (players, all) in [(2, 10), (3, 20), (5, 25)] {
            for own in 0..=all {
                let chance = fair.of(Holdings { players, all, own, before: players - 1 });
                let share = f64::from(own) / f64::from(all);
                assert!((chance - share).abs() < 1e-12, "{own} of {all}: {chance}");
            }
        }
    }

    /// What was learned rises with the dice, and the chances of players that hold as much add up to about 1.
    #[test]
    fn what_was_learned_is_a_chance_to_win() {
        let learned = &Parameters::shipped().win_chance;
        for players in 2..=5 {
            let all = 5 * players;
            let of = |own, before| learned.of(Holdings { players, all, own, before });
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
