//! A strategy as it is stored and played.

mod encoding;
mod extraction;

pub use encoding::ReadStrategyError;

use dicehill_rules::liars_dice::Bid;

use crate::liars_dice::game::history::History;
use crate::liars_dice::game::round::{Round, Side, Step};
use crate::liars_dice::response::action_probabilities::Decision;
use crate::liars_dice::response::best_response::best_response;
use crate::liars_dice::response::policy::Policy;
use crate::liars_dice::tree::Tree;
use crate::liars_dice::tree::limits::Limits;

/// What each hand of one player does, wherever its own play leads it. Where nothing is kept, it calls.
#[derive(Clone, PartialEq, Debug)]
pub struct Strategy {
    pub(crate) round: Round,
    pub(crate) limits: Limits,
    pub(crate) side: Side,
    /// The histories at which something but a call is done, in the order of a walk.
    pub(crate) histories: Vec<History>,
    /// Where the choices of each history begin, and at the end their number.
    pub(crate) begins: Vec<u64>,
    /// For each hand in turn its choices, the last of them marked.
    pub(crate) choices: Vec<Kept>,
}

/// A choice of a hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Kept {
    /// 0 for a call, and 1 more than the number of a bid; 128 is added to a hand's last choice.
    pub(crate) action: u8,
    pub(crate) parts: u16,
}

const LAST: u8 = 128;

impl Kept {
    fn step(self) -> Option<Step> {
        (self.action & !LAST).checked_sub(1)
    }

    fn share(self, sum: u32) -> f64 {
        f64::from(self.parts) / f64::from(sum)
    }
}

impl Strategy {
    /// The round.
    #[must_use]
    pub const fn round(&self) -> Round {
        self.round
    }

    /// Whose strategy it is.
    #[must_use]
    pub const fn side(&self) -> Side {
        self.side
    }

    /// The tree within whose limits it plays.
    #[must_use]
    pub const fn limits(&self) -> Limits {
        self.limits
    }

    /// Histories at which it does something but call.
    #[must_use]
    pub const fn histories(&self) -> usize {
        self.histories.len()
    }

    /// What a hand does after `history`, and with which chance: a bid, or a call where there is none. It is empty where the
    /// hand's own play never leads.
    #[must_use]
    pub fn choices(&self, history: History, hand: usize) -> Vec<(Option<Bid>, f64)> {
        let Some(number) = self.find(history) else { return vec![(None, 1.0)] };
        let kept = self.hands(number).nth(hand).unwrap_or_default();
        let sum: u32 = kept.iter().map(|kept| u32::from(kept.parts)).sum();
        let kept = kept.iter().filter(|kept| kept.parts > 0);
        kept.map(|kept| (kept.step().map(Round::bid), kept.share(sum))).collect()
    }

    fn find(&self, history: History) -> Option<usize> {
        self.histories.binary_search_by(|known| known.order(history)).ok()
    }

    /// What is kept of each hand at the history of this number.
    fn hands(&self, number: usize) -> impl Iterator<Item = &[Kept]> {
        let range = self.begins[number] as usize..self.begins[number + 1] as usize;
        self.choices[range].split_inclusive(|kept| kept.action >= LAST)
    }

    fn write(&self, number: usize, decision: &mut Decision) {
        for (hand, kept) in self.hands(number).enumerate() {
            let sum: u32 = kept.iter().map(|kept| u32::from(kept.parts)).sum();
            if sum == 0 {
                decision.set(hand, None, 1.0);
            }
            for kept in kept.iter().filter(|kept| kept.parts > 0) {
                decision.set(hand, kept.step(), kept.share(sum));
            }
        }
    }

    /// The least that it gets on average, whatever the other does.
    #[must_use]
    pub fn guarantee(&self) -> f64 {
        let answer = best_response(&Tree::new(self.round, self.limits), self.side, self);
        // The chances of all hands sum to 1 but for rounding.
        -answer.clamp(-1.0, 1.0)
    }
}

impl Policy for Strategy {
    fn decide(&self, history: History, decision: &mut Decision) {
        match self.find(history) {
            Some(number) => self.write(number, decision),
            None => decision.call(),
        }
    }
}
