//! What the arena passes to a supervisor, and the commands that it sends it.

use std::path::PathBuf;
use std::time::Duration;

use dicehill_temporary::remove_abandoned;
use serde::{Deserialize, Serialize};

use crate::isolation::sandbox::Sandbox;

/// The first argument of a process that is a supervisor.
pub(crate) const SUPERVISOR_ARGUMENT: &str = "--supervise";

/// The arena writes this when the child is to end.
pub(crate) const END: u8 = b'e';

/// The arena writes this when the child is to be killed.
pub(crate) const KILL: u8 = b'k';

/// How long a child may take to exit after its stdin was closed.
pub(crate) const GRACE: Duration = Duration::from_secs(1);

/// How long a child may take to exit after SIGTERM.
pub(crate) const TERMINATION: Duration = Duration::from_millis(500);

/// What a supervisor has to know.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct SupervisorConfig {
    /// Mebibytes of memory for the child and everything that it starts.
    pub(crate) memory_mb: u64,
    /// The sandbox of the child, if it has one.
    pub(crate) sandbox: Option<Sandbox>,
    /// Whether its processor time is limited, by the inherited move clock.
    pub(crate) has_clock: bool,
    /// The working folder of the child, which the arena removes.
    pub(crate) folder: PathBuf,
}

impl SupervisorConfig {
    /// Whether earlier processes have already written more to the child's folders than they may.
    pub(super) fn exceeds_disk_limit(&self) -> bool {
        let sandbox = self.sandbox.as_ref().filter(|sandbox| !sandbox.writable.is_empty());
        sandbox.is_some_and(|sandbox| sandbox.is_exceeded_by(sandbox.disk_usage()))
    }

    /// Removes what the arena can no longer remove itself.
    pub(super) fn remove_leftovers(&self) {
        let written = self.sandbox.iter().flat_map(|sandbox| &sandbox.writable);
        written.chain([&self.folder]).for_each(|folder| remove_abandoned(folder));
        if let Some(groups) = self.sandbox.as_ref().and_then(|sandbox| sandbox.groups.as_ref()) {
            groups.remove_groups();
        }
    }
}
