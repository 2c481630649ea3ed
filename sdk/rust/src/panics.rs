//! What stderr says when a bot panics.

use std::backtrace::Backtrace;
use std::fmt;
use std::panic::{self, PanicHookInfo};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Where the author's code is at work.
#[derive(Clone, Copy)]
pub(crate) enum Place {
    Hello,
    Start { game: u64 },
    Turn { game: u64, id: u64 },
    Round { game: u64 },
    End { game: u64 },
}

/// Where the author's code was last called; not local to a thread, because an author's threads may
/// panic as well.
static PLACE: Mutex<Place> = Mutex::new(Place::Hello);

/// Calls the author's code.
///
/// Not inlined, so that this function marks in a backtrace where the author's frames end.
#[inline(never)]
pub(crate) fn authors_code<T>(place: Place, call: impl FnOnce() -> T) -> T {
    *lock() = place;
    let done = call();
    // Something is left to do after the call, or it could take the place of this frame.
    std::hint::black_box(done)
}

/// Nothing can panic while the place is locked, so that it is whole even where the lock says
/// otherwise.
fn lock() -> MutexGuard<'static, Place> {
    PLACE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hello => write!(f, "hello"),
            Self::Start { game } => write!(f, "game {game}, start"),
            Self::Turn { game, id } => write!(f, "game {game}, request {id}"),
            Self::Round { game } => write!(f, "game {game}, round"),
            Self::End { game } => write!(f, "game {game}, end"),
        }
    }
}

/// From now on a panic is reported with its place in the game and in the program.
pub(crate) fn report() {
    panic::set_hook(Box::new(|info| eprint!("{}", report_of(info))));
}

fn report_of(info: &PanicHookInfo<'_>) -> String {
    let message = info.payload_as_str().unwrap_or("a panic without a message");
    let location = info.location().map(|at| format!("panicked at {at}\n")).unwrap_or_default();
    let trace = Backtrace::force_capture().to_string();
    format!("dicehill: {}: {message}\n{location}{}", *lock(), authors_frames(&trace))
}

/// The frames from the panic down to the call of the author's code; the arena shows only the last
/// lines of stderr.
fn authors_frames(trace: &str) -> String {
    let mut frames: Vec<String> = Vec::new();
    for line in trace.lines() {
        // A frame is a numbered line, "  12: name"; what follows it is its place in a file.
        let number = line.trim_start().split(':').next().unwrap_or_default();
        if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) {
            frames.push(String::new());
        }
        if let Some(frame) = frames.last_mut() {
            frame.push_str(line);
            frame.push('\n');
        }
    }
    // Above the author's code are the frames of panicking itself, below it those that lead there.
    let of_panicking = |frame: &String| {
        ["core::panicking::", "core::option::", "core::result::"]
            .iter()
            .any(|name| frame.contains(name))
    };
    let top = frames.iter().position(of_panicking).unwrap_or(0);
    let authors = frames[top..].iter().skip_while(|frame| of_panicking(frame));
    authors.take_while(|frame| !frame.contains("authors_code")).cloned().collect()
}
