//! The arguments of `dicehill merge`.

use std::path::PathBuf;

use super::{ExternalBotArgs, RunSettingsArgs};

/// Merge the parts of a run that several machines have played
///
/// `dicehill run HILL.toml --plan PLAN` writes the plan of a run, and each machine plays a shard of it. The result and the
/// log are those of a run on one machine, byte for byte, if the bots are deterministic. Every game is replayed by the
/// judge first, so that altered points are found, and house bots are asked for their moves in a sample of the games.
/// Altered moves of external bots are not found: `dicehill verify` plays a sample of the games again.
///
/// If an entrant is barred or a tie is played off, the rest of the run is played here.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill merge plan.json part-*.jsonl --out whole.jsonl
  dicehill merge plan.json part-*.jsonl --no-play           only if no game is left to play")]
pub(crate) struct MergeArgs {
    /// The plan
    #[arg(value_name = "PLAN")]
    pub(crate) plan: PathBuf,
    /// The parts, in any order; a game that several have must be the same in each
    #[arg(value_name = "PART", required = true)]
    pub(crate) parts: Vec<PathBuf>,
    /// Write the run log, JSON Lines, to a file that is new or empty
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Play no game: name the games that are left to play, and end with an error if there are any
    #[arg(long)]
    pub(crate) no_play: bool,
    /// The number of games in which the moves of house bots are compared with their answers
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) sample: u64,
    /// An external bot of the plan, or its hill file; by default those with which the plan was made
    #[arg(long, value_name = "BOT", conflicts_with = "no_play")]
    pub(crate) bot: Vec<String>,
    #[command(flatten)]
    pub(crate) settings: RunSettingsArgs,
    #[command(flatten)]
    pub(crate) external: ExternalBotArgs,
}
