//! The arguments of `dicehill solve`.

use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use clap::Subcommand;
use dicehill_solver::liars_dice::Round;
use dicehill_solver::yahtzee::Variant;

use super::TextFormat;
use super::yahtzee_rules::variant;

/// Solve a game: optimal play and its value, exactly or within exact bounds
#[derive(Subcommand)]
pub(crate) enum SolveCommand {
    Yahtzee(SolveYahtzeeArgs),
    LiarsDice(SolveLiarsDiceArgs),
}

pub(super) const EXAMPLES: &str = "\
Examples:
  dicehill solve yahtzee
  dicehill solve liars-dice --dice 1,1";

/// Solve solitaire Yahtzee: the value of the empty card, and the distribution of optimal scores
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill solve yahtzee
  dicehill solve yahtzee --rules free-joker --format json
  dicehill solve yahtzee --plot scores.svg")]
pub(crate) struct SolveYahtzeeArgs {
    /// The rule for further Yahtzees: official or the original controller's mego-2016; free-joker, a free choice of
    /// box; plain, no effect
    #[arg(long, default_value = "official", value_parser = variant())]
    pub(crate) rules: Variant,
    /// Format of the report
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = TextFormat::Text)]
    pub(crate) format: TextFormat,
    /// Draw the distribution to an SVG file; an existing file is replaced
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) plot: Option<PathBuf>,
}

/// Solve a round of Liar's Dice for two players: strategies, with exact bounds of its value
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill solve liars-dice --dice 1,1
  dicehill solve liars-dice --dice 2,3 --time 60 --keep rounds
  dicehill solve liars-dice --match --time 30")]
pub(crate) struct SolveLiarsDiceArgs {
    /// The dice of the first bidder and of the other player: two numbers, at most 10 together
    #[arg(long, value_name = "A,B", default_value = "1,1", conflicts_with = "is_match", value_parser = round)]
    pub(crate) dice: Round,
    /// Solve all rounds with ten dice on the table, and the match that they make up; --time applies to each round
    #[arg(long = "match")]
    pub(crate) is_match: bool,
    /// The time for improving the strategies, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "10", allow_negative_numbers = true, value_parser = seconds)]
    pub(crate) time: Duration,
    /// The number of bids after which each player calls, or one more if it is not its turn then; fewer are faster, more are better
    #[arg(long, value_name = "BIDS")]
    pub(crate) bids: Option<usize>,
    /// The maximum memory, in GiB
    #[arg(long = "memory", value_name = "GIB", default_value = "8", allow_negative_numbers = true, value_parser = gibibytes)]
    pub(crate) memory_bytes: usize,
    /// The number of threads; by default one per core. It changes the speed of the improvement, but not its steps
    #[arg(long, value_name = "COUNT")]
    pub(crate) jobs: Option<NonZero<usize>>,
    /// The maximum number of iterations within the time; the same number makes the same files
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) iterations: Option<u32>,
    /// A folder for the strategies and for what is needed to resume later
    #[arg(long, value_name = "FOLDER")]
    pub(crate) keep: Option<PathBuf>,
    /// Format of the report
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = TextFormat::Text)]
    pub(crate) format: TextFormat,
}

/// The dice of the two players, such as `2,3`.
fn round(text: &str) -> Result<Round, String> {
    let form = || "must be two numbers such as 2,3".to_owned();
    let (starter, responder) = text.split_once(',').ok_or_else(form)?;
    let number = |text: &str| text.trim().parse().map_err(|_| form());
    Round::new(number(starter)?, number(responder)?).map_err(|error| error.to_string())
}

/// A time in seconds.
fn seconds(text: &str) -> Result<Duration, String> {
    let range = || "must be above 0, and at most 10000000 seconds".to_owned();
    let seconds: f64 = text.parse().map_err(|_| range())?;
    let is_time = seconds > 0.0 && seconds <= 1e7;
    is_time.then(|| Duration::from_secs_f64(seconds)).ok_or_else(range)
}

/// A size in GiB, as bytes.
fn gibibytes(text: &str) -> Result<usize, String> {
    let range = || "must be above 0, and at most 1000000 GiB".to_owned();
    let gibibytes: f64 = text.parse().map_err(|_| range())?;
    let is_size = gibibytes > 0.0 && gibibytes <= 1e6;
    is_size.then(|| (gibibytes * f64::from(1 << 30)) as usize).ok_or_else(range)
}
