//! The arguments of `dicehill export`.

use std::path::PathBuf;

use clap::ValueEnum;
use dicehill_store::ExportTable;

/// Write a recorded run as tables, as its log, or as pages
///
/// A table has a row per game, per seat of a game, or per move; protocol/export.md describes the columns. Names and
/// texts from bots are escaped as each format requires. Files appear only when they are complete.
#[derive(clap::Args)]
#[command(group(clap::ArgGroup::new("form").required(true).args(["csv", "jsonl", "markdown", "parquet", "html"])))]
#[command(override_usage = "\
dicehill export [OPTIONS] <RUN> --csv|--jsonl|--markdown
       dicehill export [OPTIONS] <RUN> --parquet|--html <DIR>")]
#[command(after_help = "\
Examples:
  dicehill export spring.db --csv --out tables           games.csv, seats.csv, moves.csv
  dicehill export spring.db#3 --csv --rows moves | head
  dicehill export spring.db#3 --jsonl --out run.jsonl    the run log
  dicehill export spring.jsonl --markdown
  dicehill export spring.db --html pages --game 17 --game 4")]
pub(crate) struct ExportArgs {
    /// A run log, HILL.db#N, or HILL.db for its last run
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// Tables for spreadsheets and data frames; with --out and without --rows, all three in a folder
    #[arg(long)]
    pub(crate) csv: bool,
    /// The run log, JSON Lines; with --rows, a table with an object per row
    #[arg(long)]
    pub(crate) jsonl: bool,
    /// The board as a post for a forum; with --rows, a table of up to 1000 rows
    #[arg(long)]
    pub(crate) markdown: bool,
    /// The tables as Parquet files; needs a build with the feature `parquet`
    #[arg(long)]
    pub(crate) parquet: bool,
    /// The board and replays as pages in a folder, for a static web host
    #[arg(long, value_name = "DIR", conflicts_with_all = ["rows", "out"])]
    pub(crate) html: Option<PathBuf>,
    /// The table to write
    #[arg(long, value_name = "TABLE", value_enum)]
    pub(crate) rows: Option<Rows>,
    /// Write to this file, or all tables to this folder, instead of stdout; existing files are replaced, but no hills, hill files, plans and parts, and logs only by --jsonl
    #[arg(long, value_name = "PATH")]
    pub(crate) out: Option<PathBuf>,
    /// With --html: a game to include, instead of the default choice (the first, the closest, the greatest, those with
    /// failures). May be repeated
    #[arg(long = "game", value_name = "N", requires = "html", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) games: Vec<u64>,
}

/// What a row of an export is.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Rows {
    /// A row per game
    Games,
    /// A row per seat of a game
    Seats,
    /// A row per move
    Moves,
    /// A row per pair of bots, with totals of the games that both played
    Pairs,
}

impl From<Rows> for ExportTable {
    fn from(rows: Rows) -> Self {
        match rows {
            Rows::Games => Self::Games,
            Rows::Seats => Self::Seats,
            Rows::Moves => Self::Moves,
            Rows::Pairs => Self::Pairs,
        }
    }
}
