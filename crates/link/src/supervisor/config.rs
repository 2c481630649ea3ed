//! What the arena passes to a supervisor, and the commands that it sends it.

use std::path::PathBuf;
use std::time::Duration;

use dicehill_temporary::remove_abandoned;
use serde::{Deserialize, Serialize};

use crate::isolation::sandbox::Room;

/// The first argument of a program that is to be a keeper.
pub(crate) const KEEPER: &str = "--keep";

/// What the arena writes when the child is to end in order.
pub(crate) const END: u8 = b'e';

/// What the arena writes when the child is to be killed.
pub(crate) const KILL: u8 = b'k';

/// How long a child may take to end after its input was closed.
pub(crate) const GRACE: Duration = Duration::from_secs(1);

/// How long it may take when it was asked to terminate.
pub(crate) const TERMINATION: Duration = Duration::from_millis(500);

/// What a keeper has to know.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Duty {
    /// Mebibytes of memory for the child and all that it starts.
    pub(crate) memory_mb: u64,
    /// How the child is kept apart, if it is.
    pub(crate) room: Option<Room>,
    /// Whether its use of the processors is looked after, by the clock that was left.
    pub(crate) has_clock: bool,
    /// Where the child works: a folder that goes with the arena.
    pub(crate) folder: PathBuf,
}

impl Duty {
    /// Whether the folders that the child can write hold more than they may, by those who were there before.
    pub(super) fn is_full(&self) -> bool {
        let room = self.room.as_ref().filter(|room| !room.writable.is_empty());
        room.is_some_and(|room| room.is_exceeded_by(room.stock_now()))
    }

    /// Removes what nobody is left to remove.
    pub(super) fn clear_up(&self) {
        let written = self.room.iter().flat_map(|room| &room.writable);
        written.chain([&self.folder]).for_each(|folder| remove_abandoned(folder));
        if let Some(groups) = self.room.as_ref().and_then(|room| room.groups.as_ref()) {
            groups.give_back();
        }
    }
}
