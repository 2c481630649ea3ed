//! The arguments of `dicehill verify`.

use std::path::PathBuf;

use super::{IsolationArgs, JobsArgs, TrustArgs};

/// Check a recorded run: every die, move and score, the board, the hashes, the commitment
///
/// Recomputes everything that can be recomputed, and lets the bots replay a sample of the games. A hill has copies of
/// its bots; for a log, pass them. For the result of a benchmark, it checks hash and signature. The exit code is 1 if
/// the record was altered.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill verify spring.db#3
  dicehill verify spring.jsonl spring.toml --sample 100
  dicehill verify mine.json                   the result of a benchmark: its hash and signature
  dicehill verify spring.db --sample 0        the record alone; no bot is started
  dicehill verify models.db --trust-hill      with the network, secrets and files of its bots")]
pub(crate) struct VerifyArgs {
    /// A run log, HILL.db#N, HILL.db for its last run, or the JSON of a benchmark
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// The external bots of a log, or their hill file
    #[arg(value_name = "BOT")]
    pub(crate) bots: Vec<String>,
    /// The number of games to replay
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) sample: u64,
    #[command(flatten)]
    pub(crate) jobs: JobsArgs,
    #[command(flatten)]
    pub(crate) isolation: IsolationArgs,
    #[command(flatten)]
    pub(crate) trust: TrustArgs,
}
