//! Average strategies as they are stored and played.

mod encoding;
mod extraction;

pub use encoding::ReadStrategyError;

use dicehill_rules::liars_dice::Bid;

use crate::liars_dice::game::history::History;
use crate::liars_dice::game::round::{BidIndex, Round, Side};
use crate::liars_dice::response::action_probabilities::ActionProbabilities;
use crate::liars_dice::response::best_response::best_response;
use crate::liars_dice::response::policy::Policy;
use crate::liars_dice::tree::Tree;
use crate::liars_dice::tree::limits::TreeLimits;

/// The strategy of one player at all histories that its own play can reach. It calls wherever it
/// stores no actions.
#[derive(Clone, PartialEq, Debug)]
pub struct Strategy {
    pub(crate) round: Round,
    pub(crate) limits: TreeLimits,
    pub(crate) side: Side,
    /// The histories at which it stores actions, in depth-first order.
    pub(crate) histories: Vec<History>,
    /// By history: the start of its actions in `actions`; at the end their total number.
    pub(crate) begins: Vec<u64>,
    /// By history, then by hand: the actions, the last of each hand marked.
    pub(crate) actions: Vec<StoredAction>,
}

/// An action of a hand and its probability.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct StoredAction {
    /// 0 for the call, else the bid index plus 1; 128 is added to a hand's last action.
    pub(crate) action: u8,
    pub(crate) weight: u16,
}

const LAST: u8 = 128;

impl StoredAction {
    fn bid(self) -> Option<BidIndex> {
        (self.action & !LAST).checked_sub(1)
    }

    fn probability(self, sum: u32) -> f64 {
        f64::from(self.weight) / f64::from(sum)
    }
}

impl Strategy {
    /// The round that it plays.
    #[must_use]
    pub const fn round(&self) -> Round {
        self.round
    }

    /// The player whose strategy it is.
    #[must_use]
    pub const fn side(&self) -> Side {
        self.side
    }

    /// The limits of the tree in which it was learned.
    #[must_use]
    pub const fn limits(&self) -> TreeLimits {
        self.limits
    }

    /// The number of histories at which it stores actions.
    #[must_use]
    pub const fn histories(&self) -> usize {
        self.histories.len()
    }

    /// The actions of a hand after `history` with their probabilities. An action is a bid, or the
    /// call as `None`. The result is empty where the hand's own play never leads.
    #[must_use]
    pub fn action_probabilities(&self, history: History, hand: usize) -> Vec<(Option<Bid>, f64)> {
        let Some(index) = self.find(history) else { return vec![(None, 1.0)] };
        let stored = self.hands(index).nth(hand).unwrap_or_default();
        let sum: u32 = stored.iter().map(|stored| u32::from(stored.weight)).sum();
        let stored = stored.iter().filter(|stored| stored.weight > 0);
        stored.map(|stored| (stored.bid().map(Round::bid_at), stored.probability(sum))).collect()
    }

    fn find(&self, history: History) -> Option<usize> {
        self.histories.binary_search_by(|other| other.order(history)).ok()
    }

    /// By hand: the actions stored for a history.
    fn hands(&self, index: usize) -> impl Iterator<Item = &[StoredAction]> {
        let range = self.begins[index] as usize..self.begins[index + 1] as usize;
        self.actions[range].split_inclusive(|stored| stored.action >= LAST)
    }

    fn write(&self, index: usize, probabilities: &mut ActionProbabilities) {
        for (hand, stored) in self.hands(index).enumerate() {
            let sum: u32 = stored.iter().map(|stored| u32::from(stored.weight)).sum();
            if sum == 0 {
                probabilities.set(hand, None, 1.0);
            }
            for stored in stored.iter().filter(|stored| stored.weight > 0) {
                probabilities.set(hand, stored.bid(), stored.probability(sum));
            }
        }
    }

    /// Its expected payoff against a best response, -1 to 1.
    #[must_use]
    pub fn guarantee(&self) -> f64 {
        let response_value = best_response(&Tree::new(self.round, self.limits), self.side, self);
        // The sum of the hands' probabilities can deviate from 1 by rounding.
        -response_value.clamp(-1.0, 1.0)
    }
}

impl Policy for Strategy {
    fn decide(&self, history: History, probabilities: &mut ActionProbabilities) {
        match self.find(history) {
            Some(index) => self.write(index, probabilities),
            None => probabilities.call(),
        }
    }
}
