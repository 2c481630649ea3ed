//! A run of a hill, in a line.

use dicehill_arena::PlacementResult;
use serde::Serialize;
use utoipa::ToSchema;

use super::RunState;

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

/// The outcome of a placement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct PlacedLine {
    /// The entrant.
    pub(crate) bot: String,
    /// Its rank, from 1; null if it was barred.
    pub(crate) rank: Option<usize>,
    /// Entrants at the time, itself included.
    pub(crate) among: usize,
}

impl PlacedLine {
    /// What a run with this many entrants says of the one that it places. A rank of a barred one means nothing.
    pub(crate) fn new(placing: &PlacementResult, is_barred: bool, entrants: usize) -> Self {
        let PlacementResult { bot, rank, among, .. } = placing.clone();
        if is_barred {
            return Self { bot, rank: None, among: entrants };
        }
        Self { bot, rank: Some(rank), among }
    }

    /// It in a sentence, without a full stop.
    pub(crate) fn sentence(&self) -> String {
        let Self { bot, rank, among } = self;
        match rank {
            Some(rank) => format!("{bot} was placed as number {rank} of {among}"),
            None => format!("{bot} was barred before its rank was found"),
        }
    }
}
