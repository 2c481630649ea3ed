//! A run of a hill, in a line.

use serde::Serialize;
use utoipa::ToSchema;

use super::RunState;
use super::placed_line::PlacedLine;

/// A run in a line.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct RunLine {
    /// Its number, from 1.
    pub(crate) run: i64,
    /// When it began.
    pub(crate) begun: String,
    /// When it ended.
    pub(crate) ended: Option<String>,
    /// What it does.
    pub(crate) state: RunState,
    /// Entrants.
    pub(crate) bots: usize,
    /// Games stored that count.
    pub(crate) games: u64,
    /// Who leads alone.
    pub(crate) champion: Option<String>,
    /// The chance that the champion is the best, 0 to 1.
    pub(crate) champion_sure: Option<f64>,
    /// The entrant that the run placed, with its rank; null if it was no placement.
    pub(crate) placed: Option<PlacedLine>,
}
