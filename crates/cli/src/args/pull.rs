//! The arguments of `dicehill pull`.

use std::path::PathBuf;

use super::CertificateArgs;
use crate::remote::HillUrl;

/// Fetch the games of a bot from a hill on a server as a log, for `replay` and `analyze`
///
/// The log has the header of a finished run and the bot's games. It has no result, which follows from all games of the run.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill pull https://hill.example.org/hills/spring --bot Mine
  dicehill pull https://hill.example.org/hills/spring --bot Mine --run 12 --out mine-12.jsonl
  dicehill analyze spring-Mine.jsonl --bot Mine")]
pub(crate) struct PullArgs {
    /// The address of the hill's page
    #[arg(value_name = "URL")]
    pub(crate) url: HillUrl,
    /// The bot
    #[arg(long, value_name = "NAME")]
    pub(crate) bot: String,
    /// The number of the run; by default the last ended one in which the bot has games
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(1..))]
    pub(crate) run: Option<i64>,
    /// The new file; by default HILL-BOT.jsonl
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) certificate: CertificateArgs,
}
