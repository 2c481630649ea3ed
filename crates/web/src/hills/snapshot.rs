//! The immutable state of a hill at one moment.

use std::sync::Arc;

use dicehill_store::{Renaming, ReportAccess};

use crate::model::ratings::RunRatings;
use crate::model::run_view::RunView;
use crate::model::{HillDocument, RunState};

/// The state of a hill at one moment.
pub(crate) struct Snapshot {
    /// What the hill's page shows.
    pub(crate) hill: HillDocument,
    /// The last run.
    pub(crate) latest: Option<Arc<RunView>>,
    /// Who may read the requests to uploaded bots, their answers and logs.
    pub(crate) reports: ReportAccess,
    /// The ratings of its whole runs, oldest first.
    pub(crate) ratings: Arc<Vec<RunRatings>>,
    /// When the hill was created.
    pub(crate) created: String,
    /// The names that hosts have changed.
    pub(crate) renamings: Vec<Renaming>,
}

impl Snapshot {
    /// Whether a run was altered since it ended.
    pub(crate) fn is_altered(&self, run: i64) -> bool {
        let line = self.hill.history.iter().find(|line| line.run == run);
        line.is_some_and(|line| line.state == RunState::Altered)
    }
}
