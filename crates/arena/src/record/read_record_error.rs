//! The errors of reading a game record.

use crate::AppraisalError;

/// Why a line is not the record of a game under these rules and this seed.
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
    /// A move that failed, without its failure.
    #[error("move {number} failed, but its failure is missing")]
    NoReason {
        /// From 1.
        number: usize,
    },
    /// The moves were removed from the record.
    #[error("the moves of this game were not kept, only its outcome")]
    NoMoves,
    /// A failure is recorded of another seat than the one that was to act.
    #[error("a failure of seat {} is recorded, but seat {} was to act", recorded + 1, replayed + 1)]
    FailureSeat {
        /// As written in the line.
        recorded: usize,
        /// In the replay.
        replayed: usize,
    },
    /// A failure without a move that failed.
    #[error("no failed move belongs to the failure {reason:?}")]
    SurplusFailure {
        /// Its reason.
        reason: String,
    },
    /// An entrant at two seats.
    #[error("{0:?} has two seats")]
    RepeatedName(String),
    /// A text that is not an action.
    #[error("move {number}: {why}")]
    Action {
        /// From 1.
        number: usize,
        /// What is wrong with it.
        why: String,
    },
    /// An illegal action.
    #[error("move {number}, {action:?}, does not fit the dice of this seed: {why}")]
    Refused {
        /// From 1.
        number: usize,
        /// The action.
        action: String,
        /// What is wrong with it.
        why: String,
    },
    /// A legal action that is recorded as an illegal one.
    #[error(
        "move {number}, {action:?}, is legal with the dice of this seed, but recorded as illegal: {detail:?}"
    )]
    Legal {
        /// From 1.
        number: usize,
        /// The action.
        action: String,
        /// Why it is illegal, as recorded.
        detail: String,
    },
    /// An illegal action that is recorded with another reason than the rules give.
    #[error("move {number} is illegal: recorded {recorded:?}, recomputed {replayed:?}")]
    Detail {
        /// From 1.
        number: usize,
        /// As written in the line.
        recorded: String,
        /// In the replay.
        replayed: String,
    },
    /// Moves after the end of the game.
    #[error("the game ends after {0} moves, but more are recorded")]
    TooLong(usize),
    /// A game that is not over after the last move.
    #[error(
        "the game is not over after its {0} moves: some are missing, or the seed of an earlier run under which it was played"
    )]
    TooShort(usize),
    /// A void game that is recorded as one that counts, or the reverse.
    #[error("void is recorded as {0}, but the moves say the opposite")]
    Void(bool),
    /// More than any game gives.
    #[error("seat {} is recorded with {name} = {value}, but {most} is the maximum of a game", seat + 1)]
    TooMuch {
        /// The seat, from 0.
        seat: usize,
        /// The figure's name, or `points`.
        name: &'static str,
        /// As written in the line.
        value: u64,
        /// The most that a game gives.
        most: u64,
    },
    /// A lead that no game gives.
    #[error("a seat is recorded {0} points ahead of another, but {1} is the maximum of a game")]
    Lead(u64, u64),
    /// A loss or variance that is invalid.
    #[error("seat {}: {why}", seat + 1)]
    Appraisal {
        /// The seat, from 0.
        seat: usize,
        /// What is wrong with it.
        why: AppraisalError,
    },
    /// Only some of the seats have an appraisal.
    #[error("{appraised} of {seats} seats have a loss and a variance")]
    PartlyAppraised {
        /// The number of seats with an appraisal.
        appraised: usize,
        /// The number of seats.
        seats: usize,
    },
    /// A game does not fit the dice of the seed that its line names.
    #[error(
        "the game names the seed {seed:?} of an earlier run and does not fit its dice, so that the game or this seed was \
         altered: {error}"
    )]
    NamedSeed {
        /// The master seed in the line.
        seed: String,
        /// How the game does not fit it.
        error: Box<Self>,
    },
    /// The moves lead to another result than the recorded one.
    #[error("seat {} is recorded with {name} = {recorded}, but its moves lead to {replayed}", seat + 1)]
    Result {
        /// The seat, from 0.
        seat: usize,
        /// The figure's name.
        name: String,
        /// As written in the line.
        recorded: String,
        /// In the replay.
        replayed: String,
    },
}
