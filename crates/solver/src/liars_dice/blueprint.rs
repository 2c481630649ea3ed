//! A strategy for whole rounds that remembers little of the bids.

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
pub use self::trainer::Rehearsal;

use crate::liars_dice::blueprint::action_abstraction::Menu;
use crate::liars_dice::game::hands::Hands;
use crate::liars_dice::game::round::{Round, Side};

/// Chances are kept in so many parts.
const PARTS: u8 = 16;

/// What both players do in a round, by the last bid and the face of the one before it.
#[derive(Clone, PartialEq, Debug)]
pub struct Blueprint {
    round: Round,
    menu: Menu,
    hands: [usize; 2],
    sides: [Choices; 2],
}

/// Of each node and hand what is done.
#[derive(Clone, PartialEq, Default, Debug)]
struct Choices {
    /// Where each hand's choices end.
    ends: Vec<u32>,
    kept: Vec<Kept>,
}

/// One of the actions of a node, and how many parts of 16 it is done.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Kept {
    row: u8,
    parts: u8,
}

impl Kept {
    fn chance(self) -> f32 {
        f32::from(self.parts) / f32::from(PARTS)
    }

    /// The parts that are nearest to the weights, which need not sum to 1; nothing if all are 0.
    fn of(weights: &[f32]) -> Vec<Self> {
        let all: f32 = weights.iter().sum();
        if all <= 0.0 {
            return Vec::new();
        }
        let exact = |row: usize| weights[row] / all * f32::from(PARTS);
        let mut parts: Vec<u8> = (0..weights.len()).map(|row| exact(row) as u8).collect();
        let mut left = PARTS - parts.iter().sum::<u8>().min(PARTS);
        while left > 0 {
            let behind = |row: &usize| exact(*row) - f32::from(parts[*row]);
            let rows = (0..weights.len()).rev();
            let most = rows.max_by(|a, b| behind(a).total_cmp(&behind(b))).expect("some weight");
            parts[most] += 1;
            left -= 1;
        }
        let rows = parts.into_iter().zip(0..).filter(|(parts, _)| *parts > 0);
        rows.map(|(parts, row)| Self { row, parts }).collect()
    }
}

impl Blueprint {
    fn empty(round: Round) -> Self {
        let hands = Side::BOTH.map(|side| Hands::of(round.dice(side)).count());
        Self { round, menu: Menu::new(round), hands, sides: Default::default() }
    }

    fn push(&mut self, side: Side, kept: &[Kept]) {
        let side = &mut self.sides[side.index()];
        side.kept.extend(kept);
        side.ends.push(side.kept.len() as u32);
    }

    /// The round.
    #[must_use]
    pub const fn round(&self) -> Round {
        self.round
    }

    /// What `hand` of `side` does after these bids, and how many parts of all it does so: a bid, or a call where there is none. It is empty where its own
    /// play never leads, and after bids that are not considered.
    ///
    /// # Panics
    /// If there is no such hand.
    #[must_use]
    pub fn choices(&self, side: Side, bids: &[Bid], hand: usize) -> Vec<(Option<Bid>, u32)> {
        let side_hands = self.hands[side.index()];
        assert!(hand < side_hands, "hand {hand} of {side_hands}");
        let step = |back: usize| {
            let bid = bids.len().checked_sub(back).map(|place| bids[place]);
            bid.map(|bid| self.round.step(bid))
        };
        // A bid of more dice than there are is not considered.
        let (Some(last), before) = (step(1).map_or(Some(None), |step| step.map(Some)), step(2))
        else {
            return Vec::new();
        };
        let Some(number) = self.menu.find(last, before.flatten()) else { return Vec::new() };
        let node = &self.menu.nodes()[number];
        let kept = self.kept(side, number * side_hands + hand).iter();
        kept.map(|kept| {
            let bid = node.raise(kept.row.into()).map(|(step, _)| Round::bid(step));
            (bid, u32::from(kept.parts))
        })
        .collect()
    }

    fn kept(&self, side: Side, place: usize) -> &[Kept] {
        let side = &self.sides[side.index()];
        let begin = place.checked_sub(1).map_or(0, |before| side.ends[before]);
        &side.kept[begin as usize..side.ends[place] as usize]
    }
}
