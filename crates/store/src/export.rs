//! Recorded runs as tables: their columns, and the rows of games, seats, moves and pairs. `protocol/export.md` says what
//! each column means. Formats such as CSV are left to those who write them.

pub(crate) mod cell;
pub(crate) mod exported_game;
mod liars_dice;
pub(crate) mod pair_rows;
pub(crate) mod rows;
mod yahtzee;

pub use cell::{Cell, ColumnKind, ExportColumn};
pub use exported_game::ExportedGame;
pub use rows::{ExportRows, ExportTable, RowWriter};
