//! Exports of a recorded run: tables in several formats, its board, and pages.

mod csv_rows;
mod exported_run;
mod json_rows;
mod markdown_rows;
mod pages;
#[cfg(feature = "parquet")]
mod parquet_rows;
mod unfinished_post;

pub(crate) use csv_rows::CsvRows;
pub(crate) use exported_run::{ExportedRun, Unfinished};
pub(crate) use json_rows::JsonRows;
pub(crate) use markdown_rows::MarkdownRows;
pub(crate) use pages::write_pages;
#[cfg(feature = "parquet")]
pub(crate) use parquet_rows::ParquetRows;
pub(crate) use unfinished_post::write_unfinished_post;
