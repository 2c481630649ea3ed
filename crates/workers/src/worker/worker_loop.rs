//! The part of a worker that talks to the broker.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use async_nats::Subscriber;
use dicehill_arena::PROGRAM;
use futures_util::StreamExt;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::{interval, sleep};

use super::event::WorkerEvent;
use super::player_queue::PlayerQueue;
use super::settings::WorkerSettings;
use crate::broker::{Broker, BrokerAddress, BrokerError, ConnectionChange, Subjects};
use crate::id::Id;
use crate::messages::{Announcement, WorkerActivity, WorkerSign, read, write};

/// How often a worker gives a sign of life.
pub(super) const SIGN: Duration = Duration::from_secs(1);
/// How long a host may be silent before its run is left.
const SILENCE: Duration = Duration::from_secs(20);
/// How often a worker looks for a run while it has none.
const LOOK: Duration = Duration::from_millis(200);

/// A run that a host has made known.
#[derive(Clone)]
pub(super) struct KnownRun {
    pub(super) announcement: Announcement,
    seen: Instant,
}

/// The part of a worker that talks to the broker.
pub(super) struct WorkerLoop<'a> {
    pub(super) settings: &'a WorkerSettings<'a>,
    pub(super) broker: Broker,
    pub(super) players: PlayerQueue,
    pub(super) sign: RefCell<WorkerSign>,
    /// The runs that hosts make known.
    runs: RefCell<HashMap<Id, KnownRun>>,
    /// The runs that this worker does not play.
    declined: RefCell<Vec<Id>>,
    /// How often the run could not be prepared because the broker or the host did not answer.
    pub(super) tries: Cell<u32>,
    announcements: RefCell<Option<Subscriber>>,
    changes: RefCell<Option<UnboundedReceiver<ConnectionChange>>>,
}

impl<'a> WorkerLoop<'a> {
    pub(super) async fn connect(
        address: &BrokerAddress,
        settings: &'a WorkerSettings<'a>,
        players: PlayerQueue,
    ) -> Result<Self, BrokerError> {
        let (sender, changes) = unbounded_channel();
        let broker = Broker::connect(address, "dicehill worker", sender).await?;
        let announcements = broker.subscribe(Subjects::ANNOUNCEMENTS.to_owned()).await?;
        let sign = WorkerSign {
            program: PROGRAM.to_owned(),
            worker: Id::draw()?,
            machine: settings.machine.clone(),
            jobs: settings.jobs,
            played: 0,
            rate: 0.0,
            failures: 0,
            run: None,
            activity: WorkerActivity::Waits,
        };
        Ok(Self {
            settings,
            broker,
            players,
            sign: RefCell::new(sign),
            runs: RefCell::default(),
            declined: RefCell::default(),
            tries: Cell::new(0),
            announcements: RefCell::new(Some(announcements)),
            changes: RefCell::new(Some(changes)),
        })
    }

    /// Works until it is stopped. The queue of tasks ends with this.
    pub(super) async fn run(self, events: &dyn Fn(WorkerEvent)) {
        events(WorkerEvent::Waits);
        tokio::select! {
            () = self.serve_all(events) => {}
            () = self.follow_hosts() => {}
            () = self.follow_connection(events) => {}
            () = self.give_signs() => {}
        }
        self.set(WorkerActivity::Ends).await;
        self.broker.flush().await;
    }

    pub(super) fn is_stopping(&self) -> bool {
        self.settings.stop.load(Ordering::Relaxed)
    }

    /// Serves one run after the other.
    async fn serve_all(&self, events: &dyn Fn(WorkerEvent)) {
        while !self.is_stopping() {
            match self.next_run() {
                Some(run) => self.serve(&run.announcement, events).await,
                None => sleep(LOOK).await,
            }
        }
    }

    /// The run that this worker plays next.
    fn next_run(&self) -> Option<KnownRun> {
        let runs = self.runs.borrow();
        let declined = self.declined.borrow();
        let is_open = |run: &&KnownRun| {
            run.seen.elapsed() < 3 * SIGN && !declined.contains(&run.announcement.run)
        };
        runs.values().filter(is_open).min_by_key(|run| run.announcement.run).cloned()
    }

    /// Does not play this run again.
    pub(super) fn decline(&self, run: Id) {
        self.declined.borrow_mut().push(run);
    }

    /// Whether the host of a run has signalled lately.
    pub(super) fn has_host(&self, run: Id) -> bool {
        self.runs.borrow().get(&run).is_some_and(|known| known.seen.elapsed() < SILENCE)
    }

    async fn follow_hosts(&self) {
        let Some(mut announcements) = self.announcements.take() else { return };
        while let Some(message) = announcements.next().await {
            let read = read::<Announcement>(&message.payload).and_then(Announcement::checked);
            // What is no announcement is none of this version.
            let Ok(announcement) = read else { continue };
            let mut runs = self.runs.borrow_mut();
            runs.retain(|_, known| known.seen.elapsed() < 2 * SILENCE);
            runs.insert(announcement.run, KnownRun { announcement, seen: Instant::now() });
        }
    }

    async fn follow_connection(&self, events: &dyn Fn(WorkerEvent)) {
        let Some(mut changes) = self.changes.take() else { return };
        while let Some(change) = changes.recv().await {
            events(match change {
                ConnectionChange::Up => WorkerEvent::Connected,
                ConnectionChange::Down => WorkerEvent::Disconnected,
            });
        }
    }

    async fn give_signs(&self) {
        let mut ticks = interval(SIGN);
        loop {
            ticks.tick().await;
            self.send_sign().await;
        }
    }

    async fn send_sign(&self) {
        let sign = self.sign.borrow().clone();
        self.broker.publish(Subjects::sign(sign.worker), write(&sign)).await;
    }

    /// Changes what the worker does, and says so.
    pub(super) async fn set(&self, activity: WorkerActivity) {
        self.sign.borrow_mut().activity = activity;
        self.send_sign().await;
    }
}
