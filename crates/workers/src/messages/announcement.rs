//! How a host makes its run known.

use serde::{Deserialize, Serialize};

use super::read::{MessageError, short_text};
use crate::id::Id;

/// What a host says about its run, each second. It holds no secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Announcement {
    /// The program of the host, with its version.
    pub program: String,
    /// The run.
    pub run: Id,
    /// The name of the hill.
    pub hill: String,
    /// The host's machine.
    pub machine: String,
    /// The games that workers are to play.
    pub games: u64,
    /// The games that the host has.
    pub arrived: u64,
    /// The games that were handed out and are not there yet.
    pub handed_out: u64,
    /// The games that the host plays itself, because workers or bots failed in them.
    pub host_plays: u64,
}

impl Announcement {
    /// # Errors
    /// If a text is too long.
    pub(crate) fn checked(self) -> Result<Self, MessageError> {
        let Self { program, hill, machine, .. } = &self;
        let program = short_text("program", program, 64)?;
        let hill = short_text("hill", hill, 256)?;
        let machine = short_text("machine", machine, 64)?;
        Ok(Self { program, hill, machine, ..self })
    }
}
