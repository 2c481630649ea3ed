//! Counts the mappings of memory of a child's processes. The kernel keeps records of each mapping, and for those that a process
//! has inherited one for each ancestor, in memory that counts for no process.

use std::time::{Duration, Instant};

use rustix::process::Pid;

use crate::process::child_end::ChildEnd;
use crate::process::descendants::has_executed;
use crate::process::mappings::{MappingCount, count_mappings};

/// One in so many parts of the time may be spent on counting, which takes a quarter of it for no bot but one with many
/// thousands of mappings: that must not gain much time by them.
const DIVISOR: u32 = 4;

/// When the mappings of a child were counted last.
pub(super) struct MappingCheck {
    ended: Instant,
    /// How long it took.
    took: Duration,
}

impl MappingCheck {
    pub(super) fn new() -> Self {
        Self { ended: Instant::now(), took: Duration::ZERO }
    }

    /// How a child with these processes is to end if they have more than `most` mappings, or hide them. `None` if it may go
    /// on, or if they are not to be counted now.
    pub(super) fn exceeded(&mut self, processes: &[Pid], most: usize) -> Option<ChildEnd> {
        let began = Instant::now();
        // Until the child executes its program, its mappings are those of the init, which cannot be read.
        let is_started = || processes.iter().any(|pid| has_executed(*pid));
        if began < self.ended + self.took * DIVISOR || !is_started() {
            return None;
        }
        let count = count_mappings(processes, most);
        (self.ended, self.took) = (Instant::now(), began.elapsed());
        match count {
            MappingCount::Counted(_) => None,
            MappingCount::TooMany => Some(ChildEnd::Mappings),
            MappingCount::Hidden => Some(ChildEnd::HiddenFiles),
        }
    }
}
