//! Plays the blocks that place a new entrant.

use dicehill_rules::Game;

use super::{RunSegment, StopReason};
use crate::PlacementScheduler;
use crate::engine::placement_scheduler::GAMES_PER_BLOCK;
use crate::engine::player::replay_or_play;

impl<G: Game> RunSegment<'_, '_, G> {
    /// Plays blocks, each against the most informative rival, until the rank of the new entrant is found.
    pub(super) fn place(&mut self, mut scheduler: PlacementScheduler) -> Result<(), StopReason> {
        let mut game = 0;
        while let Some(pairing) = scheduler.next_block(&self.ledger) {
            for _ in 0..GAMES_PER_BLOCK {
                game += 1;
                self.check_stop()?;
                let fixture = self.schedule.placement_fixture(game, pairing);
                let outcome = replay_or_play(self.hill, self.chance, self.recorded, fixture);
                self.take(outcome, |replay| replay())?;
            }
        }
        self.placement = Some(scheduler.result(self.hill));
        Ok(())
    }
}
