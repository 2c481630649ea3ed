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
                let reason = failure.reason.name();
                Some(Self { reason, detail: public_detail(reason, &failure.detail) })
            }
        }
    }
}

/// The failure in words.
pub(crate) fn failure_text(failure: &Failure) -> String {
    let reason = failure.reason.name();
    format!("{reason}: {}", printable(&public_detail(reason, &failure.detail)))
}

/// What the page of a game shows of a failure. An answer is public; what else a bot wrote, such as the message of its
/// exception, is its author's.
pub(crate) fn public_detail(reason: &str, detail: &str) -> String {
    let shown = match reason {
        "crash" => detail.split(": ").next().unwrap_or_default(),
        _ => detail,
    };
    without_host_paths(shown)
}
