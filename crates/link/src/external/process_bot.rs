//! A bot with a process of its own, whose answers are waited for.

use std::sync::Arc;

use dicehill_arena::{Bot, Failure, Finished, GameSlot, Reason, Resent, Server, Start};

use super::bot_process::BotProcess;
use super::bot_runtime::{BotRuntime, ExpectedGames};
use crate::child::wait::wait_for_one;
use crate::protocol::WireGame;

/// The only slot: it plays one game at a time.
const SLOT: GameSlot = GameSlot(0);

/// A bot that plays one game at a time in a process of its own. A process that has failed, or may play no
/// further game, is replaced before the next game.
pub(crate) struct ProcessBot<G: WireGame> {
    runtime: Arc<BotRuntime>,
    process: BotProcess<G>,
    /// A failure that came with an answer: it is returned to the next request.
    pending_failure: Option<Failure>,
}

impl<G: WireGame> ProcessBot<G> {
    pub(crate) fn new(runtime: Arc<BotRuntime>) -> Self {
        Self { process: new_process(&runtime), runtime, pending_failure: None }
    }

    /// Sends the request of a report in a game that begins, whose id is that of the request.
    pub(super) fn resend(&mut self, start: &Start, request: &str) -> Resent<G> {
        self.process.start(SLOT, start);
        self.process.ask_again(SLOT, request);
        let answer = self.wait_for_answer();
        let log = match &answer {
            Ok(_) => self.process.last_log_lines(),
            Err(failure) => failure.log.clone(),
        };
        Resent { answer, log }
    }

    /// Waits for the answer to the request that was written last.
    fn wait_for_answer(&mut self) -> Result<G::Action, Failure> {
        self.process.flush();
        let mut answers = Vec::with_capacity(1);
        loop {
            let ready = wait_for_one(self.process.poll_interest());
            let stepped = if ready { self.process.step(&mut answers) } else { Ok(()) };
            if let Some((_, answer)) = answers.pop() {
                self.pending_failure = stepped.err();
                return answer;
            }
            stepped?;
            if self.runtime.settings.stop.is_overdue() {
                return Err(Failure::new(Reason::ArenaError, "interrupted"));
            }
        }
    }
}

impl<G: WireGame> Bot<G> for ProcessBot<G> {
    fn start(&mut self, start: &Start) {
        if self.process.has_failed() || self.process.capacity() == 0 {
            self.process = new_process(&self.runtime);
        }
        self.process.start(SLOT, start);
    }

    fn act(&mut self, view: &G::View<'_>) -> Result<G::Action, Failure> {
        if let Some(failure) = self.pending_failure.take() {
            return Err(failure);
        }
        self.process.ask(SLOT, view);
        self.wait_for_answer()
    }

    fn reveal(&mut self, game: &G, action: &G::Action) {
        self.process.reveal(SLOT, game, action);
    }

    fn refused(&mut self, why: &str) -> Vec<String> {
        self.process.refused(SLOT, why)
    }

    fn end(&mut self, finished: &Finished<'_, G>) {
        self.process.end(SLOT, finished);
        self.process.flush();
    }

    fn into_server(self: Box<Self>) -> Option<Box<dyn Server<G>>> {
        let is_usable = self.pending_failure.is_none() && self.process.may_serve_run();
        is_usable.then(|| Box::new(self.process) as _)
    }
}

fn new_process<G: WireGame>(runtime: &Arc<BotRuntime>) -> BotProcess<G> {
    BotProcess::new(Arc::clone(runtime), ExpectedGames::Few)
}
