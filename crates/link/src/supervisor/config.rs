//! What the arena passes to a supervisor, and the commands that it sends it.

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::Duration;

use dicehill_temporary::remove_abandoned;
use serde::{Deserialize, Serialize};

use crate::isolation::control_group::remove_group;
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
    /// Sends it to a supervisor, before everything else. Not as an argument: the child can read the command line of its init,
    /// which is that of the supervisor.
    ///
    /// # Errors
    /// If the supervisor has ended.
    pub(crate) fn send(&self, mut socket: &UnixStream) -> io::Result<()> {
        let text = serde_json::to_vec(self)?;
        socket.write_all(&(text.len() as u64).to_le_bytes())?;
        socket.write_all(&text)
    }

    /// What the arena has sent; `None` if this is not the process of a supervisor.
    pub(super) fn receive(mut socket: &UnixStream) -> Option<Self> {
        let mut length = [0; 8];
        socket.read_exact(&mut length).ok()?;
        let mut text = Vec::new();
        socket.take(u64::from_le_bytes(length)).read_to_end(&mut text).ok()?;
        serde_json::from_slice(&text).ok()
    }

    /// Whether the child, and the part of the supervisor that watches it, run as a user of their own.
    pub(super) fn changes_user(&self) -> bool {
        self.sandbox.as_ref().is_some_and(Sandbox::changes_user)
    }

    /// Removes the child's control group, which is named after the supervisor with this pid, if there is one.
    pub(super) fn remove_group(&self, supervisor: u32) {
        if let Some(groups) = self.sandbox.as_ref().and_then(|sandbox| sandbox.groups.as_ref()) {
            remove_group(groups, supervisor);
        }
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
