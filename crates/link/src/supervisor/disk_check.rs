//! Checks how much a child has written to its folders.

use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use dicehill_temporary::OPEN_FOLDER_FLAGS;
use rustix::fs::Mode;
use rustix::process::Pid;

use crate::isolation::sandbox::Sandbox;
use crate::process::child_end::ChildEnd;
use crate::process::descendants::{descendants, has_executed};
use crate::process::disk_usage::DiskUsage;

/// One in so many parts of the time may be spent on measuring disk usage.
const DIVISOR: u32 = 30;

/// The same if the file systems have lost [`ALARM_BYTES`] since the last measurement: a child that makes measurements
/// slow must not gain much time by it.
const DIVISOR_IN_ALARM: u32 = 4;

const ALARM_BYTES: u64 = 32 << 20;

/// The folders that a child may write to, and when their disk usage was measured last.
pub(super) struct DiskCheck {
    /// Open, because the child's user may not be able to reach them from the root folder.
    folders: Vec<OwnedFd>,
    ended: Instant,
    /// How long it took.
    took: Duration,
    /// The free space before it.
    free_bytes: u64,
}

impl DiskCheck {
    /// # Errors
    /// If a folder cannot be opened, or earlier processes have already written more than the child may.
    pub(super) fn new(sandbox: Option<&Sandbox>) -> Result<Self, ChildEnd> {
        let mut folders = Vec::new();
        for folder in sandbox.iter().flat_map(|sandbox| &sandbox.writable) {
            match rustix::fs::open(folder, OPEN_FOLDER_FLAGS, Mode::empty()) {
                Ok(folder) => folders.push(folder),
                Err(rustix::io::Errno::NOENT) => {}
                Err(_) => return Err(ChildEnd::Files),
            }
        }
        if sandbox.is_some_and(|sandbox| sandbox.is_exceeded_by(DiskUsage::of_open(&folders))) {
            return Err(ChildEnd::Files);
        }
        Ok(Self { folders, ended: Instant::now(), took: Duration::ZERO, free_bytes: 0 })
    }

    /// How a child with this sandbox is to end if it has written more to its folders than it may, or hides what it has
    /// written. `None` if it may go on, or if this is not to be measured now.
    pub(super) fn exceeded(&mut self, sandbox: &Sandbox, child: Pid) -> Option<ChildEnd> {
        if self.folders.is_empty() {
            return None;
        }
        let (began, free_bytes) = (Instant::now(), self.free_bytes());
        let is_alarm = free_bytes.saturating_add(ALARM_BYTES) < self.free_bytes;
        let divisor = if is_alarm { DIVISOR_IN_ALARM } else { DIVISOR };
        if began < self.ended + self.took * divisor {
            return None;
        }
        let mut now = DiskUsage::of_open(&self.folders);
        let (processes, bounds) = (descendants(child), &sandbox.bounds);
        // Until the child executes its program, its descriptors are those of the init, which cannot be read.
        if processes.iter().any(|pid| has_executed(*pid)) {
            now.add_unnamed(&processes, bounds.file_bytes, bounds.mappings());
        }
        (self.ended, self.took) = (Instant::now(), began.elapsed());
        self.free_bytes = free_bytes;
        if now.is_hidden {
            return Some(ChildEnd::HiddenFiles);
        }
        if now.has_too_many_mappings {
            return Some(ChildEnd::Mappings);
        }
        sandbox.is_exceeded_by(now).then_some(ChildEnd::Files)
    }

    /// Free bytes of the file systems of the folders.
    fn free_bytes(&self) -> u64 {
        let free = self.folders.iter().filter_map(|folder| rustix::fs::fstatvfs(folder).ok());
        free.map(|space| space.f_bfree.saturating_mul(space.f_frsize)).sum()
    }
}
