//! Checks of recorded runs before they are shown or resumed.

use std::path::Path;

use dicehill_arena::Hill;
use dicehill_store::{FileError, RecordedRun, RunCheck, RunSource};

use super::appraisal::as_recorded;
use crate::games::TerminalGame;

/// A check of everything in a run that can be recomputed without its bots.
pub(crate) fn check_of<G: TerminalGame>(run: &RecordedRun) -> Result<RunCheck<'_, G>, FileError> {
    let header = run.header();
    let hill: Hill<G> = header.inert_hill(run.path())?;
    Ok(RunCheck::new(run, as_recorded(hill, header.start_value)))
}

/// Refuses to write to the file of the run that is read, given as its log or `HILL.db#N`.
pub(crate) fn refuse_the_run_itself(run: &Path, out: &Path) -> Result<(), FileError> {
    let Ok(written) = out.canonicalize() else { return Ok(()) };
    let name = run.to_string_lossy();
    let hill = name.rsplit_once('#').map_or(name.as_ref(), |(hill, _)| hill);
    let is_written = |path: &Path| path.canonicalize().is_ok_and(|path| path == written);
    if out.is_file() && (is_written(run) || is_written(Path::new(hill))) {
        return Err(FileError::new(out, "is the run itself: choose another file"));
    }
    Ok(())
}

/// Refuses a log whose games were altered. Those of a hill were checked by their hashes when the run was opened.
pub(crate) fn refuse_altered_games<G: TerminalGame>(run: &RunSource) -> Result<(), FileError> {
    check_of::<G>(run)?.refuse_altered_games()
}

/// Refuses a log whose games were altered, or whose result does not follow from its games.
pub(crate) fn refuse_altered_run<G: TerminalGame>(run: &RunSource) -> Result<(), FileError> {
    refuse_altered_games::<G>(run)?;
    check_of::<G>(run)?.refuse_altered_result()
}
