//! What a host learns of its workers, for display.

use dicehill_arena::{GameRange, WorkerProgress};

/// What a host learns of its workers, for display.
#[derive(Clone, Debug, PartialEq)]
pub enum WorkerNews {
    /// A worker plays for the run.
    Joined {
        /// Its machine.
        machine: String,
        /// Its threads.
        jobs: u16,
    },
    /// A worker has ended, or gives no sign of life.
    Left {
        /// Its machine.
        machine: String,
    },
    /// A worker cannot play the run.
    Declined {
        /// Its machine.
        machine: String,
        /// The reason.
        why: String,
    },
    /// A worker has another version of the program.
    OtherProgram {
        /// Its machine.
        machine: String,
        /// Its program, with its version.
        program: String,
    },
    /// The workers that play for the run, when something about them changes, at most once a second.
    Playing {
        /// The workers, ordered by machine.
        workers: Vec<WorkerProgress>,
        /// The seconds that the rest of the games takes at their rates; `None` if no rate is known.
        seconds_left: Option<f64>,
    },
    /// No worker plays for the run.
    NoWorkers,
    /// A worker could not play a range.
    Failed {
        /// Its machine.
        machine: String,
        /// The range.
        games: GameRange,
        /// The reason.
        why: String,
    },
    /// The host plays games itself, because workers have failed in them too often.
    Poisoned {
        /// How many.
        games: u64,
    },
    /// A worker sent what its bots have not played. Nothing of it counts.
    Refused {
        /// Its machine.
        machine: String,
        /// What is wrong.
        why: String,
    },
    /// The connection to the broker is lost.
    Disconnected,
    /// It is there again.
    Connected,
    /// The broker had lost its queue, and has it again.
    QueueRestored,
    /// The broker refuses a request; it is repeated.
    BrokerFailed {
        /// The reason.
        why: String,
    },
}
