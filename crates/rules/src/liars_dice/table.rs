//! Who still sits at the table, with which dice.

use std::fmt;

use crate::{Dice, Face, Seat};

/// The most that may sit at a table.
pub(super) const MOST_SEATS: usize = 5;
/// The dice each begins with.
pub(super) const FIRST_DICE: u8 = 5;
/// The most dice one hand can hold.
const MOST_DICE: usize = MOST_SEATS * FIRST_DICE as usize;

/// A place among the players still in, counted from 0; it shifts down when a lower one leaves.
pub type Position = usize;

/// A player's dice in the order rolled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Hand {
    faces: [Face; MOST_DICE],
    length: u8,
}

impl Hand {
    const EMPTY: Self = Self { faces: [Face::ONE; MOST_DICE], length: 0 };

    /// The dice in the order rolled.
    #[must_use]
    pub fn faces(&self) -> &[Face] {
        &self.faces[..usize::from(self.length)]
    }
}

impl fmt::Debug for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.faces().fmt(f)
    }
}

/// How many of `dice` count for a bid on `face`: those that show it, and the ones, which are wild.
#[must_use]
pub fn dice_that_count(dice: &[Face], face: Face) -> u32 {
    dice.iter().filter(|die| **die == face || **die == Face::ONE).count() as u32
}

/// The players still in, clockwise, with their hands.
#[derive(Clone, Debug)]
pub(super) struct Table {
    seats: [Seat; MOST_SEATS],
    counts: [u8; MOST_SEATS],
    hands: [Hand; MOST_SEATS],
    players: usize,
}

impl PartialEq for Table {
    fn eq(&self, other: &Self) -> bool {
        (self.seats(), self.counts(), self.hands())
            == (other.seats(), other.counts(), other.hands())
    }
}

impl Eq for Table {}

impl Table {
    pub(super) fn new(players: usize) -> Self {
        let mut table = Self {
            seats: [Seat::new(0); MOST_SEATS],
            counts: [FIRST_DICE; MOST_SEATS],
            hands: [Hand::EMPTY; MOST_SEATS],
            players,
        };
        for seat in Seat::first(players) {
            table.seats[seat.index()] = seat;
        }
        table
    }

    pub(super) const fn players(&self) -> usize {
        self.players
    }

    pub(super) fn seats(&self) -> &[Seat] {
        &self.seats[..self.players]
    }

    pub(super) fn counts(&self) -> &[u8] {
        &self.counts[..self.players]
    }

    pub(super) fn hands(&self) -> &[Hand] {
        &self.hands[..self.players]
    }

    pub(super) const fn after(&self, position: Position) -> Position {
        if position + 1 == self.players { 0 } else { position + 1 }
    }

    pub(super) const fn before(&self, position: Position) -> Position {
        if position == 0 { self.players - 1 } else { position - 1 }
    }

    /// Everybody rolls all dice.
    pub(super) fn roll<D: Dice>(&mut self, round: u32, dice: &D) {
        for position in 0..self.players {
            let count = self.counts[position];
            let hand = &mut self.hands[position];
            hand.length = count;
            dice.roll(self.seats[position], round, 0, &mut hand.faces[..usize::from(count)]);
        }
    }

    /// Whether at least as many dice as bid show the face, ones being wild.
    pub(super) fn holds(&self, bid: super::Bid) -> bool {
        let shown: u32 =
            self.hands().iter().map(|hand| dice_that_count(hand.faces(), bid.face())).sum();
        shown >= bid.count()
    }

    /// One die changes hands. Whether the giver has none left is for the caller to ask.
    pub(super) fn give(&mut self, from: Position, to: Position) {
        self.counts[from] -= 1;
        self.counts[to] += 1;
    }

    pub(super) const fn is_out(&self, position: Position) -> bool {
        self.counts[position] == 0
    }

    /// Takes a player and all its dice from the table; those behind it move up.
    pub(super) fn remove(&mut self, position: Position) {
        self.seats.copy_within(position + 1..self.players, position);
        self.counts.copy_within(position + 1..self.players, position);
        self.hands.copy_within(position + 1..self.players, position);
        self.players -= 1;
    }
}
