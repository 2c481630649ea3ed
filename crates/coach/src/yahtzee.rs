//! Yahtzee, where the value of every decision is exact.
//!
//! [`PlayedTurn`] is a turn of a recorded game. [`AppraisedTurn`] measures it by a solution: the
//! loss of each decision and the luck of the dice. [`Analysis`] sums losses by kind of decision,
//! round, box and [`Habit`] over all games of a player. [`advise`] ranks all choices in a position.

mod advice;
mod analyzed_game;
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
pub use advice::{RankedChoice, advise};
pub use appraisal::{AppraisedDecision, AppraisedTurn};
pub use appraised_game::{AppraisedGame, AppraisedSeat};
pub use appraiser::YahtzeeAppraiser;
use breakdown::Breakdown;
pub use choice::{Choice, DecisionKind};
pub use habit::{Filling, Habit};
pub use pattern::{DiceKind, Pattern, Shape};
pub use played_turn::{Decision, PlayedTurn};
pub use report::{BotReport, HabitReport, LossReport, Mistake};
pub use tally::Tally;

/// Sums over the games of a run for each player.
pub type Analysis = crate::Analysis<Tally>;
