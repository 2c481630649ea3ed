//! The signs of life of a worker.

use dicehill_arena::WorkerProgress;
use serde::{Deserialize, Serialize};

use super::read::{MessageError, checked_games, short_text};
use crate::id::Id;

/// What a worker says about itself, each second and at each change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorkerSign {
    /// Its program, with its version.
    pub program: String,
    /// Drawn when it started.
    pub worker: Id,
    /// The name of its machine.
    pub machine: String,
    /// The threads that play.
    pub jobs: u16,
    /// The games that it has played.
    pub played: u64,
    /// The games per second of its last ranges; 0 if there are none.
    pub rate: f64,
    /// The ranges in which it failed.
    pub failures: u64,
    /// The run that it plays for.
    pub run: Option<Id>,
    /// What it does.
    pub activity: WorkerActivity,
}

/// What a worker does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "does", rename_all = "lowercase")]
pub enum WorkerActivity {
    /// It waits for work.
    Waits,
    /// It fetches and builds the bots of its run.
    Prepares,
    /// It plays a range.
    Plays {
        /// The part of the run between two bars.
        segment: u32,
        /// The first game of the range.
        first: u64,
        /// The last game of the range.
        last: u64,
        /// How often the range was handed out before.
        generation: u32,
    },
    /// It cannot play the run that is named.
    Declines {
        /// The reason.
        why: String,
    },
    /// It ends after its range.
    Ends,
}

impl WorkerSign {
    /// What a host shows of a worker that plays for its run; `None` if it does not.
    pub(crate) fn progress(&self) -> Option<WorkerProgress> {
        let range = match self.activity {
            WorkerActivity::Declines { .. } | WorkerActivity::Ends => return None,
            WorkerActivity::Plays { first, last, .. } => Some([first, last]),
            WorkerActivity::Waits | WorkerActivity::Prepares => None,
        };
        let Self { program, machine, jobs, played, rate, failures, .. } = self;
        Some(WorkerProgress {
            machine: machine.clone(),
            program: program.clone(),
            threads: *jobs,
            games: *played,
            rate: *rate,
            failures: *failures,
            range,
        })
    }

    /// # Errors
    /// If a text is too long, or a number is none.
    pub(crate) fn checked(self) -> Result<Self, MessageError> {
        let program = short_text("program", &self.program, 64)?;
        let machine = short_text("machine", &self.machine, 64)?;
        if !self.rate.is_finite() || self.rate < 0.0 {
            return Err(MessageError::Value { key: "rate", why: self.rate.to_string() });
        }
        let activity = match self.activity {
            WorkerActivity::Declines { why } => {
                WorkerActivity::Declines { why: short_text("why", &why, 4000)? }
            }
            WorkerActivity::Plays { segment, first, last, generation } => {
                checked_games(first, last)?;
                WorkerActivity::Plays { segment, first, last, generation }
            }
            other @ (WorkerActivity::Waits | WorkerActivity::Prepares | WorkerActivity::Ends) => {
                other
            }
        };
        Ok(Self { program, machine, activity, ..self })
    }
}
