//! The arguments of `dicehill connect`.

use super::{CertificateArgs, TokenArgs};
use crate::remote::HillUrl;

/// Play on a hill with a program that stays on this machine
///
/// The program speaks the bot protocol, like an uploaded bot, and may use the network, a GPU and keys of this machine. The server
/// sends requests over one WebSocket, for many games at the same time, and this command starts a process of the program
/// whenever a run needs one. A lost connection is restored, and games continue where they were. If it is lost for more than a minute,
/// runs continue without the bot.
///
/// A new bot enters the queue of the hill and is qualified first; its report is printed. The board marks it as remote: it is not
/// sandboxed, its games cannot be played again, and its clock includes the network. The token is read from the environment variable
/// DICEHILL_TOKEN or from a file. The command runs until Ctrl-C, or until the bot is refused.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  export DICEHILL_TOKEN=dh_...
  dicehill connect https://hill.example.org/hills/spring --name Mine -- python3 bot.py
  dicehill connect https://hill.example.org/hills/spring --name Mine --new-version -- ./bot

Exit codes: 1 failed, 2 invalid usage, 3 the bot does not qualify, 130 interrupted.")]
pub(crate) struct ConnectArgs {
    /// The address of the hill's page
    #[arg(value_name = "URL")]
    pub(crate) url: HillUrl,
    /// The bot's name on the hill
    #[arg(long, value_name = "NAME")]
    pub(crate) name: String,
    /// The program has changed: it enters the queue as a new version
    #[arg(long)]
    pub(crate) new_version: bool,
    /// The program and its arguments
    #[arg(value_name = "COMMAND", required = true, last = true)]
    pub(crate) command: Vec<String>,
    #[command(flatten)]
    pub(crate) token: TokenArgs,
    #[command(flatten)]
    pub(crate) certificate: CertificateArgs,
}
