//! Children that were asked to end and have not ended yet.

use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::isolation::bot_user::BotUser;
use crate::isolation::control_groups;
use crate::supervisor::config::{GRACE, TERMINATION};

/// The most children that may be ending while others are started.
const MAX_ENDING_CHILDREN: usize = 16;

/// The interval at which ending children are checked.
const CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// Receives what a child writes to stderr. It is dropped once the child has ended.
pub(crate) trait LogSink: Send + Sync {
    /// Appends some bytes.
    fn write(&self, bytes: &[u8]);
}

/// A child that was asked to end. Its supervisor works as long as the socket is open.
pub(super) struct EndingChild {
    pub(super) supervisor: std::process::Child,
    pub(super) _socket: UnixStream,
    /// Until it has ended, no other child gets its user.
    pub(super) _user: Option<BotUser>,
    /// Its stdout, no longer read. A closed pipe would be an error in the log of a bot that still writes.
    pub(super) _stdout: Option<OwnedFd>,
    /// Its stderr, and the sink for it.
    pub(super) remaining_log: Option<(File, Arc<dyn LogSink>)>,
}

impl EndingChild {
    /// Whether it is still running. Passes on what it has written.
    fn is_running(&mut self) -> bool {
        let is_running = matches!(self.supervisor.try_wait(), Ok(None));
        if let Some((stderr, sink)) = &mut self.remaining_log {
            let mut bytes = [0; 8192];
            // Bounded, so that a child that floods its log holds up no other.
            for _ in 0..8 {
                match stderr.read(&mut bytes) {
                    Ok(got @ 1..) => sink.write(&bytes[..got]),
                    Ok(0) | Err(_) => break,
                }
            }
        }
        is_running
    }
}

/// Children that are ending.
static ENDING_CHILDREN: Mutex<Vec<EndingChild>> = Mutex::new(Vec::new());

/// Adds a child to those that are ending. If there are too many, waits for the first of them.
pub(super) fn wait_in_background(ending: EndingChild) {
    let mut all = ENDING_CHILDREN.lock().unwrap_or_else(PoisonError::into_inner);
    if all.is_empty() {
        // No later call may come for a long time, and the children keep their folders until then.
        std::thread::spawn(|| {
            while any_ending() {
                std::thread::sleep(CHECK_INTERVAL);
            }
        });
    }
    all.push(ending);
    all.retain_mut(EndingChild::is_running);
    if all.len() > MAX_ENDING_CHILDREN {
        let mut first = all.remove(0);
        let _status = first.supervisor.wait();
    }
}

/// Forgets the children that have ended, and returns whether there are others.
fn any_ending() -> bool {
    let mut all = ENDING_CHILDREN.lock().unwrap_or_else(PoisonError::into_inner);
    all.retain_mut(EndingChild::is_running);
    !all.is_empty()
}

/// Waits for all children that were asked to end, and removes the control groups that were created for them.
/// It waits as long as children are given to end; those that are left are killed when this process exits.
pub fn wait_for_children() {
    let until = Instant::now() + 2 * (GRACE + TERMINATION);
    while any_ending() && Instant::now() <= until {
        std::thread::sleep(Duration::from_millis(2));
    }
    control_groups::remove_groups();
}
