//! Why a move of a recorded game failed.

use dicehill_arena::{Failure, Move, printable};
use dicehill_rules::Game;
use serde::Serialize;
use utoipa::ToSchema;

use super::host_paths::without_host_paths;

/// Why a move failed.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct MoveFailure {
    /// For example `illegal-move`.
    pub(crate) reason: &'static str,
    /// What happened.
    pub(crate) detail: String,
}

impl MoveFailure {
    /// The failure of a move; `None` if the move was legal.
    pub(crate) fn of<G: Game>(one: &Move<G>) -> Option<Self> {
        match one {
            Move::Acted(_) => None,
            Move::Failed(failure) => {
                let detail = without_host_paths(&failure.detail);
                Some(Self { reason: failure.reason.name(), detail })
            }
        }
    }
}

/// The failure in words.
pub(crate) fn failure_text(failure: &Failure) -> String {
    without_host_paths(&printable(&failure.to_string()))
}
