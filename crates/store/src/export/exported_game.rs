//! What an export needs to know of a game besides its rules.

use dicehill_arena::Move;
use dicehill_rules::Game;

use super::cell::{Cell, ExportColumn};

/// A game whose moves can be put into tables.
pub trait ExportedGame: Game {
    /// The game's own columns of a move.
    const MOVE_COLUMNS: &'static [ExportColumn];

    /// The round that is being played, from 1.
    fn round(game: &Self) -> u32;

    /// The cells of these columns for the move `one`, which is about to be made.
    fn move_cells(game: &Self, one: &Move<Self>) -> Vec<Cell>;
}
