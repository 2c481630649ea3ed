//! A process that speaks the protocol: its messages, its deadlines, its failures.

use std::io::{self, Read, Write};
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dicehill_arena::{Answered, Failure, Finished, GameSlot, PollInterest, Reason, Server, Start};

use super::answer_clock::AnswerClock;
use super::bot_runtime::BotRuntime;
use super::line_buffer::LineBuffer;
use super::open_games::OpenGames;
use super::process_failure;
use super::process_log::ProcessLog;
use crate::child::child_process::ChildProcess;
use crate::child::ending::LogSink;
use crate::child::spawn_request::{SpawnRequest, Work};
use crate::child::wait::{wait_for_any, wait_for_one};
use crate::protocol::{
    Bye, GameStart, ParsedAnswer, Ready, ReadyFor, Refused, WireGame, excerpt, write_line,
};

/// The most unanswered requests of a process, whatever it asks for.
const MAX_IN_FLIGHT: usize = 64;

/// Bytes per read.
const READ_BYTES: usize = 64 << 10;

/// Answers of a process that are checked for unknown fields.
const MOST_CHECKED_ANSWERS: u32 = 100;

/// How long a process that has closed its stdout may take to report how it ended.
const END_TIMEOUT: Duration = Duration::from_millis(500);

/// How long a process that exceeded its deadline may take to flush its buffer once its stdin is closed.
const FLUSH_TIMEOUT: Duration = Duration::from_millis(300);

/// A process that plays games. It is started with its first game.
pub(crate) struct BotProcess<G> {
    runtime: Arc<BotRuntime>,
    child: Option<ChildProcess>,
    /// Bytes to be written to stdin.
    out: Vec<u8>,
    /// The buffer for reads.
    buffer: Box<[u8]>,
    lines: LineBuffer,
    ready_state: ReadyState,
    /// Answers that were checked for unknown fields.
    checked_answers: u32,
    games: OpenGames,
    /// The clock of the oldest unanswered request.
    clock: AnswerClock,
    log: ProcessLog,
    failure: Option<Failure>,
    game: PhantomData<fn() -> G>,
}

/// What a process has said about itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ReadyState {
    /// Nothing yet.
    Silent,
    /// It answered without saying `ready`, so that it handles one request at a time.
    AnsweredFirst,
    /// Its `ready` message.
    Ready(ReadyFor),
}

/// The result of a read.
enum ReadResult {
    Data,
    Empty,
    Closed,
}

impl<G: WireGame> BotProcess<G> {
    pub(crate) fn new(runtime: Arc<BotRuntime>) -> Self {
        Self {
            runtime,
            child: None,
            out: Vec::new(),
            buffer: vec![0; READ_BYTES].into_boxed_slice(),
            lines: LineBuffer::default(),
            ready_state: ReadyState::Silent,
            checked_answers: 0,
            games: OpenGames::default(),
            clock: AnswerClock::new(Instant::now()),
            log: ProcessLog::new(),
            failure: None,
            game: PhantomData,
        }
    }

    /// Whether it has failed, so that only a new process can continue.
    pub(crate) const fn has_failed(&self) -> bool {
        self.failure.is_some()
    }

    fn start_process(&mut self) {
        write_line(&self.runtime.hello(), &mut self.out);
        self.clock = AnswerClock::new(Instant::now());
        match self.start_child() {
            Ok(mut child) => {
                let sink: Arc<dyn LogSink> = self.runtime.clone();
                child.keep_remaining_log(sink);
                self.child = Some(child);
            }
            Err(failure) => self.failure = Some(failure),
        }
    }

    fn start_child(&self) -> Result<ChildProcess, Failure> {
        let folder = self.runtime.open_folder().map_err(Failure::arena_error)?;
        let request = SpawnRequest {
            command: self.runtime.command(),
            folder,
            memory_mb: self.runtime.limits().memory_mb,
            sandbox: self.runtime.sandbox(folder),
            work: Work::Play,
            cargo_home: None,
        };
        ChildProcess::start(&request).map_err(|error| process_failure::of_spawn_error(&error))
    }

    fn try_flush(&mut self) {
        if self.out.is_empty() {
            return;
        }
        let Some(stdin) = self.child.as_mut().and_then(ChildProcess::stdin_mut) else { return };
        let mut written = 0;
        while written < self.out.len() {
            match stdin.write(&self.out[written..]) {
                Ok(bytes) => written += bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                // Reading its stdout will show why.
                Err(_) => written = self.out.len(),
            }
        }
        self.out.drain(..written);
    }

    /// Starts the clock of the request that is now the oldest.
    fn start_clock(&mut self) {
        let Self { clock, child, .. } = self;
        let used = || child.as_ref().and_then(ChildProcess::group_processor_time);
        clock.start(Instant::now(), used);
    }

    /// The limit for the next answer.
    fn answer_limit(&self) -> Duration {
        let limits = self.runtime.limits();
        Duration::from_millis(match self.ready_state {
            ReadyState::Silent => limits.start_ms,
            ReadyState::AnsweredFirst | ReadyState::Ready(_) => limits.move_ms,
        })
    }

    /// When the answer to the oldest request is late, as far as is known; `None` if no answer is owed.
    fn answer_deadline(&self) -> Option<Instant> {
        self.games.is_answer_owed().then(|| self.clock.deadline(self.answer_limit()))
    }

    /// When the time for the game of the oldest request is over; `None` while the process starts.
    fn game_deadline(&self) -> Option<Instant> {
        let owed = self.games.owed_in_oldest()?;
        let rest = self.runtime.limits().game_time().saturating_sub(owed);
        (self.ready_state != ReadyState::Silent).then(|| self.clock.since() + rest)
    }

    /// When a clock has to be checked.
    fn deadline(&self) -> Option<Instant> {
        let answer = self.answer_deadline()?;
        Some(self.game_deadline().map_or(answer, |game| game.min(answer)))
    }

    /// Checks the clocks of the oldest request and of its game.
    fn check_clocks(&mut self) -> Result<(), Failure> {
        let now = Instant::now();
        let game = self.game_deadline();
        let Some(answer) = self.answer_deadline() else { return Ok(()) };
        if game.is_some_and(|game| now >= game && game < answer) {
            return Err(self.game_timeout());
        }
        if now < answer {
            return Ok(());
        }
        let used = self.child.as_ref().and_then(ChildProcess::group_processor_time);
        match self.clock.exceeded(now, self.answer_limit(), used) {
            Some(limit) => Err(self.timeout_failure(limit)),
            None => Ok(()),
        }
    }

    /// Reads what is available.
    fn read_available(&mut self) -> Result<ReadResult, Failure> {
        let Some(child) = &mut self.child else { return Ok(ReadResult::Closed) };
        loop {
            match child.stdout_mut().read(&mut self.buffer) {
                Ok(0) => return Ok(ReadResult::Closed),
                Ok(got) => {
                    self.lines.push(&self.buffer[..got]);
                    return Ok(ReadResult::Data);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    return Ok(ReadResult::Empty);
                }
                Err(error) => {
                    return Err(Failure::new(Reason::Crash, format!("its output: {error}")));
                }
            }
        }
    }

    /// Handles all complete lines that were read.
    fn handle_lines(&mut self, answers: &mut Vec<Answered<G>>) -> Result<(), Failure> {
        // Handling a line takes the whole process. After a failure nothing more is read.
        let mut lines = std::mem::take(&mut self.lines);
        while let Some(line) = lines.next_line()? {
            self.handle_line(line, answers)?;
        }
        self.lines = lines;
        Ok(())
    }

    fn handle_line(&mut self, line: &[u8], answers: &mut Vec<Answered<G>>) -> Result<(), Failure> {
        if self.ready_state == ReadyState::Silent {
            if let Some(ready) = Ready::read(line) {
                let ready = ready?;
                self.runtime.snapshot().record_first_line(Some(ready));
                self.ready_state = ReadyState::Ready(ready);
                self.start_clock();
                return Ok(());
            }
            self.runtime.snapshot().record_first_line(None);
            self.ready_state = ReadyState::AnsweredFirst;
            // The first answer has the time for the start, and costs its game nothing.
            self.start_clock();
        }
        self.handle_answer(line, answers)
    }

    fn handle_answer(
        &mut self,
        line: &[u8],
        answers: &mut Vec<Answered<G>>,
    ) -> Result<(), Failure> {
        if self.checked_answers < MOST_CHECKED_ANSWERS {
            self.checked_answers += 1;
            self.runtime.snapshot().record_answer(line, G::ANSWER_FIELDS);
        }
        let ParsedAnswer { id, action } = G::read_answer(line)
            .map_err(|error| Failure::new(Reason::MalformedAnswer, error.to_string()))?;
        let Some(request) = self.games.answer(id) else {
            let why = format!("no request {id} is unanswered: {}", excerpt(line));
            return Err(Failure::new(Reason::MalformedAnswer, why));
        };
        if request.was_oldest {
            if let Some(slot) = request.slot {
                self.games.charge(slot, self.clock.since().elapsed());
            }
            self.start_clock();
        }
        if !self.games.has_unanswered()
            && let Some(child) = &mut self.child
        {
            child.set_on_move(false);
        }
        let action = action.map_err(|failure| self.with_log(failure));
        answers.extend(request.slot.map(|slot| (slot, action)));
        Ok(())
    }

    fn with_log(&mut self, failure: Failure) -> Failure {
        self.drain_log();
        Failure { log: self.log.last_lines(), ..failure }
    }

    /// Reads what is available of its stderr.
    fn drain_log(&mut self) {
        if let Some(child) = &mut self.child {
            self.log.drain(child.stderr_mut(), self.runtime.log());
        }
    }

    /// The failure of a process that closed its stdout.
    fn failure_after_end(&mut self) -> Failure {
        let end = self.child.as_mut().and_then(|child| child.wait_for_end(END_TIMEOUT));
        process_failure::of_closed_stdout(end, &self.runtime)
    }

    /// The answers in the game of the oldest request took too long together.
    fn game_timeout(&self) -> Failure {
        let limit = self.runtime.limits().game_time().as_millis();
        let why = format!("its answers in this game took longer than {limit} ms together");
        Failure::new(Reason::GameTimeout, why)
    }

    /// Why no answer came within `limit`, as far as that can be found out.
    fn timeout_failure(&mut self, limit: Duration) -> Failure {
        let reason = match self.ready_state {
            ReadyState::Silent => Reason::StartTimeout,
            ReadyState::AnsweredFirst | ReadyState::Ready(_) => Reason::MoveTimeout,
        };
        let mut why = format!("no answer within {} ms", limit.as_millis());
        if self.lines.pending().is_empty() {
            if self.flushes_once_input_is_closed() {
                why.push_str(
                    "; one came when its input was closed: its stdout is block-buffered, and has \
                     to be flushed after each line",
                );
            }
        } else {
            let incomplete = excerpt(self.lines.pending());
            why = format!("{why}; it has begun a line without ending it: {incomplete}");
        }
        Failure::new(reason, why)
    }

    /// Whether the answer was written but not flushed.
    fn flushes_once_input_is_closed(&mut self) -> bool {
        let until = Instant::now() + FLUSH_TIMEOUT;
        if let Some(child) = &mut self.child {
            child.close_stdin();
        }
        while Instant::now() < until && self.lines.pending().is_empty() {
            let Some(child) = &self.child else { return false };
            wait_for_one(PollInterest {
                stdout: Some(child.stdout()),
                deadline: Some(until),
                ..PollInterest::default()
            });
            if matches!(self.read_available(), Ok(ReadResult::Closed) | Err(_)) {
                break;
            }
        }
        !self.lines.pending().is_empty()
    }

    /// Ends the process, and keeps the rest of its log.
    fn fail(&mut self, failure: Failure) -> Failure {
        if let Some(child) = &mut self.child {
            child.kill();
            let _ended = child.wait_for_end(END_TIMEOUT);
        }
        let failure = self.with_log(failure);
        self.child = None;
        self.failure = Some(failure.clone());
        failure
    }

    fn try_step(&mut self, answers: &mut Vec<Answered<G>>) -> Result<(), Failure> {
        self.try_flush();
        match self.read_available()? {
            ReadResult::Data => self.handle_lines(answers)?,
            ReadResult::Empty => self.drain_log(),
            ReadResult::Closed => return Err(self.failure_after_end()),
        }
        self.check_clocks()
    }
}

impl<G: WireGame> Server<G> for BotProcess<G> {
    fn capacity(&self) -> usize {
        match self.ready_state {
            _ if self.failure.is_some() => 0,
            ReadyState::Silent => 1,
            // It may keep state of its first game.
            ReadyState::AnsweredFirst if self.runtime.serves_whole_run() => 1,
            ReadyState::AnsweredFirst => usize::from(self.games.count() > 0),
            ReadyState::Ready(ready) => ready.inflight.min(MAX_IN_FLIGHT),
        }
    }

    fn start(&mut self, slot: GameSlot, start: &Start) {
        if self.child.is_none() && self.failure.is_none() {
            self.start_process();
        }
        self.games.open(slot, start.id);
        let seed = format!("{:016x}", start.seed);
        let message = GameStart { game: start.id, players: start.players, seed: &seed };
        write_line(&message, &mut self.out);
    }

    fn ask(&mut self, slot: GameSlot, view: &G::View<'_>) {
        if let Some(ids) = self.games.request(slot) {
            G::write_turn(view, ids, &mut self.out);
        }
    }

    fn reveal(&mut self, slot: GameSlot, game: &G, _action: &G::Action) {
        let wanted = matches!(self.ready_state, ReadyState::Ready(ReadyFor { rounds: true, .. }));
        if let Some(ids) = self.games.last_ids(slot).filter(|_| wanted) {
            G::write_reveal(game, ids.game, &mut self.out);
        }
    }

    fn refused(&mut self, slot: GameSlot, why: &str) {
        if let Some(ids) = self.games.last_ids(slot) {
            write_line(&Refused { id: ids.request, why }, &mut self.out);
        }
    }

    fn end(&mut self, slot: GameSlot, finished: &Finished<'_, G>) {
        if let Some(id) = self.games.close(slot) {
            G::write_end(finished, id, &mut self.out);
        }
    }

    /// The bot gets no message: its process is about to end.
    fn abandon(&mut self, slot: GameSlot) {
        self.games.abandon(slot);
    }

    fn flush(&mut self) {
        if self.games.has_unanswered()
            && let Some(child) = &mut self.child
        {
            child.set_on_move(true);
        }
        self.try_flush();
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
        let Some(child) = self.child.as_ref().filter(|_| self.games.count() > 0) else {
            return PollInterest::default();
        };
        PollInterest {
            stdout: Some(child.stdout()),
            stderr: self.log.is_open().then(|| child.stderr()),
            stdin: child.stdin().filter(|_| !self.out.is_empty()),
            deadline: self.deadline(),
        }
    }

    fn wait(&self, interests: &[PollInterest<'_>], ready: &mut Vec<bool>) {
        wait_for_any(interests, ready);
    }
}

impl<G> Drop for BotProcess<G> {
    /// Sends `bye`; dropping the child ends the process.
    fn drop(&mut self) {
        if let Some(child) = &self.child {
            self.runtime.snapshot().record_memory(child.peak_bytes());
        }
        write_line(&Bye {}, &mut self.out);
        if let Some(stdin) = self.child.as_mut().and_then(ChildProcess::stdin_mut) {
            let _may_be_gone = stdin.write_all(&self.out);
        }
    }
}
