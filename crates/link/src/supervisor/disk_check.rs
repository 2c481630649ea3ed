//! Checks how much a child has written to its folders.

use std::time::{Duration, Instant};

use rustix::process::Pid;

use crate::isolation::sandbox::Sandbox;
use crate::process::descendants::descendants;

/// One in so many parts of the time may be spent on measuring disk usage.
const DIVISOR: u32 = 30;

/// The same if the file systems have lost [`ALARM_BYTES`] since the last measurement: a child that makes measurements
/// slow must not gain much time by it.
const DIVISOR_IN_ALARM: u32 = 4;

const ALARM_BYTES: u64 = 32 << 20;

/// When disk usage was measured last.
pub(super) struct DiskCheck {
    ended: Instant,
    /// How long it took.
    took: Duration,
    /// The free space before it.
    free_bytes: u64,
}

impl DiskCheck {
    pub(super) fn new() -> Self {
        Self { ended: Instant::now(), took: Duration::ZERO, free_bytes: 0 }
    }

    /// Whether a child with this sandbox has written more to its folders than it may, if that is to be measured now.
    pub(super) fn is_exceeded(&mut self, sandbox: &Sandbox, child: Pid) -> bool {
        let (began, free_bytes) = (Instant::now(), sandbox.free_bytes());
        let is_alarm = free_bytes.saturating_add(ALARM_BYTES) < self.free_bytes;
        let divisor = if is_alarm { DIVISOR_IN_ALARM } else { DIVISOR };
        if began < self.ended + self.took * divisor {
            return false;
        }
        let mut now = sandbox.disk_usage();
        let bounds = &sandbox.bounds;
        now.add_unnamed(&descendants(child), bounds.file_bytes, bounds.mappings());
        (self.ended, self.took) = (Instant::now(), began.elapsed());
        self.free_bytes = free_bytes;
        sandbox.is_exceeded_by(now)
    }
}
