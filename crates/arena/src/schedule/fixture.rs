//! The place of one game in a schedule.

use crate::EntrantId;

/// One game to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// The game's number, from 1.
    pub game: u64,
    /// The table whose dice are used, from 1.
    pub table: u64,
    /// The pairing that plays, by its index in [`crate::Schedule::pairings`]; 0 in a challenge.
    pub pairing: usize,
    /// The entrants by seat.
    pub seats: Vec<EntrantId>,
}
