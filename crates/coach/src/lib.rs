//! What the decisions of recorded games lost, what would have been better, and which mistakes are
//! habits.
//!
//! Decisions in Yahtzee are measured by the exact values of `dicehill_solver`, decisions in Liar's
//! Dice by a stated model ([`liars_dice::Infoset`]). The crate does no I/O and reads no clock. Sums
//! are made in the order of games, so a report is the same on every machine.
//!
//! [`LineAppraiser`] appraises the lines of recorded games of either game ([`AnalyzedGame`]), and [`RunAnalysis`] is the
//! analysis of a run as a document.

mod analysis;
mod analyzed_game;
mod block_sums;
mod estimate_json;
mod game_lines;
pub mod liars_dice;
mod loss_tally;
mod percent;
mod run_analysis;
pub mod yahtzee;

pub use analysis::{Analysis, AppraisedGame, Tally};
pub use analyzed_game::{AnalyzedGame, Appraised, BotCounts, Report};
pub use block_sums::Estimate;
pub use estimate_json::estimate_json;
pub use game_lines::{LineAppraiser, LineError};
pub use percent::percent;
pub use run_analysis::{MAX_HABITS, RunAnalysis, replay_command};
