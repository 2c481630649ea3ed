//! Training of blueprints by counterfactual regret minimisation in the abstraction.
//!
//! The sides alternate: each computes the counterfactual values of its actions against the other's
//! current strategy and updates its regrets by regret matching plus. The abstraction has imperfect
//! recall, for which convergence is not proven, so the result is judged by best responses in small
//! rounds, by the gains of an exploiter, and by play. Regrets are divided by the reach probability
//! of the hand, so that rare states learn as fast as common ones.

use crate::liars_dice::blueprint::abstract_round::{AbstractRound, Evaluation};
use crate::liars_dice::blueprint::action_abstraction::AbstractState;
use crate::liars_dice::blueprint::reach_and_values::ActionTables;
use crate::liars_dice::blueprint::{ActionShare, Blueprint};
use crate::liars_dice::game::round::{Round, Side};

/// The probability of exploration, spread evenly over the actions of an information set, so that
/// all later states are trained.
const EXPLORATION: f32 = 0.005;

/// Trains the strategies of both players against each other.
///
/// ```
/// use dicehill_solver::liars_dice::{BlueprintTrainer, Round, Side};
///
/// let mut trainer = BlueprintTrainer::new(Round::new(1, 1)?);
/// for _ in 0..20 {
///     trainer.learn();
/// }
/// let blueprint = trainer.blueprint();
/// assert!(!blueprint.action_weights(Side::Starter, &[], 0).is_empty());
/// # Ok::<(), dicehill_solver::liars_dice::RoundError>(())
/// ```
#[derive(Debug)]
pub struct BlueprintTrainer {
    game: AbstractRound,
    regrets: ActionTables,
    strategies: ActionTables,
    averages: ActionTables,
    iterations: u32,
}

impl BlueprintTrainer {
    /// Starts without regrets: all actions are equally likely.
    #[must_use]
    pub fn new(round: Round) -> Self {
        let game = AbstractRound::new(round);
        let tables = || Side::BOTH.map(|side| game.action_table(side));
        let (regrets, strategies, averages) = (tables(), tables(), tables());
        let mut trainer = Self { game, regrets, strategies, averages, iterations: 0 };
        Side::BOTH.into_iter().for_each(|side| trainer.match_regrets(side));
        trainer
    }

    /// A trainer in which `side` plays `blueprint` and only the other side should be trained.
    pub(crate) fn against(blueprint: &Blueprint, side: Side) -> Self {
        let mut trainer = Self::new(blueprint.round());
        trainer.strategies[side.index()] = trainer.game.action_table_of(blueprint, side);
        trainer
    }

    /// Runs one iteration for each side in turn. Returns the starter's expected payoff before the
    /// responder's update.
    pub fn learn(&mut self) -> f64 {
        self.iterations += 1;
        Side::BOTH.map(|side| self.learn_side(side))[1]
    }

    /// Runs one iteration for `side`. Returns the starter's expected payoff before it.
    pub(crate) fn learn_side(&mut self, side: Side) -> f64 {
        let evaluation = self.game.evaluate(side, &self.strategies);
        self.add_regrets(side, &evaluation);
        self.match_regrets(side);
        evaluation.value
    }

    /// Adds the regret of each action, and the current strategy to the average.
    fn add_regrets(&mut self, side: Side, evaluation: &Evaluation) {
        let s = side.index();
        let (width, weight) = (self.game.width(side), self.weight());
        let strategies = &self.strategies[s];
        for (index, state) in self.game.abstraction.states().iter().enumerate() {
            for hand in 0..self.game.hands[s].count() {
                let reach = evaluation.reach[index * width + hand];
                if reach < f32::MIN_POSITIVE {
                    continue;
                }
                let rows = state.first_row..state.first_row + state.action_count();
                let entries = rows.map(|row| row * width + hand);
                let mean: f32 = entries
                    .clone()
                    .map(|entry| strategies[entry] * evaluation.action_values[entry])
                    .sum();
                for entry in entries {
                    let gain = (evaluation.action_values[entry] - mean) / reach;
                    self.regrets[s][entry] = (self.regrets[s][entry] + gain).max(0.0);
                    self.averages[s][entry] += weight * strategies[entry];
                }
            }
        }
    }

    /// Later iterations weigh more in the average strategy.
    const fn weight(&self) -> f32 {
        let iteration = self.iterations as f32;
        iteration * iteration
    }

    fn match_regrets(&mut self, side: Side) {
        let s = side.index();
        let width = self.game.width(side);
        let (regrets, strategies) = (&self.regrets[s], &mut self.strategies[s]);
        for state in self.game.abstraction.states() {
            let uniform = 1.0 / state.action_count() as f32;
            for hand in 0..width {
                let entries = || {
                    (state.first_row..state.first_row + state.action_count())
                        .map(|row| row * width + hand)
                };
                let sum: f32 = entries().map(|entry| regrets[entry]).sum();
                for entry in entries() {
                    let matched = if sum > 0.0 { regrets[entry] / sum } else { uniform };
                    strategies[entry] = (1.0 - EXPLORATION) * matched + EXPLORATION * uniform;
                }
            }
        }
    }

    /// Scales the regrets of `side` by `share`.
    pub(crate) fn scale_regrets(&mut self, side: Side, share: f32) {
        self.regrets[side.index()].iter_mut().for_each(|regret| *regret *= share);
    }

    /// By abstract state and hand of `side`: the likeliest action in the current strategy.
    pub(crate) fn likeliest_actions(&self, side: Side) -> Vec<u8> {
        let (strategies, width) = (&self.strategies[side.index()], self.game.width(side));
        let likeliest = |state: &AbstractState, hand: usize| {
            let chance =
                |row: &u8| strategies[(state.first_row + usize::from(*row)) * width + hand];
            let rows = 0..state.action_count() as u8;
            rows.min_by(|a, b| chance(b).total_cmp(&chance(a))).expect("an action")
        };
        let hands = 0..self.game.hands[side.index()].count();
        let states = self.game.abstraction.states().iter();
        states.flat_map(|state| hands.clone().map(move |hand| likeliest(state, hand))).collect()
    }

    /// The average strategy of both sides.
    #[must_use]
    pub fn blueprint(&self) -> Blueprint {
        let mut blueprint = Blueprint::empty(self.game.round);
        for side in Side::BOTH {
            let actions = self.average_actions(side);
            for (actions, is_reached) in actions.iter().zip(self.game.reachable(side, &actions)) {
                blueprint.push(side, if is_reached { actions } else { &[] });
            }
        }
        blueprint
    }

    /// By abstract state and hand: the average strategy in sixteenths.
    fn average_actions(&self, side: Side) -> Vec<Vec<ActionShare>> {
        let (s, hands) = (side.index(), &self.game.hands[side.index()]);
        let averages = |state: &AbstractState, hand: usize| -> Vec<f32> {
            let rows = state.first_row..state.first_row + state.action_count();
            rows.map(|row| self.averages[s][row * hands.width() + hand]).collect()
        };
        let shares =
            |state| (0..hands.count()).map(move |hand| ActionShare::of(&averages(state, hand)));
        self.game.abstraction.states().iter().flat_map(shares).collect()
    }
}
