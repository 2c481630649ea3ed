//! The run of the entrants that are not barred yet, until its end or the next bar.

mod barring;

use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use dicehill_rules::{Chance, Game};

use crate::placing::{Placer, Placing};
use crate::played::{play, recall_or_play};
use crate::recall::{Recall, Recalled, recall};
use crate::relive::{Divergence, relive};
use crate::tables::{Outcome, Suspect, Tables};
use crate::{
    Bar, Bot, EntrantId, Event, Fixture, GameRecord, Hill, Ledger, Memory, Offence, Played,
    RecordsHash, ResultDocument, Retrial, RunOptions, Schedule, play_apart, pool,
};

/// Games that a worker plays before it hands them over, at most.
const CHUNK: u64 = 64;
/// Games that a worker whose games are played by processes may be ahead.
const AHEAD: u64 = 1024;

/// Why an attempt did not come to its end.
pub(crate) enum Cut {
    Stopped,
    /// Its question is answered: there is nothing more to play.
    Decided,
    Barred(EntrantId, Bar),
}

/// The run of the entrants that are not barred yet.
pub(crate) struct Attempt<'a, G: Game> {
    hill: &'a Hill<G>,
    chance: &'a Chance,
    schedule: &'a Schedule<'a, G>,
    recorded: &'a dyn Recall,
    options: RunOptions<'a>,
    ledger: Ledger,
    /// Where the newcomer stands, if the run is to find it out.
    placing: Option<Placing>,
    /// Whether the hash has the recorded games already.
    recalled_are_hashed: bool,
    /// Failures of each entrant's process, by entrant.
    failures: Vec<u64>,
    /// Games that each entrant is scheduled for, by entrant, once somebody has asked.
    scheduled: Vec<Option<u64>>,
    /// The bots that live through the run, by entrant; empty if games do not know of each other.
    lives: Vec<Box<dyn Bot<G>>>,
}

impl<'a, G: Game> Attempt<'a, G> {
    pub(crate) fn new(
        hill: &'a Hill<G>,
        chance: &'a Chance,
        schedule: &'a Schedule<'a, G>,
        recorded: &'a dyn Recall,
        options: RunOptions<'a>,
    ) -> Self {
        let lives = match hill.memory() {
            Memory::Game => Vec::new(),
            Memory::Set => hill.entrants().iter().map(|entrant| entrant.program.bot()).collect(),
        };
        Self {
            hill,
            chance,
            schedule,
            recorded,
            options,
            ledger: Ledger::new(schedule),
            recalled_are_hashed: false,
            placing: None,
            failures: vec![0; hill.entrants().len()],
            scheduled: vec![None; hill.entrants().len()],
            lives,
        }
    }

    /// Takes the hash over all recorded games, if it is known beforehand.
    pub(crate) fn begin_hash(&mut self, records: Option<RecordsHash>) {
        self.recalled_are_hashed = records.is_some();
        self.ledger.set_records(records.unwrap_or_default());
    }

    pub(crate) fn document(self, active: &[EntrantId], bars: &[Bar]) -> ResultDocument {
        let records = self.ledger.records().finish();
        let document = ResultDocument::new(self.hill, &self.ledger, active, bars, records);
        ResultDocument { placing: self.placing, ..document }
    }

    pub(crate) fn play(
        &mut self,
        on: &mut dyn FnMut(Event<'_, G>) -> io::Result<()>,
    ) -> io::Result<Option<Cut>> {
        let outside = |id: &EntrantId| self.hill.entrant(*id).program.is_outside();
        let flow = match self.hill.memory() {
            Memory::Game if let Some(placer) = Placer::new(self.schedule) => self.place(placer, on),
            Memory::Game if self.schedule.active().iter().any(outside) => self.play_outside(on),
            Memory::Game => self.play_apart(on),
            Memory::Set => self.play_one_by_one(on),
        };
        let flow = match flow {
            ControlFlow::Continue(()) if G::CHALLENGE.ties_played_off => self.play_off_ties(on),
            flow @ (ControlFlow::Continue(()) | ControlFlow::Break(_)) => flow,
        };
        match flow {
            ControlFlow::Continue(()) => Ok(None),
            ControlFlow::Break(end) => end.map(Some),
        }
    }

    /// Games that do not know of each other, on all cores.
    fn play_apart(&mut self, on: &mut dyn FnMut(Event<'_, G>) -> io::Result<()>) -> Flow {
        let games = self.schedule.games();
        let jobs = self.options.jobs.max(1);
        // One thread hands each game over at once, while it is warm in the cache.
        let chunk = if jobs == 1 { 1 } else { (games / (8 * jobs as u64)).clamp(1, CHUNK) };
        let (hill, chance, schedule) = (self.hill, self.chance, self.schedule);
        let (recorded, stop) = (self.recorded, self.options.stop);
        let work = |piece: u64| {
            let numbers = piece * chunk + 1..=games.min((piece + 1) * chunk);
            let wanted = numbers.take_while(|_| !stop.load(Ordering::Relaxed));
            let outcome = |game| recall_or_play(hill, chance, recorded, schedule.fixture(game));
            wanted.map(outcome).collect::<Vec<_>>()
        };
        pool::in_order(jobs, games.div_ceil(chunk), work, |chunk| {
            let mut outcomes = chunk.into_iter();
            outcomes.try_for_each(|outcome| self.take(outcome, |again| again(), on))?;
            self.go_on()
        })
    }

    /// Games that do not know of each other, in processes of the entrants, on all cores.
    fn play_outside(&mut self, on: &mut dyn FnMut(Event<'_, G>) -> io::Result<()>) -> Flow {
        let games = self.schedule.games();
        let jobs = self.options.jobs.max(1);
        let (hill, chance, schedule) = (self.hill, self.chance, self.schedule);
        let recorded = self.recorded;
        let work =
            |feed: &pool::Feed<'_, _>| Tables::new(hill, chance, schedule, recorded).work(feed);
        pool::feed_in_order(jobs, games, AHEAD * jobs as u64, work, |counter, outcome| {
            // Games in flight are played to their ends.
            if self.go_on().is_break() {
                counter.run_out();
            }
            match outcome {
                None => ControlFlow::Continue(()),
                Some(outcome) => self.take(outcome, |again| counter.hushed(again), on),
            }
        })?;
        self.go_on()
    }

    /// Takes a scheduled game as it came out of a worker's hands; `alone` does what it is given while
    /// nothing else runs.
    pub(crate) fn take(
        &mut self,
        outcome: Outcome<G>,
        alone: impl FnOnce(&mut dyn FnMut() -> io::Result<Played<G>>) -> io::Result<Played<G>>,
        on: &mut dyn FnMut(Event<'_, G>) -> io::Result<()>,
    ) -> Flow {
        match outcome {
            Outcome::Played(played) => self.take_scheduled(&played, on),
            Outcome::Recalled(recalled) => self.take_recalled(&recalled, on),
            Outcome::Error(error) => ControlFlow::Break(Err(error)),
            Outcome::Suspect(suspect) => {
                let (hill, chance) = (self.hill, self.chance);
                let played = alone(&mut || play_apart(hill, chance, suspect.fixture.clone()));
                let played = going_on(played)?;
                self.tell_retrial(&suspect, &played, on)?;
                self.take_scheduled(&played, on)
            }
        }
    }

    fn tell_retrial(
        &self,
        suspect: &Suspect,
        played: &Played<G>,
        on: &mut dyn FnMut(Event<'_, G>) -> io::Result<()>,
    ) -> Flow {
        let seats = &suspect.fixture.seats;
        let mut offences = played.record.offences.iter();
        let again = offences.find(|offence| seats[offence.seat.index()] == suspect.entrant);
        let retrial = Retrial {
            bot: self.hill.name_of(suspect.entrant).to_owned(),
            game: suspect.fixture.game,
            failure: suspect.failure.clone(),
            again: again.map(|offence| offence.failure.clone()),
        };
        going_on(on(Event::Retried(&retrial)))
    }

    /// Games in one life of each bot, in order.
    fn play_one_by_one(&mut self, on: &mut dyn FnMut(Event<'_, G>) -> io::Result<()>) -> Flow {
        let mut diverged = Vec::new();
        for game in 1..=self.schedule.games() {
            self.go_on()?;
            let fixture = self.schedule.fixture(game);
            match self.recall(&fixture)? {
                None => {
                    let played = going_on(self.play_in_one_life(fixture))?;
                    self.take_scheduled(&played, on)?;
                }
                Some(recalled) => {
                    self.relive(&recalled, &mut diverged, on)?;
                    self.take_recalled(&recalled, on)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The record of a game; `None` if it has to be played.
    fn recall(&self, fixture: &Fixture) -> ControlFlow<io::Result<Cut>, Option<Recalled>> {
        going_on(recall(self.recorded, self.hill, fixture))
    }

    /// Lets the bots live through a recorded game, so that they know what they knew. Who answers
    /// otherwise than it did is told once, and named in `diverged`.
    fn relive(
        &mut self,
        recalled: &Recalled,
        diverged: &mut Vec<EntrantId>,
        on: &mut dyn FnMut(Event<'_, G>) -> io::Result<()>,
    ) -> Flow {
        let points = self.points_of(&recalled.fixture);
        let relived = relive(self.hill, self.chance, recalled, points, &mut self.lives);
        for Divergence { entrant, recorded, answered } in going_on(relived)? {
            if diverged.contains(&entrant) {
                continue;
            }
            diverged.push(entrant);
            let (bot, game) = (self.hill.name_of(entrant), recalled.fixture.game);
            going_on(on(Event::Diverged { bot, game, recorded: &recorded, answered: &answered }))?;
        }
        ControlFlow::Continue(())
    }

    /// Plays on between those who share the most points, until one leads alone.
    fn play_off_ties(&mut self, on: &mut dyn FnMut(Event<'_, G>) -> io::Result<()>) -> Flow {
        if self.hill.format() != crate::Format::Challenge {
            return ControlFlow::Continue(());
        }
        let games = self.schedule.games();
        let mut tied = self.ledger.leaders(self.schedule.active());
        for game in games + 1..=games + self.options.most_play_offs {
            if tied.len() < 2 {
                break;
            }
            self.go_on()?;
            let fixture = self.schedule.play_off(game, &tied);
            self.play_off(fixture, on)?;
            tied = self.ledger.leaders(self.schedule.active());
        }
        ControlFlow::Continue(())
    }

    fn play_off(
        &mut self,
        fixture: Fixture,
        on: &mut dyn FnMut(Event<'_, G>) -> io::Result<()>,
    ) -> Flow {
        if let Some(recalled) = self.recall(&fixture)? {
            if self.hill.memory() == Memory::Set {
                self.relive(&recalled, &mut Vec::new(), on)?;
            }
            self.ledger.add_play_off(&recalled.fixture, &recalled.results);
            return self.tell_recalled(&recalled, on);
        }
        let played = match self.hill.memory() {
            Memory::Game => play_apart(self.hill, self.chance, fixture),
            Memory::Set => self.play_in_one_life(fixture),
        };
        let played = going_on(played)?;
        self.judge_offences(&played)?;
        self.ledger.add_play_off(&played.record.fixture, &played.record.results);
        self.tell(&played, on)
    }

    pub(crate) const fn schedule(&self) -> &'a Schedule<'a, G> {
        self.schedule
    }

    pub(crate) const fn chance(&self) -> &'a Chance {
        self.chance
    }

    pub(crate) const fn recorded(&self) -> &'a dyn Recall {
        self.recorded
    }

    pub(crate) const fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    pub(crate) fn set_placing(&mut self, placing: Placing) {
        self.placing = Some(placing);
    }

    pub(crate) fn go_on(&self) -> Flow {
        if self.options.stop.load(Ordering::Relaxed) {
            ControlFlow::Break(Ok(Cut::Stopped))
        } else {
            ControlFlow::Continue(())
        }
    }

    fn play_in_one_life(&mut self, fixture: Fixture) -> io::Result<Played<G>> {
        let ids = fixture.seats.clone();
        let points = self.points_of(&fixture);
        let mut lives: Vec<Option<&mut Box<dyn Bot<G>>>> =
            self.lives.iter_mut().map(Some).collect();
        let mut bots: Vec<&mut dyn Bot<G>> = Vec::new();
        for id in &ids {
            bots.push(lives[id.index()].take().expect("nobody sits twice").as_mut());
        }
        play(self.hill, self.chance, fixture, points, &mut bots)
    }

    /// What each seat has brought from earlier games.
    fn points_of(&self, fixture: &Fixture) -> Vec<u64> {
        fixture.seats.iter().map(|id| self.ledger.points(*id)).collect()
    }

    fn take_recalled(
        &mut self,
        recalled: &Recalled,
        on: &mut dyn FnMut(Event<'_, G>) -> io::Result<()>,
    ) -> Flow {
        let Recalled { fixture, results, appraisals, failures, .. } = recalled;
        for (seat, reason) in failures {
            self.count_failure(fixture.seats[seat.index()], *reason);
        }
        self.ledger.add(self.schedule, fixture, results, appraisals);
        self.tell_recalled(recalled, on)?;
        self.go_on_unless_decided()
    }

    fn tell_recalled(
        &mut self,
        recalled: &Recalled,
        on: &mut dyn FnMut(Event<'_, G>) -> io::Result<()>,
    ) -> Flow {
        if !self.recalled_are_hashed {
            self.ledger.add_line(&recalled.line);
        }
        going_on(on(Event::Recalled(recalled, &self.ledger)))
    }

    fn take_scheduled(
        &mut self,
        played: &Played<G>,
        on: &mut dyn FnMut(Event<'_, G>) -> io::Result<()>,
    ) -> Flow {
        self.judge_offences(played)?;
        let GameRecord { fixture, results, appraisals, .. } = &played.record;
        self.ledger.add(self.schedule, fixture, results, appraisals);
        self.tell(played, on)?;
        self.go_on_unless_decided()
    }

    /// For after each scheduled game, so that the run ends at the same one however it got there.
    fn go_on_unless_decided(&self) -> Flow {
        if self.ledger.is_decided() {
            ControlFlow::Break(Ok(Cut::Decided))
        } else {
            ControlFlow::Continue(())
        }
    }

    /// The game counts: it enters the hash and is told.
    fn tell(
        &mut self,
        played: &Played<G>,
        on: &mut dyn FnMut(Event<'_, G>) -> io::Result<()>,
    ) -> Flow {
        self.ledger.add_line(&played.line);
        going_on(on(Event::Played(played, &self.ledger)))?;
        if self.hill.memory() == Memory::Set {
            self.tell_lost_memory(played, on)?;
        }
        ControlFlow::Continue(())
    }

    /// A process that failed begins a new life, and knows nothing of the one before.
    fn tell_lost_memory(
        &self,
        played: &Played<G>,
        on: &mut dyn FnMut(Event<'_, G>) -> io::Result<()>,
    ) -> Flow {
        let fixture = &played.record.fixture;
        for Offence { seat, failure, .. } in &played.record.offences {
            let entrant = self.hill.entrant(fixture.seats[seat.index()]);
            if failure.reason.is_process_failure() && entrant.program.is_outside() {
                let bot = entrant.name.as_str();
                going_on(on(Event::MemoryLost { bot, game: fixture.game, failure }))?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// Goes on, or ends with a cut or because an event could not be stored.
pub(crate) type Flow = ControlFlow<io::Result<Cut>>;

/// Goes on with a value, or ends the run with an error.
fn going_on<T>(result: io::Result<T>) -> ControlFlow<io::Result<Cut>, T> {
    match result {
        Ok(value) => ControlFlow::Continue(value),
        Err(error) => ControlFlow::Break(Err(error)),
    }
}
