//! Recorded runs: checked, appraised as they were, and played again.

mod appraisal;
pub(crate) mod checks;
mod divergences;
mod game_sample;
mod house_moves;
mod planned_run;
mod recorded_game;
mod run_entrants;
mod saved_position;
mod unreadable;

pub(crate) use appraisal::as_recorded;
pub(crate) use divergences::{Divergence, divergences};
pub(crate) use game_sample::game_sample;
pub(crate) use house_moves::{ForeignMove, HouseMoves};
pub(crate) use planned_run::PlannedRun;
pub(crate) use recorded_game::{Difference, RecordedGame};
pub(crate) use run_entrants::{RunEntrants, recorded_hill};
pub(crate) use saved_position::{PositionPlace, SavedPosition};
pub(crate) use unreadable::why_unreadable;
