//! Recorded runs that are shown or resumed: what was altered is refused first.

use dicehill_arena::Hill;
use dicehill_store::{FileError, RecordedRun, RunCheck, RunSource};

use crate::appraisers;
use crate::terminal_game::TerminalGame;

/// A check of everything in a run that can be recomputed without its bots.
pub(crate) fn of_run<G: TerminalGame, T>(
    run: &RecordedRun<T>,
) -> Result<RunCheck<'_, G, T>, FileError> {
    let header = run.header();
    let hill: Hill<G> = header.inert_hill(run.path())?;
    Ok(RunCheck::new(run, appraisers::as_recorded(hill, header.start_value)))
}

/// Refuses a log whose games were altered. Those of a hill were checked by their hashes when the run was opened.
pub(crate) fn refuse_altered_games<G: TerminalGame>(run: &RunSource) -> Result<(), FileError> {
    of_run::<G, _>(run)?.refuse_altered_games()
}

/// The same, and refuses a log whose result is not that of its games.
pub(crate) fn refuse_altered_run<G: TerminalGame>(run: &RunSource) -> Result<(), FileError> {
    refuse_altered_games::<G>(run)?;
    of_run::<G, _>(run)?.refuse_altered_result()
}
