//! The players still in the game and their dice.

use std::fmt;

use crate::{Dice, Face, Seat};

/// The largest number of players.
pub(super) const MAX_SEATS: usize = 5;
/// The number of dice that each player begins with.
pub(super) const INITIAL_DICE: u8 = 5;
/// The largest number of dice in a hand.
const MAX_DICE: usize = MAX_SEATS * INITIAL_DICE as usize;

/// A position among the players still in, counted from 0. It shifts down when a player at a lower position is eliminated.
///
/// It is an alias, not a type: a position is only ever an index of a [`View`](super::View)'s slices, or a number that is
/// counted modulo the players. What identifies a player throughout a game is its [`Seat`].
pub type Position = usize;

/// A player's dice in the order rolled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Hand {
    faces: [Face; MAX_DICE],
    length: u8,
}

impl Hand {
    const EMPTY: Self = Self { faces: [Face::ONE; MAX_DICE], length: 0 };

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

/// The number of `dice` that count for a bid on `face`: those that show it, and ones, which are wild.
///
/// ```
/// use dicehill_rules::Face;
/// use dicehill_rules::liars_dice::dice_that_count;
///
/// let dice = [1, 1, 4, 6].map(|pips| Face::new(pips).expect("a face"));
/// assert_eq!(dice_that_count(&dice, Face::SIX), 3);
/// assert_eq!(dice_that_count(&dice, Face::ONE), 2);
/// ```
#[must_use]
pub fn dice_that_count(dice: &[Face], face: Face) -> u32 {
    dice.iter().filter(|die| **die == face || **die == Face::ONE).count() as u32
}

/// The players still in, clockwise, with their hands.
#[derive(Clone, Debug)]
pub(super) struct Table {
    seats: [Seat; MAX_SEATS],
    counts: [u8; MAX_SEATS],
    hands: [Hand; MAX_SEATS],
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
    /// The players with these numbers of dice, before the first roll.
    pub(super) fn new(counts: &[u8]) -> Self {
        let mut table = Self {
            seats: [Seat::new(0); MAX_SEATS],
            counts: [0; MAX_SEATS],
            hands: [Hand::EMPTY; MAX_SEATS],
            players: counts.len(),
        };
        table.counts[..counts.len()].copy_from_slice(counts);
        for seat in Seat::all(counts.len()) {
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

    pub(super) const fn next(&self, position: Position) -> Position {
        if position + 1 == self.players { 0 } else { position + 1 }
    }

    pub(super) const fn previous(&self, position: Position) -> Position {
        if position == 0 { self.players - 1 } else { position - 1 }
    }

    /// All players roll all their dice.
    pub(super) fn roll<D: Dice>(&mut self, round: u32, dice: &D) {
        for position in 0..self.players {
            let count = self.counts[position];
            let hand = &mut self.hands[position];
            hand.length = count;
            dice.roll(self.seats[position], round, 0, &mut hand.faces[..usize::from(count)]);
        }
    }

    /// Whether the bid holds: at least as many dice count for its face as it claims.
    pub(super) fn holds(&self, bid: super::Bid) -> bool {
        let shown: u32 =
            self.hands().iter().map(|hand| dice_that_count(hand.faces(), bid.face())).sum();
        shown >= bid.count()
    }

    /// Moves one die. The caller has to check whether `from` has any left.
    pub(super) fn move_die(&mut self, from: Position, to: Position) {
        self.counts[from] -= 1;
        self.counts[to] += 1;
    }

    pub(super) const fn is_out(&self, position: Position) -> bool {
        self.counts[position] == 0
    }

    /// Removes a player and its dice; higher positions shift down.
    pub(super) fn remove(&mut self, position: Position) {
        self.seats.copy_within(position + 1..self.players, position);
        self.counts.copy_within(position + 1..self.players, position);
        self.hands.copy_within(position + 1..self.players, position);
        self.players -= 1;
    }
}
