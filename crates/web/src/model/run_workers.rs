//! The workers that play a run.

use dicehill_arena::{WorkerProgress, printable};
use serde::Serialize;
use utoipa::ToSchema;

/// The workers that play a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, ToSchema)]
pub(crate) struct RunWorkers {
    /// How many they are.
    pub(crate) workers: u64,
    /// Their threads together.
    pub(crate) threads: u64,
    /// The seconds that the rest of the games takes at the workers' rates; `null` if no rate is known.
    pub(crate) seconds_left: Option<f64>,
    /// Each of them, ordered by machine.
    pub(crate) machines: Vec<WorkerDocument>,
}

/// A worker that plays a run.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct WorkerDocument {
    /// The name of its machine.
    pub(crate) machine: String,
    /// Its program, with its version.
    pub(crate) program: String,
    /// The threads that play.
    pub(crate) threads: u16,
    /// The games that it has played since it was started.
    pub(crate) games: u64,
    /// The games per second of its last ranges; 0 if there are none.
    pub(crate) rate: f64,
    /// The ranges in which it failed.
    pub(crate) failures: u64,
    /// The first and the last game of the range that it plays; `null` if it plays none now.
    pub(crate) range: Option<[u64; 2]>,
}

impl From<WorkerProgress> for WorkerDocument {
    fn from(worker: WorkerProgress) -> Self {
        let WorkerProgress { machine, program, threads, games, rate, failures, range } = worker;
        let (machine, program) = (printable(&machine), printable(&program));
        Self { machine, program, threads, games, rate, failures, range }
    }
}
