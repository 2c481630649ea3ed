//! A run as it is shown, from its store or its log.

use std::sync::Arc;

use dicehill_arena::ResultDocument;
use dicehill_store::{RunHeader, StoredEntrant};

use super::tally::Tally;
use super::{BoardDocument, PairsDocument};

/// A run and its standings at one moment.
pub(crate) struct RunView {
    pub(crate) run: i64,
    pub(crate) header: RunHeader,
    pub(crate) board: BoardDocument,
    pub(crate) pairs: PairsDocument,
    /// What its games say beyond the result; `None` while they are being counted.
    pub(crate) tally: Option<Arc<Tally>>,
    /// The entrants by place in the header; `None` if the hill does not have an entrant's files.
    pub(crate) versions: Vec<Option<StoredEntrant>>,
}

impl RunView {
    /// Whether the run finds the rank of one entrant among the others of a league.
    pub(crate) const fn is_placement(&self) -> bool {
        self.header.hill.terms.strengths.is_some()
    }

    /// The place in the header of the bot with this name.
    pub(crate) fn place_of(&self, name: &str) -> Option<usize> {
        self.header.bots.iter().position(|bot| bot.name.as_str() == name)
    }

    pub(crate) fn pairs_of(result: &ResultDocument) -> PairsDocument {
        PairsDocument::new(result)
    }
}
