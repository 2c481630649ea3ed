//! A run of a store as it is shown: its stored result if it has ended, or what its games come to so far.

use std::path::Path;
use std::sync::Arc;

use dicehill_arena::{
    Bar, Entrant, EntrantId, Following, Format, Hill, Program, ResultDocument, Schedule, StandIn,
};
use dicehill_rules::{Chance, Game};
use dicehill_store::{FileError, HillStore, LogBot, LogHeader, Page, RunSummary, StoredRun};

use super::snapshot::RunView;
use super::tally::Tally;
use crate::model::board::RunFacts;
use crate::model::{BoardDocument, Progress, RunState};

/// The hill of a recorded run, between those who cannot play.
pub(crate) fn hill_of<G: Game>(path: &Path, header: &LogHeader) -> Result<Hill<G>, FileError> {
    let terms = header.hill.terms::<G>(path)?;
    let entrant = |bot: &LogBot| {
        let LogBot { name, hash, author, url, votes } = bot.clone();
        let program: Arc<dyn Program<G>> = Arc::new(StandIn(hash));
        Entrant { name, program, author, url, votes }
    };
    let entrants = header.bots.iter().map(entrant).collect();
    let draft = header.hill.draft::<G>(terms.rules, header.seed.clone(), entrants);
    let hill = Hill::new(draft).map_err(|error| FileError::new(path, error))?;
    Ok(match header.start_value {
        Some(start) => hill.appraised_before(start),
        None => hill,
    })
}

/// Those whom no bar names.
pub(crate) fn active<G: Game>(hill: &Hill<G>, bars: &[Bar]) -> Vec<EntrantId> {
    let is_barred = |id: &EntrantId| bars.iter().any(|bar| bar.bot == hill.name_of(*id));
    hill.ids().filter(|id| !is_barred(id)).collect()
}

/// A run that is followed: the games so far are counted once.
pub(super) struct Counted<'a, G: Game> {
    pub(super) following: Following<'a, G>,
    pub(super) tally: Tally,
}

impl<'a, G: Game> Counted<'a, G> {
    pub(super) fn new(hill: &'a Hill<G>, schedule: &'a Schedule<'a, G>) -> Self {
        let tally = Tally::new(hill.entrants().len());
        Self { following: Following::new(hill, schedule), tally }
    }

    /// Takes the games that are stored and have not been taken yet, as long as `go_on` says so.
    pub(super) fn take_new(
        &mut self,
        store: &HillStore,
        run: &StoredRun,
        go_on: &dyn Fn() -> bool,
    ) -> Result<(), FileError> {
        let first = self.following.games() + 1;
        store.each_page_from(run.run, run.bars.len() as i64, first, |page| {
            if go_on() { self.take_page(store, &page) } else { Ok(()) }
        })
    }

    fn take_page(&mut self, store: &HillStore, page: &Page) -> Result<(), FileError> {
        if page.first != self.following.games() + 1 {
            return Ok(());
        }
        let mut times = page.answer_times();
        for line in page.lines() {
            let game = self.following.take(line.to_owned());
            let game = game.map_err(|error| FileError::new(store.path(), error))?;
            self.tally.add(&game, &times.next().unwrap_or_default());
        }
        Ok(())
    }

    /// With the scores.
    pub(super) fn tally(&self, hill: &Hill<G>) -> Tally {
        let mut tally = self.tally.clone();
        tally.take_scores(&self.following, hill.ids());
        tally
    }
}

/// Games of the whole run, at most.
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

/// The stored result of a run that has ended.
pub(super) fn result_of<G: Game>(
    store: &HillStore,
    summary: &RunSummary,
) -> Result<ResultDocument, FileError> {
    let text = summary.result.as_deref().unwrap_or_default();
    ResultDocument::read::<G>(text).map_err(|error| {
        FileError::new(store.path(), format!("run {}: its result: {error}", summary.run))
    })
}

/// A run that has ended, by its stored result.
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
    view(store, address, summary, &run, (&result, tally), progress)
}

/// The view of a run with its result so far.
pub(super) fn view(
    store: &HillStore,
    address: &str,
    summary: &RunSummary,
    run: &StoredRun,
    (result, tally): (&ResultDocument, Option<Arc<Tally>>),
    progress: Progress,
) -> Result<RunView, FileError> {
    let facts = RunFacts {
        hill: address,
        run: run.run,
        header: &run.header,
        begun: summary.begun,
        ended: summary.ended,
        progress,
        bars: &run.bars,
    };
    let nothing = Tally::new(run.header.bots.len());
    let board = BoardDocument::new(&facts, result, tally.as_deref().unwrap_or(&nothing));
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
