//! What a run has found of the bot that it places, in a line.

use std::ops::Not;

use dicehill_arena::{PlacementResult, Reason};
use serde::Serialize;
use utoipa::ToSchema;

/// The outcome of a placement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct PlacedLine {
    /// The entrant.
    pub(crate) bot: String,
    /// Its rank, from 1; null if it was barred or skipped.
    pub(crate) rank: Option<usize>,
    /// Whether it was skipped: a remote bot without a connection is not barred.
    #[serde(skip_serializing_if = "Not::not")]
    pub(crate) skipped: bool,
    /// Entrants at the time, itself included.
    pub(crate) among: usize,
}

impl PlacedLine {
    /// What a run with this many entrants says of the one that it places, and that was barred for this reason. A rank of a
    /// barred one means nothing.
    pub(crate) fn new(placing: &PlacementResult, barred: Option<&str>, entrants: usize) -> Self {
        let PlacementResult { bot, rank, among, .. } = placing.clone();
        match barred {
            None => Self { bot, rank: Some(rank), skipped: false, among },
            Some(reason) => {
                Self { bot, rank: None, skipped: reason == Reason::Absent.name(), among: entrants }
            }
        }
    }

    /// What happened to it in place of a rank, in a word.
    pub(crate) const fn missing_rank(&self) -> &'static str {
        if self.skipped { "skipped" } else { "barred" }
    }

    /// It in a sentence, without a full stop.
    pub(crate) fn sentence(&self) -> String {
        let Self { bot, rank, among, .. } = self;
        match rank {
            Some(rank) => format!("{bot} was placed as number {rank} of {among}"),
            None => format!("{bot} was {} before its rank was found", self.missing_rank()),
        }
    }
}
