//! Remarkable games of Liar's Dice: comebacks, and long bluffs.

use std::cmp::Reverse;

use dicehill_rules::liars_dice::{Action, Bid, Hand, LiarsDice};
use dicehill_rules::{Face, Game, Seat, SeatResult};

use super::highlight::{Highlight, HighlightKind, HighlightWatch, sole_winner};
use crate::Move;

/// Sees how far each seat is behind when a round begins, and which bids do not hold.
pub(super) struct LiarsDiceWatch {
    /// The largest number of dice that each seat was behind another one, and the seat that had the most: of several the first.
    deficits: Vec<Option<(usize, Reverse<usize>)>>,
    bluffs: Bluffs,
    round: u32,
    /// The dice on the table that show each number of pips in this round; number 0 has none.
    shown: [u32; 7],
}

impl LiarsDiceWatch {
    pub(super) fn new(seats: usize) -> Self {
        Self { deficits: vec![None; seats], bluffs: Bluffs::default(), round: 0, shown: [0; 7] }
    }

    /// The dice that count for a face: those that show it, and ones.
    fn count(&self, face: Face) -> u32 {
        let ones = if face == Face::ONE { 0 } else { self.shown[1] };
        self.shown[usize::from(face.pips())] + ones
    }

    fn see_round(&mut self, game: &LiarsDice) {
        if game.round() == self.round || game.to_act().is_none() {
            return;
        }
        self.round = game.round();
        self.shown = [0; 7];
        for face in game.hands().iter().flat_map(Hand::faces) {
            self.shown[usize::from(face.pips())] += 1;
        }
        let dice = || {
            let hands = game.seats().iter().zip(game.hands());
            hands.map(|(seat, hand)| (hand.faces().len(), seat.index()))
        };
        let Some((most, leader)) = dice().map(|(dice, seat)| (dice, Reverse(seat))).max() else {
            return;
        };
        for (own, seat) in dice().filter(|(own, _)| *own < most) {
            let deficit = &mut self.deficits[seat];
            *deficit = (*deficit).max(Some((most - own, leader)));
        }
    }
}

impl HighlightWatch<LiarsDice> for LiarsDiceWatch {
    fn begin(&mut self, game: &LiarsDice) {
        self.see_round(game);
    }

    fn see(&mut self, game: &LiarsDice, seat: Seat, answer: &Move<LiarsDice>) {
        match answer {
            Move::Acted(action) => {
                let holds = |bid: &Bid| self.count(bid.face()) >= bid.count();
                let holds = matches!(action, Action::Bid(bid) if holds(bid));
                self.bluffs.see(seat.index(), action, holds);
            }
            Move::Failed(_) => self.bluffs.end(None),
        }
        self.see_round(game);
    }

    /// The comeback and the longest bluff of the game.
    fn found(&mut self, results: &[SeatResult], _luck: &[i64]) -> Vec<Highlight> {
        let winner = sole_winner(results);
        let deficit = winner.and_then(|winner| Some((winner, self.deficits[winner]?)));
        let comeback = deficit.map(|(seat, (dice, Reverse(leader)))| {
            let (kind, value) = (HighlightKind::Comeback, dice as u64);
            Highlight { kind, seat, other: Some(leader), value }
        });
        comeback.into_iter().chain(self.bluffs.found()).collect()
    }
}

/// Bids in a row, in one round, that do not hold.
#[derive(Default)]
struct Bluffs {
    /// The seat of the first of them.
    seat: usize,
    bids: u64,
    longest: Option<Highlight>,
}

/// Fewer bids are no bluff that lasted.
const SHORTEST: u64 = 2;

impl Bluffs {
    /// A seat has acted; `holds` says whether its bid holds, if it has made one.
    fn see(&mut self, seat: usize, action: &Action, holds: bool) {
        match action {
            Action::Bid(_) if !holds => {
                self.seat = if self.bids == 0 { seat } else { self.seat };
                self.bids += 1;
            }
            Action::Bid(_) => self.end(None),
            Action::Call => self.end(Some(seat)),
        }
    }

    /// The bluff is over, and was called by this seat, if by one.
    fn end(&mut self, other: Option<usize>) {
        let Self { seat, bids, longest } = self;
        if *bids >= SHORTEST && longest.is_none_or(|longest| *bids > longest.value) {
            let kind = HighlightKind::LongestBluff;
            *longest = Some(Highlight { kind, seat: *seat, other, value: *bids });
        }
        *bids = 0;
    }

    fn found(&mut self) -> Option<Highlight> {
        self.end(None);
        self.longest.take()
    }
}
