//! The contract between the arena and a process that serves many games at once.

use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::time::Instant;

use dicehill_rules::Game;

use crate::{Failure, Finished, Start};

/// The slot in which a worker keeps a game in progress; unique among the worker's games in progress.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct GameSlot(pub usize);

/// A game and the answer for it, or the fault in that answer.
pub type Answered<G> = (GameSlot, Result<<G as Game>::Action, Failure>);

/// A process that plays, several games at once if it has declared that it can.
///
/// The driver calls [`Server::flush`] after it has opened games or asked for actions. Then it collects what each of its
/// processes waits for ([`Server::poll_interest`]), lets one of them wait for all ([`Server::wait`]), and calls
/// [`Server::step`] of those that are ready. No other method waits. A process may be started as late as its first game.
///
/// How the operating system waits is known to the implementation alone: the pipes of a child process are types of the
/// standard library on every platform.
pub trait Server<G: Game>: Send {
    /// How many games may be in progress at once: 1 until the process declares more, and 0 once it may serve no
    /// further game.
    fn capacity(&self) -> usize;

    /// Whether it has played games before a driver got it: then a failure in the first game of the driver may come from those.
    fn has_played(&self) -> bool {
        false
    }

    /// Opens a game.
    fn start(&mut self, slot: GameSlot, start: &Start);

    /// Asks for an action in a game in progress.
    fn ask(&mut self, slot: GameSlot, view: &G::View<'_>);

    /// An action is about to show what was hidden; `game` is the state before it.
    fn reveal(&mut self, slot: GameSlot, game: &G, action: &G::Action);

    /// The last answer in a game is refused, for this reason. Returns the last lines of the process's log, for reports.
    fn refused(&mut self, slot: GameSlot, why: &str) -> Vec<String>;

    /// Closes a finished game.
    fn end(&mut self, slot: GameSlot, finished: &Finished<'_, G>);

    /// Closes a game that will not be finished.
    fn abandon(&mut self, slot: GameSlot);

    /// Writes all pending requests at once.
    fn flush(&mut self);

    /// Reads the answers that have arrived, and checks the clock.
    ///
    /// # Errors
    /// If the process has failed, and with it all its games in progress. It serves nothing more.
    fn step(&mut self, answers: &mut Vec<Answered<G>>) -> Result<(), Failure>;

    /// What to wait for before the next step; nothing if no step is needed.
    fn poll_interest(&self) -> PollInterest<'_>;

    /// Waits until a pipe of some interest is ready, a deadline has passed, or 50 ms are over, for all processes of a
    /// driver at once. Sets in `ready`, for each interest, whether a step is worthwhile; what `ready` had is replaced.
    ///
    /// The interests may be of any processes, and this one may have failed. A signal ends the wait early, with the deadlines
    /// that have passed as the only reasons for a step; the caller then waits again.
    fn wait(&self, interests: &[PollInterest<'_>], ready: &mut Vec<bool>);
}

/// What the next step of a process waits for.
#[derive(Clone, Copy, Debug, Default)]
pub struct PollInterest<'a> {
    /// The source of its answers.
    pub stdout: Option<&'a ChildStdout>,
    /// The source of its log.
    pub stderr: Option<&'a ChildStderr>,
    /// The destination of requests, if some could not be written yet.
    pub stdin: Option<&'a ChildStdin>,
    /// When the process will be too late.
    pub deadline: Option<Instant>,
}
