//! A round in the blueprint's abstraction, and the counterfactual values of its actions.

use crate::liars_dice::blueprint::action_abstraction::ActionAbstraction;
use crate::liars_dice::blueprint::reach_and_values::{ActionTables, ReachAndValues};
use crate::liars_dice::blueprint::{ActionShare, Blueprint};
use crate::liars_dice::game::hands::Hands;
use crate::liars_dice::game::round::{Round, Side};
use crate::liars_dice::kernels::rows::dot;

/// A round whose players distinguish only what a blueprint distinguishes.
#[derive(Debug)]
pub(crate) struct AbstractRound {
    pub(crate) round: Round,
    pub(crate) abstraction: ActionAbstraction,
    pub(crate) hands: [Hands; 2],
    deal: ActionTables,
}

/// The values of one side's actions against the other side's strategy.
pub(crate) struct Evaluation {
    /// By action row and hand: the counterfactual value of the action, which is its value times the
    /// hand's reach probability.
    pub(crate) action_values: Vec<f32>,
    /// By abstract state and hand: the reach probability.
    pub(crate) reach: Vec<f32>,
    /// The expected payoff of the starter.
    pub(crate) value: f64,
}

impl AbstractRound {
    pub(crate) fn new(round: Round) -> Self {
        let hands = Side::BOTH.map(|side| Hands::new(round.dice(side)));
        let deal = hands.each_ref().map(|hands| {
            let mut deal: Vec<f32> = hands.chances().iter().map(|chance| *chance as f32).collect();
            deal.resize(hands.width(), 0.0);
            deal
        });
        Self { round, abstraction: ActionAbstraction::new(round), hands, deal }
    }

    /// The number of lanes in a row of `side`.
    pub(crate) fn width(&self, side: Side) -> usize {
        self.hands[side.index()].width()
    }

    /// The probability of each hand of `side`.
    pub(crate) fn deal(&self, side: Side) -> &[f32] {
        &self.deal[side.index()]
    }

    /// An action table of zeros for `side`.
    pub(crate) fn action_table(&self, side: Side) -> Vec<f32> {
        vec![0.0; self.abstraction.action_rows() * self.width(side)]
    }

    /// The action probabilities of `side` in a blueprint, as an action table. An information set
    /// without stored actions calls.
    pub(crate) fn action_table_of(&self, blueprint: &Blueprint, side: Side) -> Vec<f32> {
        let hands = &self.hands[side.index()];
        let mut strategies = self.action_table(side);
        for (index, state) in self.abstraction.states().iter().enumerate() {
            for hand in 0..hands.count() {
                let mut set = |action: usize, probability| {
                    strategies[(state.first_row + action) * hands.width() + hand] = probability;
                };
                let actions = blueprint.stored_actions(side, index * hands.count() + hand);
                if actions.is_empty() {
                    set(0, 1.0);
                }
                actions.iter().for_each(|share| set(share.action.into(), share.probability()));
            }
        }
        strategies
    }

    /// The counterfactual values of all actions of `side` if both play `strategies`.
    pub(crate) fn evaluate(&self, side: Side, strategies: &ActionTables) -> Evaluation {
        let width = self.hands[side.index()].width();
        let mut all = Evaluation {
            action_values: vec![0.0; self.abstraction.action_rows() * width],
            reach: vec![0.0; self.abstraction.states().len() * width],
            value: 0.0,
        };
        let mut reach_and_values = ReachAndValues::new(&self.abstraction, &self.hands);
        let outer = reach_and_values.outer();
        let inner = outer.other().index();
        let ones = vec![1.0; self.hands[inner].width()];
        let mut deal = ones.clone();
        for hand in 0..self.hands[outer.index()].count() {
            let chance = self.deal[outer.index()][hand];
            let scale = if side == outer { 1.0 } else { chance };
            deal.iter_mut().zip(&self.deal[inner]).for_each(|(to, from)| *to = scale * from);
            reach_and_values.forward(hand, &deal, strategies);
            reach_and_values.backward(hand, strategies, side, &mut all.action_values);
            for state in 0..self.abstraction.states().len() {
                let chances = reach_and_values.chances(state, side);
                let reach = &mut all.reach[state * width..][..width];
                if side == outer {
                    reach[hand] = dot(chances, &ones);
                } else {
                    reach.iter_mut().zip(chances).for_each(|(to, chance)| *to += chance);
                }
            }
            let value = dot(&self.deal[inner], reach_and_values.values(0, Side::Starter));
            all.value += f64::from(chance * value);
        }
        if outer == Side::Responder {
            all.value = -all.value;
        }
        all
    }

    /// By abstract state and hand: whether the hand's own strategy can reach the state, whatever
    /// the opponent does.
    pub(crate) fn reachable(&self, side: Side, actions: &[Vec<ActionShare>]) -> Vec<bool> {
        let hands = self.hands[side.index()].count();
        // By the side that acts: this side or the opponent.
        let mut own = vec![false; actions.len()];
        let mut opponent = own.clone();
        let first = if side == Side::Starter { &mut own } else { &mut opponent };
        first[..hands].fill(true);
        for (index, state) in self.abstraction.states().iter().enumerate() {
            for hand in 0..hands {
                let at = index * hands + hand;
                for action in 0..state.action_count() {
                    let Some((_, next)) = state.raise(action) else { continue };
                    let is_played =
                        actions[at].iter().any(|share| usize::from(share.action) == action);
                    opponent[next * hands + hand] |= own[at] && is_played;
                    own[next * hands + hand] |= opponent[at];
                }
            }
        }
        own
    }
}
