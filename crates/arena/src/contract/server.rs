//! The contract between the arena and a process that serves many games at once.

use std::os::fd::BorrowedFd;
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
/// No method waits. The driver calls [`Server::flush`] after it has opened games or asked for actions, and
/// [`Server::step`] when a descriptor is ready or the deadline has passed. A process may be started as late as its
/// first game.
pub trait Server<G: Game>: Send {
    /// How many games may be in progress at once: 1 until the process declares more, and 0 once it may serve no
    /// further game.
    fn capacity(&self) -> usize;

    /// Opens a game.
    fn start(&mut self, slot: GameSlot, start: &Start);

    /// Asks for an action in a game in progress.
    fn ask(&mut self, slot: GameSlot, view: &G::View<'_>);

    /// An action is about to show what was hidden; `game` is the state before it.
    fn reveal(&mut self, slot: GameSlot, game: &G, action: &G::Action);

    /// The last answer in a game is refused, for this reason.
    fn refused(&mut self, slot: GameSlot, why: &str);

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
}

/// What the next step of a process waits for.
#[derive(Clone, Copy, Debug, Default)]
pub struct PollInterest<'a> {
    /// The source of its answers.
    pub output: Option<BorrowedFd<'a>>,
    /// The source of its log.
    pub log: Option<BorrowedFd<'a>>,
    /// The destination of requests, if some could not be written yet.
    pub input: Option<BorrowedFd<'a>>,
    /// When the process will be too late.
    pub deadline: Option<Instant>,
}
