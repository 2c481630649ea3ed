//! The arguments of `dicehill bench`.

use std::path::PathBuf;

use clap::ValueEnum;

use super::{ExternalBotArgs, JobsArgs, TextFormat};

/// Measure a bot against frozen opponents, for a number that can be cited
///
/// Opponents, format, number of games and metric belong to the benchmark and never change under its name. The dice
/// follow from a seed that is drawn for the evaluation and named in the result. `--seed` repeats an evaluation.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill bench yahtzee-solo-v1 greedy
  dicehill bench yahtzee-2p-v1 ./Mine --format json --sign ~/.ssh/id_ed25519 > mine.json
  dicehill bench liars-5-v1 player.py --seed spring")]
pub(crate) struct BenchArgs {
    /// The benchmark
    #[arg(value_enum)]
    pub(crate) benchmark: BenchmarkName,
    /// The bot, in the forms that `run` takes
    pub(crate) bot: String,
    /// The seed of the evaluation to repeat; drawn at random by default
    #[arg(long, value_name = "TEXT")]
    pub(crate) seed: Option<String>,
    #[command(flatten)]
    pub(crate) jobs: JobsArgs,
    /// Format of the result
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = TextFormat::Text)]
    pub(crate) format: TextFormat,
    /// Sign the JSON document with this OpenSSH key (uses `ssh-keygen`)
    #[arg(long, value_name = "KEY")]
    pub(crate) sign: Option<PathBuf>,
    /// Write the run log, JSON Lines, to a file that is new or empty
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) external: ExternalBotArgs,
}

/// A benchmark. A version never changes: other opponents, games or metrics are a new version.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum BenchmarkName {
    /// The luck-adjusted score in Yahtzee
    #[value(name = "yahtzee-solo-v1")]
    YahtzeeSoloV1,
    /// The luck-adjusted points per game in Yahtzee for two, against greedy, aces-and-eights and optimal
    #[value(name = "yahtzee-2p-v1")]
    YahtzeeTwoV1,
    /// The share of games won in Liar's Dice for five, against bayes, badnomial, nobody and honest
    #[value(name = "liars-5-v1")]
    LiarsFiveV1,
}
