//! A run whose games have all been read once.

use std::sync::Arc;

use dicehill_arena::{HighlightedGame, Highlights, ResultDocument, RunFollower, Schedule};
use dicehill_rules::Chance;
use dicehill_store::{FileError, GameLine, RecordedRun, RunSource, StoredGame};

use super::highlight_scan::HighlightScan;
use super::page_sink::PageSink;
use super::selection::{RemarkableGames, SelectedGame};
use crate::hills::{active, games_of};
use crate::model::board::RunFacts;
use crate::model::run_view::RunView;
use crate::model::shown_game::ShownGame;
use crate::model::tally::Tally;
use crate::model::{BoardDocument, Progress, RunState};

/// What was found in the games of a run.
pub(super) struct ScannedRun<'a, G> {
    source: &'a RunSource,
    remarkable: RemarkableGames,
    highlights: Option<Highlights>,
    tally: Tally,
    /// The result of the games so far.
    result: ResultDocument,
    /// The number of games of the whole run, at most.
    of: u64,
    game: std::marker::PhantomData<G>,
}

impl<'a, G: ShownGame> ScannedRun<'a, G> {
    /// Reads all games.
    ///
    /// # Errors
    /// If the run cannot be read, or the sink cancels.
    pub(super) fn scan<S: PageSink>(source: &'a RunSource, sink: &mut S) -> Result<Self, S::Error> {
        let hill = source.header().inert_hill::<G>(source.path())?;
        let chance = Chance::new(hill.seed());
        let schedule = Schedule::new(&hill, &chance, active(&hill, source.bars()));
        let mut following = Some(RunFollower::new(&hill, &schedule));
        let mut remarkable = RemarkableGames::default();
        let mut highlights = HighlightScan::new(source)?;
        let mut tally = Tally::new(source.header().bots.len());
        source.each_game(|StoredGame { number, line, times }| -> Result<(), S::Error> {
            sink.advance()?;
            let read = GameLine::read(&line).map_err(|why| source.error(number, why))?;
            remarkable.offer::<G>(read);
            highlights.take::<G>(&hill, &chance, &line);
            let taken = following.as_mut().map(|following| following.take(line));
            match taken {
                Some(Ok(game)) => tally.add::<G>(&game, &times),
                // A log from elsewhere may lack games. Then only its result is known.
                Some(Err(_)) => following = None,
                None => {}
            }
            Ok(())
        })?;
        let counted = following.unwrap_or_else(|| RunFollower::new(&hill, &schedule));
        tally.take_scores(&counted, hill.ids());
        let result = counted.document(source.bars());
        let of = games_of(&hill, source.bars());
        let (highlights, game) = (highlights.found, std::marker::PhantomData);
        Ok(Self { source, remarkable, highlights, tally, result, of, game })
    }

    /// The numbers of the most remarkable games.
    pub(super) fn highlights(&self) -> &[HighlightedGame] {
        self.highlights.as_ref().map_or(&[], Highlights::games)
    }

    /// The remarkable games.
    pub(super) fn select_remarkable(self) -> Vec<SelectedGame> {
        self.remarkable.select::<G>()
    }

    /// The view of the run, by its stored result or by its games so far.
    pub(super) fn view(&self) -> Result<RunView, FileError> {
        let stored = self.source.result_text()?;
        let stored = stored.and_then(|text| ResultDocument::read::<G>(&text).ok());
        let result = stored.as_ref().unwrap_or(&self.result);
        Ok(RunView {
            run: self.source.number().unwrap_or(0),
            header: self.source.header().clone(),
            board: self.board(result)?,
            pairs: RunView::pairs_of(result),
            tally: Some(Arc::new(self.tally.clone())),
            versions: Vec::new(),
        })
    }

    fn board(&self, result: &ResultDocument) -> Result<BoardDocument, FileError> {
        let [begun, ended] = self.times()?;
        let facts = RunFacts {
            hill: "",
            run: self.source.number().unwrap_or(0),
            header: self.source.header(),
            begun: begun.unwrap_or(0),
            ended,
            progress: self.progress(),
            bars: self.source.bars(),
            private: super::private_bots::private_bots(self.source)?,
            highlights: self.highlights.clone(),
        };
        let mut board = BoardDocument::new(&facts, result, &self.tally);
        if begun.is_none() {
            board.begun.clear();
        }
        Ok(board)
    }

    fn progress(&self) -> Progress {
        let games = self.source.count();
        let (state, of) = if self.source.has_result() {
            (RunState::Ended, games)
        } else {
            (RunState::Stopped, self.of.max(games))
        };
        Progress { state, games, of, rate: None, seconds_left: None }
    }

    /// When it began and ended, in seconds since 1970; a log does not record that.
    fn times(&self) -> Result<[Option<i64>; 2], FileError> {
        Ok(match &**self.source {
            RecordedRun::Log { .. } => [None; 2],
            RecordedRun::Stored { store, run } => {
                let summary = store.runs_from(run.run)?.into_iter().next();
                summary.map_or([None; 2], |summary| [Some(summary.begun), summary.ended])
            }
        })
    }
}
