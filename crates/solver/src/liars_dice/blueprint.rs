//! A strategy for whole rounds in an abstraction with imperfect recall.

mod abstract_round;
mod action_abstraction;
mod encoding;
mod exploiter;
mod payoff;
mod perfect_recall;
mod range_coder;
mod reach_and_values;
mod trainer;

use dicehill_rules::liars_dice::Bid;

pub use self::encoding::ReadBlueprintError;
pub use self::exploiter::Exploiter;
pub use self::trainer::BlueprintTrainer;

use crate::liars_dice::blueprint::action_abstraction::ActionAbstraction;
use crate::liars_dice::game::hands::Hands;
use crate::liars_dice::game::round::{Round, Side};

/// Probabilities are stored in sixteenths.
const UNITS: u8 = 16;

/// A strategy of both players in an abstraction of a round: an information set is the hand, the
/// last bid and the face of the bid before it.
#[derive(Clone, PartialEq, Debug)]
pub struct Blueprint {
    round: Round,
    abstraction: ActionAbstraction,
    hands: [usize; 2],
    sides: [SideStrategy; 2],
}

/// The action probabilities of one side, by abstract state and hand.
#[derive(Clone, PartialEq, Default, Debug)]
struct SideStrategy {
    /// By information set: the end of its actions in `actions`.
    ends: Vec<u32>,
    actions: Vec<ActionShare>,
}

/// An action of an abstract state and its probability.
#[derive(Clone, Copy, PartialEq, Debug)]
struct ActionShare {
    action: u8,
    units: u8,
}

impl ActionShare {
    fn probability(self) -> f32 {
        f32::from(self.units) / f32::from(UNITS)
    }

    /// Rounds weights, which need not sum to 1, to sixteenths that do (largest remainder); empty if
    /// all weights are 0.
    fn of(weights: &[f32]) -> Vec<Self> {
        let sum: f32 = weights.iter().sum();
        if sum <= 0.0 {
            return Vec::new();
        }
        let exact = |action: usize| weights[action] / sum * f32::from(UNITS);
        let mut units: Vec<u8> = (0..weights.len()).map(|action| exact(action) as u8).collect();
        let mut left = UNITS - units.iter().sum::<u8>().min(UNITS);
        while left > 0 {
            let remainder = |action: &usize| exact(*action) - f32::from(units[*action]);
            let actions = (0..weights.len()).rev();
            let most =
                actions.max_by(|a, b| remainder(a).total_cmp(&remainder(b))).expect("some weight");
            units[most] += 1;
            left -= 1;
        }
        let actions = units.into_iter().zip(0..).filter(|(units, _)| *units > 0);
        actions.map(|(units, action)| Self { action, units }).collect()
    }
}

impl Blueprint {
    fn empty(round: Round) -> Self {
        let hands = Side::BOTH.map(|side| Hands::new(round.dice(side)).count());
        Self { round, abstraction: ActionAbstraction::new(round), hands, sides: Default::default() }
    }

    fn push(&mut self, side: Side, actions: &[ActionShare]) {
        let side = &mut self.sides[side.index()];
        side.actions.extend(actions);
        side.ends.push(side.actions.len() as u32);
    }

    /// The round that it plays.
    #[must_use]
    pub const fn round(&self) -> Round {
        self.round
    }

    /// The actions of `hand` of `side` after `bids` with their probabilities in sixteenths. An
    /// action is a bid, or the call as `None`.
    ///
    /// The result is empty where the hand's own play never leads, and after bids outside the
    /// abstraction.
    ///
    /// # Panics
    /// If there is no such hand.
    #[must_use]
    pub fn action_weights(&self, side: Side, bids: &[Bid], hand: usize) -> Vec<(Option<Bid>, u32)> {
        let side_hands = self.hands[side.index()];
        assert!(hand < side_hands, "hand {hand} of {side_hands}");
        let index_before = |back: usize| {
            let bid = bids.len().checked_sub(back).map(|index| bids[index]);
            bid.map(|bid| self.round.index_of(bid))
        };
        // A bid on more dice than are on the table is outside the abstraction.
        let (Some(last), before) =
            (index_before(1).map_or(Some(None), |index| index.map(Some)), index_before(2))
        else {
            return Vec::new();
        };
        let Some(index) = self.abstraction.find(last, before.flatten()) else { return Vec::new() };
        let state = &self.abstraction.states()[index];
        let actions = self.stored_actions(side, index * side_hands + hand).iter();
        actions
            .map(|share| {
                let bid = state.raise(share.action.into()).map(|(bid, _)| Round::bid_at(bid));
                (bid, u32::from(share.units))
            })
            .collect()
    }

    fn stored_actions(&self, side: Side, infoset: usize) -> &[ActionShare] {
        let side = &self.sides[side.index()];
        let begin = infoset.checked_sub(1).map_or(0, |before| side.ends[before]);
        &side.actions[begin as usize..side.ends[infoset] as usize]
    }
}
