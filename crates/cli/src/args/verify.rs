//! The arguments of `dicehill verify`.

use std::path::PathBuf;

use super::{IsolationArgs, JobsArgs, TrustArgs};

/// Check a recorded run: every die, move and score, the board, the hashes, the commitment
///
/// All that can be recomputed is, and a sample of the games is played again by the bots, if they are here: a hill
/// has copies, those of a log are named behind it. Of a benchmark's result, hash and signature are checked. Exit code 1 if something is not as it was played.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill verify spring.db#3
  dicehill verify spring.jsonl spring.toml --sample 100
  dicehill verify mine.json                   the result of a benchmark: its hash, and who signed it
  dicehill verify spring.db --sample 0        the record alone; no bot is started
  dicehill verify models.db --trust-hill      its bots get the network, secrets and files that it names")]
pub(crate) struct VerifyArgs {
    /// A run log, HILL.db#N, HILL.db for its last run, or the JSON of a benchmark
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// The external bots that play in a log, or the hill file that has them
    #[arg(value_name = "BOT")]
    pub(crate) bots: Vec<String>,
    /// How many games are played again
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) sample: u64,
    #[command(flatten)]
    pub(crate) jobs: JobsArgs,
    #[command(flatten)]
    pub(crate) isolation: IsolationArgs,
    #[command(flatten)]
    pub(crate) trust: TrustArgs,
}
