//! The steps that set up a sandbox, each of which may be impossible on a machine.

use std::io;

use super::mechanism::{Absent, Mechanism};
use super::sandbox::Room;

/// The steps that keep a child apart, each of which may be impossible.
#[derive(Debug)]
pub(super) struct Steps<'a> {
    room: &'a Room,
    pub(super) absent: Vec<Absent>,
}

impl<'a> Steps<'a> {
    pub(super) const fn new(room: &'a Room) -> Self {
        Self { room, absent: Vec::new() }
    }

    /// Takes a step, unless it is known to be impossible. Says whether it was taken.
    ///
    /// # Errors
    /// If it fails though it was possible before; in a survey that is noted instead.
    pub(super) fn take(
        &mut self,
        mechanism: Mechanism,
        step: impl FnOnce() -> io::Result<()>,
    ) -> io::Result<bool> {
        if self.room.absent.contains(&mechanism) {
            return Ok(false);
        }
        match step() {
            Ok(()) => Ok(true),
            Err(error) if self.room.is_survey => {
                self.absent.push(Absent { mechanism, why: error.to_string() });
                Ok(false)
            }
            Err(error) => {
                Err(io::Error::new(error.kind(), format!("{}: {error}", mechanism.name())))
            }
        }
    }
}
