//! How a hill stood at a moment: nothing of it changes.

use std::sync::Arc;

use dicehill_arena::ResultDocument;
use dicehill_store::{LogHeader, StoredEntrant};

use super::Tally;
use crate::model::{BoardDocument, HillDocument, PairsDocument};

/// How a hill stood at a moment.
pub(crate) struct Snapshot {
    /// What the hill's page shows.
    pub(crate) hill: HillDocument,
    /// The last run.
    pub(crate) latest: Option<Arc<RunView>>,
}

/// A run, and how it stands.
pub(crate) struct RunView {
    pub(crate) run: i64,
    pub(crate) header: LogHeader,
    pub(crate) board: BoardDocument,
    pub(crate) pairs: PairsDocument,
    /// What its games say beside its result; nothing as long as that is being counted.
    pub(crate) tally: Option<Arc<Tally>>,
    /// Who played, by place in the header; nothing of those whose files the hill does not have.
    pub(crate) versions: Vec<Option<StoredEntrant>>,
}

impl RunView {
    /// Whether the run finds the rank of one entrant among the others of a league.
    pub(crate) const fn is_placement(&self) -> bool {
        self.header.hill.strengths.is_some()
    }

    /// The place in the header of the bot with this name.
    pub(crate) fn place_of(&self, name: &str) -> Option<usize> {
        self.header.bots.iter().position(|bot| bot.name.as_str() == name)
    }

    pub(crate) fn pairs_of(result: &ResultDocument) -> PairsDocument {
        PairsDocument::new(result)
    }
}
