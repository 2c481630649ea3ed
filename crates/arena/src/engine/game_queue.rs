//! Where a worker that plays with processes gets its games.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};

use dicehill_rules::Game;

use crate::engine::outcome::Outcome;
use crate::engine::worker_pool::{NextTask, TaskQueue};
use crate::{Fixture, RunOptions, Schedule};

/// Where a worker gets its games and leaves their outcomes.
pub(crate) trait GameQueue<G: Game> {
    /// Waits for the next game; `None` when no more are wanted.
    fn take(&self) -> Option<Fixture>;

    /// The next game, if there is one now.
    fn try_take(&self) -> Option<Fixture>;

    /// Returns the outcome of the game with this number, which was taken.
    fn complete(&self, game: u64, outcome: Outcome<G>);

    /// Whether no more outcomes are wanted.
    fn is_closed(&self) -> bool;
}

/// The games of a schedule, for one of several workers. Task `n` is game `n + 1`.
pub(crate) struct ScheduledGames<'a, G: Game> {
    pub(crate) schedule: &'a Schedule<'a, G>,
    pub(crate) queue: &'a TaskQueue<'a, Outcome<G>>,
}

impl<G: Game> GameQueue<G> for ScheduledGames<'_, G> {
    fn take(&self) -> Option<Fixture> {
        self.queue.take().map(|task| self.schedule.fixture(task + 1))
    }

    fn try_take(&self) -> Option<Fixture> {
        match self.queue.try_take() {
            NextTask::Ready(task) => Some(self.schedule.fixture(task + 1)),
            NextTask::NotYet | NextTask::Finished => None,
        }
    }

    fn complete(&self, game: u64, outcome: Outcome<G>) {
        self.queue.complete(game - 1, outcome);
    }

    fn is_closed(&self) -> bool {
        self.queue.is_closed()
    }
}

/// The games of one block after another, for a worker on the caller's thread.
pub(crate) struct BlockQueue<'a, G: Game> {
    options: RunOptions<'a>,
    fixtures: RefCell<VecDeque<Fixture>>,
    outcomes: RefCell<BTreeMap<u64, Outcome<G>>>,
}

impl<'a, G: Game> BlockQueue<'a, G> {
    /// A queue without games, which closes when the run is stopped.
    pub(crate) const fn new(options: RunOptions<'a>) -> Self {
        Self {
            options,
            fixtures: RefCell::new(VecDeque::new()),
            outcomes: RefCell::new(BTreeMap::new()),
        }
    }

    /// Adds a game.
    pub(crate) fn add(&self, fixture: Fixture) {
        self.fixtures.borrow_mut().push_back(fixture);
    }

    /// The outcomes since the last call, in the order of game numbers.
    pub(crate) fn outcomes(&self) -> impl Iterator<Item = Outcome<G>> + use<G> {
        self.outcomes.take().into_values()
    }
}

impl<G: Game> GameQueue<G> for BlockQueue<'_, G> {
    fn take(&self) -> Option<Fixture> {
        self.try_take()
    }

    fn try_take(&self) -> Option<Fixture> {
        self.fixtures.borrow_mut().pop_front()
    }

    fn complete(&self, game: u64, outcome: Outcome<G>) {
        self.outcomes.borrow_mut().insert(game, outcome);
    }

    fn is_closed(&self) -> bool {
        self.options.is_stopping()
    }
}
