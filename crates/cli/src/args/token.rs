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
    /// List the tokens: number, name, role, whether each is still valid, and how many bots were uploaded with it
    #[command(after_help = "Example:\n  dicehill token list spring.db")]
    List {
        /// The hill
        #[arg(value_name = "HILL.db")]
        hill: PathBuf,
    },
    /// Revoke tokens: they no longer allow uploads
    #[command(after_help = "Example:\n  dicehill token revoke spring.db 3")]
    Revoke {
        /// The hill
        #[arg(value_name = "HILL.db")]
        hill: PathBuf,
        /// Numbers of tokens, as printed by `dicehill token list`
        #[arg(value_name = "NUMBER", required = true, value_parser = token_number)]
        tokens: Vec<i64>,
    },
}

fn token_number(text: &str) -> Result<i64, String> {
    let number = text.parse().ok();
    number.ok_or_else(|| "must be a number that `dicehill token list` prints".to_owned())
}

/// Make a token with which bots can be uploaded to a hill (see `dicehill serve --accept`)
///
/// The token is printed once; the hill stores only its hash. Its holder can upload bots and new versions of them.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill token new spring.db
  dicehill token new spring.db --name ada --uses 20 --days 30
  dicehill token new spring.db --from class.csv > tokens.csv
  dicehill token new spring.db --name eve --host")]
pub(crate) struct TokenNewArgs {
    /// The hill
    #[arg(value_name = "HILL.db")]
    pub(crate) hill: PathBuf,
    /// The holder's name. Tokens with the same name can upload new versions of the same bots
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// The number of bots and versions that it can upload; by default any number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) uses: Option<u32>,
    /// The number of days that it is valid; by default it does not expire
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=36_500))]
    pub(crate) days: Option<u32>,
    /// Make a token for each row of a CSV file, whose first line names the columns: name, and optionally pseudonym. The hill
    /// stores the pseudonyms, or without them the names. Names, pseudonyms and tokens are printed as CSV
    #[arg(long, value_name = "CLASS.csv", conflicts_with_all = ["name", "host"])]
    pub(crate) from: Option<PathBuf>,
    /// Make the token of a host: its holder can act as the host on the hill's page, but not upload bots
    #[arg(long, conflicts_with = "uses")]
    pub(crate) host: bool,
}
