//! What the runner reads from the `dicehill` command: its exit codes and its lines of progress.
//!
//! Text is for people, and decides nothing.

use dicehill_arena::ProgressLine;
use serde::de::IgnoredAny;

use crate::model::forecast::EntryProgress;
use crate::model::run_workers::{RunWorkers, WorkerDocument};

/// What the exit code of the `dicehill` command means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ExitStatus {
    /// 0: done.
    Done,
    /// 2: bad usage or bad file.
    BadInput,
    /// 3: done, but an entrant was barred.
    Barred,
    /// 130: the host stopped it, or the time of the run was over.
    Interrupted,
    /// Any other code, or no exit: it failed, was killed, took too long or could not be started.
    Failed,
}

impl ExitStatus {
    /// Reads an exit code; `None` if there was no exit.
    pub(super) const fn of_code(code: Option<i32>) -> Self {
        match code {
            Some(0) => Self::Done,
            Some(2) => Self::BadInput,
            Some(3) => Self::Barred,
            Some(130) => Self::Interrupted,
            Some(_) | None => Self::Failed,
        }
    }
}

/// The arguments with which the command prints its progress as [`ProgressLine`]s.
pub(super) const PROGRESS_ARGUMENTS: [&str; 2] = ["--progress", "json"];

/// What a line of the command's output says.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum OutputLine {
    /// Text for people, of one or more lines.
    Text(String),
    /// How far a qualification or a run is.
    Progress(EntryProgress),
    /// A run begins, or is resumed: its number on the hill.
    RunStarted(Option<i64>),
    /// These workers play the run.
    Workers(RunWorkers),
    /// Text for the host about workers.
    WorkerMessage(String),
    /// What was found in this bot, for its author.
    Remark { bot: String, text: String },
    /// This bot is barred, for this reason.
    Barred { bot: String, reason: String },
    /// This bot cannot be prepared and is left out of the run, with the reason, for the host.
    LeftOut { bot: String, why: String },
    /// Another process has the hill in use.
    Busy,
}

/// Reads a line of stdout, which is text for people.
pub(super) fn read_result(line: &[u8]) -> Option<OutputLine> {
    Some(OutputLine::Text(String::from_utf8_lossy(line).into_owned()))
}

/// Reads a line of stderr; `None` if it does not matter here. Other text than JSON, such as that of a panic, is for
/// people. Lines of unknown types are ignored.
pub(super) fn read_message(line: &[u8]) -> Option<OutputLine> {
    match serde_json::from_slice(line) {
        Ok(ProgressLine::Message { text }) => Some(OutputLine::Text(text)),
        Ok(ProgressLine::RunStarted { run, .. }) => Some(OutputLine::RunStarted(run)),
        Ok(ProgressLine::Busy { .. }) => Some(OutputLine::Busy),
        Ok(ProgressLine::Remark { bot, text }) => Some(OutputLine::Remark { bot, text }),
        Ok(ProgressLine::Barred { bot, reason, .. }) => Some(OutputLine::Barred { bot, reason }),
        Ok(ProgressLine::LeftOut { bot, why }) => Some(OutputLine::LeftOut { bot, why }),
        Ok(ProgressLine::Workers { workers, threads, seconds_left, machines }) => {
            let machines = machines.into_iter().map(WorkerDocument::from).collect();
            Some(OutputLine::Workers(RunWorkers { workers, threads, seconds_left, machines }))
        }
        Ok(ProgressLine::WorkerMessage { text }) => Some(OutputLine::WorkerMessage(text)),
        Ok(ProgressLine::QualificationStarted { steps, .. }) => {
            Some(progress(false, [0, steps], 0.0))
        }
        Ok(ProgressLine::QualificationProgress { done, steps, seconds, .. }) => {
            Some(progress(false, [done, steps], seconds))
        }
        Ok(ProgressLine::RunProgress { played, games, seconds }) => {
            Some(progress(true, [played, games], seconds))
        }
        Ok(
            ProgressLine::Header { .. }
            | ProgressLine::QualificationFinished { .. }
            | ProgressLine::RunFinished { .. }
            | ProgressLine::Exit { .. },
        ) => None,
        Err(_) if serde_json::from_slice::<IgnoredAny>(line).is_ok() => None,
        Err(_) => read_result(line),
    }
}

fn progress(is_run: bool, [done, of]: [u64; 2], seconds: f64) -> OutputLine {
    OutputLine::Progress(EntryProgress { is_run, done, of, seconds })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_command_are_read() {
        let text = |text: &str| Some(OutputLine::Text(text.to_owned()));
        for (line, expected) in [
            (r#"{"type":"busy","file":"spring.db"}"#, Some(OutputLine::Busy)),
            (r#"{"type":"message","text":"run 1\nx"}"#, text("run 1\nx")),
            (
                r#"{"type":"workers","workers":2,"threads":9}"#,
                Some(OutputLine::Workers(RunWorkers {
                    workers: 2,
                    threads: 9,
                    ..RunWorkers::default()
                })),
            ),
            (
                r#"{"type":"worker-message","text":"worker a has left"}"#,
                Some(OutputLine::WorkerMessage("worker a has left".to_owned())),
            ),
            (
                r#"{"type":"left-out","bot":"x","why":"make failed"}"#,
                Some(OutputLine::LeftOut { bot: "x".to_owned(), why: "make failed".to_owned() }),
            ),
            (r#"{"type":"of-a-later-version","x":[1]}"#, None),
            (r#"{"type":"busy"}"#, None),
            (
                r#"{"type":"qualification-progress","bot":"x","done":3,"steps":8,"seconds":1.5}"#,
                Some(progress(false, [3, 8], 1.5)),
            ),
            // Neither text decides anything.
            ("run 1", text("run 1")),
            (r#"{"type":"busy","file":"#, text(r#"{"type":"busy","file":"#)),
        ] {
            assert_eq!(read_message(line.as_bytes()), expected, "{line}");
        }
        let line = r#"{"type":"busy","file":"spring.db"}"#;
        assert_eq!(read_result(line.as_bytes()), text(line), "a bot may print it");
    }
}
