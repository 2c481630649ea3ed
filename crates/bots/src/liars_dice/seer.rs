//! `seer`: for three or more players; learns how each opponent plays from the hands that calls reveal.
//!
//! - **Beliefs.** The prior of an opponent's hand is multinomial; the likelihood of its bids follows from a model of that opponent
//!   (`hand_belief`, exact). The model is a mixture of playing styles that were trained on games with known hands. Its weights are
//!   updated by Bayes' rule with every revealed hand and every answer to a bid (`opponent_model`).
//! - **Search.** One ply, as in `bayes`: the probability that the next player calls depends on what that player may hold. If it raises
//!   instead, the round ends in a die gained or lost with the frequencies of the training games (`evaluator`).
//! - **Objective.** The probability of winning the game (`win_probability`, trained by self-play).
//!
//! Floating point is limited to the IEEE 754 operations that round alike on every machine, and to functions of `libm`, which use only
//! those.

pub(super) mod advice;
mod evaluation;
mod features;
mod model;
mod opponents;
pub(super) mod training;

use std::sync::Arc;

use dicehill_arena::{Bot, Failure, Finished, Start};
use dicehill_rules::liars_dice::{Action, LiarsDice, View};

use self::evaluation::evaluator::{ActionValue, Evaluator};
use self::features::observation::Observation;
use self::features::observed_turn::turns_of_round;
use self::model::parameters::Parameters;
use self::opponents::opponent_memory::OpponentMemory;

/// An action replaces an earlier one only if its value is higher by more than this.
const MIN_GAIN: f64 = 1e-9;

/// Takes the action with the highest value. Of equal actions it takes the first of: the call; the bids on twos,
/// ascending; those on threes; up to those on sixes. It never bids on ones.
pub(super) struct Seer {
    parameters: ParameterSource,
    memory: OpponentMemory,
    /// The evaluation of its last action, for training.
    last_action: Option<ActionValue>,
}

/// The parameters that the bot plays with.
#[derive(Clone)]
enum ParameterSource {
    Shipped,
    Trained(Arc<Parameters>),
}

impl ParameterSource {
    fn get(&self) -> &Parameters {
        match self {
            Self::Shipped => Parameters::shipped(),
            Self::Trained(parameters) => parameters,
        }
    }
}

impl Default for Seer {
    fn default() -> Self {
        Self {
            parameters: ParameterSource::Shipped,
            memory: OpponentMemory::default(),
            last_action: None,
        }
    }
}

impl Seer {
    /// A bot with parameters that are being trained.
    fn with_parameters(parameters: Arc<Parameters>) -> Self {
        Self {
            parameters: ParameterSource::Trained(parameters),
            memory: OpponentMemory::default(),
            last_action: None,
        }
    }
}

impl Bot<LiarsDice> for Seer {
    fn start(&mut self, _start: &Start) {
        self.memory.begin_game();
    }

    fn reveal(&mut self, game: &LiarsDice, _action: &Action) {
        for (seat, turn) in turns_of_round(game) {
            self.memory.record(seat, turn);
        }
    }

    fn end(&mut self, finished: &Finished<'_, LiarsDice>) {
        self.memory.end_game(&finished.public.names);
    }

    fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
        let parameters = self.parameters.get();
        let observation = Observation::of(view);
        for position in observation.others() {
            self.memory.prepare(parameters, view.seats()[position], view.name(position));
        }
        let model = |position: usize| self.memory.model(view.seats()[position]);
        let action_values = Evaluator::new(observation, parameters, model).action_values();
        let best = best(&action_values);
        self.last_action = Some(*best);
        Ok(best.action)
    }
}

/// The first action with the highest value.
fn best(action_values: &[ActionValue]) -> &ActionValue {
    let first = action_values.first().expect("without a bid to call there is one to make");
    let better = |best: &ActionValue, next: &ActionValue| next.value > best.value + MIN_GAIN;
    action_values.iter().fold(first, |best, next| if better(best, next) { next } else { best })
}
