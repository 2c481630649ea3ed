//! Hosts a run.

use std::io;
use std::sync::Arc;
use std::thread;

use tokio::sync::mpsc::unbounded_channel;

use super::check_queue::CheckQueue;
use super::games::WorkerGames;
use super::host_loop::HostLoop;
use super::hosted_run::HostedRun;
use super::news::WorkerNews;
use super::shared::Shared;
use crate::broker::{BrokerAddress, BrokerError};
use crate::id::Id;
use crate::messages::MAX_OBJECT_BYTES;

/// Hosts a run: while `play` plays it with the games of workers, hands them out and takes their results.
///
/// # Errors
/// If the broker cannot be used, or a bot is too large.
pub fn host<R>(
    run: &HostedRun<'_>,
    address: &BrokerAddress,
    news: &(dyn Fn(WorkerNews) + Sync),
    play: impl FnOnce(&WorkerGames<'_>) -> R,
) -> Result<R, BrokerError> {
    if let Some(bot) = run.bots.iter().find(|bot| bot.content.len() as u64 > MAX_OBJECT_BYTES) {
        let most = MAX_OBJECT_BYTES >> 20;
        let why = format!("{} has more than {most} MiB, too much to travel to workers", bot.name);
        return Err(BrokerError::request("store a bot", why));
    }
    let id = Id::draw()?;
    let seed = getrandom::u64().map_err(io::Error::other)?;
    let shared = Arc::new(Shared::new(run, id, seed));
    shared.begin(&run.judge.needed(run.plan.bars(), run.recorded)?, &[]);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (replies, to_send) = unbounded_channel();
    let checks = CheckQueue::new(Arc::clone(&shared), replies);
    let host_loop = runtime.block_on(HostLoop::connect(run, address, &shared, &checks))?;
    Ok(thread::scope(|scope| {
        for _ in 0..run.jobs.max(1) {
            scope.spawn(|| checks.work(run.judge, news));
        }
        scope.spawn(|| runtime.block_on(host_loop.serve(to_send, news)));
        let _close = CloseOnDrop(&shared, &checks);
        play(&WorkerGames::new(run, &shared))
    }))
}

/// Ends the threads of the host, even if the run panics.
struct CloseOnDrop<'a>(&'a Shared, &'a CheckQueue);

impl Drop for CloseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.close();
        self.1.close();
    }
}
