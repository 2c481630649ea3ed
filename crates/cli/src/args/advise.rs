//! The arguments of `dicehill advise`.

use std::num::NonZeroUsize;

use clap::Subcommand;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use dicehill_rules::yahtzee::{Category, CategorySet, Roll};
use dicehill_solver::yahtzee::Variant;
use dicehill_store::did_you_mean;

use super::TextFormat;
use super::dice::{BidList, DiceCounts, DiceList, roll};
use super::yahtzee_rules::variant;

/// Rank the actions in a position by value
#[derive(Subcommand)]
pub(crate) enum AdviseArgs {
    Yahtzee(AdviseYahtzeeArgs),
    LiarsDice(AdviseLiarsDiceArgs),
}

pub(super) const EXAMPLES: &str = "\
Examples:
  dicehill advise yahtzee --dice 1,1,4,6,6
  dicehill advise liars-dice --counts 4,7,4 --seat 3 --dice 2256 --bids 2x6,4x6";

/// Rank the actions in a position of Yahtzee by value in points
///
/// The value of an action is the expected further score in solitaire play with optimal decisions after it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill advise yahtzee --dice 1,1,4,6,6
  dicehill advise yahtzee --dice 22335 --stage 2 --free ACES,FULL_HOUSE,CHANCE --upper 60
  dicehill advise yahtzee --dice 44444 --stage 2 --free FOURS,CHANCE --yahtzee 50 --rules free-joker")]
pub(crate) struct AdviseYahtzeeArgs {
    /// The five dice, such as 1,1,4,6,6 or 11466
    #[arg(long, value_name = "DICE", value_parser = roll)]
    pub(crate) dice: Roll,
    /// The number of rerolls made in this turn, 0 to 2
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = clap::value_parser!(u8).range(0..=2))]
    pub(crate) stage: u8,
    /// The free boxes; by default all
    #[arg(long, value_name = "BOX,BOX", value_parser = free_boxes)]
    pub(crate) free: Option<CategorySet>,
    /// The sum of the upper boxes, without the bonus
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true)]
    pub(crate) upper: u32,
    /// The score in the Yahtzee box if it is filled, 50 or 0; by default 0
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true, value_parser = PossibleValuesParser::new(["0", "50"]).map(|points| points == "50"))]
    pub(crate) yahtzee: Option<bool>,
    /// The rules: official, mego-2016, free-joker or plain (without jokers and Yahtzee bonuses)
    #[arg(long, default_value = "official", value_parser = variant())]
    pub(crate) rules: Variant,
    /// Format of the ranking
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = TextFormat::Text)]
    pub(crate) format: TextFormat,
}

/// Show what the bids of a round reveal, and the value of the call and of each bid
///
/// Actions are ranked by the probability of winning the game. The next columns are the expected gain of dice in this round, and the
/// probabilities that the bid holds (for a call, the last bid) and that the next player calls it. All are estimates of the house bot
/// `seer` against opponents that it does not know yet.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill advise liars-dice --counts 5,5,5,5 --dice 1,3,3,4,6
  dicehill advise liars-dice --counts 4,7,4 --seat 3 --dice 2256 --bids 2x6,4x6")]
pub(crate) struct AdviseLiarsDiceArgs {
    /// The number of dice of each player still in, by seat, such as 5,4,6
    #[arg(long, value_name = "N,N")]
    pub(crate) counts: DiceCounts,
    /// Your own seat, from 1
    #[arg(long, value_name = "SEAT", default_value = "1")]
    pub(crate) seat: NonZeroUsize,
    /// Your own dice, such as 1,1,4,6,6 or 11466
    #[arg(long, value_name = "DICE")]
    pub(crate) dice: DiceList,
    /// The bids of this round, oldest first, such as 2×6,4×6 or 2x6,4x6; the last one is by the player before you
    #[arg(long, value_name = "BID,BID")]
    pub(crate) bids: Option<BidList>,
    /// Format of the advice
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = TextFormat::Text)]
    pub(crate) format: TextFormat,
}

/// Names of boxes; their case does not matter.
fn free_boxes(text: &str) -> Result<CategorySet, String> {
    let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
    let category = |name: &str| {
        let wanted = name.to_uppercase().replace([' ', '-'], "_");
        wanted.parse::<Category>().map_err(|_| {
            let known = Category::ALL.map(Category::name).join(", ");
            let similar = did_you_mean(&wanted, Category::ALL.map(Category::name));
            format!("unknown category {name:?}: categories are {known}{similar}")
        })
    };
    let free = names.map(category).collect::<Result<CategorySet, _>>()?;
    if free.is_empty() {
        return Err("names no box, but a full card has no choices".to_owned());
    }
    Ok(free)
}
