//! The arguments of `dicehill token`.

use std::path::PathBuf;

use clap::Subcommand;

pub(super) const EXAMPLES: &str = "\
Examples:
  dicehill token new spring.db --name ada
  dicehill token list spring.db
  dicehill token revoke spring.db 3
  dicehill serve spring.db --accept";

/// What is done with tokens.
#[derive(Subcommand)]
pub(crate) enum TokenCommand {
    New(TokenNewArgs),
    /// List the tokens: number, name, how often each was used, whether it still opens
    #[command(after_help = "Example:\n  dicehill token list spring.db")]
    List {
        /// The hill
        #[arg(value_name = "HILL.db")]
        hill: PathBuf,
    },
    /// Take tokens back: nobody can bring bots with them any more
    #[command(after_help = "Example:\n  dicehill token revoke spring.db 3")]
    Revoke {
        /// The hill
        #[arg(value_name = "HILL.db")]
        hill: PathBuf,
        /// Their numbers, as `dicehill token list` tells them
        #[arg(value_name = "NUMBER", required = true)]
        tokens: Vec<i64>,
    },
}

/// Make a token, with which somebody can bring bots to a hill by `dicehill serve --accept`
///
/// It is printed once; the hill keeps its hash alone. Whoever has it brings bots, and new versions of those.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill token new spring.db
  dicehill token new spring.db --name ada --uses 20 --days 30")]
pub(crate) struct TokenNewArgs {
    /// The hill
    #[arg(value_name = "HILL.db")]
    pub(crate) hill: PathBuf,
    /// Who gets it. With tokens of the same name, the same bots can be brought in new versions
    #[arg(long, value_name = "WHO")]
    pub(crate) name: Option<String>,
    /// For so many bots, or versions of them; any number unless given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) uses: Option<u32>,
    /// For so many days; for good unless given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=36_500))]
    pub(crate) days: Option<u32>,
}
