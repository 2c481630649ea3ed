//! What a player knows when it is to act.

use dicehill_rules::Face;
use dicehill_rules::liars_dice::{Bid, Position, View};

use crate::liars_dice::own::Own;

/// A position as the player to act sees it.
#[derive(Clone, Copy)]
pub(super) struct Situation<'a> {
    pub(super) you: Position,
    /// Dice of each player, by position.
    pub(super) counts: &'a [u8],
    pub(super) own: Own,
    /// Of this round, oldest first.
    pub(super) bids: &'a [Bid],
}

impl<'a> Situation<'a> {
    pub(super) fn of(view: &View<'a>) -> Self {
        Self::new(view.you, view.counts, view.dice, view.bids)
    }

    pub(super) fn new(you: Position, counts: &'a [u8], dice: &[Face], bids: &'a [Bid]) -> Self {
        Self { you, counts, own: Own::new(dice), bids }
    }

    pub(super) fn last_bid(&self) -> Option<Bid> {
        self.bids.last().copied()
    }

    pub(super) fn all_dice(&self) -> u32 {
        self.counts.iter().map(|count| u32::from(*count)).sum()
    }

    pub(super) fn hidden_dice(&self) -> u32 {
        self.all_dice() - u32::from(self.counts[self.you])
    }

    /// Who acts next.
    pub(super) fn next(&self) -> Position {
        (self.you + 1) % self.counts.len()
    }

    /// Everybody else, by position.
    pub(super) fn others(&self) -> impl Iterator<Item = Position> + '_ {
        (0..self.counts.len()).filter(|position| *position != self.you)
    }

    /// The last bid of a player on each face it has bid on, newest first, with the bid before it.
    pub(super) fn bids_of(
        &self,
        position: Position,
    ) -> impl Iterator<Item = (Bid, Option<Bid>)> + '_ {
        let players = self.counts.len();
        let first_ago = (self.you + players - position) % players;
        let agos = (first_ago..=self.bids.len()).step_by(players);
        let mut seen = [false; 6];
        agos.filter_map(move |ago| {
            let index = self.bids.len() - ago;
            let bid = self.bids[index];
            let is_new = !std::mem::replace(&mut seen[bid.face().index()], true);
            is_new.then(|| (bid, index.checked_sub(1).map(|before| self.bids[before])))
        })
    }
}
