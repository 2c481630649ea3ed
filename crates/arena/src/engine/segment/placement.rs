//! Plays the blocks that place a new entrant.

use dicehill_rules::Game;

use super::{RunSegment, StopReason};
use crate::PlacementScheduler;
use crate::engine::external_worker::ExternalWorker;
use crate::engine::game_queue::BlockQueue;
use crate::engine::placement_scheduler::GAMES_PER_BLOCK;

impl<G: Game> RunSegment<'_, '_, G> {
    /// Plays blocks, each against the most informative rival, until the rank of the new entrant is found. The games of a
    /// block are played at once, and the processes serve the later blocks too: most of the time of a placement would be
    /// that of starting them.
    pub(super) fn place(&mut self, mut scheduler: PlacementScheduler) -> Result<(), StopReason> {
        let block = BlockQueue::new(self.options);
        let mut worker =
            ExternalWorker::new(self.hill, self.chance, self.recorded, &block, self.idle);
        let mut game = 0;
        while let Some(pairing) = scheduler.next_block(&self.ledger) {
            for _ in 0..GAMES_PER_BLOCK {
                game += 1;
                block.add(self.schedule.placement_fixture(game, pairing));
            }
            worker.work();
            self.check_stop()?;
            block.outcomes().try_for_each(|outcome| self.take(outcome, |replay| replay()))?;
        }
        self.placement = Some(scheduler.result(self.hill));
        Ok(())
    }
}
