//! A worker that plays many games at a time, between house bots and processes.

use std::time::Instant;

use dicehill_rules::{Chance, Game, Seat};

use crate::engine::game_queue::GameQueue;
use crate::engine::game_source::recorded_game;
use crate::engine::idle_processes::{EntrantProcess, IdleProcesses};
use crate::engine::outcome::{Outcome, Suspect};
use crate::engine::player::{begin, finish};
use crate::judge::Audience;
use crate::{
    AnswerSum, Answered, Bot, EntrantId, Failure, Fixture, GameSlot, GameSource, Hill, Memory,
    Play, Reason,
};

/// The most games that one worker has in progress.
const MAX_OPEN: usize = 256;

/// Answers after which new requests are written, so that processes do not wait for the judge.
const FLUSH_INTERVAL: usize = 16;

/// The games that one thread plays at the same time, and the processes that play them.
///
/// Each entrant has its own process here for each place in a block: the games of one block share none.
pub(crate) struct ExternalWorker<'a, G: Game> {
    hill: &'a Hill<G>,
    chance: &'a Chance,
    recorded: &'a dyn GameSource,
    queue: &'a dyn GameQueue<G>,
    /// Where processes are taken from and left.
    idle: &'a IdleProcesses<G>,
    processes: Vec<EntrantProcess<G>>,
    /// By slot.
    open: Vec<Option<OpenGame<'a, G>>>,
    free: Vec<GameSlot>,
    /// The next game, taken from the queue and still without a place in some process.
    next: Option<Fixture>,
    /// A game taken from the queue whose record is not there yet.
    awaited: Option<Fixture>,
    answers: Vec<Answered<G>>,
    /// When requests were last written or answers read: the resolution of all times.
    now: Instant,
}

/// A game in progress.
struct OpenGame<'a, G: Game> {
    fixture: Fixture,
    play: Play<'a, G>,
    /// By seat.
    players: Vec<Player<G>>,
    /// How long each seat took so far, if it is a process.
    times: Vec<Option<AnswerSum>>,
    /// When the pending request was written.
    asked: Instant,
}

/// Who answers at a seat.
enum Player<G: Game> {
    /// Code of this process.
    House(Box<dyn Bot<G>>),
    /// The process with this index.
    External(usize),
    /// A process that has failed.
    Failed(Failure),
}

/// The players of a game in progress.
struct Players<'a, G: Game> {
    slot: GameSlot,
    players: &'a mut [Player<G>],
    processes: &'a mut [EntrantProcess<G>],
    /// Whether reports have the logs of processes.
    keeps_logs: bool,
}

impl<G: Game> Audience<G> for Players<'_, G> {
    fn reveal(&mut self, game: &G, action: &G::Action) {
        for player in self.players.iter_mut() {
            match player {
                Player::House(bot) => bot.reveal(game, action),
                Player::External(index) => {
                    self.processes[*index].server.reveal(self.slot, game, action);
                }
                Player::Failed(_) => {}
            }
        }
    }

    fn refused(&mut self, seat: Seat, why: &str) -> Vec<String> {
        match &mut self.players[seat.index()] {
            Player::House(bot) => bot.refused(why),
            Player::External(index) => {
                let log = self.processes[*index].server.refused(self.slot, why);
                if self.keeps_logs { log } else { Vec::new() }
            }
            Player::Failed(_) => Vec::new(),
        }
    }
}

impl<'a, G: Game> ExternalWorker<'a, G> {
    pub(crate) fn new(
        hill: &'a Hill<G>,
        chance: &'a Chance,
        recorded: &'a dyn GameSource,
        queue: &'a dyn GameQueue<G>,
        idle: &'a IdleProcesses<G>,
    ) -> Self {
        Self {
            hill,
            chance,
            recorded,
            queue,
            idle,
            processes: Vec::new(),
            open: (0..MAX_OPEN).map(|_| None).collect(),
            free: (0..MAX_OPEN).rev().map(GameSlot).collect(),
            next: None,
            awaited: None,
            answers: Vec::new(),
            now: Instant::now(),
        }
    }

    /// Plays the games of the queue until it ends. The processes stay for those of a later call.
    pub(crate) fn work(&mut self) {
        let mut ready = Vec::new();
        while self.open_games() && !self.queue.is_closed() {
            self.flush();
            self.wait(&mut ready);
            self.now = Instant::now();
            for process in (0..ready.len()).filter(|process| ready[*process]) {
                self.step(process);
            }
        }
    }

    /// Waits for all processes at once; `ready` says of each whether it needs a step.
    fn wait(&self, ready: &mut Vec<bool>) {
        let interests = self.processes.iter().map(|process| process.server.poll_interest());
        let interests: Vec<_> = interests.collect();
        let any = self.processes.first().expect("only games with processes stay open");
        any.server.wait(&interests, ready);
    }

    fn flush(&mut self) {
        self.processes.iter_mut().for_each(|process| process.server.flush());
    }

    /// Opens as many games as there are places; false when no game is in progress or left.
    fn open_games(&mut self) -> bool {
        while self.next.is_some() || !self.free.is_empty() {
            let Some(fixture) = self.next.take().or_else(|| self.next_game()) else { break };
            match self.find_players(&fixture) {
                Some(players) => self.open_game(fixture, players),
                None => {
                    self.next = Some(fixture);
                    break;
                }
            }
        }
        self.is_busy() || self.next.is_some()
    }

    fn is_busy(&self) -> bool {
        self.free.len() < MAX_OPEN
    }

    /// The next game that has to be played. While games are in progress it waits for no record.
    fn next_game(&mut self) -> Option<Fixture> {
        loop {
            let awaited = self.awaited.take();
            let fixture = awaited.or_else(|| match self.is_busy() {
                true => self.queue.try_take(),
                false => self.queue.take(),
            })?;
            let game = fixture.game;
            if self.is_busy() && !self.recorded.is_ready(game) {
                self.awaited = Some(fixture);
                return None;
            }
            match recorded_game(self.recorded, self.hill, &fixture) {
                Ok(None) => return Some(fixture),
                Ok(Some(recorded)) => self.queue.complete(game, Outcome::Recorded(recorded)),
                Err(error) => self.queue.complete(game, Outcome::Error(error)),
            }
        }
    }

    /// The player of each seat; `None` as long as some process has no place for the game.
    fn find_players(&mut self, fixture: &Fixture) -> Option<Vec<Player<G>>> {
        if self.free.is_empty() {
            return None;
        }
        let place_in_block = (fixture.game - 1) % self.hill.format().games_per_block();
        let mut players = Vec::with_capacity(fixture.seats.len());
        for id in &fixture.seats {
            players.push(match self.process(*id, place_in_block) {
                None => Player::House(self.hill.entrant(*id).program.bot()),
                Some(index) => {
                    let EntrantProcess { server, slots, .. } = &self.processes[index];
                    if slots.len() >= server.capacity() {
                        return None;
                    }
                    Player::External(index)
                }
            });
        }
        Some(players)
    }

    /// The process of an entrant, replaced if it may serve no further game; `None` for a house bot.
    fn process(&mut self, entrant: EntrantId, place_in_block: u64) -> Option<usize> {
        let program = &self.hill.entrant(entrant).program;
        let is_own = |one: &EntrantProcess<G>| one.serves(entrant, place_in_block);
        if let Some(index) = self.processes.iter().position(is_own) {
            let process = &mut self.processes[index];
            if process.slots.is_empty() && process.server.capacity() == 0 {
                process.replace(program.server()?);
            }
            return Some(index);
        }
        let process = match self.idle.take(entrant, place_in_block) {
            Some(idle) => idle,
            None => EntrantProcess::new(entrant, place_in_block, program.server()?),
        };
        self.processes.push(process);
        Some(self.processes.len() - 1)
    }

    fn open_game(&mut self, fixture: Fixture, mut players: Vec<Player<G>>) {
        let slot = self.free.pop().expect("a slot was free when the players were found");
        let (play, starts) = begin(self.hill, self.chance, &fixture, Vec::new());
        for (player, start) in players.iter_mut().zip(&starts) {
            match player {
                Player::House(bot) => bot.start(start),
                Player::External(index) => {
                    let process = &mut self.processes[*index];
                    process.games += 1;
                    process.slots.push(slot);
                    process.server.start(slot, start);
                }
                Player::Failed(_) => {}
            }
        }
        let is_external = |player: &Player<G>| matches!(player, Player::External(_));
        let time = |player: &Player<G>| is_external(player).then(AnswerSum::default);
        let times = players.iter().map(time).collect();
        self.open[slot.0] = Some(OpenGame { fixture, play, players, times, asked: self.now });
        self.advance(slot);
    }

    /// Plays on until a process is asked, or the game is over.
    fn advance(&mut self, slot: GameSlot) {
        loop {
            let Some(OpenGame { play, players, asked, .. }) = &mut self.open[slot.0] else {
                return;
            };
            let Some((seat, view)) = play.turn() else { break };
            let answer = match &mut players[seat.index()] {
                Player::House(bot) => bot.act(&view),
                Player::Failed(failure) => Err(failure.clone()),
                Player::External(index) => {
                    *asked = self.now;
                    return self.processes[*index].server.ask(slot, &view);
                }
            };
            self.judge(slot, answer);
        }
        self.finish(slot);
    }

    /// An illegal move has no log where processes serve many games: the log has lines of the others, which depend on the number
    /// of workers, and a record has the same bytes with any number of them.
    fn judge(&mut self, slot: GameSlot, answer: Result<G::Action, Failure>) {
        let Some(OpenGame { play, players, .. }) = &mut self.open[slot.0] else { return };
        let keeps_logs = self.hill.memory() == Memory::Set;
        let answer = answer.map_err(|failure| {
            let has_log = keeps_logs || failure.reason != Reason::IllegalMove;
            if has_log { failure } else { Failure { log: Vec::new(), ..failure } }
        });
        let processes = &mut self.processes;
        play.judge(answer, &mut Players { slot, players, processes, keeps_logs });
    }

    fn finish(&mut self, slot: GameSlot) {
        let Some(OpenGame { fixture, play, players, times, .. }) = self.close(slot) else { return };
        for (seat, player) in Seat::all(players.len()).zip(players) {
            let finished = play.finished(seat);
            match player {
                Player::House(mut bot) => bot.end(&finished),
                Player::External(index) => self.processes[index].server.end(slot, &finished),
                Player::Failed(_) => {}
            }
        }
        let game = fixture.game;
        self.queue.complete(game, finish(self.hill, play, fixture, times).into());
    }

    /// Removes the game from its slot and from all processes.
    fn close(&mut self, slot: GameSlot) -> Option<OpenGame<'a, G>> {
        let game = self.open[slot.0].take()?;
        for player in &game.players {
            if let Player::External(index) = player {
                self.processes[*index].slots.retain(|other| *other != slot);
            }
        }
        self.free.push(slot);
        Some(game)
    }

    fn step(&mut self, process: usize) {
        let mut answers = std::mem::take(&mut self.answers);
        let stepped = self.processes[process].server.step(&mut answers);
        for (number, (slot, answer)) in (1..).zip(answers.drain(..)) {
            if number % FLUSH_INTERVAL == 0 {
                self.flush();
            }
            if self.add_time(slot) {
                self.judge(slot, answer);
                self.advance(slot);
            }
        }
        self.answers = answers;
        if let Err(failure) = stepped {
            self.fail(process, &failure);
        }
    }

    /// Adds the time of an answer; false if the game does not wait for one.
    fn add_time(&mut self, slot: GameSlot) -> bool {
        let Some(OpenGame { play, times, asked, .. }) = self.open[slot.0].as_mut() else {
            return false;
        };
        let Some((seat, _)) = play.turn() else { return false };
        if let Some(sum) = &mut times[seat.index()] {
            sum.add(self.now.saturating_duration_since(*asked));
        }
        true
    }

    /// A process has failed. In its only game the failure counts at once, unless it is a timeout. Otherwise another
    /// game may be the cause, and which games those were depends on the number of workers: each game is played again
    /// alone before the failure counts. No game of a remote bot is, because it may remember the dice: it is absent instead.
    /// An error of the arena ends the run, also with a remote bot's process.
    fn fail(&mut self, process: usize, failure: &Failure) {
        let slots = std::mem::take(&mut self.processes[process].slots);
        let is_only_game = self.processes[process].games == 1;
        let is_remote = self.hill.entrant(self.processes[process].entrant).own_terms.remote;
        let is_arena_error = failure.reason.is_arena_error();
        let counts = (is_only_game && !failure.reason.is_timeout()) || is_arena_error || is_remote;
        let is_of_bot = !is_arena_error && failure.reason != Reason::Absent;
        let absent = (is_remote && !is_only_game && is_of_bot)
            .then(|| Failure::new(Reason::Absent, format!("its process has failed: {failure}")));
        let failure = absent.as_ref().unwrap_or(failure);
        for slot in slots {
            if counts {
                // A game that waits for another process goes on with its answer: that process must not be asked again.
                if self.mark_failed(slot, process, failure) {
                    self.advance(slot);
                }
            } else {
                self.break_off(slot, process, failure);
            }
        }
    }

    /// Returns whether it is the turn of the process.
    fn mark_failed(&mut self, slot: GameSlot, process: usize, failure: &Failure) -> bool {
        let Some(OpenGame { play, players, .. }) = &mut self.open[slot.0] else { return false };
        let is_own =
            |player: &Player<G>| matches!(player, Player::External(index) if *index == process);
        let Some(seat) = players.iter().position(is_own) else { return false };
        players[seat] = Player::Failed(failure.clone());
        play.turn().is_some_and(|(to_act, _)| to_act.index() == seat)
    }

    fn break_off(&mut self, slot: GameSlot, process: usize, failure: &Failure) {
        let entrant = self.processes[process].entrant;
        let Some(OpenGame { fixture, play, players, .. }) = self.close(slot) else { return };
        for player in players {
            match player {
                Player::External(index) if index != process => {
                    self.processes[index].server.abandon(slot);
                }
                Player::External(_) | Player::House(_) | Player::Failed(_) => {}
            }
        }
        let (game, failure) = (fixture.game, failure.clone());
        let moves = play.moves().to_vec();
        self.queue.complete(game, Outcome::Suspect(Suspect { fixture, entrant, failure, moves }));
    }
}

impl<G: Game> Drop for ExternalWorker<'_, G> {
    fn drop(&mut self) {
        self.idle.leave(&mut self.processes);
    }
}
