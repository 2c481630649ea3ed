//! What the decisions of recorded games lost, what would have been better, and which mistakes are
//! habits.
//!
//! Decisions in Yahtzee are measured by the exact values of `dicehill_solver`, decisions in Liar's
//! Dice by a stated model ([`liars_dice::Infoset`]). The crate does no I/O and reads no clock. Sums
//! are made in the order of games, so a report is the same on every machine.

mod analysis;
mod block_sums;
pub mod liars_dice;
mod loss_tally;
pub mod yahtzee;

pub use analysis::{Analysis, AppraisedGame, Tally};
pub use block_sums::Estimate;
