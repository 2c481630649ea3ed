//! Starts a worker.

use std::thread;

use super::event::WorkerEvent;
use super::player_queue::{PrepareRun, player_queue};
use super::settings::WorkerSettings;
use super::worker_loop::WorkerLoop;
use crate::broker::{BrokerAddress, BrokerError};

/// Plays ranges for all hosts of the broker, one run after the other, until it is stopped.
///
/// # Errors
/// If the broker cannot be used.
pub fn work(
    address: &BrokerAddress,
    settings: &WorkerSettings<'_>,
    prepare: &dyn PrepareRun,
    events: &(dyn Fn(WorkerEvent) + Sync),
) -> Result<(), BrokerError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (queue, tasks) = player_queue();
    let worker = runtime.block_on(WorkerLoop::connect(address, settings, queue))?;
    thread::scope(|scope| {
        scope.spawn(|| runtime.block_on(worker.run(events)));
        tasks.work(prepare);
    });
    Ok(())
}
