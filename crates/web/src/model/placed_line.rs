//! What a run has found of the bot that it places, in a line.

use dicehill_arena::PlacementResult;
use serde::Serialize;
use utoipa::ToSchema;

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
