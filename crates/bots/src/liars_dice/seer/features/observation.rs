//! What the player to act knows.

use dicehill_rules::Face;
use dicehill_rules::liars_dice::{Bid, Position, View};

use crate::liars_dice::hand_counts::HandCounts;

/// A position of the game as the player to act sees it.
#[derive(Clone, Copy)]
pub(crate) struct Observation<'a> {
    pub(crate) you: Position,
    /// Dice of each player, by position.
    pub(crate) counts: &'a [u8],
    pub(crate) own: HandCounts,
    /// Bids of this round, oldest first.
    pub(crate) bids: &'a [Bid],
}

impl<'a> Observation<'a> {
    pub(crate) fn of(view: &View<'a>) -> Self {
        Self::new(view.you, view.counts, view.dice, view.bids)
    }

    pub(crate) fn new(you: Position, counts: &'a [u8], dice: &[Face], bids: &'a [Bid]) -> Self {
        Self { you, counts, own: HandCounts::new(dice), bids }
    }

    pub(crate) fn last_bid(&self) -> Option<Bid> {
        self.bids.last().copied()
    }

    pub(crate) fn all_dice(&self) -> u32 {
        self.counts.iter().map(|count| u32::from(*count)).sum()
    }

    pub(crate) fn hidden_dice(&self) -> u32 {
        self.all_dice() - u32::from(self.counts[self.you])
    }

    /// The position that acts next.
    pub(crate) fn next(&self) -> Position {
        (self.you + 1) % self.counts.len()
    }

    /// All other positions, ascending.
    pub(crate) fn others(&self) -> impl Iterator<Item = Position> + '_ {
        (0..self.counts.len()).filter(|position| *position != self.you)
    }

    /// The last bid of a player on each face that it has bid on, newest first, each with the bid before it.
    pub(crate) fn bids_of(
        &self,
        position: Position,
    ) -> impl Iterator<Item = (Bid, Option<Bid>)> + '_ {
        let players = self.counts.len();
        let first_age = (self.you + players - position) % players;
        let ages = (first_age..=self.bids.len()).step_by(players);
        let mut seen = [false; 6];
        ages.filter_map(move |age| {
            let index = self.bids.len() - age;
            let bid = self.bids[index];
            let is_new = !std::mem::replace(&mut seen[bid.face().index()], true);
            is_new.then(|| (bid, index.checked_sub(1).map(|before| self.bids[before])))
        })
    }
}
