//! A range that is handed out.

use dicehill_arena::GameRange;

use crate::id::Id;

/// Games that one worker is to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Order {
    /// The part of the run between two bars, from 0.
    pub segment: u32,
    /// The games.
    pub games: GameRange,
    /// How often they were handed out before.
    pub generation: u32,
    /// The worker whose games are played again to be compared. It does not play them itself.
    pub checks: Option<Id>,
}

/// Why a host takes no results of a worker any more.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OrderRefusal {
    /// A game of it is not one of the run.
    #[error("game {game}: {why}")]
    Altered {
        /// The game.
        game: u64,
        /// What is wrong.
        why: String,
    },
    /// Its bots played other moves than on another machine, and the host agrees with that machine.
    #[error("game {0} is another on two other machines")]
    Differs(u64),
}
