//! The arguments of `dicehill analyze`.

use std::path::PathBuf;

use clap::ValueEnum;

use super::JobsArgs;

/// Report the cost of each bot's mistakes in a recorded run, and which of them are habits
///
/// In Yahtzee every decision is compared with the exact solution of solitaire play. The loss is expected score: a bot
/// that plays to win may give up some of it on purpose. In Liar's Dice the loss is in dice, by the odds of the hidden
/// dice, and in hindsight by the actual dice.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill analyze spring.jsonl
  dicehill analyze spring.db#3 --bot Mine
  dicehill analyze spring.jsonl --bot Mine --save-positions mistakes.jsonl
  dicehill analyze spring.jsonl --transcript logs/Model.log
  dicehill analyze spring.jsonl --format markdown")]
pub(crate) struct AnalyzeArgs {
    /// A run log, HILL.db#N, or HILL.db for its last run
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// Analyze only the decisions of this bot
    #[arg(long, value_name = "NAME")]
    pub(crate) bot: Option<String>,
    /// A transcript of a language model that played in the run, as written by `dicehill.llm`: adds the loss per 1,000
    /// tokens. May be repeated
    #[arg(long = "transcript", value_name = "FILE")]
    pub(crate) transcripts: Vec<PathBuf>,
    /// Write the costliest mistakes of --bot, up to 500, as positions to a file that is new or empty, for `check --positions`
    #[arg(long, value_name = "FILE", requires = "bot")]
    pub(crate) save_positions: Option<PathBuf>,
    /// Format of the analysis
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = AnalyzeFormat::Text)]
    pub(crate) format: AnalyzeFormat,
    #[command(flatten)]
    pub(crate) jobs: JobsArgs,
}

/// How an analysis is printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnalyzeFormat {
    /// For people
    Text,
    /// One JSON document
    Json,
    /// For pasting into a post
    Markdown,
}
