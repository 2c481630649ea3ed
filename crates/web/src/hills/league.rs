//! The league of a hill: its last whole run, with the entrants that were placed since.

use std::sync::Arc;

use dicehill_arena::ResultDocument;

use crate::model::BoardDocument;
use crate::model::board::PlacementRun;
use crate::model::run_view::RunView;

/// The last whole run that has ended, and the placements after it.
pub(super) struct League {
    pub(super) view: Arc<RunView>,
    pub(super) result: ResultDocument,
    /// Oldest first.
    pub(super) placements: Vec<PlacementRun>,
}

impl League {
    /// The numbers of its runs, that of the whole run first.
    pub(super) fn runs(&self) -> impl Iterator<Item = i64> {
        let placements = self.placements.iter().map(|placement| placement.run);
        std::iter::once(self.view.run).chain(placements)
    }

    pub(super) fn board(&self) -> BoardDocument {
        self.view.board.clone().with_placements(self.result.clone(), &self.placements)
    }
}
