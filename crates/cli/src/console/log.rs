//! The log of a server.

use std::fmt;

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::format::{Format, FormatEvent, FormatFields, Writer};
use tracing_subscriber::fmt::{FmtContext, layer};
use tracing_subscriber::prelude::*;
use tracing_subscriber::registry::LookupSpan;

use super::Console;

/// The form of the lines of the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(crate) enum LogFormat {
    /// For people.
    Text,
    /// For programs.
    Json,
    /// For journald, which adds the time itself.
    Journal,
}

/// Where the messages of a command come from that are lines of its log.
const MESSAGES: &str = "dicehill::messages";

/// Reports a message, as a line of the log if that is read by programs.
pub(crate) fn report(format: LogFormat, console: &Console, message: String) {
    match format {
        LogFormat::Json => tracing::info!(target: MESSAGES, "{message}"),
        LogFormat::Text | LogFormat::Journal => console.report(message),
    }
}

/// Writes the log lines of this process that pass the filter where messages go. Later calls have no effect.
pub(crate) fn start(filter: &Targets, format: LogFormat, console: &Console) {
    let messages = console.clone();
    let filter = filter.clone().with_target(MESSAGES, LevelFilter::INFO);
    let lines = tracing_subscriber::registry().with(filter);
    // A log that is closed or full is no error.
    let _already_started = match format {
        LogFormat::Text => lines
            .with(
                layer()
                    .with_ansi(console.colours_messages())
                    .with_writer(move || messages.message_bytes())
                    .log_internal_errors(false),
            )
            .try_init(),
        LogFormat::Json => lines
            .with(
                layer()
                    .json()
                    .with_writer(move || messages.message_bytes())
                    .log_internal_errors(false),
            )
            .try_init(),
        LogFormat::Journal => lines
            .with(
                layer()
                    .with_ansi(false)
                    .event_format(JournalFormat)
                    .with_writer(move || messages.message_bytes())
                    .log_internal_errors(false),
            )
            .try_init(),
    };
}

/// The form where none was chosen: systemd names the stream that it connects to its journal.
pub(crate) fn usual_format() -> LogFormat {
    let is_journal = std::env::var_os("JOURNAL_STREAM").is_some();
    if is_journal { LogFormat::Journal } else { LogFormat::Text }
}

/// Lines that begin with the priority of syslog in angle brackets, without the time and the level.
struct JournalFormat;

impl<S, N> FormatEvent<S, N> for JournalFormat
where
    S: tracing::Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &tracing::Event<'_>,
    ) -> fmt::Result {
        write!(writer, "<{}>", priority(*event.metadata().level()))?;
        let rest = Format::default().without_time().with_level(false).with_ansi(false);
        rest.format_event(context, writer, event)
    }
}

/// The priority of syslog: 3 for errors to 7 for what only developers want to know.
const fn priority(level: tracing::Level) -> u8 {
    match level {
        tracing::Level::ERROR => 3,
        tracing::Level::WARN => 4,
        tracing::Level::INFO => 6,
        tracing::Level::DEBUG | tracing::Level::TRACE => 7,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_have_the_priorities_of_syslog() {
        let levels = [tracing::Level::ERROR, tracing::Level::WARN, tracing::Level::INFO];
        assert_eq!(levels.map(priority), [3, 4, 6]);
        assert_eq!(priority(tracing::Level::TRACE), 7);
    }
}
