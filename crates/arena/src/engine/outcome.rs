//! What a worker returns for a game.

use std::io;

use dicehill_rules::Game;

use crate::{EntrantId, Failure, Fixture, Move, PlayedGame, RecordedGame};

/// What a worker returns for a game.
pub(crate) enum Outcome<G: Game> {
    /// It was played now.
    Played(PlayedGame<G>),
    /// It was recorded before.
    Recorded(RecordedGame),
    /// Its record cannot be read, or the arena could not start a bot.
    Error(io::Error),
    /// It has to be played again, alone, before a failure counts.
    Suspect(Suspect<G>),
}

impl<G: Game> From<io::Result<PlayedGame<G>>> for Outcome<G> {
    fn from(played: io::Result<PlayedGame<G>>) -> Self {
        played.map_or_else(Self::Error, Self::Played)
    }
}

/// A game that broke off through a timeout, or the failure of a process that had begun other games too.
pub(crate) struct Suspect<G: Game> {
    /// The game.
    pub(crate) fixture: Fixture,
    /// The entrant whose process failed.
    pub(crate) entrant: EntrantId,
    /// The failure.
    pub(crate) failure: Failure,
    /// The moves up to it, which stay when the game is played again.
    pub(crate) moves: Vec<Move<G>>,
}
