//! The thread that looks what the store of a hill holds, and publishes how the hill stands.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use dicehill_arena::{ResultDocument, Schedule};
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_rules::{Chance, Game, GameName};
use dicehill_store::{FileError, HillStore, RunSummary};
use tokio::sync::watch;

use super::league::League;
use super::snapshot::{RunView, Snapshot};
use super::view::{Counted, active, ended, games_of, hill_of, result_of, view};
use crate::model::board::PlacementRun;
use crate::model::hill::{EntrantDocument, PlacedLine, PlacementProgress};
use crate::model::time::date;
use crate::model::{HillDocument, HillSummary, Progress, RunLine, RunState};

/// How often the store is looked at.
const LOOK: Duration = Duration::from_millis(200);
/// How often the board of a run that goes on is made anew, at most.
const ANEW: Duration = Duration::from_millis(1000);
/// A board is made anew only when so many times the time has passed that making it takes.
const REST: u32 = 12;
/// How long a store in which nothing changes may still be played on, where the system does not tell.
const QUIET: Duration = Duration::from_secs(10);

/// Looks at one store.
pub(super) struct Follower {
    address: String,
    store: HillStore,
    publish: watch::Sender<Arc<Snapshot>>,
    stop: Arc<AtomicBool>,
    /// All runs that have ended, oldest first.
    past: Vec<RunLine>,
    /// The last run that has ended, as far as it has been looked at.
    last: Option<Arc<RunView>>,
    league: Option<League>,
    version: u64,
    changed: Instant,
}

/// Why following a run ends.
enum Left {
    /// It has ended, or begins anew: look again.
    Over,
    /// The server ends.
    Stopped,
}

impl Follower {
    /// A follower, and what it has found so far.
    pub(super) fn new(
        address: String,
        store: HillStore,
        stop: Arc<AtomicBool>,
    ) -> Result<(Self, watch::Receiver<Arc<Snapshot>>), FileError> {
        let empty = Snapshot { hill: nothing(&address, &store), latest: None };
        let (publish, receiver) = watch::channel(Arc::new(empty));
        let changed = Instant::now();
        let mut follower = Self {
            address,
            store,
            publish,
            stop,
            past: Vec::new(),
            last: None,
            league: None,
            version: 0,
            changed,
        };
        let open = follower.read_runs()?;
        follower.show_last(open.as_ref())?;
        Ok((follower, receiver))
    }

    /// Follows until the server ends. What goes wrong is told and tried again.
    pub(super) fn follow(mut self) {
        let mut told = None;
        while !self.is_stopped() {
            match self.look() {
                Ok(Left::Stopped) => break,
                Ok(Left::Over) => told = None,
                Err(error) => {
                    let error = error.to_string();
                    if told.as_ref() != Some(&error) {
                        eprintln!("{error}");
                    }
                    told = Some(error);
                    self.rest(Duration::from_secs(2));
                }
            }
        }
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Sleeps, but not longer than the server lives.
    fn rest(&self, time: Duration) {
        let until = Instant::now() + time;
        while !self.is_stopped() && Instant::now() < until {
            std::thread::sleep(LOOK.min(time));
        }
    }

    /// Shows what there is, follows a run that is not at its end, and waits for a change.
    fn look(&mut self) -> Result<Left, FileError> {
        let changes = self.store.changes()?;
        let open = self.read_runs()?;
        self.show_last(open.as_ref())?;
        if let Some(summary) = open {
            return match self.store.hill().game {
                GameName::Yahtzee => self.follow_run::<Yahtzee>(&summary),
                GameName::LiarsDice => self.follow_run::<LiarsDice>(&summary),
            };
        }
        match self.store.hill().game {
            GameName::Yahtzee => self.count_last::<Yahtzee>()?,
            GameName::LiarsDice => self.count_last::<LiarsDice>()?,
        }
        while !self.is_stopped() && self.store.changes()? == changes {
            std::thread::sleep(LOOK);
        }
        Ok(Left::Over)
    }

    /// Takes note of the runs that have ended; returns the last if it has not.
    fn read_runs(&mut self) -> Result<Option<RunSummary>, FileError> {
        let is_over = |line: &RunLine| line.state == RunState::Ended;
        self.past.truncate(self.past.iter().take_while(|line| is_over(line)).count());
        let first = self.past.last().map_or(1, |line| line.run + 1);
        let mut runs = self.store.runs_from(first)?;
        let open = runs.pop_if(|run| run.result.is_none());
        self.past.extend(runs.iter().map(|run| run_line(run, false)));
        runs.retain(|run| run.result.is_some());
        if let Some(summary) = runs.last() {
            self.last = Some(Arc::new(self.ended_view(summary, None)?));
        }
        self.take_into_league(&runs)?;
        Ok(open)
    }

    /// Takes note of the last whole run among these, which have ended, and of the placements behind it.
    fn take_into_league(&mut self, runs: &[RunSummary]) -> Result<(), FileError> {
        let is_whole = |run: &RunSummary| run.header.hill.strengths.is_none();
        let whole = runs.iter().rposition(is_whole);
        if let Some(summary) = whole.map(|index| &runs[index]) {
            let view = match &self.last {
                Some(last) if last.run == summary.run => Arc::clone(last),
                Some(_) | None => Arc::new(self.ended_view(summary, None)?),
            };
            let result = self.read_result(summary)?;
            self.league = Some(League { view, result, placements: Vec::new() });
        }
        for summary in &runs[whole.map_or(0, |index| index + 1)..] {
            let (run, header) = (summary.run, summary.header.clone());
            let result = self.read_result(summary)?;
            if let Some(league) = &mut self.league {
                league.placements.push(PlacementRun { run, header, result });
            }
        }
        Ok(())
    }

    fn read_result(&self, summary: &RunSummary) -> Result<ResultDocument, FileError> {
        match self.store.hill().game {
            GameName::Yahtzee => result_of::<Yahtzee>(&self.store, summary),
            GameName::LiarsDice => result_of::<LiarsDice>(&self.store, summary),
        }
    }

    fn ended_view(
        &self,
        summary: &RunSummary,
        tally: Option<Arc<super::Tally>>,
    ) -> Result<RunView, FileError> {
        match self.store.hill().game {
            GameName::Yahtzee => ended::<Yahtzee>(&self.store, &self.address, summary, tally),
            GameName::LiarsDice => ended::<LiarsDice>(&self.store, &self.address, summary, tally),
        }
    }

    /// Shows the last run that has ended, unless a later one is about to be followed.
    fn show_last(&mut self, open: Option<&RunSummary>) -> Result<(), FileError> {
        if open.is_none() {
            let latest = self.last.clone();
            self.show(latest, None)?;
        }
        Ok(())
    }

    /// Goes through the games of the last run, and of that in front, once, for what their results do not say.
    fn count_last<G: Game>(&mut self) -> Result<(), FileError> {
        let last = self.last.clone().map(|last| self.counted::<G>(last)).transpose()?;
        let front = self.league.as_ref().map(|league| Arc::clone(&league.view));
        let front = match (&last, front) {
            (Some(last), Some(front)) if last.run == front.run => Some(Arc::clone(last)),
            (_, front) => front.map(|front| self.counted::<G>(front)).transpose()?,
        };
        if let (Some(league), Some(front)) = (&mut self.league, front) {
            league.view = front;
        }
        self.last = last;
        self.show(self.last.clone(), None)
    }

    /// The view of an ended run with what its games say.
    fn counted<G: Game>(&self, view: Arc<RunView>) -> Result<Arc<RunView>, FileError> {
        if view.tally.is_some() {
            return Ok(view);
        }
        let Some(summary) = self.store.runs_from(view.run)?.into_iter().next() else {
            return Ok(view);
        };
        let tally = count::<G>(&self.store, &summary, &|| !self.is_stopped())?;
        Ok(Arc::new(self.ended_view(&summary, Some(Arc::new(tally)))?))
    }

    /// Follows a run until it ends, or begins anew because somebody is barred.
    fn follow_run<G: Game>(&mut self, summary: &RunSummary) -> Result<Left, FileError> {
        let run = self.store.run(summary.run)?;
        let hill = hill_of::<G>(self.store.path(), &run.header)?;
        let chance = Chance::new(hill.seed());
        let schedule = Schedule::new(&hill, &chance, active(&hill, &run.bars));
        let of = games_of(&hill, &run.bars);
        let mut counted = Counted::new(&hill, &schedule);
        let mut pace = Pace::default();
        loop {
            let changes = self.store.changes()?;
            counted.take_new(&self.store, &run, &|| !self.is_stopped())?;
            let begun = Instant::now();
            let state = if self.is_played() { RunState::Playing } else { RunState::Stopped };
            let games = counted.following.games();
            let result = counted.following.document(&run.bars);
            let tally = Some(Arc::new(counted.tally(&hill)));
            let progress = pace.progress(state, games, of);
            let view = view(&self.store, &self.address, summary, &run, (&result, tally), progress)?;
            self.show(Some(Arc::new(view)), Some(summary))?;
            let rest = ANEW.max(begun.elapsed() * REST);
            loop {
                std::thread::sleep(LOOK);
                if self.is_stopped() {
                    return Ok(Left::Stopped);
                }
                let now = self.store.changes()?;
                if now != changes {
                    self.changed = Instant::now();
                    if begun.elapsed() >= rest || self.has_left(&run)? {
                        break;
                    }
                } else if (state == RunState::Playing) != self.is_played() {
                    break;
                }
            }
            if self.has_left(&run)? {
                return Ok(Left::Over);
            }
        }
    }

    /// Whether a run has ended, begun anew, or is not the last any more.
    fn has_left(&self, run: &dicehill_store::StoredRun) -> Result<bool, FileError> {
        let now = self.store.run(run.run)?;
        let later = !self.store.runs_from(run.run + 1)?.is_empty();
        Ok(later || now.result.is_some() || now.bars.len() != run.bars.len())
    }

    fn is_played(&self) -> bool {
        self.store.is_locked().unwrap_or(self.changed.elapsed() < QUIET)
    }

    /// Publishes how the hill stands.
    fn show(
        &mut self,
        latest: Option<Arc<RunView>>,
        open: Option<&RunSummary>,
    ) -> Result<(), FileError> {
        self.version += 1;
        let entrant = |entrant: dicehill_store::StoredEntrant| EntrantDocument {
            bot: entrant.name.to_string(),
            version: entrant.number,
            hash: dicehill_arena::printable(&entrant.identity),
            author: entrant.author.as_deref().map(dicehill_arena::printable),
            added: date(entrant.added),
        };
        let entrants: Vec<_> = self.store.entrants()?.into_iter().map(entrant).collect();
        let mut history: Vec<_> = self.past.iter().rev().cloned().collect();
        if let (Some(open), Some(view)) = (open, &latest) {
            let Progress { state, games, .. } = view.board.progress;
            history.insert(0, RunLine { state, games, ..run_line(open, true) });
        }
        let league = self.league.as_ref().map(League::board);
        let crowned = league.clone();
        let is_placed = latest.as_ref().is_some_and(|view| view.is_placement());
        let board = match league.filter(|_| is_placed) {
            Some(league) => Some(league),
            None => latest.as_ref().map(|view| view.board.clone()),
        };
        let summary = HillSummary {
            entrants: entrants.len(),
            runs: history.len(),
            champion: crowned.as_ref().and_then(|board| board.champion.clone()),
            champion_sure: crowned.as_ref().and_then(|board| board.champion_sure),
            state: history.first().map(|line| line.state),
            ..nothing(&self.address, &self.store).summary
        };
        let hill = HillDocument {
            summary,
            version: self.version,
            entrants_now: entrants,
            history,
            board,
            placement: latest.as_ref().filter(|_| open.is_some()).and_then(|view| placement(view)),
            commitment: self.store.open_commitment()?.map(|open| open.published),
        };
        self.publish.send_replace(Arc::new(Snapshot { hill, latest }));
        Ok(())
    }
}

/// Goes through all games of a run, for what its result does not say.
pub(super) fn count<G: Game>(
    store: &HillStore,
    summary: &RunSummary,
    go_on: &dyn Fn() -> bool,
) -> Result<super::Tally, FileError> {
    let run = store.run(summary.run)?;
    let hill = hill_of::<G>(store.path(), &run.header)?;
    let chance = Chance::new(hill.seed());
    let schedule = Schedule::new(&hill, &chance, active(&hill, &run.bars));
    let mut counted = Counted::new(&hill, &schedule);
    counted.take_new(store, &run, go_on)?;
    Ok(counted.tally(&hill))
}

/// A hill before anything is known of it.
fn nothing(address: &str, store: &HillStore) -> HillDocument {
    let hill = store.hill();
    let summary = HillSummary {
        hill: address.to_owned(),
        name: dicehill_arena::printable(&hill.name),
        game: hill.game.name().to_owned(),
        format: hill.format.name().to_owned(),
        entrants: 0,
        runs: 0,
        champion: None,
        champion_sure: None,
        state: None,
    };
    HillDocument {
        summary,
        version: 0,
        entrants_now: Vec::new(),
        history: Vec::new(),
        board: None,
        placement: None,
        commitment: None,
    }
}

/// How far a placement is that is not at its end; `None` of another run.
fn placement(view: &RunView) -> Option<PlacementProgress> {
    let bot = view.header.hill.challenger.as_deref().filter(|_| view.is_placement())?;
    let Progress { state, games, .. } = view.board.progress;
    Some(PlacementProgress { run: view.run, bot: dicehill_arena::printable(bot), state, games })
}

fn run_line(run: &RunSummary, is_played: bool) -> RunLine {
    #[derive(Default, serde::Deserialize)]
    struct Crowned {
        champion: Option<String>,
        champion_sure: Option<f64>,
        placing: Option<PlacedLine>,
    }
    let result = run.result.as_deref().map(serde_json::from_str::<Crowned>);
    let state = match (&result, is_played) {
        (Some(_), _) => RunState::Ended,
        (None, true) => RunState::Playing,
        (None, false) => RunState::Stopped,
    };
    let Crowned { champion, champion_sure, placing } =
        result.and_then(Result::ok).unwrap_or_default();
    RunLine {
        run: run.run,
        begun: date(run.begun),
        ended: run.ended.map(date),
        state,
        bots: run.header.bots.len(),
        games: run.games,
        champion,
        champion_sure,
        placed: placing,
    }
}

/// How fast games have been stored lately.
#[derive(Default)]
struct Pace {
    /// Moments and the games that were stored then, latest last.
    seen: std::collections::VecDeque<(Instant, u64)>,
}

/// Over how long a rate is taken.
const LATELY: Duration = Duration::from_secs(20);

impl Pace {
    fn progress(&mut self, state: RunState, games: u64, of: u64) -> Progress {
        let now = Instant::now();
        self.seen.push_back((now, games));
        while self.seen.front().is_some_and(|(then, _)| now - *then > LATELY) {
            self.seen.pop_front();
        }
        let rate = self.seen.front().and_then(|(then, before)| {
            let seconds = (now - *then).as_secs_f64();
            let played = games.saturating_sub(*before) as f64;
            (state == RunState::Playing && seconds > 0.5 && played > 0.0).then(|| played / seconds)
        });
        let left = of.saturating_sub(games) as f64;
        Progress {
            state,
            games,
            of: of.max(games),
            rate: rate.map(dicehill_arena::six_digits),
            seconds_left: rate.map(|rate| (left / rate).ceil() as u64),
        }
    }
}
