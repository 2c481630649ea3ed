//! The arguments of `dicehill submit`, and where a token comes from.

use std::path::PathBuf;

use crate::remote::HillUrl;

/// Upload a bot to a hill on a server, and follow its report
///
/// A folder is packed without hidden files and without what tools make again (`__pycache__`, `target`). The token is
/// read from the environment variable DICEHILL_TOKEN or from a file, because other users of a machine can read command lines. The
/// report is followed until the bot's run has ended, or until the server says that the run begins in more than ten minutes.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  DICEHILL_TOKEN=dh_... dicehill submit ./Mine https://hill.example.org/hills/spring
  dicehill submit mine.py http://127.0.0.1:8017/hills/spring --name Mine --token-file token

Exit codes: 0 on the hill or waiting for the host's approval, 1 failed, 2 invalid usage or file, 3 the bot did not qualify.")]
pub(crate) struct SubmitArgs {
    /// A bot's folder or file
    #[arg(value_name = "BOT")]
    pub(crate) bot: PathBuf,
    /// The address of the hill's page
    #[arg(value_name = "URL")]
    pub(crate) url: HillUrl,
    /// The bot's name, if its bot.toml has none; by default that of its file
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Only upload the bot, and print the address of its report
    #[arg(long)]
    pub(crate) no_follow: bool,
    #[command(flatten)]
    pub(crate) token: TokenArgs,
    #[command(flatten)]
    pub(crate) certificate: CertificateArgs,
}

/// Where a token comes from.
#[derive(clap::Args)]
pub(crate) struct TokenArgs {
    /// A file with the token; by default it is in the environment variable DICEHILL_TOKEN
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,
}

/// Whose servers are trusted.
#[derive(clap::Args)]
pub(crate) struct CertificateArgs {
    /// Trust only servers whose certificate one of these authorities has signed, in a PEM file; by default those that browsers trust
    #[arg(long, value_name = "FILE")]
    pub(crate) ca: Option<PathBuf>,
}
