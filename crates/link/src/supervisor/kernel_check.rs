//! Counts the memory that the kernel holds for a child's descriptors, as far as no control group does.

use std::fs;
use std::time::{Duration, Instant};

use rustix::process::Pid;

use crate::process::child_end::ChildEnd;
use crate::process::descendants::has_executed;
use crate::process::kernel_memory::{Descriptors, KernelMemory, kernel_memory};

/// One in so many parts of the time may be spent on counting.
const DIVISOR: u32 = 100;

/// The longest pause between two counts: a child that makes them slow must not gain much time by it.
const MAX_PAUSE: Duration = Duration::from_millis(500);

/// What a socket can hold if the system does not tell.
const SOCKET_BYTES: u64 = 212_992;

/// The last data that it accepts may exceed that.
const EXCESS_BYTES: u64 = 64 << 10;

/// When the memory for a child's descriptors was counted last.
pub(super) struct KernelCheck {
    socket_bytes: u64,
    ended: Instant,
    /// How long it took.
    took: Duration,
}

impl KernelCheck {
    /// Created before this process enters a network namespace, in which the size of a socket cannot be read.
    pub(super) fn new() -> Self {
        let text = fs::read_to_string("/proc/sys/net/core/wmem_default").unwrap_or_default();
        let socket_bytes = text.trim().parse().unwrap_or(SOCKET_BYTES) + EXCESS_BYTES;
        Self { socket_bytes, ended: Instant::now(), took: Duration::ZERO }
    }

    /// How a child with these processes is to end if the kernel may hold more than `most` bytes for their descriptors, or
    /// they hide them. `None` if it may go on, or if this is not to be counted now. If a control group limits the child's
    /// memory, what is charged to it does not count.
    pub(super) fn exceeded(
        &mut self,
        processes: &[Pid],
        has_group: bool,
        most: u64,
    ) -> Option<ChildEnd> {
        let began = Instant::now();
        let pause = (self.took * DIVISOR).min(MAX_PAUSE);
        // Until the child executes its program, its descriptors are those of the init, which cannot be read.
        let is_started = || processes.iter().any(|pid| has_executed(*pid));
        if began < self.ended + pause || !is_started() {
            return None;
        }
        let descriptors = if has_group {
            Descriptors::Folders
        } else {
            Descriptors::All { socket_bytes: self.socket_bytes }
        };
        let memory = kernel_memory(processes, descriptors, most);
        (self.ended, self.took) = (Instant::now(), began.elapsed());
        match memory {
            KernelMemory::Counted(_) => None,
            KernelMemory::TooMuch => Some(ChildEnd::KernelMemory),
            KernelMemory::Hidden => Some(ChildEnd::HiddenFiles),
        }
    }
}
