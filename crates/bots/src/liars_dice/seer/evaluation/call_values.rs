//! Win probabilities after the calls that may end a round.

use dicehill_rules::liars_dice::Position;

use crate::liars_dice::seer::features::observation::Observation;
use crate::liars_dice::seer::features::round_start::RoundStart;
use crate::liars_dice::seer::model::parameters::{Parameters, RaiseOutcome};

/// The win probabilities after a call between the player and one opponent.
#[derive(Clone, Copy)]
pub(crate) struct CallValues {
    /// If the player wins a die from the opponent and starts the next round.
    pub(crate) won: f64,
    /// If it loses a die to the opponent, who starts.
    pub(crate) lost: f64,
}

impl CallValues {
    /// The values of a call between the player to act and the one at `other`.
    pub(crate) fn new(
        observation: &Observation<'_>,
        parameters: &Parameters,
        other: Position,
    ) -> Self {
        let Observation { you, counts, .. } = *observation;
        let after = |winner, loser| {
            parameters.win_probability.of(RoundStart::after(counts, you, winner, loser))
        };
        Self { won: after(you, other), lost: after(other, you) }
    }
}

/// The win probabilities if the round goes on: means over the opponents, because a later call may involve any of them.
pub(crate) struct ContinuationValue {
    call: CallValues,
    /// If the later call is between two opponents.
    neither: f64,
}

impl ContinuationValue {
    /// The values for the player to act.
    pub(crate) fn new(observation: &Observation<'_>, parameters: &Parameters) -> Self {
        let mut mean = Self { call: CallValues { won: 0.0, lost: 0.0 }, neither: 0.0 };
        let share = 1.0 / (observation.counts.len() - 1) as f64;
        for other in observation.others() {
            let CallValues { won, lost } = CallValues::new(observation, parameters, other);
            mean.call.won += share * won;
            mean.call.lost += share * lost;
            let starts = RoundStart::new(observation.counts, observation.you, other);
            mean.neither += share * parameters.win_probability.of(starts);
        }
        mean
    }

    /// The expected win probability, given how often a round ends in a die gained or lost.
    pub(crate) fn value(&self, RaiseOutcome { gains, losses }: RaiseOutcome) -> f64 {
        gains * self.call.won + losses * self.call.lost + (1.0 - gains - losses) * self.neither
    }
}
