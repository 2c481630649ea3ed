//! Exports of a recorded run: tables in several formats, its board, and pages.

mod cell;
mod csv_rows;
mod exported_game;
mod exported_run;
mod json_rows;
mod liars_dice;
mod markdown_rows;
mod pages;
mod pair_rows;
#[cfg(feature = "parquet")]
mod parquet_rows;
mod rows;
mod stored_board;
mod yahtzee;

pub(crate) use cell::ExportColumn;
pub(crate) use csv_rows::CsvRows;
pub(crate) use exported_game::ExportedGame;
pub(crate) use exported_run::{ExportedRun, Unfinished};
pub(crate) use json_rows::JsonRows;
pub(crate) use markdown_rows::MarkdownRows;
pub(crate) use pages::write_pages;
#[cfg(feature = "parquet")]
pub(crate) use parquet_rows::ParquetRows;
pub(crate) use rows::{ExportTable, RowWriter};
pub(crate) use stored_board::StoredBoard;
