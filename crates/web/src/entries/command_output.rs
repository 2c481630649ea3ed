//! What the runner reads from the `dicehill` command: its exit codes and two of its lines.
//!
//! All decisions that depend on the command's texts are here.

use std::path::Path;

use dicehill_arena::printable;
use dicehill_store::HillStore;

/// What the exit code of the `dicehill` command means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ExitStatus {
    /// 0: done.
    Done,
    /// 2: bad usage or bad file.
    BadInput,
    /// 3: done, but an entrant was barred.
    Barred,
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
            Some(_) | None => Self::Failed,
        }
    }
}

/// Whether a line may announce that a run begins. A bot may print such a line too, so that the run is looked up in
/// the store, where bots cannot write.
pub(super) fn may_announce_run(line: &str) -> bool {
    line.starts_with("run ")
}

/// Whether the last line says that another process plays on the hill at `hill`. It begins with the hill's path, as no
/// line about the bot does.
pub(super) fn is_hill_busy(status: ExitStatus, last_line: &str, hill: &Path) -> bool {
    let path = printable(&hill.display().to_string());
    status == ExitStatus::BadInput
        && last_line == format!("error: {path}: {}", HillStore::BUSY_MESSAGE)
}
