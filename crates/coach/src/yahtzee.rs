//! Yahtzee, where every decision has its exact value in expected score.
//!
//! A game that was played is told as turns ([`PlayedTurn`]); each is appraised against a solution
//! ([`AppraisedTurn`]): what each decision lost, and what luck the dice were. What was lost is summed by
//! kind, round and box, and by [`Habit`], over all games of a player ([`Analysis`]). [`advise`] ranks what can be done
//! in any position.

mod advice;
mod appraisal;
mod appraised_game;
mod appraiser;
mod breakdown;
mod choice;
mod habit;
mod pattern;
mod played_turn;
mod report;
mod tally;

pub use crate::Estimate;
pub use advice::{Advised, advise};
pub use appraisal::{AppraisedTurn, Step};
pub use appraised_game::{AppraisedGame, AppraisedSeat};
pub use appraiser::YahtzeeAppraiser;
use breakdown::Breakdown;
pub use choice::{Choice, Kind};
pub use habit::{Filling, Habit};
pub use pattern::{DiceKind, Pattern, Shape};
pub use played_turn::{Decision, PlayedTurn};
pub use report::{BotReport, HabitReport, Mistake, PartReport};
pub use tally::Tally;

/// The sums over the games of a run, for each player.
pub type Analysis = crate::Analysis<Tally>;
