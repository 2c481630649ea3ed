//! The arguments of `dicehill solve`.

use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{Subcommand, ValueEnum};
use dicehill_solver::liars_dice::Round;
use dicehill_solver::yahtzee::Variant;

use crate::failure::Failure;
use crate::text::printable;

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
    #[arg(long, default_value = "official", value_parser = PossibleValuesParser::new(Variant::ALL.map(Variant::name)))]
    rules: String,
    /// How the report is printed
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = SolveFormat::Text)]
    pub(crate) format: SolveFormat,
    /// Draw the distribution to an SVG file; what is there is replaced
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) plot: Option<PathBuf>,
}

impl SolveYahtzeeArgs {
    pub(crate) fn rules(&self) -> Variant {
        let named = |variant: &Variant| variant.name() == self.rules;
        Variant::ALL.into_iter().find(named).expect("one of the possible values")
    }
}

/// A round of Liar's Dice between two: what it is worth, between exact bounds, and how it is played
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SolveLiarsDiceArgs {
    /// The dice of who makes the first bid, and of the other: two numbers, at most 10 together
    #[arg(long, value_name = "A,B", default_value = "1,1", conflicts_with = "is_match")]
    dice: String,
    /// All rounds with ten dice on the table, and the match that they make up; --time is for each of them
    #[arg(long = "match")]
    pub(crate) is_match: bool,
    /// Seconds to improve the strategies for
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    time: f64,
    /// Each player calls once so many bids have been made, or one more; fewer are faster, more are better
    #[arg(long, value_name = "BIDS")]
    pub(crate) bids: Option<usize>,
    /// The most memory, in GiB
    #[arg(long, value_name = "GIB", default_value_t = 8.0)]
    memory: f64,
    /// Threads; all cores if it is not given. The strategies do not depend on it, but how far they come does
    #[arg(long, value_name = "COUNT")]
    pub(crate) jobs: Option<NonZero<usize>>,
    /// End after so many iterations, if the time does not end before; the same number makes the same files
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) iterations: Option<u32>,
    /// A folder for the strategies, and for what is needed to go on with them another time
    #[arg(long, value_name = "FOLDER")]
    pub(crate) keep: Option<PathBuf>,
    /// How the report is printed
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = SolveFormat::Text)]
    pub(crate) format: SolveFormat,
}

impl SolveLiarsDiceArgs {
    pub(crate) fn round(&self) -> Result<Round, Failure> {
        let form = || {
            let dice = printable(&self.dice);
            Failure::Usage(format!("--dice {dice} is not two numbers such as 2,3"))
        };
        let (starter, responder) = self.dice.split_once(',').ok_or_else(form)?;
        let number = |text: &str| text.trim().parse().map_err(|_| form());
        let round = Round::new(number(starter)?, number(responder)?);
        round.map_err(|error| Failure::Usage(format!("--dice {}: {error}", printable(&self.dice))))
    }

    /// How long to learn.
    pub(crate) fn time(&self) -> Result<Duration, Failure> {
        let is_time = self.time > 0.0 && self.time <= 1e7;
        let wrong = || Failure::Usage(format!("--time {} is not 0 to 10000000 s", self.time));
        is_time.then(|| Duration::from_secs_f64(self.time)).ok_or_else(wrong)
    }

    /// The most memory, in bytes.
    pub(crate) fn memory(&self) -> Result<usize, Failure> {
        let is_size = self.memory > 0.0 && self.memory <= 1e6;
        let wrong = || Failure::Usage(format!("--memory {} is not 0 to 1000000 GiB", self.memory));
        is_size.then(|| (self.memory * f64::from(1 << 30)) as usize).ok_or_else(wrong)
    }
}

/// How a report is printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SolveFormat {
    /// For people
    Text,
    /// One JSON document
    Json,
}
