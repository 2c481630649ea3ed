//! Processes that wait for further games, so that they are not started again for each range.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use dicehill_rules::Game;

use crate::{EntrantId, GameSlot, Server};

/// The processes of entrants that played games of a hill before, and wait for further ones of the same hill.
///
/// A process that waits is ended with this.
pub struct IdleProcesses<G: Game>(Mutex<Vec<EntrantProcess<G>>>);

/// A process of an entrant.
pub(crate) struct EntrantProcess<G: Game> {
    pub(crate) entrant: EntrantId,
    pub(crate) server: Box<dyn Server<G>>,
    /// How many games it has begun, with one for all before the run.
    pub(crate) games: u64,
    /// Its games in progress.
    pub(crate) slots: Vec<GameSlot>,
    place_in_block: u64,
}

impl<G: Game> EntrantProcess<G> {
    pub(crate) fn new(entrant: EntrantId, place_in_block: u64, server: Box<dyn Server<G>>) -> Self {
        let games = games_before(&*server);
        Self { entrant, server, games, slots: Vec::new(), place_in_block }
    }

    /// Continues with another process of the entrant.
    pub(crate) fn replace(&mut self, server: Box<dyn Server<G>>) {
        self.games = games_before(&*server);
        self.server = server;
    }

    /// Whether it plays for this entrant at this place in blocks.
    pub(crate) fn serves(&self, entrant: EntrantId, place_in_block: u64) -> bool {
        self.entrant == entrant && self.place_in_block == place_in_block
    }
}

fn games_before<G: Game>(server: &dyn Server<G>) -> u64 {
    u64::from(server.has_played())
}

impl<G: Game> IdleProcesses<G> {
    /// Takes one out.
    pub(crate) fn take(
        &self,
        entrant: EntrantId,
        place_in_block: u64,
    ) -> Option<EntrantProcess<G>> {
        let mut idle = self.lock();
        let found = idle.iter().position(|one| one.serves(entrant, place_in_block))?;
        Some(idle.swap_remove(found))
    }

    /// Leaves those that have no game in progress and may serve a further one; the others stay where they are.
    pub(crate) fn leave(&self, processes: &mut Vec<EntrantProcess<G>>) {
        let is_idle =
            |one: &mut EntrantProcess<G>| one.slots.is_empty() && one.server.capacity() > 0;
        self.lock().extend(processes.extract_if(.., is_idle));
    }

    /// Ends the processes of other entrants than these.
    pub(crate) fn retain(&self, entrants: &[EntrantId]) {
        self.lock().retain(|one| entrants.contains(&one.entrant));
    }

    /// A poisoned lock is no problem: each change is a single one.
    fn lock(&self) -> MutexGuard<'_, Vec<EntrantProcess<G>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<G: Game> Default for IdleProcesses<G> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<G: Game> fmt::Debug for IdleProcesses<G> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("IdleProcesses").field("processes", &self.lock().len()).finish()
    }
}
