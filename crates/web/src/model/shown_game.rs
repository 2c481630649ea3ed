//! What pages need to know about a game in addition to its rules.

use dicehill_arena::{Replay, TournamentGame};
use dicehill_store::GameLine;

/// A game that can be shown move by move.
pub(crate) trait ShownGame: TournamentGame {
    /// The document of a game's moves.
    type Moves;

    /// Why games with the greatest [`ShownGame::greatness`] are worth showing.
    const GREAT: &'static str;

    /// The first moves of a recorded game, `most` at most, each with what it led to.
    fn replay(replay: &Replay<Self>, rules: Self::Rules, most: usize) -> Self::Moves;

    /// How remarkable the game is for what was reached in it; only the order means something.
    fn greatness(line: &GameLine) -> u64;

    /// The margin by which the game was decided; `None` where that means nothing.
    fn margin(line: &GameLine) -> Option<u64>;
}
