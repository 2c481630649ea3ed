//! What a worker does, for display.

use dicehill_arena::GameRange;

/// What a worker does, for display.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorkerEvent {
    /// It is connected, and waits for runs.
    Waits,
    /// It plays for a run.
    Joined {
        /// The hill.
        hill: String,
        /// The host's machine.
        machine: String,
    },
    /// It cannot play for a run.
    Declined {
        /// The hill.
        hill: String,
        /// The host's machine.
        machine: String,
        /// The reason.
        why: String,
    },
    /// It has played a range.
    Played {
        /// The games.
        games: GameRange,
    },
    /// It could not play a range.
    Failed {
        /// The games.
        games: GameRange,
        /// The reason.
        why: String,
    },
    /// The run is over, or its host gives no sign of life.
    Left {
        /// The hill.
        hill: String,
    },
    /// The connection to the broker is lost.
    Disconnected,
    /// It is there again.
    Connected,
}
