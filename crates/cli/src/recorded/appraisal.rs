//! The appraisal of recorded runs.

use dicehill_arena::{Hill, StartValue};

use crate::games::TerminalGame;

/// The hill of a recorded run: its games are appraised as they were when they were played, or not at all.
pub(crate) fn as_recorded<G: TerminalGame>(hill: Hill<G>, start: Option<StartValue>) -> Hill<G> {
    let Some(start) = start else { return hill };
    let appraiser = G::appraiser(hill.rules())
        .filter(|appraiser| StartValue::rounded(appraiser.start()) == start);
    match appraiser {
        Some(appraiser) => hill.with_appraiser(appraiser),
        None => hill.with_start_value(start),
    }
}
