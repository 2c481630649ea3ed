//! Children that were asked to end and have not ended yet.

use std::fs::File;
use std::io::Read;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::isolation::control_groups;
use crate::supervisor::config::{GRACE, TERMINATION};

/// Children that may be about to end while others are started.
const MOST_ENDING: usize = 16;

/// How often those who are about to end are looked after.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// Takes what a child writes to its stderr. It is kept until the child has ended, and with it whatever it owns.
pub(crate) trait LogSink: Send + Sync {
    /// Takes some bytes of the log.
    fn write(&self, bytes: &[u8]);
}

/// A child that has been told to end. Its keeper works as long as it has the socket.
pub(super) struct Ending {
    pub(super) keeper: std::process::Child,
    pub(super) _socket: UnixStream,
    /// Its log, and where it is kept.
    pub(super) last_words: Option<(File, Arc<dyn LogSink>)>,
}

impl Ending {
    /// Whether it still lives; takes what it says.
    fn lives(&mut self) -> bool {
        let lives = matches!(self.keeper.try_wait(), Ok(None));
        if let Some((stderr, sink)) = &mut self.last_words {
            let mut bytes = [0; 8192];
            // A bounded look: what floods its log is not waited for.
            for _ in 0..8 {
                match stderr.read(&mut bytes) {
                    Ok(got @ 1..) => sink.write(&bytes[..got]),
                    Ok(0) | Err(_) => break,
                }
            }
        }
        lives
    }
}

/// Children that are about to end.
static ENDING: Mutex<Vec<Ending>> = Mutex::new(Vec::new());

/// Keeps an eye on those who are about to end, and waits for the first of too many.
pub(super) fn wind_up(ending: Ending) {
    let mut all = ENDING.lock().unwrap_or_else(PoisonError::into_inner);
    if all.is_empty() {
        // Nobody else may come by for a long time, and their folders go with them.
        std::thread::spawn(|| {
            while some_are_ending() {
                std::thread::sleep(BETWEEN_LOOKS);
            }
        });
    }
    all.push(ending);
    all.retain_mut(Ending::lives);
    if all.len() > MOST_ENDING {
        let mut first = all.remove(0);
        let _status = first.keeper.wait();
    }
}

/// Lets go of those who have ended, and says whether there are others.
fn some_are_ending() -> bool {
    let mut all = ENDING.lock().unwrap_or_else(PoisonError::into_inner);
    all.retain_mut(Ending::lives);
    !all.is_empty()
}

/// Waits until all children have ended that have been told to, and gives back what was made for them. They are
/// given the time that a child has for it; whoever is left then is killed when this process ends.
pub fn wait_for_children() {
    let until = Instant::now() + 2 * (GRACE + TERMINATION);
    while some_are_ending() && Instant::now() <= until {
        std::thread::sleep(Duration::from_millis(2));
    }
    control_groups::give_back();
}
