//! A look at hosts and workers from outside.

use std::time::Duration;

use futures_util::StreamExt;
use tokio::sync::mpsc::unbounded_channel;
use tokio::time::{Instant, sleep_until};

use crate::broker::{Broker, BrokerAddress, BrokerError, Subjects};
use crate::messages::{Announcement, WorkerSign, read};

/// The hosts and workers that have given signs of life.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Survey {
    /// By the hill's name.
    pub runs: Vec<Announcement>,
    /// By the machine's name.
    pub workers: Vec<WorkerSign>,
}

/// Listens for so long to hosts and workers.
///
/// # Errors
/// If the broker cannot be used.
pub fn survey(address: &BrokerAddress, time: Duration) -> Result<Survey, BrokerError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(listen(address, time))
}

async fn listen(address: &BrokerAddress, time: Duration) -> Result<Survey, BrokerError> {
    let (sender, _changes) = unbounded_channel();
    let broker = Broker::connect(address, "dicehill workers", sender).await?;
    let mut runs = broker.subscribe(Subjects::ANNOUNCEMENTS.to_owned()).await?;
    let mut signs = broker.subscribe(Subjects::SIGNS.to_owned()).await?;
    let mut survey = Survey::default();
    let end = Instant::now() + time;
    loop {
        tokio::select! {
            Some(message) = runs.next() => survey.add_run(&message.payload),
            Some(message) = signs.next() => survey.add_worker(&message.payload),
            () = sleep_until(end) => break,
        }
    }
    survey.runs.sort_by(|one, other| (&one.hill, one.run).cmp(&(&other.hill, other.run)));
    survey
        .workers
        .sort_by(|one, other| (&one.machine, one.worker).cmp(&(&other.machine, other.worker)));
    Ok(survey)
}

impl Survey {
    /// Adds what a host says; what is no announcement is none of this version.
    fn add_run(&mut self, message: &[u8]) {
        let read = read::<Announcement>(message).and_then(Announcement::checked);
        let Ok(run) = read else { return };
        self.runs.retain(|known| known.run != run.run);
        self.runs.push(run);
    }

    fn add_worker(&mut self, message: &[u8]) {
        let read = read::<WorkerSign>(message).and_then(WorkerSign::checked);
        let Ok(sign) = read else { return };
        self.workers.retain(|known| known.worker != sign.worker);
        self.workers.push(sign);
    }
}
