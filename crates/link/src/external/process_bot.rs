//! A bot with a process of its own, whose answers are waited for.

use std::sync::Arc;

use dicehill_arena::{Bot, Desk, Failure, Finished, Server, Start, wait};

use super::bot_process::Process;
use super::bot_runtime::Running;
use crate::protocol::WireGame;

/// The only desk.
const DESK: Desk = Desk(0);

/// A bot whose process plays one game at a time, and as many as it lives to see. A process that has
/// failed, or may serve no further game, is followed by a new one in the next game.
pub(crate) struct ChildBot<G: WireGame> {
    running: Arc<Running>,
    process: Process<G>,
    games: u64,
    /// A failure that came right behind an answer: the next request's.
    owed: Option<Failure>,
}

impl<G: WireGame> ChildBot<G> {
    pub(crate) fn new(running: Arc<Running>) -> Self {
        Self { process: Process::new(Arc::clone(&running)), running, games: 0, owed: None }
    }
}

impl<G: WireGame> Bot<G> for ChildBot<G> {
    fn start(&mut self, start: &Start) {
        if self.process.has_failed() || self.process.capacity() == 0 {
            self.process = Process::new(Arc::clone(&self.running));
        }
        self.games += 1;
        self.process.start(DESK, start);
    }

    fn act(&mut self, view: &G::View<'_>) -> Result<G::Action, Failure> {
        if let Some(failure) = self.owed.take() {
            return Err(failure);
        }
        self.process.ask(DESK, view);
        self.process.flush();
        let mut answers = Vec::with_capacity(1);
        loop {
            let ready = wait([self.process.wishes()]) == [true];
            let stepped = if ready { self.process.step(&mut answers) } else { Ok(()) };
            if let Some((_, answer)) = answers.pop() {
                self.owed = stepped.err();
                return answer;
            }
            stepped?;
        }
    }

    fn reveal(&mut self, game: &G, action: &G::Action) {
        self.process.reveal(DESK, game, action);
    }

    fn refused(&mut self, why: &str) {
        self.process.refused(DESK, why);
    }

    fn end(&mut self, finished: &Finished<'_, G>) {
        self.process.end(DESK, finished);
        self.process.flush();
    }
}
