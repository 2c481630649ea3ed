//! What can be wrong with the line of a game.

use crate::AppraisalError;

/// Why a line is no record of a game under these rules and this seed.
#[derive(Debug, thiserror::Error)]
pub enum ReadRecordError {
    /// Not the expected JSON.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// An impossible number of players.
    #[error("{0} seats at one table")]
    Seats(usize),
    /// A reason that does not exist.
    #[error("move {number}: unknown reason {reason:?}")]
    Reason {
        /// From 1.
        number: usize,
        /// The text.
        reason: String,
    },
    /// A move that failed for no reason given.
    #[error("move {number} failed, and its failure is missing")]
    NoReason {
        /// From 1.
        number: usize,
    },
    /// Its moves were not kept.
    #[error("the moves of this game were not kept, only its outcome")]
    NoMoves,
    /// Somebody else failed.
    #[error("a failure is recorded of seat {recorded}, and seat {replayed} was to act")]
    FailureSeat {
        /// As written in the line.
        recorded: usize,
        /// As played again.
        replayed: usize,
    },
    /// A failure that no move refers to.
    #[error("no move failed for the failure {reason:?}")]
    Surplus {
        /// Its reason.
        reason: String,
    },
    /// Somebody at two seats.
    #[error("{0:?} sits twice")]
    Twice(String),
    /// A text that is no action.
    #[error("move {number}: {why}")]
    Action {
        /// From 1.
        number: usize,
        /// What is wrong with it.
        why: String,
    },
    /// An action that the rules refuse.
    #[error("move {number}, {action:?}, does not fit the dice of this seed: {why}")]
    Refused {
        /// From 1.
        number: usize,
        /// The action.
        action: String,
        /// What is wrong with it.
        why: String,
    },
    /// Moves after the end of the game.
    #[error("the game ends after {0} moves, and more are recorded")]
    TooLong(usize),
    /// A game that breaks off.
    #[error("the game is not over after its {0} moves")]
    TooShort(usize),
    /// A game that is said to count for nobody and counts, or the other way round.
    #[error("void is recorded as {0}, and the moves say the opposite")]
    Void(bool),
    /// What is said of luck means nothing.
    #[error("seat {seat}: {why}")]
    Appraisal {
        /// Whose.
        seat: usize,
        /// What is wrong with it.
        why: AppraisalError,
    },
    /// Only some seats were appraised.
    #[error("{appraised} of {seats} seats have a loss and a variance")]
    Appraised {
        /// How many were.
        appraised: usize,
        /// How many sit there.
        seats: usize,
    },
    /// The moves lead elsewhere than recorded.
    #[error("seat {seat} is recorded with {name} = {recorded}, and its moves lead to {replayed}")]
    Result {
        /// Whose result.
        seat: usize,
        /// The figure's name.
        name: String,
        /// As written in the line.
        recorded: String,
        /// As played again.
        replayed: String,
    },
}
