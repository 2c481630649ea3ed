//! What an export needs to know of a game beside its rules.

use dicehill_arena::Move;

use super::cell::{Cell, Column};
use crate::terminal_game::TerminalGame;

/// A game whose moves can be put into tables.
pub(crate) trait ExportedGame: TerminalGame {
    /// The game's own columns of a move.
    const MOVE_COLUMNS: &'static [Column];

    /// The round that is being played, from 1.
    fn round(game: &Self) -> u32;

    /// What these columns have of a move that is about to be made.
    fn move_cells(game: &Self, one: &Move<Self>) -> Vec<Cell>;
}
