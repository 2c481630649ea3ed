//! The report of a bot's panic on stderr.

use std::backtrace::Backtrace;
use std::cell::RefCell;
use std::fmt;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A call of the author's code, as the report names it.
#[derive(Clone, Copy)]
pub(crate) enum CallSite {
    Hello,
    Start { game: u64 },
    Turn { game: u64, id: u64 },
    Round { game: u64 },
    End { game: u64 },
}

/// The last call of the author's code. It is not thread-local, because threads of the author may panic as well.
static CALL_SITE: Mutex<CallSite> = Mutex::new(CallSite::Hello);

/// Calls the author's code.
///
/// Not inlined, so that this function marks the end of the author's frames in a backtrace.
#[inline(never)]
pub(crate) fn call_author_code<T>(site: CallSite, call: impl FnOnce() -> T) -> T {
    *lock() = site;
    let result = call();
    // Prevents a tail call, which would remove this frame.
    std::hint::black_box(result)
}

thread_local! {
    /// The message and place of the thread's last panic.
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

/// The longest message of a panic that the arena is sent, in characters.
const LONGEST: usize = 300;

/// Does what a turn asks for. A panic is returned as its message and its place in the program.
pub(crate) fn catch_panic<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    panic::catch_unwind(AssertUnwindSafe(work)).map_err(|_| LAST.with_borrow_mut(std::mem::take))
}

/// Nothing can panic while the lock is held, so that the value is valid even if the lock is poisoned.
fn lock() -> MutexGuard<'static, CallSite> {
    CALL_SITE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Display for CallSite {
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

/// Installs the panic hook, which reports a panic with its request and its place in the program.
pub(crate) fn install_report() {
    panic::set_hook(Box::new(|info| {
        LAST.with_borrow_mut(|last| *last = text_of(info));
        eprint!("{}", report_of(info));
    }));
}

fn text_of(info: &PanicHookInfo<'_>) -> String {
    let message = info.payload_as_str().unwrap_or("a panic without a message");
    let message: String = message.chars().take(LONGEST).collect();
    info.location().map_or_else(|| message.clone(), |at| format!("{message} at {at}"))
}

fn report_of(info: &PanicHookInfo<'_>) -> String {
    let message = info.payload_as_str().unwrap_or("a panic without a message");
    let location = info.location().map(|at| format!("panicked at {at}\n")).unwrap_or_default();
    let trace = Backtrace::force_capture().to_string();
    format!("dicehill: {}: {message}\n{location}{}", *lock(), authors_frames(&trace))
}

/// The frames from the panic down to the call of the author's code. The arena shows only the last lines of stderr, so that other frames
/// would hide them.
fn authors_frames(trace: &str) -> String {
    let mut frames: Vec<String> = Vec::new();
    for line in trace.lines() {
        // A frame is a numbered line, "  12: name", followed by its place in a file.
        let number = line.trim_start().split(':').next().unwrap_or_default();
        if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) {
            frames.push(String::new());
        }
        if let Some(frame) = frames.last_mut() {
            frame.push_str(line);
            frame.push('\n');
        }
    }
    // Above the author's frames are those of the panic machinery, below them those of this crate.
    let of_panicking = |frame: &String| {
        ["core::panicking::", "core::option::", "core::result::"]
            .iter()
            .any(|name| frame.contains(name))
    };
    let top = frames.iter().position(of_panicking).unwrap_or(0);
    let authors = frames[top..].iter().skip_while(|frame| of_panicking(frame));
    authors.take_while(|frame| !frame.contains("call_author_code")).cloned().collect()
}
