//! Liar's Dice, where decisions have a price under a stated model.
//!
//! A decision is known by what its player could see ([`Infoset`]), which prices all that could have been done there, in
//! dice. A recorded game is told as such decisions ([`AppraisedGame`]) with what became of each ([`Step`]), and summed up
//! over all games of a player ([`Analysis`]): what was lost by kind, by [`Fault`] and by [`Habit`]; how often calls were
//! right and bids held, against the exact odds; and bids that the odds did not support.

mod accuracy;
mod appraisal;
mod band;
mod breakdown;
mod fault;
mod habit;
mod infoset;
mod report;
mod tally;

pub use accuracy::{Accuracy, Share};
pub use appraisal::{AppraisedGame, AppraisedSeat, Step};
pub use band::Band;
use breakdown::Breakdown;
pub use fault::{Fault, Kind};
pub use habit::{Habit, Holding};
pub use infoset::Infoset;
pub use report::{BidsReport, BotReport, FaultReport, HabitReport, Mistake, PartReport};
pub use tally::Tally;

/// The sums over the games of a run, for each player.
pub type Analysis = crate::Analysis<Tally>;
