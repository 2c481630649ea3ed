//! What the calls that may end a round do to the chance to win the game.

use dicehill_rules::liars_dice::Position;

use super::holdings::Holdings;
use super::parameters::{Parameters, RaisedOver};
use super::situation::Situation;

/// The chances to win the game after a call between the player and another.
#[derive(Clone, Copy)]
pub(super) struct Stake {
    /// After a die won from the other, the player starts.
    pub(super) won: f64,
    /// After one lost to it, the other does.
    pub(super) lost: f64,
}

impl Stake {
    pub(super) fn new(situation: &Situation<'_>, parameters: &Parameters, other: Position) -> Self {
        let Situation { you, counts, .. } = *situation;
        let after =
            |winner, loser| parameters.win_chance.of(Holdings::after(counts, you, winner, loser));
        Self { won: after(you, other), lost: after(other, you) }
    }
}

/// The chances to win the game after a call of which nothing is known yet, as a mean over the others.
pub(super) struct Aftermath {
    stake: Stake,
    /// The call was between others.
    neither: f64,
}

impl Aftermath {
    pub(super) fn new(situation: &Situation<'_>, parameters: &Parameters) -> Self {
        let mut all = Self { stake: Stake { won: 0.0, lost: 0.0 }, neither: 0.0 };
        let share = 1.0 / (situation.counts.len() - 1) as f64;
        for other in situation.others() {
            let Stake { won, lost } = Stake::new(situation, parameters, other);
            all.stake.won += share * won;
            all.stake.lost += share * lost;
            let starts = Holdings::new(situation.counts, situation.you, other);
            all.neither += share * parameters.win_chance.of(starts);
        }
        all
    }

    /// Its expectation.
    pub(super) fn value(&self, RaisedOver { gains, losses }: RaisedOver) -> f64 {
        gains * self.stake.won + losses * self.stake.lost + (1.0 - gains - losses) * self.neither
    }
}
