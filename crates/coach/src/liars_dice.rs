//! Liar's Dice, where decisions are valued by a stated model.
//!
//! An [`Infoset`] is what a player knows when it acts, and values every action in dice.
//! [`AppraisedGame`] replays a recorded game as such decisions with their losses and results
//! ([`AppraisedDecision`]). [`Analysis`] sums them over all games of a player: losses by kind of decision, by
//! [`Fault`] and by [`Habit`], how often calls were right and bids held against the exact odds, and
//! bids that the odds did not support.

mod accuracy;
mod analyzed_game;
mod appraisal;
mod band;
mod breakdown;
mod fault;
mod habit;
mod infoset;
mod report;
mod tally;

pub use accuracy::{Accuracy, Share};
pub use appraisal::{AppraisedDecision, AppraisedGame, AppraisedSeat};
pub use band::Band;
use breakdown::Breakdown;
pub use fault::{DecisionKind, Fault};
pub use habit::{Habit, Holding};
pub use infoset::Infoset;
pub use report::{BidsReport, BotReport, FaultReport, HabitReport, LossReport, Mistake};
pub use tally::Tally;

/// Sums over the games of a run for each player.
pub type Analysis = crate::Analysis<Tally>;
