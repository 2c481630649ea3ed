//! The record of one game.

use dicehill_rules::{Game, Seat, SeatResult};

use crate::{Appraisal, Failure, Fixture, Move};

/// A fault and the seat that committed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offence {
    /// The seat at fault.
    pub seat: Seat,
    /// The request that the seat was sent, as reports show it.
    pub request: String,
    /// The fault.
    pub failure: Failure,
}

/// Everything that is known of a game that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord<G: Game> {
    /// The game's place in the schedule.
    pub fixture: Fixture,
    /// All answers in order.
    pub moves: Vec<Move<G>>,
    /// The faults among them.
    pub offences: Vec<Offence>,
    /// Whether a fault ended the game, so that it does not count.
    pub void: bool,
    /// The result of each seat.
    pub results: Vec<SeatResult>,
    /// What the decisions of each seat cost; empty unless the game was appraised.
    pub appraisals: Vec<Appraisal>,
}
