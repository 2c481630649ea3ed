//! Adds up results game by game, and writes the result document with its confidence intervals.

mod ledger;
mod placement_result;
mod result;
mod stopping_rule;

pub use ledger::Ledger;
pub use placement_result::PlacementResult;
pub use result::{
    AdjustedPoints, Distribution, FigureSummary, HeadToHead, Luck, Pairing, PairingResult,
    ResultDocument, RevealedCommitment, ScoreDifference, SeatStanding, Standing, StandingBar,
};
pub use stopping_rule::{Lead, MarginAnswer, MarginReport, StoppingReport};
