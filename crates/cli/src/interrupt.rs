//! Ctrl-C: the first asks for an orderly end, the second ends at once.

use std::sync::atomic::{AtomicBool, Ordering};

static STOP: AtomicBool = AtomicBool::new(false);

/// A flag that Ctrl-C, or a request to terminate, sets.
///
/// # Panics
/// If it is asked for twice.
pub(crate) fn stop_flag() -> &'static AtomicBool {
    ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })
    .expect("this is the program's only handler");
    &STOP
}
