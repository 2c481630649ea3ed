//! Views of a stored run: by its result if it has ended, and by its games so far otherwise.

use std::sync::Arc;

use dicehill_arena::{
    Bar, EntrantId, Format, Hill, ResultDocument, RunFollower, Schedule, TournamentGame,
};
use dicehill_rules::{Chance, Game};
use dicehill_store::{FileError, GamePage, HillStore, RunSummary, StoredRun};

use crate::model::board::RunFacts;
use crate::model::run_view::RunView;
use crate::model::tally::Tally;
use crate::model::{BoardDocument, Progress, RunState};

/// The entrants that are not barred.
pub(crate) fn active<G: Game>(hill: &Hill<G>, bars: &[Bar]) -> Vec<EntrantId> {
    let is_barred = |id: &EntrantId| bars.iter().any(|bar| bar.bot == hill.name_of(*id));
    hill.ids().filter(|id| !is_barred(id)).collect()
}

/// Counts the games of a run as they are stored.
pub(super) struct RunCounter<'a, G: Game> {
    pub(super) following: RunFollower<'a, G>,
    pub(super) tally: Tally,
}

impl<'a, G: Game> RunCounter<'a, G> {
    pub(super) fn new(hill: &'a Hill<G>, schedule: &'a Schedule<'a, G>) -> Self {
        let tally = Tally::new(hill.entrants().len());
        Self { following: RunFollower::new(hill, schedule), tally }
    }

    /// Counts the games that were stored since the last call, while `is_wanted` holds.
    pub(super) fn take_new(
        &mut self,
        store: &HillStore,
        run: &StoredRun,
        is_wanted: &dyn Fn() -> bool,
    ) -> Result<(), FileError> {
        let first = self.following.games() + 1;
        store.each_page_from(run.run, run.bars.len() as i64, first, |page| {
            if is_wanted() { self.take_page(store, &page) } else { Ok(()) }
        })
    }

    fn take_page(&mut self, store: &HillStore, page: &GamePage) -> Result<(), FileError> {
        if page.first != self.following.games() + 1 {
            return Ok(());
        }
        let mut times = page.answer_times();
        for line in page.lines() {
            let game = self.following.take(line.to_owned());
            let game = game.map_err(|error| FileError::new(store.path(), error))?;
            self.tally.add::<G>(&game, &times.next().unwrap_or_default());
        }
        Ok(())
    }

    /// The counts so far, with the scores.
    pub(super) fn tally(&self, hill: &Hill<G>) -> Tally {
        let mut tally = self.tally.clone();
        tally.take_scores(&self.following, hill.ids());
        tally
    }
}

/// Counts all games of a run, for what its result does not say.
pub(super) fn count<G: TournamentGame>(
    store: &HillStore,
    summary: &RunSummary,
    is_wanted: &dyn Fn() -> bool,
) -> Result<Tally, FileError> {
    let run = store.run(summary.run)?;
    with_counts::<G, _>(store, &run, is_wanted, |hill, counted| counted.tally(hill))
}

/// Counts the stored games of a run while `is_wanted` holds, and makes something of the counts.
fn with_counts<G: TournamentGame, T>(
    store: &HillStore,
    run: &StoredRun,
    is_wanted: &dyn Fn() -> bool,
    make: impl FnOnce(&Hill<G>, &RunCounter<'_, G>) -> T,
) -> Result<T, FileError> {
    let hill = run.header.inert_hill::<G>(store.path())?;
    let chance = Chance::new(hill.seed());
    let schedule = Schedule::new(&hill, &chance, active(&hill, &run.bars));
    let mut counted = RunCounter::new(&hill, &schedule);
    counted.take_new(store, run, is_wanted)?;
    Ok(make(&hill, &counted))
}

/// The number of games of the whole run, at most.
pub(crate) fn games_of<G: Game>(hill: &Hill<G>, bars: &[Bar]) -> u64 {
    let chance = Chance::new(hill.seed());
    let active = active(hill, bars);
    if active.len() < 2 {
        return 0;
    }
    match hill.format() {
        Format::Challenge => hill.games(),
        Format::Duel { .. } | Format::Gauntlet { .. } => {
            Schedule::new(hill, &chance, active).games()
        }
    }
}

/// The stored result of an ended run.
pub(super) fn result_of<G: Game>(
    store: &HillStore,
    summary: &RunSummary,
) -> Result<ResultDocument, FileError> {
    let text = summary.result.as_deref().unwrap_or_default();
    ResultDocument::read::<G>(text).map_err(|error| {
        FileError::new(store.path(), format!("run {}: its result: {error}", summary.run))
    })
}

/// The view of an ended run, by its stored result.
pub(super) fn ended<G: Game>(
    store: &HillStore,
    address: &str,
    summary: &RunSummary,
    tally: Option<Arc<Tally>>,
) -> Result<RunView, FileError> {
    let run = store.run(summary.run)?;
    let result = result_of::<G>(store, summary)?;
    let progress = Progress {
        state: RunState::Ended,
        games: summary.games,
        of: summary.games,
        rate: None,
        seconds_left: None,
    };
    RunInStore { store, address, summary, run: &run }.view(&result, tally, progress)
}

/// The view of a run that is not played on, by its games so far.
pub(super) fn stopped<G: TournamentGame>(
    store: &HillStore,
    address: &str,
    summary: &RunSummary,
) -> Result<RunView, FileError> {
    let run = store.run(summary.run)?;
    let shown = RunInStore { store, address, summary, run: &run };
    with_counts::<G, _>(store, &run, &|| true, |hill, counted| {
        let games = counted.following.games();
        let progress = Progress {
            state: RunState::Stopped,
            games,
            of: games_of(hill, &run.bars).max(games),
            rate: None,
            seconds_left: None,
        };
        let tally = Arc::new(counted.tally(hill));
        shown.view(&counted.following.document(&run.bars), Some(tally), progress)
    })?
}

/// A run in the store of a hill.
pub(super) struct RunInStore<'a> {
    pub(super) store: &'a HillStore,
    /// The hill's name in addresses.
    pub(super) address: &'a str,
    pub(super) summary: &'a RunSummary,
    pub(super) run: &'a StoredRun,
}

impl RunInStore<'_> {
    /// The view of the run with this result so far; `tally` is `None` until its games are counted.
    pub(super) fn view(
        &self,
        result: &ResultDocument,
        tally: Option<Arc<Tally>>,
        progress: Progress,
    ) -> Result<RunView, FileError> {
        let Self { store, address, summary, run } = *self;
        let facts = RunFacts {
            hill: address,
            run: run.run,
            header: &run.header,
            begun: summary.begun,
            ended: summary.ended,
            progress,
            bars: &run.bars,
            private: store.private_bots()?,
            highlights: store.highlights(run.run)?,
        };
        let empty = Tally::new(run.header.bots.len());
        let board = BoardDocument::new(&facts, result, tally.as_deref().unwrap_or(&empty));
        let version = |row: &Option<i64>| row.map(|row| store.version(row)).transpose();
        Ok(RunView {
            run: run.run,
            header: run.header.clone(),
            board,
            pairs: RunView::pairs_of(result),
            tally,
            versions: run.versions.iter().map(version).collect::<Result<_, _>>()?,
        })
    }
}
