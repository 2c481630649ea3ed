//! Plays a whole hill and reports it in the order of game numbers.

use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use dicehill_rules::{Barring, Chance, Game, Public};

use crate::answer_sum::Timed;
use crate::placing::{Placer, Placing};
use crate::recall::{Past, Recall, Recalled, recall};
use crate::relive::{Divergence, relive};
use crate::tables::{Outcome, Suspect, Tables};
use crate::{
    AnswerSum, Bar, Bot, EntrantId, Event, Fixture, GameRecord, Header, Hill, Ledger, Memory,
    Offence, Play, Reason, RecordsHash, ResultDocument, Retrial, Schedule, Start, game_line, pool,
};

/// Games that a worker plays before it hands them over, at most.
const CHUNK: u64 = 64;
/// Games that a worker whose games are played by processes may be ahead.
const AHEAD: u64 = 1024;

/// How a run is carried out. None of it changes the result but the cap, which is a rule.
#[derive(Clone, Copy)]
pub struct RunOptions<'a> {
    /// Threads that play; at least one is used.
    pub jobs: usize,
    /// Games that play off a tie, at most.
    pub most_play_offs: u64,
    /// Set by somebody else to end the run early.
    pub stop: &'a AtomicBool,
}

/// How a run came to its end.
pub enum RunEnd {
    /// All games are played.
    Done(ResultDocument),
    /// It was stopped; the document says how things stood.
    Stopped(ResultDocument),
}

/// A game that has been played, and its line in the log.
pub struct Played<G: Game> {
    /// The game.
    pub record: GameRecord<G>,
    /// The line, without the newline.
    pub line: String,
    /// How long programs outside took for their answers, by seat; nothing if only house bots played.
    /// It may differ from time to time, and is no part of the line.
    pub times: Vec<Option<AnswerSum>>,
}

/// Games that play off a tie, at most, unless somebody wishes otherwise.
pub const MOST_PLAY_OFFS: u64 = 10_000;

/// Plays `hill` and tells `on` what happens, in the order of game numbers.
///
/// # Errors
/// What `on` returns ends the run at once: somebody could not store what has happened.
pub fn run<G: Game>(
    hill: &Hill<G>,
    options: RunOptions<'_>,
    on: &mut dyn FnMut(Event<'_, G>) -> io::Result<()>,
) -> io::Result<RunEnd> {
    run_qualified(hill, Vec::new(), options, on)
}

/// Plays `hill` without those who did not qualify: their bars are told first, in this order.
///
/// # Errors
/// What `on` returns ends the run at once: somebody could not store what has happened.
pub fn run_qualified<G: Game>(
    hill: &Hill<G>,
    bars: Vec<Bar>,
    options: RunOptions<'_>,
    on: &mut dyn FnMut(Event<'_, G>) -> io::Result<()>,
) -> io::Result<RunEnd> {
    run_from(hill, Past::qualified(bars), options, on)
}

/// Plays `hill` from where it was left: games that `past` has are told as they come up, in the order of
/// game numbers, and not played again. The result is that of a run without a past.
///
/// # Errors
/// If a recorded game cannot be read, and what `on` returns.
pub fn run_from<G: Game>(
    hill: &Hill<G>,
    past: Past<'_>,
    options: RunOptions<'_>,
    on: &mut dyn FnMut(Event<'_, G>) -> io::Result<()>,
) -> io::Result<RunEnd> {
    let Past { mut bars, games, goes_on, mut records } = past;
    let chance = Chance::new(hill.seed());
    if !goes_on {
        on(Event::Started(&Header::new(hill)))?;
        bars.iter().try_for_each(|bar| on(Event::Barred(bar)))?;
    }
    let is_barred = |id: &EntrantId| bars.iter().any(|bar| bar.bot == hill.name_of(*id));
    let mut active: Vec<EntrantId> = hill.ids().filter(|id| !is_barred(id)).collect();
    loop {
        let schedule = Schedule::new(hill, &chance, active.clone());
        let mut attempt = Attempt::new(hill, &chance, &schedule, games, options);
        attempt.begin_hash(records.take());
        let end = if active.len() < 2 { None } else { attempt.play(on)? };
        let document = |attempt: Attempt<'_, G>| attempt.document(&active, &bars);
        match end {
            None | Some(Cut::Decided) => {
                let document = document(attempt);
                on(Event::Ended(&document))?;
                return Ok(RunEnd::Done(document));
            }
            Some(Cut::Stopped) => return Ok(RunEnd::Stopped(document(attempt))),
            Some(Cut::Barred(id, bar)) => {
                on(Event::Barred(&bar))?;
                active.retain(|other| *other != id);
                bars.push(bar);
            }
        }
    }
}

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
    fn new(
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
    fn begin_hash(&mut self, records: Option<RecordsHash>) {
        self.recalled_are_hashed = records.is_some();
        self.ledger.set_records(records.unwrap_or_default());
    }

    fn document(self, active: &[EntrantId], bars: &[Bar]) -> ResultDocument {
        let records = self.ledger.records().finish();
        let document = ResultDocument::new(self.hill, &self.ledger, active, bars, records);
        ResultDocument { placing: self.placing, ..document }
    }

    fn play(
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
        alone: impl FnOnce(&mut dyn FnMut() -> Played<G>) -> Played<G>,
        on: &mut dyn FnMut(Event<'_, G>) -> io::Result<()>,
    ) -> Flow {
        match outcome {
            Outcome::Played(played) => self.take_scheduled(&played, on),
            Outcome::Recalled(recalled) => self.take_recalled(&recalled, on),
            Outcome::Unreadable(error) => ControlFlow::Break(Err(error)),
            Outcome::Suspect(suspect) => {
                let (hill, chance) = (self.hill, self.chance);
                let played = alone(&mut || play_apart(hill, chance, suspect.fixture.clone()));
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
        told(on(Event::Retried(&retrial)))
    }

    /// Games in one life of each bot, in order.
    fn play_one_by_one(&mut self, on: &mut dyn FnMut(Event<'_, G>) -> io::Result<()>) -> Flow {
        let mut diverged = Vec::new();
        for game in 1..=self.schedule.games() {
            self.go_on()?;
            let fixture = self.schedule.fixture(game);
            match self.recall(&fixture)? {
                None => {
                    let played = self.play_in_one_life(fixture);
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
        match recall(self.recorded, self.hill, fixture) {
            Ok(recalled) => ControlFlow::Continue(recalled),
            Err(error) => ControlFlow::Break(Err(error)),
        }
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
        let divergences = match relived {
            Ok(divergences) => divergences,
            Err(error) => return ControlFlow::Break(Err(error)),
        };
        for Divergence { entrant, recorded, answered } in divergences {
            if diverged.contains(&entrant) {
                continue;
            }
            diverged.push(entrant);
            let (bot, game) = (self.hill.name_of(entrant), recalled.fixture.game);
            told(on(Event::Diverged { bot, game, recorded: &recorded, answered: &answered }))?;
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

    fn play_in_one_life(&mut self, fixture: Fixture) -> Played<G> {
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
        let Recalled { fixture, results, failures, .. } = recalled;
        for (seat, reason) in failures {
            self.count_failure(fixture.seats[seat.index()], *reason);
        }
        self.ledger.add(self.schedule, fixture, results);
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
        told(on(Event::Recalled(recalled, &self.ledger)))
    }

    fn take_scheduled(
        &mut self,
        played: &Played<G>,
        on: &mut dyn FnMut(Event<'_, G>) -> io::Result<()>,
    ) -> Flow {
        self.judge_offences(played)?;
        self.ledger.add(self.schedule, &played.record.fixture, &played.record.results);
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
        told(on(Event::Played(played, &self.ledger)))?;
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
                told(on(Event::MemoryLost { bot, game: fixture.game, failure }))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Games come here in the order of their numbers, so that the first bar found is the first.
    fn judge_offences(&mut self, played: &Played<G>) -> Flow {
        for offence in &played.record.offences {
            let id = played.record.fixture.seats[offence.seat.index()];
            if self.bars(id, offence) {
                let bar = self.bar(id, offence, played);
                return ControlFlow::Break(Ok(Cut::Barred(id, bar)));
            }
        }
        ControlFlow::Continue(())
    }

    fn bars(&mut self, id: EntrantId, offence: &Offence) -> bool {
        self.count_failure(id, offence.failure.reason);
        match G::CHALLENGE.barring {
            Barring::FirstOffence => true,
            Barring::Failures { .. } if !offence.failure.reason.is_process_failure() => false,
            Barring::Failures { more_than, percent } => {
                let failures = self.failures[id.index()];
                failures > more_than && 100 * failures > percent * self.games_of(id)
            }
        }
    }

    fn count_failure(&mut self, id: EntrantId, reason: Reason) {
        self.failures[id.index()] += u64::from(reason.is_process_failure());
    }

    /// How many games an entrant is scheduled for: counted once, for it takes a look at all of them.
    fn games_of(&mut self, id: EntrantId) -> u64 {
        *self.scheduled[id.index()].get_or_insert_with(|| self.schedule.games_of(id))
    }

    fn bar(&self, id: EntrantId, offence: &Offence, played: &Played<G>) -> Bar {
        Bar {
            bot: self.hill.name_of(id).to_owned(),
            reason: offence.failure.reason.name().to_owned(),
            game: played.record.fixture.game,
            request: offence.request.clone(),
            detail: offence.failure.detail.clone(),
            log: offence.failure.log.clone(),
            record: played.line.clone(),
        }
    }
}

/// Goes on, or ends with a cut or because an event could not be stored.
pub(crate) type Flow = ControlFlow<io::Result<Cut>>;

fn told(told: io::Result<()>) -> Flow {
    match told {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => ControlFlow::Break(Err(error)),
    }
}

/// A game with bots that know of no other, unless its record is there.
pub(crate) fn recall_or_play<G: Game>(
    hill: &Hill<G>,
    chance: &Chance,
    recorded: &dyn Recall,
    fixture: Fixture,
) -> Outcome<G> {
    match recall(recorded, hill, &fixture) {
        Ok(Some(recalled)) => Outcome::Recalled(recalled),
        Ok(None) => Outcome::Played(play_apart(hill, chance, fixture)),
        Err(error) => Outcome::Unreadable(error),
    }
}

/// Plays a game with bots that know of no other: programs outside in processes of their own.
#[must_use]
pub fn play_apart<G: Game>(hill: &Hill<G>, chance: &Chance, fixture: Fixture) -> Played<G> {
    let mut owned: Vec<_> =
        fixture.seats.iter().map(|id| hill.entrant(*id).program.bot()).collect();
    let mut bots: Vec<&mut dyn Bot<G>> = owned.iter_mut().map(|bot| &mut **bot as _).collect();
    play(hill, chance, fixture, Vec::new(), &mut bots)
}

fn play<G: Game>(
    hill: &Hill<G>,
    chance: &Chance,
    fixture: Fixture,
    points: Vec<u64>,
    bots: &mut [&mut dyn Bot<G>],
) -> Played<G> {
    let (mut play, starts) = begin(hill, chance, &fixture, points);
    for (bot, start) in bots.iter_mut().zip(&starts) {
        bot.start(start);
    }
    let is_outside = |id: &EntrantId| hill.entrant(*id).program.is_outside();
    if !fixture.seats.iter().any(is_outside) {
        play.drive(bots);
        return finish(hill, play, fixture, Vec::new());
    }
    let mut timed: Vec<_> = bots.iter_mut().map(|bot| Timed::new(&mut **bot)).collect();
    play.drive(&mut timed.iter_mut().map(|bot| bot as &mut dyn Bot<G>).collect::<Vec<_>>());
    let sums = timed.into_iter().map(|bot| bot.sum);
    let times = fixture.seats.iter().zip(sums).map(|(id, sum)| is_outside(id).then_some(sum));
    let times = times.collect();
    finish(hill, play, fixture, times)
}

/// A game at its first action, and what each seat is told of it.
pub(crate) fn begin<'a, G: Game>(
    hill: &'a Hill<G>,
    chance: &Chance,
    fixture: &Fixture,
    points: Vec<u64>,
) -> (Play<'a, G>, Vec<Start>) {
    let game = fixture.game;
    let names: Vec<_> = fixture.seats.iter().map(|id| hill.name_of(*id)).collect();
    let start = |name: &&str| Start {
        game,
        id: chance.game_id(game, name),
        players: names.len(),
        seed: chance.bot_seed(game, name),
    };
    let starts = names.iter().map(start).collect();
    let public = Public { names, points };
    let dice = chance.table(fixture.table);
    (Play::new(hill.rules(), dice, fixture.seats.len(), public), starts)
}

/// A game that is over, with its line.
pub(crate) fn finish<G: Game>(
    hill: &Hill<G>,
    play: Play<'_, G>,
    fixture: Fixture,
    times: Vec<Option<AnswerSum>>,
) -> Played<G> {
    let record = play.into_record(fixture);
    let line = game_line(hill, &record);
    Played { record, line, times }
}
