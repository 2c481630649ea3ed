//! A process that speaks the protocol: its open games, its deadlines, its failures.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dicehill_arena::{Answered, Failure, Finished, GameSlot, PollInterest, Reason, Server, Start};

use super::answer_clock::AnswerClock;
use super::bot_runtime::BotRuntime;
use crate::bot_log::LogTail;
use crate::child::child_process::ChildProcess;
use crate::child::ending::LogSink;
use crate::child::spawn_request::{SpawnRequest, Work};
use crate::child::wait::{wait_for_any, wait_for_one};
use crate::process::child_end::ChildEnd;
use crate::protocol::{
    Bye, GameStart, LONGEST_LINE, ParsedAnswer, Ready, ReadyFor, Refused, RequestIds, Unreadable,
    WireGame, excerpt, write_line,
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
    /// What is still to be written to its stdin.
    out: Vec<u8>,
    /// The buffer for reads.
    buffer: Box<[u8]>,
    /// What was read and is not a complete line yet.
    read: Vec<u8>,
    /// The length of the prefix of `read` that has no newline.
    searched: usize,
    /// Bytes in blank lines since the last answer.
    blank: usize,
    ready_state: ReadyState,
    /// Answers that were checked for unknown fields.
    checked_answers: u32,
    /// Open games, by slot.
    games: Vec<Option<OpenGame>>,
    open: usize,
    /// Requests without an answer, oldest first.
    unanswered: VecDeque<Request>,
    /// The clock of the oldest of them.
    clock: AnswerClock,
    tail: LogTail,
    log_open: bool,
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

#[derive(Clone, Copy)]
struct OpenGame {
    id: u64,
    /// The number of requests so far.
    requests: u64,
    /// The id of the last request.
    last: u64,
    /// How long its requests were the oldest of the process, without the time for the start of the process.
    owed: Duration,
}

/// The result of a read.
enum ReadResult {
    Data,
    Empty,
    Closed,
}

struct Request {
    id: u64,
    /// `None` once the game was abandoned.
    slot: Option<GameSlot>,
    is_written: bool,
}

impl<G: WireGame> BotProcess<G> {
    pub(crate) fn new(runtime: Arc<BotRuntime>) -> Self {
        Self {
            runtime,
            child: None,
            out: Vec::new(),
            buffer: vec![0; READ_BYTES].into_boxed_slice(),
            read: Vec::new(),
            searched: 0,
            blank: 0,
            ready_state: ReadyState::Silent,
            checked_answers: 0,
            games: Vec::new(),
            open: 0,
            unanswered: VecDeque::new(),
            clock: AnswerClock::new(Instant::now()),
            tail: LogTail::default(),
            log_open: true,
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
        let memory_mb = self.runtime.limits().memory_mb;
        let (command, sandbox) = (self.runtime.command(), self.runtime.sandbox(folder));
        let work = Work::Play;
        let request = SpawnRequest { command, folder, memory_mb, sandbox, work, cargo_home: None };
        ChildProcess::start(&request).map_err(|error| {
            // The operating system refuses the arguments of the command.
            let of_command = [io::ErrorKind::ArgumentListTooLong, io::ErrorKind::InvalidInput];
            if of_command.contains(&error.kind()) {
                Failure::new(Reason::Crash, format!("not started: {error}"))
            } else {
                Failure::arena_error(error)
            }
        })
    }

    fn game(&mut self, slot: GameSlot) -> Option<&mut OpenGame> {
        self.games.get_mut(slot.0)?.as_mut()
    }

    fn close(&mut self, slot: GameSlot) -> Option<OpenGame> {
        let closed = self.games.get_mut(slot.0)?.take();
        self.open -= usize::from(closed.is_some());
        closed
    }

    fn try_flush(&mut self) {
        if self.out.is_empty() {
            return;
        }
        let Some(stdin) = self.child.as_mut().and_then(ChildProcess::stdin) else { return };
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
        let is_owed = self.unanswered.front()?.is_written;
        is_owed.then(|| self.clock.deadline(self.answer_limit()))
    }

    /// When the time for the game of the oldest request is over; `None` while the process starts.
    fn game_deadline(&self) -> Option<Instant> {
        let oldest = self.unanswered.front().filter(|request| request.is_written)?;
        let game = self.games.get(oldest.slot?.0)?.as_ref()?;
        let rest = self.runtime.limits().game_time().saturating_sub(game.owed);
        (self.ready_state != ReadyState::Silent).then(|| self.clock.since() + rest)
    }

    /// When a clock has to be checked.
    fn deadline(&self) -> Option<Instant> {
        let answer = self.answer_deadline()?;
        Some(self.game_deadline().map_or(answer, |game| game.min(answer)))
    }

    /// Checks the clocks of the oldest request and of its game.
    fn check_clocks(&mut self) -> Result<(), Failure> {
        let (now, game) = (Instant::now(), self.game_deadline());
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

    /// Adds the time for the answer to the oldest request to its game.
    fn charge_game(&mut self, slot: Option<GameSlot>) {
        let time = self.clock.since().elapsed();
        if let Some(game) = slot.and_then(|slot| self.game(slot)) {
            game.owed += time;
        }
    }

    /// Reads what is available.
    fn read_available(&mut self) -> Result<ReadResult, Failure> {
        let Some(child) = &mut self.child else { return Ok(ReadResult::Closed) };
        loop {
            match child.stdout().read(&mut self.buffer) {
                Ok(0) => return Ok(ReadResult::Closed),
                Ok(got) => {
                    self.read.extend_from_slice(&self.buffer[..got]);
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
        let read = std::mem::take(&mut self.read);
        let mut begin = 0;
        let mut result = Ok(());
        while let Some(length) = find_newline(&read[begin.max(self.searched)..]) {
            let end = begin.max(self.searched) + length;
            result = self.handle_line(&read[begin..end], answers);
            begin = end + 1;
            if result.is_err() {
                break;
            }
        }
        self.read = read;
        self.read.drain(..begin);
        self.searched = self.read.len();
        result?;
        if self.read.len() > LONGEST_LINE {
            return Err(flood(&self.read, "without a newline"));
        }
        Ok(())
    }

    fn handle_line(&mut self, line: &[u8], answers: &mut Vec<Answered<G>>) -> Result<(), Failure> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.len() > LONGEST_LINE {
            return Err(flood(line, "in one line"));
        }
        if line.trim_ascii().is_empty() {
            self.blank += line.len() + 1;
            if self.blank > LONGEST_LINE {
                return Err(Failure::new(Reason::Flood, "blank lines without end"));
            }
            return Ok(());
        }
        self.blank = 0;
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
        let ParsedAnswer { id, action } =
            G::read_answer(line).map_err(|error| unreadable(&error))?;
        let Some(place) = self.unanswered.iter().position(|request| request.id == id) else {
            let why = format!("no request {id} is unanswered: {}", excerpt(line));
            return Err(Failure::new(Reason::MalformedAnswer, why));
        };
        let request = self.unanswered.remove(place).expect("the place was found");
        if place == 0 {
            self.charge_game(request.slot);
            self.start_clock();
        }
        if self.unanswered.is_empty()
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
        Failure { log: self.tail.lines(), ..failure }
    }

    /// Reads what is available of its stderr.
    fn drain_log(&mut self) {
        let Some(child) = &mut self.child else { return };
        let mut bytes = [0; 8192];
        // Bounded: the rest is read later.
        for _ in 0..8 {
            match child.stderr().read(&mut bytes) {
                Ok(0) => return self.log_open = false,
                Ok(got) => {
                    self.tail.push(&bytes[..got]);
                    self.runtime.log().write(&bytes[..got]);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    }

    /// Why a process has closed its stdout.
    fn failure_after_end(&mut self) -> Failure {
        let ended = self.child.as_mut().and_then(|child| child.wait_for_end(END_TIMEOUT));
        match ended {
            None => Failure::new(Reason::Crash, "it closed its stdout and went on"),
            Some(ChildEnd::NotStarted(why)) => {
                let program = self.runtime.command()[0].to_string_lossy();
                let why = format!("{} cannot be run: {why}", excerpt(program.as_bytes()));
                // A player for a Java interface is run by a program that the arena chose.
                let is_command_of_bot = !self.runtime.is_java();
                if is_command_of_bot {
                    Failure::new(Reason::Crash, why)
                } else {
                    Failure::arena_error(why)
                }
            }
            Some(ChildEnd::ArenaError(why)) => Failure::arena_error(format!("not started: {why}")),
            Some(ChildEnd::Exited(status)) => {
                Failure::new(Reason::Crash, format!("it ended with status {status}"))
            }
            Some(ChildEnd::Signalled(signal)) => {
                Failure::new(Reason::Crash, format!("signal {signal} ended it"))
            }
            Some(ChildEnd::Memory) => {
                let most = self.runtime.limits().memory_mb;
                Failure::new(Reason::Memory, format!("it used more than {most} MiB"))
            }
            Some(ChildEnd::Files) => Failure::new(Reason::Flood, "it wrote too much to its folder"),
            Some(ChildEnd::Probed(_)) => Failure::new(Reason::Crash, "it was not run"),
        }
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
        if self.read.is_empty() {
            if self.flushes_once_input_is_closed() {
                why.push_str(
                    "; one came when its input was closed: its stdout is block-buffered, and has \
                     to be flushed after each line",
                );
            }
        } else {
            let incomplete = excerpt(&self.read);
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
        while Instant::now() < until && self.read.is_empty() {
            let Some(child) = &self.child else { return false };
            let (output, deadline) = (Some(child.output()), Some(until));
            wait_for_one(PollInterest { output, deadline, ..PollInterest::default() });
            if matches!(self.read_available(), Ok(ReadResult::Closed) | Err(_)) {
                break;
            }
        }
        !self.read.is_empty()
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
            ReadyState::AnsweredFirst => usize::from(self.open > 0),
            ReadyState::Ready(ready) => ready.inflight.min(MAX_IN_FLIGHT),
        }
    }

    fn start(&mut self, slot: GameSlot, start: &Start) {
        if self.child.is_none() && self.failure.is_none() {
            self.start_process();
        }
        if self.games.len() <= slot.0 {
            self.games.resize(slot.0 + 1, None);
        }
        self.games[slot.0] =
            Some(OpenGame { id: start.id, requests: 0, last: 0, owed: Duration::ZERO });
        self.open += 1;
        let seed = format!("{:016x}", start.seed);
        let message = GameStart { game: start.id, players: start.players, seed: &seed };
        write_line(&message, &mut self.out);
    }

    fn ask(&mut self, slot: GameSlot, view: &G::View<'_>) {
        let Some(game) = self.game(slot) else { return };
        game.requests += 1;
        game.last = game.id + game.requests;
        let ids = RequestIds { request: game.last, game: game.id };
        G::write_turn(view, ids, &mut self.out);
        self.unanswered.push_back(Request { id: ids.request, slot: Some(slot), is_written: false });
    }

    fn reveal(&mut self, slot: GameSlot, game: &G, _action: &G::Action) {
        let wanted = matches!(self.ready_state, ReadyState::Ready(ReadyFor { rounds: true, .. }));
        if let Some(OpenGame { id, .. }) = self.game(slot).copied().filter(|_| wanted) {
            G::write_reveal(game, id, &mut self.out);
        }
    }

    fn refused(&mut self, slot: GameSlot, why: &str) {
        if let Some(OpenGame { last, .. }) = self.game(slot).copied() {
            write_line(&Refused { id: last, why }, &mut self.out);
        }
    }

    fn end(&mut self, slot: GameSlot, finished: &Finished<'_, G>) {
        if let Some(OpenGame { id, .. }) = self.close(slot) {
            G::write_end(finished, id, &mut self.out);
        }
    }

    /// The bot gets no message: its process is about to end.
    fn abandon(&mut self, slot: GameSlot) {
        self.close(slot);
        let of_game = self.unanswered.iter_mut().filter(|request| request.slot == Some(slot));
        of_game.for_each(|request| request.slot = None);
    }

    fn flush(&mut self) {
        if !self.unanswered.is_empty()
            && let Some(child) = &mut self.child
        {
            child.set_on_move(true);
        }
        self.try_flush();
        if self.unanswered.front().is_some_and(|request| !request.is_written) {
            self.start_clock();
        }
        let unsent = self.unanswered.iter_mut().rev().take_while(|request| !request.is_written);
        unsent.for_each(|request| request.is_written = true);
    }

    fn step(&mut self, answers: &mut Vec<Answered<G>>) -> Result<(), Failure> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        self.try_step(answers).map_err(|failure| self.fail(failure))
    }

    fn poll_interest(&self) -> PollInterest<'_> {
        if self.failure.is_some() && self.open > 0 {
            return PollInterest { deadline: Some(self.clock.since()), ..PollInterest::default() };
        }
        let Some(child) = self.child.as_ref().filter(|_| self.open > 0) else {
            return PollInterest::default();
        };
        PollInterest {
            output: Some(child.output()),
            log: self.log_open.then(|| child.log()),
            input: child.input().filter(|_| !self.out.is_empty()),
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
        if let Some(stdin) = self.child.as_mut().and_then(ChildProcess::stdin) {
            let _may_be_gone = stdin.write_all(&self.out);
        }
    }
}

fn find_newline(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|byte| *byte == b'\n')
}

fn flood(output: &[u8], how: &str) -> Failure {
    let what = excerpt(&output[..output.len().min(80)]);
    Failure::new(Reason::Flood, format!("more than {LONGEST_LINE} bytes {how}: {what}"))
}

fn unreadable(error: &Unreadable) -> Failure {
    Failure::new(Reason::MalformedAnswer, error.to_string())
}
