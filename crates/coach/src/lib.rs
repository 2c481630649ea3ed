//! What decisions in dice games cost, what would have been better, and which mistakes are habits.
//!
//! The exact values are those of `dicehill_solver` for Yahtzee, and those of a stated model for Liar's Dice. Nothing
//! here reads a clock or does I/O, and sums are made in the order of games, so that a report is the same on every
//! machine.

mod analysis;
mod block_sums;
pub mod liars_dice;
mod loss_tally;
pub mod yahtzee;

pub use analysis::{Analysis, AppraisedGame, Tally};
pub use block_sums::Estimate;
