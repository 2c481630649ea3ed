//! The arguments of `dicehill resume`.

use std::path::PathBuf;

use super::{Apart, BoardFormat};

/// Go on with a run that was left
///
/// After Ctrl-C, a crash or a power failure. The result is byte for byte that of a run that was not
/// interrupted, if the bots are deterministic. A hill has copies of its bots; a log does not: bots
/// outside that played are named again, each as itself or all by their hill file, and must be what they were.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill resume spring.db#3
  dicehill resume spring.jsonl spring.toml
  dicehill resume spring.jsonl mine.py")]
pub(crate) struct ResumeArgs {
    /// A run log, HILL.db#N, or HILL.db for its last run
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// The bots outside that play in a log, or the hill file that has them
    #[arg(value_name = "BOT")]
    pub(crate) bots: Vec<String>,
    /// Threads that play; all cores unless given. The result is the same for any number
    #[arg(long, value_name = "J", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
    /// How the standings are printed
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = BoardFormat::Table)]
    pub(crate) format: BoardFormat,
    /// Show differences, encounters head to head, and results by seat as well, which JSON always has
    #[arg(long)]
    pub(crate) details: bool,
    /// Write what bots outside write to their stderr to files in a folder, up to 1 MiB for each bot
    #[arg(long, value_name = "DIR")]
    pub(crate) logs: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) apart: Apart,
}
