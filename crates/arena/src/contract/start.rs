//! What a bot learns when a game begins and when it ends.

use dicehill_rules::{Game, PublicInfo, Seat};

/// What a bot learns when a game begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// The game's number, from 1.
    pub game: u64,
    /// The id by which an external bot knows the game, below 2^52: see [`dicehill_rules::Chance::game_id`].
    pub id: u64,
    /// The number of seats at the table.
    pub players: usize,
    /// The bot's own seed: the only source of chance that keeps it repeatable.
    pub seed: u64,
}

/// A finished game from the point of view of one seat.
#[derive(Clone, Copy, Debug)]
pub struct Finished<'a, G: Game> {
    /// The game.
    pub game: &'a G,
    /// The seat.
    pub seat: Seat,
    /// Whether a fault ended it, so that it does not count.
    pub void: bool,
    /// What was public about the table.
    pub public: &'a PublicInfo<'a>,
}
