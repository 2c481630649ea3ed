//! A process that speaks the protocol: its messages, its deadlines, its failures.

use std::io::Write;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dicehill_arena::{
    Answered, Failure, Finished, GameSlot, Limits, PollInterest, Reason, Server, Start,
};

use super::answer_clock::AnswerClock;
use super::bot_connection::{BotConnection, ReadResult};
use super::bot_runtime::{BotRuntime, ExpectedGames};
use super::handshake::Handshake;
use super::open_games::OpenGames;
use super::peer::Peer;
use super::process_failure;
use super::process_snapshot::MAX_IN_FLIGHT;
use super::remote_session::{OpenSessionError, RemoteLine, RemoteSession};
use crate::child::child_process::ChildProcess;
use crate::child::spawn_request::{SpawnRequest, Work};
use crate::child::wait::wait_for_any;
use crate::protocol::{
    Bye, GameStart, ParsedAnswer, Ready, Refused, WireGame, excerpt, write_line,
};

/// Answers of a process that are checked for unknown fields.
const MAX_CHECKED_ANSWERS: u64 = 100;

/// How long a process that has closed its stdout may take to report how it ended.
const END_TIMEOUT: Duration = Duration::from_millis(500);

/// A process that plays games. It is started with its first game.
pub(crate) struct BotProcess<G> {
    runtime: Arc<BotRuntime>,
    connection: BotConnection,
    handshake: Handshake,
    expected_games: ExpectedGames,
    /// Whether it was started with the first compiler of the JVM alone.
    has_quick_compiler: bool,
    /// The number of answers so far.
    answers: u64,
    /// The processor time that a process in the Java bridge had used when it sent its first line.
    used_to_start: Duration,
    games: OpenGames,
    /// The clock of the oldest unanswered request.
    clock: AnswerClock,
    failure: Option<Failure>,
    game: PhantomData<fn() -> G>,
}

impl<G: WireGame> BotProcess<G> {
    pub(crate) fn new(runtime: Arc<BotRuntime>, expected_games: ExpectedGames) -> Self {
        Self {
            connection: BotConnection::new(Arc::clone(&runtime)),
            runtime,
            expected_games,
            has_quick_compiler: false,
            handshake: Handshake::Pending,
            answers: 0,
            used_to_start: Duration::ZERO,
            games: OpenGames::default(),
            clock: AnswerClock::new(Instant::now()),
            failure: None,
            game: PhantomData,
        }
    }

    /// Whether it has failed, so that only a new process can continue.
    pub(crate) const fn has_failed(&self) -> bool {
        self.failure.is_some()
    }

    /// Asks by the text of a request instead of a view.
    pub(super) fn ask_again(&mut self, slot: GameSlot, request: &str) {
        if self.games.request(slot).is_some() {
            self.connection.out.extend(request.as_bytes());
            self.connection.out.push(b'\n');
        }
    }

    /// Whether it may play games of a run after others: it waits for a further game, and it was started as it would be
    /// for a run. One that serves a whole run must begin with it.
    pub(super) fn may_serve_run(&self) -> bool {
        self.record_cost();
        let runtime = &self.runtime;
        let has_begun = matches!(self.handshake, Handshake::Ready(_)) && self.games.count() == 0;
        let is_started_alike =
            self.has_quick_compiler == runtime.wants_quick_compiler(ExpectedGames::Many);
        has_begun && self.failure.is_none() && is_started_alike && !runtime.serves_whole_run()
    }

    fn start_process(&mut self) {
        write_line(&self.runtime.hello(), &mut self.connection.out);
        self.clock = AnswerClock::new(Instant::now());
        self.has_quick_compiler = self.runtime.wants_quick_compiler(self.expected_games);
        match self.start_child() {
            Ok(mut child) => {
                child.keep_remaining_log(self.connection.log_sink());
                self.connection.child = Some(child);
            }
            Err(failure) => self.failure = Some(failure),
        }
    }

    fn start_child(&self) -> Result<Peer, Failure> {
        if let Some(entry) = self.runtime.remote {
            let session = RemoteSession::open(&self.runtime.name, entry);
            return session.map(Peer::Remote).map_err(OpenSessionError::into_failure);
        }
        let folder = self.runtime.open_folder().map_err(Failure::arena_error)?;
        let request = SpawnRequest {
            command: &self.runtime.command(self.has_quick_compiler),
            folder,
            memory_mb: self.runtime.limits().memory_mb,
            sandbox: self.runtime.sandbox(folder),
            work: Work::Play,
            cargo_home: None,
            secrets: self.runtime.secrets(),
        };
        let child = ChildProcess::start(&request).map(|child| Peer::Child(Box::new(child)));
        child.map_err(|error| process_failure::of_spawn_error(&error))
    }

    /// Starts the clock of the request that is now the oldest.
    fn start_clock(&mut self) {
        self.clock.start(Instant::now(), || self.connection.processor_time());
    }

    /// The limit for the next answer, and the reason of a failure that exceeds it.
    fn time_limit(&self) -> (Reason, Duration) {
        let limits = self.runtime.limits();
        let (reason, limit) = self.handshake.time_limit(limits);
        if self.handshake != Handshake::Pending && self.is_player_made() {
            return (reason, limit + Duration::from_millis(limits.start_ms));
        }
        (reason, limit)
    }

    /// Whether a new player for the published Java interface is made before the next answer, in a process that has played
    /// before: that has the time for the start.
    fn is_player_made(&self) -> bool {
        let is_kept = self.runtime.is_java() && self.runtime.serves_whole_run();
        G::NEW_PLAYERS_EACH_GAME && is_kept && self.games.is_first_owed()
    }

    /// When the answer to the oldest request is late, as far as is known; `None` if no answer is owed.
    fn answer_deadline(&self) -> Option<Instant> {
        let (_, limit) = self.time_limit();
        self.games.is_answer_owed().then(|| self.clock.deadline(limit))
    }

    /// When the time for the game of the oldest request is over; `None` while the process starts.
    fn game_deadline(&self) -> Option<Instant> {
        let owed = self.games.owed_in_oldest()?;
        let rest = self.runtime.limits().game_time().saturating_sub(owed);
        (self.handshake != Handshake::Pending).then(|| self.clock.since() + rest)
    }

    /// When a clock has to be checked.
    fn deadline(&self) -> Option<Instant> {
        let answer = self.answer_deadline().filter(|_| !self.clock.is_paused())?;
        Some(self.game_deadline().map_or(answer, |game| game.min(answer)))
    }

    /// Checks the clocks of the oldest request and of its game.
    fn check_clocks(&mut self) -> Result<(), Failure> {
        if self.clock.is_paused() {
            return Ok(());
        }
        let now = Instant::now();
        let game = self.game_deadline();
        let Some(answer) = self.answer_deadline() else { return Ok(()) };
        if game.is_some_and(|game| now >= game && game < answer) {
            return Err(self.game_timeout());
        }
        if now < answer {
            return Ok(());
        }
        let (reason, limit) = self.time_limit();
        match self.clock.exceeded(now, limit, self.connection.processor_time()) {
            Some(limit) => Err(self.timeout_failure(reason, limit)),
            None => Ok(()),
        }
    }

    /// Handles all complete lines that were read.
    fn handle_lines(&mut self, answers: &mut Vec<Answered<G>>) -> Result<(), Failure> {
        // Handling a line takes the whole process. After a failure nothing more is read.
        let mut lines = std::mem::take(&mut self.connection.lines);
        while let Some(line) = lines.next_line()? {
            if self.runtime.remote.is_some() {
                self.handle_remote_line(line, answers)?;
            } else {
                self.handle_line(line, answers)?;
            }
        }
        self.connection.lines = lines;
        Ok(())
    }

    /// Handles a line of the server that a remote bot is connected to.
    fn handle_remote_line(
        &mut self,
        line: &[u8],
        answers: &mut Vec<Answered<G>>,
    ) -> Result<(), Failure> {
        match RemoteLine::parse(line) {
            Some(RemoteLine::Bot(line)) => self.handle_line(line, answers),
            Some(RemoteLine::Away) => {
                self.clock.pause(Instant::now());
                Ok(())
            }
            Some(RemoteLine::Back) => {
                self.clock.resume(Instant::now());
                Ok(())
            }
            Some(RemoteLine::Absent(why)) => Err(Failure::new(Reason::Absent, excerpt(why))),
            Some(RemoteLine::Ended(how)) => Err(Failure::new(Reason::Crash, excerpt(how))),
            None => Err(Failure::arena_error("the server of the hill speaks another version")),
        }
    }

    fn handle_line(&mut self, line: &[u8], answers: &mut Vec<Answered<G>>) -> Result<(), Failure> {
        if self.handshake == Handshake::Pending {
            let capabilities = Ready::parse(line)?;
            self.runtime.snapshot().record_first_line(capabilities);
            // The first answer has the time for the start, and costs its game nothing.
            self.start_clock();
            self.used_to_start = self.used_by_java().unwrap_or_default();
            if let Some(capabilities) = capabilities {
                self.handshake = Handshake::Ready(capabilities);
                return Ok(());
            }
            self.handshake = Handshake::Skipped;
        }
        self.handle_answer(line, answers)
    }

    fn handle_answer(
        &mut self,
        line: &[u8],
        answers: &mut Vec<Answered<G>>,
    ) -> Result<(), Failure> {
        self.answers += 1;
        if self.answers <= MAX_CHECKED_ANSWERS {
            self.runtime.snapshot().record_answer(line, G::ANSWER_FIELDS);
        }
        let ParsedAnswer { id, action } = G::read_answer(line)
            .map_err(|error| Failure::new(Reason::MalformedAnswer, error.to_string()))?;
        let Some(request) = self.games.answer(id) else {
            let why = format!("no request {id} is unanswered: {}", excerpt(line));
            return Err(Failure::new(Reason::MalformedAnswer, why));
        };
        if request.was_oldest {
            let took = self.clock.since().elapsed();
            if self.clock.is_extended() {
                self.runtime.snapshot().record_overtime(took);
            }
            if let Some(slot) = request.slot {
                self.games.charge(slot, took);
            }
            self.start_clock();
        }
        if !self.games.is_awaited() {
            self.connection.set_on_move(false);
        }
        let action = action.map_err(|failure| self.with_log(failure));
        answers.extend(request.slot.map(|slot| (slot, action)));
        Ok(())
    }

    fn with_log(&mut self, failure: Failure) -> Failure {
        Failure { log: self.last_log_lines(), ..failure }
    }

    /// The last lines that it has written to stderr by now, escaped for display.
    pub(super) fn last_log_lines(&mut self) -> Vec<String> {
        self.connection.drain_log();
        self.connection.last_log_lines()
    }

    /// The failure of a process that closed its stdout.
    fn failure_after_end(&mut self) -> Failure {
        if self.runtime.remote.is_some() {
            // The server says why a bot is absent. If it ends without a word, the bot is not at fault: the run is resumed.
            return Failure::arena_error("the server of the hill has ended");
        }
        let child = self.connection.child.as_mut();
        let end = child.and_then(|child| child.wait_for_end(END_TIMEOUT));
        process_failure::of_closed_stdout(end, self.answers, &self.runtime)
    }

    /// The answers in the game of the oldest request took too long together.
    fn game_timeout(&self) -> Failure {
        let limits = self.runtime.limits();
        let limit = limits.game_time().as_millis();
        let key = match limits.game_ms {
            Some(game_ms) => format!("game_ms = {game_ms}"),
            None => format!("game_ms; move_ms = {}", limits.move_ms),
        };
        let why = format!("its answers in this game took longer than {limit} ms together ({key})");
        Failure::new(Reason::GameTimeout, why)
    }

    /// The failure of a process that exceeded its time limit.
    fn timeout_failure(&mut self, reason: Reason, limit: Duration) -> Failure {
        let Limits { start_ms, move_ms, .. } = self.runtime.limits();
        let (key, allowed) = if reason == Reason::StartTimeout {
            (format!("start_ms = {start_ms}"), start_ms)
        } else if self.is_player_made() {
            (format!("move_ms = {move_ms} and start_ms = {start_ms}"), move_ms + start_ms)
        } else {
            (format!("move_ms = {move_ms}"), move_ms)
        };
        // Of processor time only as much as the key allows counts; a bot that uses none waits for longer.
        let is_wall_time = limit > Duration::from_millis(allowed);
        let of_what = if is_wall_time { " of wall time" } else { "" };
        let mut why = format!("no answer within {} ms{of_what} ({key})", limit.as_millis());
        let incomplete = self.connection.lines.pending();
        if !incomplete.is_empty() {
            let incomplete = excerpt(incomplete);
            why = format!("{why}; it has begun a line without ending it: {incomplete}");
        } else if self.connection.flushes_once_input_is_closed() {
            why.push_str(
                "; one came when its input was closed: it needs longer, or its stdout is \
                 block-buffered, and has to be flushed after each line",
            );
        } else if self.answers == 0 && !self.runtime.is_java() {
            why.push_str("; it has written nothing: does it read its stdin, and flush each line?");
        }
        Failure::new(reason, why)
    }

    /// Ends the process, and keeps the rest of its log.
    fn fail(&mut self, failure: Failure) -> Failure {
        if let Some(child) = &mut self.connection.child {
            child.kill();
            let _ended = child.wait_for_end(END_TIMEOUT);
        }
        let failure = self.with_log(failure);
        self.connection.child = None;
        self.failure = Some(failure.clone());
        failure
    }

    fn try_step(&mut self, answers: &mut Vec<Answered<G>>) -> Result<(), Failure> {
        self.connection.try_flush();
        match self.connection.read_available()? {
            ReadResult::Data => self.handle_lines(answers)?,
            ReadResult::Empty => self.connection.drain_log(),
            ReadResult::Closed => return Err(self.failure_after_end()),
        }
        self.check_clocks()
    }
}

impl<G: WireGame> Server<G> for BotProcess<G> {
    fn capacity(&self) -> usize {
        match self.handshake {
            _ if self.failure.is_some() => 0,
            Handshake::Pending => 1,
            // It may keep state of its first game.
            Handshake::Skipped if self.runtime.serves_whole_run() => 1,
            Handshake::Skipped => usize::from(self.games.count() > 0),
            Handshake::Ready(capabilities) => capabilities.in_flight.min(MAX_IN_FLIGHT),
        }
    }

    fn has_played(&self) -> bool {
        self.connection.child.is_some()
    }

    fn start(&mut self, slot: GameSlot, start: &Start) {
        if self.connection.child.is_none() && self.failure.is_none() {
            self.start_process();
        }
        if self.games.only_abandoned() {
            // No game has waited for these answers, and it had little processor time for them.
            self.start_clock();
        }
        self.games.open(slot, start.id);
        let seed = format!("{:016x}", start.seed);
        let message = GameStart { game: start.id, players: start.players, seed: &seed };
        write_line(&message, &mut self.connection.out);
    }

    fn ask(&mut self, slot: GameSlot, view: &G::View<'_>) {
        if let Some(ids) = self.games.request(slot) {
            G::write_turn(view, ids, &mut self.connection.out);
        }
    }

    fn reveal(&mut self, slot: GameSlot, game: &G, _action: &G::Action) {
        let wants_rounds = self.handshake.wants_rounds();
        if let Some(ids) = self.games.last_ids(slot).filter(|_| wants_rounds) {
            G::write_reveal(game, ids.game, &mut self.connection.out);
        }
    }

    fn refused(&mut self, slot: GameSlot, why: &str) -> Vec<String> {
        if let Some(ids) = self.games.last_ids(slot) {
            write_line(&Refused { id: ids.request, why }, &mut self.connection.out);
        }
        self.last_log_lines()
    }

    fn end(&mut self, slot: GameSlot, finished: &Finished<'_, G>) {
        if let Some(id) = self.games.close(slot) {
            G::write_end(finished, id, &mut self.connection.out);
        }
    }

    /// The bot gets no message. It owes the answer no more, and so has no processor time for it.
    fn abandon(&mut self, slot: GameSlot) {
        self.games.abandon(slot);
        if !self.games.is_awaited() {
            self.connection.set_on_move(false);
        }
    }

    fn flush(&mut self) {
        if self.games.is_awaited() {
            self.connection.set_on_move(true);
            if self.games.are_several_awaited() {
                self.connection.set_several_owed();
            }
        }
        self.connection.try_flush();
        if self.games.mark_written() {
            self.start_clock();
        }
    }

    fn step(&mut self, answers: &mut Vec<Answered<G>>) -> Result<(), Failure> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        self.try_step(answers).map_err(|failure| self.fail(failure))
    }

    fn poll_interest(&self) -> PollInterest<'_> {
        if self.failure.is_some() && self.games.count() > 0 {
            return PollInterest { deadline: Some(self.clock.since()), ..PollInterest::default() };
        }
        if self.games.count() == 0 {
            return PollInterest::default();
        }
        self.connection.poll_interest(self.deadline())
    }

    fn wait(&self, interests: &[PollInterest<'_>], ready: &mut Vec<bool>) {
        wait_for_any(interests, ready);
    }
}

impl<G> BotProcess<G> {
    /// The processor time that a process in the Java bridge has used so far.
    fn used_by_java(&self) -> Option<Duration> {
        self.runtime.is_java().then(|| self.connection.total_processor_time()).flatten()
    }

    /// Lets later processes of the bot know what its answers have cost.
    fn record_cost(&self) {
        if let Some(used) = self.used_by_java() {
            let start = self.used_to_start;
            self.runtime.cost().record(start, used.saturating_sub(start), self.answers);
        }
    }
}

impl<G> Drop for BotProcess<G> {
    /// Sends `bye`; dropping the child ends the process.
    fn drop(&mut self) {
        self.record_cost();
        let BotConnection { child, out, .. } = &mut self.connection;
        if let Some(child) = child {
            self.runtime.snapshot().record_memory(child.peak_bytes());
        }
        write_line(&Bye {}, out);
        if let Some(stdin) = child.as_mut().and_then(Peer::stdin_mut) {
            let _may_be_gone = stdin.write_all(out);
        }
    }
}
