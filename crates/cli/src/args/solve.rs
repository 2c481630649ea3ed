//! The arguments of `dicehill solve`.

use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use clap::Subcommand;
use dicehill_solver::liars_dice::Round;
use dicehill_solver::yahtzee::Variant;

use super::TextFormat;
use super::yahtzee_rules::variant;

/// Solve a game exactly, and tell what optimal play comes to
#[derive(Subcommand)]
pub(crate) enum SolveCommand {
    Yahtzee(SolveYahtzeeArgs),
    LiarsDice(SolveLiarsDiceArgs),
}

pub(super) const EXAMPLES: &str = "\
Examples:
  dicehill solve yahtzee
  dicehill solve yahtzee --rules free-joker --format json
  dicehill solve yahtzee --plot scores.svg
  dicehill solve liars-dice --dice 1,1
  dicehill solve liars-dice --dice 2,3 --time 60 --keep rounds
  dicehill solve liars-dice --match --time 30";

/// Solitaire Yahtzee: the value of the empty card, and how optimal scores are distributed
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SolveYahtzeeArgs {
    /// What a further Yahtzee may do: official or the original controller's mego-2016; free-joker, a free choice of box;
    /// plain, nothing
    #[arg(long, default_value = "official", value_parser = variant())]
    pub(crate) rules: Variant,
    /// How the report is printed
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = TextFormat::Text)]
    pub(crate) format: TextFormat,
    /// Draw the distribution to an SVG file; what is there is replaced
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) plot: Option<PathBuf>,
}

/// A round of Liar's Dice between two: what it is worth, between exact bounds, and how it is played
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SolveLiarsDiceArgs {
    /// The dice of who makes the first bid, and of the other: two numbers, at most 10 together
    #[arg(long, value_name = "A,B", default_value = "1,1", conflicts_with = "is_match", value_parser = round)]
    pub(crate) dice: Round,
    /// All rounds with ten dice on the table, and the match that they make up; --time is for each of them
    #[arg(long = "match")]
    pub(crate) is_match: bool,
    /// Seconds to improve the strategies for
    #[arg(long, value_name = "SECONDS", default_value = "10", allow_negative_numbers = true, value_parser = seconds)]
    pub(crate) time: Duration,
    /// Each player calls once so many bids have been made, or one more; fewer are faster, more are better
    #[arg(long, value_name = "BIDS")]
    pub(crate) bids: Option<usize>,
    /// The most memory, in GiB
    #[arg(long = "memory", value_name = "GIB", default_value = "8", allow_negative_numbers = true, value_parser = gibibytes)]
    pub(crate) memory_bytes: usize,
    /// Threads; all cores if it is not given. The strategies do not depend on it, but how far they come does
    #[arg(long, value_name = "COUNT")]
    pub(crate) jobs: Option<NonZero<usize>>,
    /// End after so many iterations, if the time does not end before; the same number makes the same files
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) iterations: Option<u32>,
    /// A folder for the strategies, and for what is needed to resume them later
    #[arg(long, value_name = "FOLDER")]
    pub(crate) keep: Option<PathBuf>,
    /// How the report is printed
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
