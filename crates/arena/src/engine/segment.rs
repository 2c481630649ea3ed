//! The part of a run between two bars: all games between the entrants that are not barred yet.

mod barring;
mod placement;

use std::io;
use std::ops::Range;
use std::time::{Duration, Instant};

use dicehill_rules::{Chance, Game};

use crate::engine::external_worker::ExternalWorker;
use crate::engine::failure_count::FailureCount;
use crate::engine::game_queue::ScheduledGames;
use crate::engine::game_source::recorded_game;
use crate::engine::idle_cores::IdleCores;
use crate::engine::outcome::{Outcome, Suspect};
use crate::engine::player::{play, play_again_alone, replay_or_play};
use crate::engine::replay::{DifferentAnswer, replay_to_bots};
use crate::engine::worker_pool;
use crate::{
    Bar, Bot, EntrantId, Event, Fixture, Format, GameRange, GameRecord, GameSource, Hill,
    IdleProcesses, Ledger, Memory, Offence, PlacementResult, PlacementScheduler, PlayedGame,
    RecordedGame, RecordsHash, ResultDocument, Retrial, RunOptions, Schedule, play_alone,
};

/// Games that a worker plays before it hands them over, at most.
const CHUNK: u64 = 64;
/// Games that a worker with games in processes may be ahead.
const AHEAD: u64 = 1024;
/// How long games in processes are played on after the caller has asked to stop.
const STOP_GRACE: Duration = Duration::from_secs(1);

/// Why a segment ended before its last game.
pub(crate) enum StopReason {
    /// The caller asked for it, or the time of the run is over.
    Requested,
    /// The question of the run is answered.
    Decided,
    /// An entrant is barred: the run starts again without it.
    Barred(EntrantId, Box<Bar>),
    /// A bot could not be started, a record could not be read, or an event could not be handled.
    Failed(io::Error),
}

impl From<io::Error> for StopReason {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

/// Receives the events of a run.
pub(crate) type Observer<'o, G> = dyn FnMut(Event<'_, G>) -> io::Result<()> + 'o;

/// What a segment is made of.
pub(crate) struct SegmentSetup<'a, G: Game> {
    pub(crate) hill: &'a Hill<G>,
    pub(crate) chance: &'a Chance,
    pub(crate) schedule: &'a Schedule<'a, G>,
    pub(crate) recorded: &'a dyn GameSource,
    pub(crate) options: RunOptions<'a>,
    /// The hash over all recorded games, if it is known beforehand.
    pub(crate) records: Option<RecordsHash>,
    /// The only games to play, if another machine puts the run together.
    pub(crate) range: Option<GameRange>,
    /// Where processes are taken from and left.
    pub(crate) idle: &'a IdleProcesses<G>,
}

/// All games between the entrants that are not barred yet.
pub(crate) struct RunSegment<'a, 'o, G: Game> {
    hill: &'a Hill<G>,
    chance: &'a Chance,
    schedule: &'a Schedule<'a, G>,
    recorded: &'a dyn GameSource,
    options: RunOptions<'a>,
    observer: &'a mut Observer<'o, G>,
    ledger: Ledger,
    /// The rank of the new entrant, once a placement has found it.
    placement: Option<PlacementResult>,
    /// The only games to play, if another machine puts the run together.
    range: Option<GameRange>,
    /// Where processes are taken from and left.
    idle: &'a IdleProcesses<G>,
    /// Whether the hash already covers the recorded games.
    recorded_are_hashed: bool,
    failures: FailureCount<'a, G>,
    /// The bots that serve the whole run, by entrant; empty if each game has fresh bots.
    persistent_bots: Vec<Box<dyn Bot<G>>>,
}

impl<'a, 'o, G: Game> RunSegment<'a, 'o, G> {
    pub(crate) fn new(setup: SegmentSetup<'a, G>, observer: &'a mut Observer<'o, G>) -> Self {
        let SegmentSetup { hill, chance, schedule, recorded, options, records, range, idle } =
            setup;
        let persistent_bots = match hill.memory() {
            Memory::Game => Vec::new(),
            Memory::Set => hill.entrants().iter().map(|entrant| entrant.program.bot()).collect(),
        };
        let mut ledger = Ledger::new(schedule);
        let recorded_are_hashed = records.is_some();
        ledger.set_records(records.unwrap_or_default());
        Self {
            hill,
            chance,
            schedule,
            recorded,
            options,
            observer,
            ledger,
            placement: None,
            range,
            idle,
            recorded_are_hashed,
            failures: FailureCount::new(hill, schedule),
            persistent_bots,
        }
    }

    pub(crate) fn document(&self, bars: &[Bar]) -> ResultDocument {
        let records = self.ledger.records().finish();
        let active = self.schedule.active();
        let document = ResultDocument::new(self.hill, &self.ledger, active, bars, records);
        ResultDocument { placing: self.placement.clone(), ..document }
    }

    /// Plays all games, then play-offs.
    pub(crate) fn play(&mut self) -> Result<(), StopReason> {
        match self.hill.memory() {
            Memory::Game if let Some(scheduler) = PlacementScheduler::new(self.schedule) => {
                self.place(scheduler)?;
            }
            Memory::Game => self.play_range()?,
            Memory::Set => self.play_in_sequence()?,
        }
        if self.hill.challenge().ties_played_off { self.play_off_ties() } else { Ok(()) }
    }

    /// Plays the games of the range, or all scheduled games. They do not affect each other.
    pub(crate) fn play_range(&mut self) -> Result<(), StopReason> {
        let is_external = |id: &EntrantId| self.hill.entrant(*id).program.is_outside();
        if self.schedule.active().iter().any(is_external) {
            self.play_external()
        } else {
            self.play_independent()
        }
    }

    /// The first number and the number behind the last of the games to play.
    fn numbers(&self) -> Range<u64> {
        match self.range {
            Some(range) => range.first()..range.last() + 1,
            None => 1..self.schedule.games() + 1,
        }
    }

    /// Games between house bots, each with fresh bots, on all cores.
    fn play_independent(&mut self) -> Result<(), StopReason> {
        let Range { start, end } = self.numbers();
        let games = end - start;
        let jobs = self.options.jobs.most();
        // A single thread hands each game over at once, while it is warm in the cache.
        let chunk = if jobs == 1 { 1 } else { (games / (8 * jobs as u64)).clamp(1, CHUNK) };
        let (hill, chance, schedule) = (self.hill, self.chance, self.schedule);
        let (recorded, options) = (self.recorded, self.options);
        let work = |task: u64| {
            let first = start + task * chunk;
            let numbers = first..end.min(first + chunk);
            let wanted = numbers.take_while(|_| !options.is_stopping());
            let outcome = |game| replay_or_play(hill, chance, recorded, schedule.fixture(game));
            wanted.map(outcome).collect::<Vec<_>>()
        };
        worker_pool::in_order(jobs, 0..games.div_ceil(chunk), work, |outcomes| {
            outcomes.into_iter().try_for_each(|outcome| self.take(outcome, |replay| replay()))?;
            self.check_stop()
        })
    }

    /// Games that do not affect each other, in processes of the entrants.
    fn play_external(&mut self) -> Result<(), StopReason> {
        let Range { start, end } = self.numbers();
        let jobs = self.options.jobs;
        let mut idle_cores = IdleCores::new();
        let (hill, chance, schedule) = (self.hill, self.chance, self.schedule);
        let (recorded, idle) = (self.recorded, self.idle);
        let mut stopping_since = None;
        let work = |queue: &worker_pool::TaskQueue<'_, _>| {
            let games = ScheduledGames { schedule, queue };
            ExternalWorker::new(hill, chance, recorded, &games, idle).work();
        };
        let workers = worker_pool::Workers { all: jobs.most(), first: jobs.first() };
        let ahead = AHEAD * jobs.most() as u64;
        worker_pool::queued_in_order(
            workers,
            start - 1..end - 1,
            ahead,
            work,
            |dispatcher, outcome| {
                dispatcher.admit(idle_cores.look());
                // Games in progress are played to their ends, unless that takes long.
                if let Err(stop) = self.check_stop() {
                    dispatcher.drain();
                    if stopping_since.get_or_insert_with(Instant::now).elapsed() > STOP_GRACE {
                        return Err(stop);
                    }
                }
                let alone = |replay: &mut dyn FnMut() -> _| dispatcher.while_idle(replay);
                outcome.map_or(Ok(()), |outcome| self.take(outcome, alone))
            },
        )?;
        self.check_stop()
    }

    /// Takes a scheduled game from a worker; `alone` runs a function while no other game is played.
    fn take(
        &mut self,
        outcome: Outcome<G>,
        alone: impl FnOnce(&mut dyn FnMut() -> io::Result<PlayedGame<G>>) -> io::Result<PlayedGame<G>>,
    ) -> Result<(), StopReason> {
        match outcome {
            Outcome::Played(played) => self.take_played(&played),
            Outcome::Recorded(recorded) => self.take_recorded(&recorded),
            Outcome::Error(error) => self.unless_stopping(Err(error)),
            Outcome::Suspect(suspect) => {
                let (hill, chance) = (self.hill, self.chance);
                let Suspect { fixture, moves, .. } = &suspect;
                let again = &mut || play_again_alone(hill, chance, fixture.clone(), moves);
                let played = alone(again);
                let played = self.unless_stopping(played)?;
                self.emit_retrial(&suspect, &played)?;
                self.take_played(&played)
            }
        }
    }

    fn emit_retrial(&mut self, suspect: &Suspect<G>, played: &PlayedGame<G>) -> io::Result<()> {
        let seats = &suspect.fixture.seats;
        let mut offences = played.record.offences.iter();
        let again = offences.find(|offence| seats[offence.seat.index()] == suspect.entrant);
        let retrial = Retrial {
            bot: self.hill.name_of(suspect.entrant).to_owned(),
            game: suspect.fixture.game,
            failure: suspect.failure.clone(),
            retry_failure: again.map(|offence| offence.failure.clone()),
        };
        (self.observer)(Event::Retried(&retrial))
    }

    /// Games in order, with bots that serve the whole run.
    fn play_in_sequence(&mut self) -> Result<(), StopReason> {
        let mut diverged = Vec::new();
        for game in 1..=self.schedule.games() {
            self.check_stop()?;
            let fixture = self.schedule.fixture(game);
            match recorded_game(self.recorded, self.hill, &fixture)? {
                None => {
                    let played = self.play_with_persistent_bots(fixture);
                    let played = self.unless_stopping(played)?;
                    self.take_played(&played)?;
                }
                Some(recorded) => {
                    let replayed = self.replay_to_bots(&recorded, &mut diverged);
                    self.unless_stopping(replayed)?;
                    self.take_recorded(&recorded)?;
                }
            }
        }
        Ok(())
    }

    /// Replays a recorded game to the bots, so that they know what they knew. A bot that answers differently is
    /// reported once, and added to `diverged`.
    fn replay_to_bots(
        &mut self,
        recorded: &RecordedGame,
        diverged: &mut Vec<EntrantId>,
    ) -> io::Result<()> {
        let points = self.points_of(&recorded.fixture);
        let bots = &mut self.persistent_bots;
        let different = replay_to_bots(self.hill, self.chance, recorded, points, bots)?;
        for DifferentAnswer { entrant, recorded: before, answered, .. } in different {
            if diverged.contains(&entrant) {
                continue;
            }
            diverged.push(entrant);
            let (bot, game) = (self.hill.name_of(entrant), recorded.fixture.game);
            let (recorded, answered) = (before.as_str(), answered.as_str());
            (self.observer)(Event::Diverged { bot, game, recorded, answered })?;
        }
        Ok(())
    }

    /// Plays on between the entrants that share the most points, until one of them leads alone.
    fn play_off_ties(&mut self) -> Result<(), StopReason> {
        if self.hill.format() != Format::Challenge {
            return Ok(());
        }
        let games = self.schedule.games();
        let mut tied = self.ledger.leaders(self.schedule.active());
        for game in games + 1..=games + self.options.max_play_offs {
            if tied.len() < 2 {
                break;
            }
            self.check_stop()?;
            self.play_off(self.schedule.play_off(game, &tied))?;
            tied = self.ledger.leaders(self.schedule.active());
        }
        Ok(())
    }

    fn play_off(&mut self, fixture: Fixture) -> Result<(), StopReason> {
        if let Some(recorded) = recorded_game(self.recorded, self.hill, &fixture)? {
            if self.hill.memory() == Memory::Set {
                self.replay_to_bots(&recorded, &mut Vec::new())?;
            }
            self.ledger.add_play_off(&recorded.fixture, &recorded.results);
            return Ok(self.emit_recorded(&recorded)?);
        }
        let played = match self.hill.memory() {
            Memory::Game => play_alone(self.hill, self.chance, fixture),
            Memory::Set => self.play_with_persistent_bots(fixture),
        };
        let played = self.unless_stopping(played)?;
        self.judge_played(&played)?;
        self.ledger.add_play_off(&played.record.fixture, &played.record.results);
        Ok(self.emit_played(&played)?)
    }

    fn check_stop(&self) -> Result<(), StopReason> {
        if self.options.is_stopping() { Err(StopReason::Requested) } else { Ok(()) }
    }

    /// A bot whose answer is not waited for has failed, but not by a fault of its own or of the arena.
    fn unless_stopping<T>(&self, result: io::Result<T>) -> Result<T, StopReason> {
        result.or_else(|error| self.check_stop().and(Err(error.into())))
    }

    fn play_with_persistent_bots(&mut self, fixture: Fixture) -> io::Result<PlayedGame<G>> {
        let points = self.points_of(&fixture);
        let mut available: Vec<Option<&mut Box<dyn Bot<G>>>> =
            self.persistent_bots.iter_mut().map(Some).collect();
        let mut bots: Vec<&mut dyn Bot<G>> = Vec::new();
        for id in &fixture.seats {
            let bot = available[id.index()].take().expect("an entrant has one seat at a table");
            bots.push(bot.as_mut());
        }
        play(self.hill, self.chance, fixture, points, &[], &mut bots)
    }

    /// The points of each seat from earlier games.
    fn points_of(&self, fixture: &Fixture) -> Vec<u64> {
        fixture.seats.iter().map(|id| self.ledger.points(*id)).collect()
    }

    fn take_recorded(&mut self, recorded: &RecordedGame) -> Result<(), StopReason> {
        let RecordedGame { fixture, results, appraisals, failures, .. } = recorded;
        if !failures.is_empty() {
            self.judge_recorded(recorded)?;
        }
        self.ledger.add(self.schedule, fixture, results, appraisals);
        self.emit_recorded(recorded)?;
        self.check_decided()
    }

    fn emit_recorded(&mut self, recorded: &RecordedGame) -> io::Result<()> {
        if !self.recorded_are_hashed {
            self.ledger.add_line(&recorded.line);
        }
        (self.observer)(Event::Recalled(recorded, &self.ledger))
    }

    fn take_played(&mut self, played: &PlayedGame<G>) -> Result<(), StopReason> {
        // The machine that puts the run together needs the game of a bar too.
        if self.range.is_none() {
            self.judge_played(played)?;
        }
        let GameRecord { fixture, results, appraisals, .. } = &played.record;
        self.ledger.add(self.schedule, fixture, results, appraisals);
        self.emit_played(played)?;
        if self.range.is_some() {
            self.judge_played(played)?;
        }
        self.check_decided()
    }

    /// Called after each scheduled game, recorded or played, so that a resumed run ends at the same game.
    fn check_decided(&self) -> Result<(), StopReason> {
        if self.ledger.is_decided() { Err(StopReason::Decided) } else { Ok(()) }
    }

    fn emit_played(&mut self, played: &PlayedGame<G>) -> io::Result<()> {
        self.ledger.add_line(&played.line);
        (self.observer)(Event::Played(played, &self.ledger))?;
        match self.hill.memory() {
            Memory::Game => Ok(()),
            Memory::Set => self.emit_lost_memory(played),
        }
    }

    /// The process of a bot that failed is replaced, and the new one has no memory.
    fn emit_lost_memory(&mut self, played: &PlayedGame<G>) -> io::Result<()> {
        let fixture = &played.record.fixture;
        for Offence { seat, failure, .. } in &played.record.offences {
            let entrant = self.hill.entrant(fixture.seats[seat.index()]);
            if failure.reason.is_process_failure() && entrant.program.is_outside() {
                let bot = entrant.name.as_str();
                (self.observer)(Event::MemoryLost { bot, game: fixture.game, failure })?;
            }
        }
        Ok(())
    }
}
