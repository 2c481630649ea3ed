//! The arguments of `dicehill solve`.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Subcommand, ValueEnum};
use dicehill_solver::yahtzee::Variant;

/// Solve a game exactly, and tell what optimal play comes to
#[derive(Subcommand)]
pub(crate) enum SolveCommand {
    Yahtzee(SolveYahtzeeArgs),
}

pub(super) const EXAMPLES: &str = "\
Examples:
  dicehill solve yahtzee
  dicehill solve yahtzee --rules free-joker --format json
  dicehill solve yahtzee --plot scores.svg";

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

/// How a report is printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SolveFormat {
    /// For people
    Text,
    /// One JSON document
    Json,
}
