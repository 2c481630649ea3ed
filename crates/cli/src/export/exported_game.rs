//! What an export needs to know of a game beside its rules.

use dicehill_arena::{Move, Play, Replay};
use dicehill_store::GameLine;
use maud::Markup;

use super::cell::{Cell, Column};
use crate::terminal_game::TerminalGame;

/// A game whose moves can be put into tables and on pages.
pub(crate) trait ExportedGame: TerminalGame {
    /// The game's own columns of a move.
    const MOVE_COLUMNS: &'static [Column];
    /// What is remarkable in games with the greatest [`ExportedGame::greatness`].
    const GREAT: &'static str;

    /// The round that is being played, from 1.
    fn round(game: &Self) -> u32;

    /// What these columns have of a move that is about to be made.
    fn move_cells(game: &Self, one: &Move<Self>) -> Vec<Cell>;

    /// How much somebody wants to see the game for what was reached in it.
    fn greatness(line: &GameLine) -> u64;

    /// By how little the game was decided; nothing if that means nothing.
    fn margin(line: &GameLine) -> Option<u64>;

    /// What a page shows of the game from `play`, its first move, to its end.
    fn show_moves(play: Play<'_, Self>, replay: &Replay<Self>) -> Markup;
}
