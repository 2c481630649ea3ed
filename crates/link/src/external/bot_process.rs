//! A process that speaks the protocol: its open games, its deadlines, its failures.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::marker::PhantomData;
use std::os::fd::AsFd;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dicehill_arena::{Answered, Desk, Failure, Finished, Reason, Server, Start, Wishes, wait};

use super::bot_runtime::Running;
use crate::bot_log::Tail;
use crate::child::child_process::Child;
use crate::child::ending::LogSink;
use crate::child::spawn_request::{Launch, Work};
use crate::process::ended::Ended;
use crate::protocol::{
    Bye, GameStart, Ids, LONGEST_LINE, Ready, ReadyFor, Refused, Said, Unreadable, WireGame,
    excerpt, write_line,
};

/// Requests that a process may have unanswered, whatever it says.
const MOST_INFLIGHT: usize = 64;

/// Bytes that are read at once.
const READ: usize = 64 << 10;

/// Answers of a process that are searched for fields that mean nothing.
const LOOKED_AT: u32 = 100;

/// How long a process that has closed its output may take to say how it ended.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// How long a process that is too late may take to empty its buffer once its input is closed.
const BUFFERED: Duration = Duration::from_millis(300);

/// A process that plays a game, started when its first game is.
pub(crate) struct Process<G> {
    running: Arc<Running>,
    child: Option<Child>,
    /// What is to be written.
    out: Vec<u8>,
    /// Where the output is read to.
    buffer: Box<[u8]>,
    /// What has been read and is no whole line yet.
    read: Vec<u8>,
    /// Bytes of `read` in which no newline is.
    searched: usize,
    /// Blank bytes since the last answer.
    blank: usize,
    said: SaidReady,
    /// Answers that were searched for fields that mean nothing.
    looked_at: u32,
    /// By desk.
    games: Vec<Option<OpenGame>>,
    open: usize,
    /// Requests without an answer, oldest first.
    asked: VecDeque<Request>,
    /// When the oldest of them became the oldest.
    oldest_since: Instant,
    tail: Tail,
    log_open: bool,
    failure: Option<Failure>,
    game: PhantomData<fn() -> G>,
}

/// What a process has said of itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SaidReady {
    /// Nothing yet.
    Nothing,
    /// An answer, so that one request at a time is all that it knows of.
    AnswerFirst,
    /// This.
    Ready(ReadyFor),
}

#[derive(Clone, Copy)]
struct OpenGame {
    id: u64,
    /// Requests made so far.
    requests: u64,
    /// The last request.
    last: u64,
}

/// What reading brought.
enum Filled {
    Something,
    Nothing,
    Closed,
}

struct Request {
    id: u64,
    /// `None` once nobody waits for the answer any more.
    desk: Option<Desk>,
    written: Option<Instant>,
}

impl<G: WireGame> Process<G> {
    pub(crate) fn new(running: Arc<Running>) -> Self {
        Self {
            running,
            child: None,
            out: Vec::new(),
            buffer: vec![0; READ].into_boxed_slice(),
            read: Vec::new(),
            searched: 0,
            blank: 0,
            said: SaidReady::Nothing,
            looked_at: 0,
            games: Vec::new(),
            open: 0,
            asked: VecDeque::new(),
            oldest_since: Instant::now(),
            tail: Tail::default(),
            log_open: true,
            failure: None,
            game: PhantomData,
        }
    }

    /// Whether it has failed, so that only a new process can play on.
    pub(crate) const fn has_failed(&self) -> bool {
        self.failure.is_some()
    }

    fn launch(&mut self) {
        write_line(&self.running.hello(), &mut self.out);
        match self.start_child() {
            Ok(mut child) => {
                let sink: Arc<dyn LogSink> = self.running.clone();
                child.keep_last_words(sink);
                self.child = Some(child);
            }
            Err(failure) => self.failure = Some(failure),
        }
    }

    fn start_child(&self) -> Result<Child, Failure> {
        let folder = self.running.open_folder().map_err(Failure::of_arena)?;
        let memory_mb = self.running.limits().memory_mb;
        let (command, room) = (self.running.command(), self.running.room(folder));
        let work = Work::Play;
        let launch = Launch { command, folder, memory_mb, room, work, cargo_home: None };
        Child::start(&launch).map_err(|error| {
            // The arguments of its command.
            let of_command = [io::ErrorKind::ArgumentListTooLong, io::ErrorKind::InvalidInput];
            if of_command.contains(&error.kind()) {
                Failure::new(Reason::Crash, format!("not started: {error}"))
            } else {
                Failure::of_arena(error)
            }
        })
    }

    fn game(&mut self, desk: Desk) -> Option<&mut OpenGame> {
        self.games.get_mut(desk.0)?.as_mut()
    }

    fn close(&mut self, desk: Desk) -> Option<OpenGame> {
        let closed = self.games.get_mut(desk.0)?.take();
        self.open -= usize::from(closed.is_some());
        closed
    }

    fn try_flush(&mut self) {
        if self.out.is_empty() {
            return;
        }
        let Some(stdin) = self.child.as_mut().and_then(Child::stdin) else { return };
        let mut written = 0;
        while written < self.out.len() {
            match stdin.write(&self.out[written..]) {
                Ok(bytes) => written += bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                // Its output will tell what has become of it.
                Err(_) => written = self.out.len(),
            }
        }
        self.out.drain(..written);
    }

    /// When the oldest request will have waited too long.
    fn deadline(&self) -> Option<Instant> {
        let written = self.asked.front()?.written?;
        let limits = self.running.limits();
        let allowed = match self.said {
            SaidReady::Nothing => limits.start_ms,
            SaidReady::AnswerFirst | SaidReady::Ready(_) => limits.move_ms,
        };
        Some(written.max(self.oldest_since) + Duration::from_millis(allowed))
    }

    /// Reads what is there.
    fn fill(&mut self) -> Result<Filled, Failure> {
        let Some(child) = &mut self.child else { return Ok(Filled::Closed) };
        loop {
            match child.stdout().read(&mut self.buffer) {
                Ok(0) => return Ok(Filled::Closed),
                Ok(got) => {
                    self.read.extend_from_slice(&self.buffer[..got]);
                    return Ok(Filled::Something);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    return Ok(Filled::Nothing);
                }
                Err(error) => {
                    return Err(Failure::new(Reason::Crash, format!("its output: {error}")));
                }
            }
        }
    }

    /// Takes all whole lines out of what has been read.
    fn take_lines(&mut self, answers: &mut Vec<Answered<G>>) -> Result<(), Failure> {
        let read = std::mem::take(&mut self.read);
        let mut begin = 0;
        let mut result = Ok(());
        while let Some(length) = find_newline(&read[begin.max(self.searched)..]) {
            let end = begin.max(self.searched) + length;
            result = self.take_line(&read[begin..end], answers);
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

    fn take_line(&mut self, line: &[u8], answers: &mut Vec<Answered<G>>) -> Result<(), Failure> {
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
        if self.said == SaidReady::Nothing {
            if let Some(ready) = Ready::read(line) {
                let ready = ready?;
                self.running.seen().first_line(Some(ready));
                self.said = SaidReady::Ready(ready);
                self.oldest_since = Instant::now();
                return Ok(());
            }
            self.running.seen().first_line(None);
            self.said = SaidReady::AnswerFirst;
        }
        if self.looked_at < LOOKED_AT {
            self.looked_at += 1;
            self.running.seen().answer(line, G::ANSWER_FIELDS);
        }
        let Said { id, action } = G::read_answer(line).map_err(|error| unreadable(&error))?;
        let Some(place) = self.asked.iter().position(|request| request.id == id) else {
            let why = format!("no request {id} is unanswered: {}", excerpt(line));
            return Err(Failure::new(Reason::MalformedAnswer, why));
        };
        let request = self.asked.remove(place).expect("the place was found");
        if place == 0 {
            self.oldest_since = Instant::now();
        }
        if self.asked.is_empty()
            && let Some(child) = &mut self.child
        {
            child.set_on_move(false);
        }
        let action = action.map_err(|failure| self.with_log(failure));
        answers.extend(request.desk.map(|desk| (desk, action)));
        Ok(())
    }

    fn with_log(&mut self, failure: Failure) -> Failure {
        self.drain_log();
        Failure { log: self.tail.lines(), ..failure }
    }

    /// Takes what has come of the log.
    fn drain_log(&mut self) {
        let Some(child) = &mut self.child else { return };
        let mut bytes = [0; 8192];
        // What a process floods its log with waits until the next look.
        for _ in 0..8 {
            match child.stderr().read(&mut bytes) {
                Ok(0) => return self.log_open = false,
                Ok(got) => {
                    self.tail.push(&bytes[..got]);
                    self.running.log().write(&bytes[..got]);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    }

    /// Why a process that has closed its output did so.
    fn end_of_output(&mut self) -> Failure {
        let ended = self.child.as_mut().and_then(|child| child.ended(LAST_WORDS));
        match ended {
            None => Failure::new(Reason::Crash, "it closed its stdout and went on"),
            Some(Ended::NotStarted(why)) => {
                let program = self.running.command()[0].to_string_lossy();
                let why = format!("{} cannot be run: {why}", excerpt(program.as_bytes()));
                // Of a player for the published interfaces, the program is the arena's choice.
                let is_own = !self.running.is_java();
                if is_own { Failure::new(Reason::Crash, why) } else { Failure::of_arena(why) }
            }
            Some(Ended::ArenaError(why)) => Failure::of_arena(format!("not started: {why}")),
            Some(Ended::Exited(status)) => {
                Failure::new(Reason::Crash, format!("it ended with status {status}"))
            }
            Some(Ended::Signalled(signal)) => {
                Failure::new(Reason::Crash, format!("signal {signal} ended it"))
            }
            Some(Ended::Memory) => {
                let most = self.running.limits().memory_mb;
                Failure::new(Reason::Memory, format!("it used more than {most} MiB"))
            }
            Some(Ended::Files) => Failure::new(Reason::Flood, "it wrote too much to its folder"),
            Some(Ended::Surveyed(_)) => Failure::new(Reason::Crash, "it was not run"),
        }
    }

    /// Why no answer came in time, and what may have kept it.
    fn too_late(&mut self) -> Failure {
        let limits = self.running.limits();
        let (reason, allowed) = match self.said {
            SaidReady::Nothing => (Reason::StartTimeout, limits.start_ms),
            SaidReady::AnswerFirst | SaidReady::Ready(_) => (Reason::MoveTimeout, limits.move_ms),
        };
        let mut why = format!("no answer within {allowed} ms");
        if self.read.is_empty() {
            if self.answers_once_input_is_closed() {
                why.push_str(
                    "; one came when its input was closed: its stdout is block-buffered, and has \
                     to be flushed after each line",
                );
            }
        } else {
            let begun = excerpt(&self.read);
            why = format!("{why}; it has begun a line without ending it: {begun}");
        }
        Failure::new(reason, why)
    }

    /// Whether the answer was there and only its buffer kept it.
    fn answers_once_input_is_closed(&mut self) -> bool {
        let until = Instant::now() + BUFFERED;
        if let Some(child) = &mut self.child {
            child.close_stdin();
        }
        while Instant::now() < until && self.read.is_empty() {
            let Some(child) = &self.child else { return false };
            let output = Some(child.output().as_fd());
            wait([Wishes { output, deadline: Some(until), ..Wishes::default() }]);
            if matches!(self.fill(), Ok(Filled::Closed) | Err(_)) {
                break;
            }
        }
        !self.read.is_empty()
    }

    /// The process has failed: it is ended, and its last words are kept.
    fn fail(&mut self, failure: Failure) -> Failure {
        if let Some(child) = &mut self.child {
            child.kill();
            let _ended = child.ended(LAST_WORDS);
        }
        let failure = self.with_log(failure);
        self.child = None;
        self.failure = Some(failure.clone());
        failure
    }

    fn try_step(&mut self, answers: &mut Vec<Answered<G>>) -> Result<(), Failure> {
        self.try_flush();
        match self.fill()? {
            Filled::Something => self.take_lines(answers)?,
            Filled::Nothing => self.drain_log(),
            Filled::Closed => return Err(self.end_of_output()),
        }
        match self.deadline() {
            Some(deadline) if Instant::now() >= deadline => Err(self.too_late()),
            Some(_) | None => Ok(()),
        }
    }
}

impl<G: WireGame> Server<G> for Process<G> {
    fn capacity(&self) -> usize {
        match self.said {
            _ if self.failure.is_some() => 0,
            SaidReady::Nothing => 1,
            // It may have kept something of its first game.
            SaidReady::AnswerFirst if self.running.lives_through_the_run() => 1,
            SaidReady::AnswerFirst => usize::from(self.open > 0),
            SaidReady::Ready(ready) => ready.inflight.min(MOST_INFLIGHT),
        }
    }

    fn start(&mut self, desk: Desk, start: &Start) {
        if self.child.is_none() && self.failure.is_none() {
            self.launch();
        }
        if self.games.len() <= desk.0 {
            self.games.resize(desk.0 + 1, None);
        }
        self.games[desk.0] = Some(OpenGame { id: start.id, requests: 0, last: 0 });
        self.open += 1;
        let seed = format!("{:016x}", start.seed);
        let message = GameStart { game: start.id, players: start.players, seed: &seed };
        write_line(&message, &mut self.out);
    }

    fn ask(&mut self, desk: Desk, view: &G::View<'_>) {
        let Some(game) = self.game(desk) else { return };
        game.requests += 1;
        game.last = game.id + game.requests;
        let ids = Ids { request: game.last, game: game.id };
        G::write_turn(view, ids, &mut self.out);
        self.asked.push_back(Request { id: ids.request, desk: Some(desk), written: None });
    }

    fn reveal(&mut self, desk: Desk, game: &G, _action: &G::Action) {
        let wanted = matches!(self.said, SaidReady::Ready(ReadyFor { rounds: true, .. }));
        if let Some(OpenGame { id, .. }) = self.game(desk).copied().filter(|_| wanted) {
            G::write_reveal(game, id, &mut self.out);
        }
    }

    fn refused(&mut self, desk: Desk, why: &str) {
        if let Some(OpenGame { last, .. }) = self.game(desk).copied() {
            write_line(&Refused { id: last, why }, &mut self.out);
        }
    }

    fn end(&mut self, desk: Desk, finished: &Finished<'_, G>) {
        if let Some(OpenGame { id, .. }) = self.close(desk) {
            G::write_end(finished, id, &mut self.out);
        }
    }

    /// The bot is not told: what it has of the game goes with its process.
    fn abandon(&mut self, desk: Desk) {
        self.close(desk);
        let own = self.asked.iter_mut().filter(|request| request.desk == Some(desk));
        own.for_each(|request| request.desk = None);
    }

    fn flush(&mut self) {
        if !self.asked.is_empty()
            && let Some(child) = &mut self.child
        {
            child.set_on_move(true);
        }
        self.try_flush();
        if self.asked.back().is_some_and(|request| request.written.is_none()) {
            let now = Instant::now();
            let fresh = self.asked.iter_mut().rev().take_while(|one| one.written.is_none());
            fresh.for_each(|request| request.written = Some(now));
        }
    }

    fn step(&mut self, answers: &mut Vec<Answered<G>>) -> Result<(), Failure> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        self.try_step(answers).map_err(|failure| self.fail(failure))
    }

    fn wishes(&self) -> Wishes<'_> {
        if self.failure.is_some() && self.open > 0 {
            return Wishes { deadline: Some(self.oldest_since), ..Wishes::default() };
        }
        let Some(child) = self.child.as_ref().filter(|_| self.open > 0) else {
            return Wishes::default();
        };
        Wishes {
            output: Some(child.output().as_fd()),
            log: self.log_open.then(|| child.log().as_fd()),
            input: child.input().filter(|_| !self.out.is_empty()).map(AsFd::as_fd),
            deadline: self.deadline(),
        }
    }
}

impl<G> Drop for Process<G> {
    /// Says good-bye; the child's own end sees to the rest.
    fn drop(&mut self) {
        if let Some(child) = &self.child {
            self.running.seen().memory(child.peak_bytes());
        }
        write_line(&Bye {}, &mut self.out);
        if let Some(stdin) = self.child.as_mut().and_then(Child::stdin) {
            let _gone = stdin.write_all(&self.out);
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
