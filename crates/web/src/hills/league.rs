//! What stands in front of a hill: its last whole run, with the entrants that were placed since.

use std::sync::Arc;

use dicehill_arena::ResultDocument;

use super::RunView;
use crate::model::BoardDocument;
use crate::model::board::PlacementRun;

/// The last whole run that has ended, and the placements behind it.
pub(super) struct League {
    pub(super) view: Arc<RunView>,
    pub(super) result: ResultDocument,
    /// Oldest first.
    pub(super) placements: Vec<PlacementRun>,
}

impl League {
    pub(super) fn board(&self) -> BoardDocument {
        self.view.board.clone().with_placements(self.result.clone(), &self.placements)
    }
}
