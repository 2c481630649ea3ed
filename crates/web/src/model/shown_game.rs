//! What pages need to know of a game beside its rules.

use dicehill_arena::Replay;
use dicehill_rules::{Chance, Game};
use dicehill_store::GameLine;

use super::replay::ReplayMoves;

/// A game that can be shown move by move.
pub(crate) trait ShownGame: Game {
    /// What is remarkable in games with the greatest [`ShownGame::greatness`].
    const GREAT: &'static str;

    /// The first moves of a recorded game, `most` at most, each as it was made, and what they led to.
    fn tell(replay: &Replay<Self>, rules: Self::Rules, chance: &Chance, most: usize)
    -> ReplayMoves;

    /// How much somebody wants to see the game for what was reached in it.
    fn greatness(line: &GameLine) -> u64;

    /// By how little the game was decided; nothing if that means nothing.
    fn margin(line: &GameLine) -> Option<u64>;
}
