//! The log of a server.

use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt;
use tracing_subscriber::prelude::*;

use super::Console;

/// Writes the log lines of this process that pass the filter where messages go. Later calls have no effect.
pub(crate) fn start(filter: &Targets, console: &Console) {
    let messages = console.clone();
    // A log that is closed or full is no error.
    let lines = fmt::layer()
        .with_ansi(console.colours_messages())
        .with_writer(move || messages.message_bytes())
        .log_internal_errors(false);
    let _already_started =
        tracing_subscriber::registry().with(filter.clone()).with(lines).try_init();
}
