//! Checks of recorded runs before they are shown or resumed.

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

/// Refuses a log whose games were altered. Those of a hill were checked by their hashes when the run was opened.
pub(crate) fn refuse_altered_games<G: TerminalGame>(run: &RunSource) -> Result<(), FileError> {
    check_of::<G>(run)?.refuse_altered_games()
}

/// Refuses a log whose games were altered, or whose result does not follow from its games.
pub(crate) fn refuse_altered_run<G: TerminalGame>(run: &RunSource) -> Result<(), FileError> {
    refuse_altered_games::<G>(run)?;
    check_of::<G>(run)?.refuse_altered_result()
}
