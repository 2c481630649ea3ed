//! The runs of a hill that have ended, read from its store as they end.

use std::collections::BTreeSet;
use std::sync::Arc;

use dicehill_arena::{ResultDocument, TournamentGame};
use dicehill_rules::with_game;
use dicehill_store::{FileError, HillStore, ReportAccess, RunSummary};

use super::hill_documents::{altered_line, run_line};
use super::league::League;
use super::view::{count, ended, result_of};
use crate::model::board::PlacementRun;
use crate::model::ratings::RunRatings;
use crate::model::run_view::RunView;
use crate::model::tally::Tally;
use crate::model::{RunLine, RunState};

/// The most whole runs whose ratings are kept, the last ones.
const MAX_RATED_RUNS: usize = 200;

/// The runs of a hill that have ended.
#[derive(Default)]
pub(super) struct EndedRuns {
    /// The hill's name in addresses.
    address: String,
    /// Their lines, oldest first.
    pub(super) lines: Vec<RunLine>,
    /// The last of them; its games may not have been counted yet.
    pub(super) last: Option<Arc<RunView>>,
    pub(super) league: Option<League>,
    /// The ratings of the whole runs that were played here, oldest first.
    pub(super) ratings: Arc<Vec<RunRatings>>,
    /// What decided on what the views show.
    reports: ReportAccess,
    /// Whether a run that was not imported has ended.
    has_own_run: bool,
    /// Whether what was read may be a mixture of two states of the store.
    is_doubtful: bool,
}

impl EndedRuns {
    /// Before the store is read; `address` is the hill's name in addresses.
    pub(super) fn unread(address: String) -> Self {
        Self { address, ..Self::default() }
    }

    /// Reads the runs that have ended since the last call; returns the last run if it has not ended. What was read while the
    /// store changed is read again at the next call.
    pub(super) fn read(&mut self, store: &HillStore) -> Result<Option<RunSummary>, FileError> {
        let reports = store.entry_terms()?.reports;
        let is_other = std::mem::replace(&mut self.reports, reports) != reports;
        if std::mem::replace(&mut self.is_doubtful, true) || is_other {
            (self.lines, self.last, self.league, self.has_own_run) =
                (Vec::new(), None, None, false);
        }
        let open = self.read_new(store)?;
        self.is_doubtful = store.is_outdated();
        Ok(open)
    }

    fn read_new(&mut self, store: &HillStore) -> Result<Option<RunSummary>, FileError> {
        self.check_shown(store)?;
        let is_over = |line: &RunLine| matches!(line.state, RunState::Ended | RunState::Altered);
        self.lines.truncate(self.lines.iter().take_while(|line| is_over(line)).count());
        let first = self.lines.last().map_or(1, |line| line.run + 1);
        let mut runs = store.runs_from(first)?;
        let is_own = |run: &RunSummary| run.result.is_some() && !run.is_imported;
        let has_own_run = self.has_own_run || runs.iter().any(is_own);
        let open = runs.pop_if(|run| run.result.is_none() && !(run.is_imported && has_own_run));
        for summary in &runs {
            let line = self.line_of(store, summary)?;
            self.add_ratings(store, summary, &line)?;
            self.lines.push(line);
        }
        runs.retain(|run| run.result.is_some());
        self.has_own_run = has_own_run;
        // An imported run does not change which board is shown, unless the hill has played none.
        runs.retain(|run| !(self.has_own_run && run.is_imported));
        if let Some(summary) = runs.last() {
            self.last = self.intact_view(store, summary)?.map(Arc::new);
        }
        self.update_league(store, &runs)?;
        Ok(open)
    }

    /// Adds the ratings of an ended whole run.
    fn add_ratings(
        &mut self,
        store: &HillStore,
        summary: &RunSummary,
        line: &RunLine,
    ) -> Result<(), FileError> {
        let is_whole = line.state == RunState::Ended && line.placed.is_none();
        if !is_whole || summary.is_imported {
            return Ok(());
        }
        let versions = store.version_numbers(summary.run)?;
        let ratings = Arc::make_mut(&mut self.ratings);
        ratings.retain(|ratings| ratings.run < summary.run);
        ratings.extend(RunRatings::read(summary, &versions));
        let surplus = ratings.len().saturating_sub(MAX_RATED_RUNS);
        ratings.drain(..surplus);
        Ok(())
    }

    /// Updates the league from these ended runs: the last whole one replaces it, and the placements after that are
    /// added. Altered runs are left out.
    fn update_league(&mut self, store: &HillStore, runs: &[RunSummary]) -> Result<(), FileError> {
        let is_whole = |run: &RunSummary| run.header.hill.terms.strengths.is_none();
        let whole = runs.iter().rposition(is_whole);
        if let Some(summary) = whole.map(|index| &runs[index]) {
            self.league = self.league_of(store, summary)?;
        }
        for summary in &runs[whole.map_or(0, |index| index + 1)..] {
            let is_known = self.league.iter().flat_map(League::runs).any(|run| run == summary.run);
            if is_known || self.is_known_as_altered(summary.run) {
                continue;
            }
            let result = read_result(store, summary)?;
            if let Some(league) = &mut self.league {
                let header = summary.header.clone();
                league.placements.push(PlacementRun { run: summary.run, header, result });
            }
        }
        Ok(())
    }

    /// The league that begins with a whole run; `None` if the run was altered.
    fn league_of(
        &self,
        store: &HillStore,
        summary: &RunSummary,
    ) -> Result<Option<League>, FileError> {
        let shown = self.last.as_ref().filter(|last| last.run == summary.run);
        let view = match shown {
            Some(last) => Some(Arc::clone(last)),
            None => self.intact_view(store, summary)?.map(Arc::new),
        };
        let Some(view) = view else { return Ok(None) };
        let result = read_result(store, summary)?;
        Ok(Some(League { view, result, placements: Vec::new() }))
    }

    /// The line of a run that is not being played.
    fn line_of(&self, store: &HillStore, summary: &RunSummary) -> Result<RunLine, FileError> {
        let line = run_line(summary, false);
        let is_altered = line.state == RunState::Ended && self.is_altered(store, summary.run)?;
        Ok(if is_altered { altered_line(line) } else { line })
    }

    fn is_known_as_altered(&self, run: i64) -> bool {
        self.lines.iter().any(|line| line.run == run && line.state == RunState::Altered)
    }

    /// The view of an ended run; `None` if the run was altered.
    fn intact_view(
        &self,
        store: &HillStore,
        summary: &RunSummary,
    ) -> Result<Option<RunView>, FileError> {
        if self.is_known_as_altered(summary.run) {
            return Ok(None);
        }
        self.view(store, summary, None).map(Some)
    }

    /// Checks the seals of the displayed runs again, because the store has changed.
    fn check_shown(&mut self, store: &HillStore) -> Result<(), FileError> {
        let league = self.league.iter().flat_map(League::runs);
        let shown: BTreeSet<_> = league.chain(self.last.as_ref().map(|last| last.run)).collect();
        for run in shown {
            if self.is_altered(store, run)? {
                self.hide(run);
            }
        }
        Ok(())
    }

    /// Removes an altered run from everything that is displayed.
    fn hide(&mut self, run: i64) {
        self.last = self.last.take().filter(|last| last.run != run);
        self.league = self.league.take().filter(|league| league.view.run != run);
        if let Some(league) = &mut self.league {
            league.placements.retain(|placement| placement.run != run);
        }
        Arc::make_mut(&mut self.ratings).retain(|ratings| ratings.run != run);
        let of_run = self.lines.iter_mut().filter(|line| line.run == run);
        of_run.for_each(|line| *line = altered_line(line.clone()));
    }

    /// Whether a run was altered since it ended. The reason is logged.
    fn is_altered(&self, store: &HillStore, run: i64) -> Result<bool, FileError> {
        match store.check_seal(run) {
            Ok(()) => Ok(false),
            Err(error) if error.is_altered() => {
                tracing::error!(hill = self.address, "{error}");
                Ok(true)
            }
            Err(error) => Err(error),
        }
    }

    fn view(
        &self,
        store: &HillStore,
        summary: &RunSummary,
        tally: Option<Arc<Tally>>,
    ) -> Result<RunView, FileError> {
        let address = &self.address;
        with_game!(store.hill().game(), G => ended::<G>(store, address, summary, tally))
    }

    /// Counts the games of the last run and of the league's whole run once, for what their results do not say, while
    /// `is_wanted` holds.
    pub(super) fn count<G: TournamentGame>(
        &mut self,
        store: &HillStore,
        is_wanted: &dyn Fn() -> bool,
    ) -> Result<(), FileError> {
        let counted = |view: Arc<RunView>| self.counted::<G>(store, view, is_wanted);
        let last = self.last.clone().map(counted).transpose()?;
        let league_view = self.league.as_ref().map(|league| Arc::clone(&league.view));
        let league_view = match (&last, league_view) {
            (Some(last), Some(view)) if last.run == view.run => Some(Arc::clone(last)),
            (_, view) => view.map(counted).transpose()?,
        };
        if let (Some(league), Some(view)) = (&mut self.league, league_view) {
            league.view = view;
        }
        self.last = last;
        Ok(())
    }

    /// The view of an ended run with its games counted.
    fn counted<G: TournamentGame>(
        &self,
        store: &HillStore,
        view: Arc<RunView>,
        is_wanted: &dyn Fn() -> bool,
    ) -> Result<Arc<RunView>, FileError> {
        if view.tally.is_some() {
            return Ok(view);
        }
        let Some(summary) = store.runs_from(view.run)?.into_iter().next() else {
            return Ok(view);
        };
        let tally = count::<G>(store, &summary, is_wanted)?;
        Ok(Arc::new(self.view(store, &summary, Some(Arc::new(tally)))?))
    }
}

fn read_result(store: &HillStore, summary: &RunSummary) -> Result<ResultDocument, FileError> {
    with_game!(store.hill().game(), G => result_of::<G>(store, summary))
}
