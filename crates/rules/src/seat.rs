//! A place at a table.

use std::fmt;

/// A place at a table, counted from 0 and assigned at the start of the game.
///
/// A seat does not change during a game, even when other players are eliminated.
///
/// ```
/// use dicehill_rules::Seat;
///
/// let names = ["ann", "bob", "cleo"];
/// let seats: Vec<_> = Seat::all(3).map(|seat| names[seat.index()]).collect();
/// assert_eq!(seats, names);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Seat(u16);

impl Seat {
    /// The seat with this number.
    #[must_use]
    pub const fn new(number: u16) -> Self {
        Self(number)
    }

    /// The seat's number, as an index.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The first `count` seats, ascending.
    ///
    /// # Panics
    /// If `count` is more than 65,535.
    pub fn all(count: usize) -> impl ExactSizeIterator<Item = Self> + Clone {
        assert!(count <= usize::from(u16::MAX), "at most 65,535 seats");
        (0..count as u16).map(Self)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
