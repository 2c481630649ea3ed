//! The contract between the arena and a process that serves many games at once.

use std::os::fd::BorrowedFd;
use std::time::Instant;

use dicehill_rules::Game;

use crate::{Failure, Finished, Start};

/// The place at which a worker keeps an open game, unique among its open games.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Desk(pub usize);

/// An answer, or the fault in it, and the game that it is for.
pub type Answered<G> = (Desk, Result<<G as Game>::Action, Failure>);

/// A process that plays, several games at once if it has said that it can.
///
/// Nothing here waits. Whoever drives it calls [`Server::flush`] after games were opened or asked for
/// an action, and [`Server::step`] when a descriptor is ready or the deadline is over. A process may
/// be started as late as its first game.
pub trait Server<G: Game>: Send {
    /// How many games may be open at once: 1 until the process has said more, and 0 once it may
    /// serve no further game.
    fn capacity(&self) -> usize;

    /// Opens a game.
    fn start(&mut self, desk: Desk, start: &Start);

    /// Asks for an action in an open game.
    fn ask(&mut self, desk: Desk, view: &G::View<'_>);

    /// Tells that an action is about to show what was hidden; `game` is as it was before.
    fn reveal(&mut self, desk: Desk, game: &G, action: &G::Action);

    /// Tells why the last answer in a game is not accepted.
    fn refused(&mut self, desk: Desk, why: &str);

    /// Closes a game that is over.
    fn end(&mut self, desk: Desk, finished: &Finished<'_, G>);

    /// Closes a game that nobody will finish.
    fn abandon(&mut self, desk: Desk);

    /// Writes the requests that wait, all at once.
    fn flush(&mut self);

    /// Takes what has come, and looks at the clock.
    ///
    /// # Errors
    /// When the process has failed, and with it all its open games. It serves nothing more.
    fn step(&mut self, answers: &mut Vec<Answered<G>>) -> Result<(), Failure>;

    /// What to wait for before the next step is worth while; nothing if none is.
    fn wishes(&self) -> Wishes<'_>;
}

/// What a process waits for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wishes<'a> {
    /// Where its answers come from.
    pub output: Option<BorrowedFd<'a>>,
    /// Where its log comes from.
    pub log: Option<BorrowedFd<'a>>,
    /// Where requests go, if some could not be written yet.
    pub input: Option<BorrowedFd<'a>>,
    /// When it will be too late.
    pub deadline: Option<Instant>,
}
