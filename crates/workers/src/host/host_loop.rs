//! The part of a host that talks to the broker.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::{Message, Subscriber};
use dicehill_arena::{PROGRAM, WorkerProgress};
use futures_util::StreamExt;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::{MissedTickBehavior, interval};

use super::check_queue::{CheckQueue, Reply};
use super::hosted_run::HostedRun;
use super::news::WorkerNews;
use super::shared::Shared;
use crate::broker::{
    Broker, BrokerAddress, BrokerError, ConnectionChange, LEASE, Subjects, WorkQueue, keep_object,
};
use crate::id::Id;
use crate::messages::{
    Announcement, PlanReply, WorkOrder, WorkerActivity, WorkerSign, read, write,
};
use crate::ranges::Order;

/// How often the host looks after everything.
const TICK: Duration = Duration::from_millis(250);
/// How often it makes its run known.
const ANNOUNCE: Duration = Duration::from_secs(1);
/// How often it looks whether the broker still has the queue and the bots.
const LOOK: Duration = Duration::from_secs(3);
/// How long it waits for the first worker before it says so.
const LONELY: Duration = Duration::from_secs(10);

/// A worker, as the host has last seen it.
struct SeenWorker {
    machine: String,
    seen: Instant,
    /// Whether it was reported to play for the run.
    has_joined: bool,
    /// What it does for the run; `None` if it does nothing for it.
    progress: Option<WorkerProgress>,
}

/// The part of a host that talks to the broker.
pub(super) struct HostLoop<'a> {
    run: &'a HostedRun<'a>,
    shared: &'a Arc<Shared>,
    checks: &'a CheckQueue,
    broker: Broker,
    queue: WorkQueue,
    plan: Vec<u8>,
    signs: Subscriber,
    plans: Subscriber,
    results: Subscriber,
    changes: UnboundedReceiver<ConnectionChange>,
    workers: HashMap<Id, SeenWorker>,
    /// The workers that play, as reported.
    playing: Vec<WorkerProgress>,
    /// When the last worker was there, or the run began.
    company: Instant,
    announced: Option<Instant>,
    looked: Instant,
    /// Whether the last request to the broker failed, and was reported.
    is_failing: bool,
}

impl<'a> HostLoop<'a> {
    /// Connects, and stores what workers need.
    pub(super) async fn connect(
        run: &'a HostedRun<'a>,
        address: &BrokerAddress,
        shared: &'a Arc<Shared>,
        checks: &'a CheckQueue,
    ) -> Result<Self, BrokerError> {
        let (sender, changes) = unbounded_channel();
        let broker = Broker::connect(address, "dicehill host", sender).await?;
        let queue = WorkQueue::new(broker.clone(), shared.run);
        queue.make().await?;
        let bots: Vec<_> = run.bots.iter().map(super::hosted_run::HostedBot::object).collect();
        for (bot, object) in run.bots.iter().zip(&bots) {
            keep_object(&broker, object, &bot.content).await?;
        }
        let plan = write(&PlanReply { plan: run.plan.text().to_owned(), bots });
        let subscribe = |subject: String| broker.subscribe(subject);
        let signs = subscribe(Subjects::SIGNS.to_owned()).await?;
        let plans = subscribe(Subjects::plan(shared.run)).await?;
        let results = subscribe(Subjects::results(shared.run)).await?;
        let now = Instant::now();
        Ok(Self {
            run,
            shared,
            checks,
            queue,
            plan,
            signs,
            plans,
            results,
            changes,
            broker,
            workers: HashMap::new(),
            playing: Vec::new(),
            company: now,
            announced: None,
            looked: now,
            is_failing: false,
        })
    }

    /// Serves workers until the run is over.
    pub(super) async fn serve(
        mut self,
        mut replies: UnboundedReceiver<Reply>,
        news: &dyn Fn(WorkerNews),
    ) {
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while !self.shared.is_closed() {
            tokio::select! {
                Some(message) = self.results.next() => self.take_results(message),
                Some(message) = self.signs.next() => self.see(&message, news),
                Some(message) = self.plans.next() => self.send_plan(message).await,
                Some((subject, reply)) = replies.recv() => self.broker.publish(subject, reply).await,
                Some(change) = self.changes.recv() => self.see_change(change, news),
                () = self.shared.hand_out.notified() => {}
                _ = ticks.tick() => self.look_after(news).await,
            }
            self.hand_out(news).await;
        }
        self.queue.remove().await;
        self.broker.flush().await;
    }

    fn take_results(&self, Message { reply, payload, .. }: Message) {
        if let Some(reply) = reply {
            self.checks.add(reply.to_string(), payload.to_vec());
        }
    }

    async fn send_plan(&self, Message { reply, .. }: Message) {
        if let Some(reply) = reply {
            self.broker.publish(reply.to_string(), self.plan.clone()).await;
        }
    }

    fn see_change(&mut self, change: ConnectionChange, news: &dyn Fn(WorkerNews)) {
        match change {
            ConnectionChange::Down => news(WorkerNews::Disconnected),
            ConnectionChange::Up => {
                // A server that was started again may have lost everything.
                self.looked = Instant::now().checked_sub(LOOK).unwrap_or(self.looked);
                news(WorkerNews::Connected);
            }
        }
    }

    /// Takes a sign of life.
    fn see(&mut self, message: &Message, news: &dyn Fn(WorkerNews)) {
        let sign = read::<WorkerSign>(&message.payload).and_then(WorkerSign::checked);
        // What is no sign is none of a worker of this version.
        let Ok(sign) = sign else { return };
        let joins = sign.run == Some(self.shared.run) && sign.program == PROGRAM;
        let progress = if joins { sign.progress() } else { None };
        let WorkerSign { worker, machine, jobs, program, activity, .. } = sign;
        let is_new = !self.workers.contains_key(&worker);
        let now = Instant::now();
        let new =
            SeenWorker { machine: machine.clone(), seen: now, has_joined: false, progress: None };
        let seen = self.workers.entry(worker).or_insert(new);
        (seen.seen, seen.progress) = (now, progress);
        if program != PROGRAM {
            if is_new {
                news(WorkerNews::OtherProgram { machine, program });
            }
            return;
        }
        if !joins {
            return;
        }
        if let WorkerActivity::Declines { why } = activity {
            if !std::mem::replace(&mut seen.has_joined, true) {
                news(WorkerNews::Declined { machine, why });
            }
            return;
        }
        if !std::mem::replace(&mut seen.has_joined, true) {
            news(WorkerNews::Joined { machine: machine.clone(), jobs });
        }
        self.company = Instant::now();
        self.note(worker, machine, &activity);
    }

    fn note(&self, worker: Id, machine: String, activity: &WorkerActivity) {
        let now = self.shared.now();
        let mut state = self.shared.lock();
        state.machines.insert(worker, machine);
        match activity {
            WorkerActivity::Waits => state.book.see(worker, true, now),
            WorkerActivity::Prepares | WorkerActivity::Declines { .. } => {}
            WorkerActivity::Ends => state.book.see(worker, false, now),
            WorkerActivity::Plays { segment, first, last, generation } => {
                let games = dicehill_arena::GameRange::new(*first, *last);
                let (segment, generation) = (*segment, *generation);
                if let Some(games) = games {
                    let order = Order { segment, games, generation, checks: None };
                    state.book.see_playing(worker, &order, now);
                }
            }
        }
    }

    async fn look_after(&mut self, news: &dyn Fn(WorkerNews)) {
        if self.announced.is_none_or(|before| before.elapsed() >= ANNOUNCE) {
            self.announced = Some(Instant::now());
            let announcement = write(&self.announcement());
            self.broker.publish(Subjects::announcement(self.shared.run), announcement).await;
            self.report_playing(news);
        }
        if self.looked.elapsed() >= LOOK {
            self.look_at_broker(news).await;
        }
        self.forget_silent(news);
        if self.company.elapsed() >= LONELY {
            self.company = Instant::now();
            news(WorkerNews::NoWorkers);
        }
    }

    fn announcement(&self) -> Announcement {
        let header = self.run.plan.header();
        let state = self.shared.lock();
        let (left, handed_out) = (state.book.left(), state.book.handed_out());
        let games = state.book.games();
        Announcement {
            program: PROGRAM.to_owned(),
            run: self.shared.run,
            hill: header.hill.terms.name.clone(),
            machine: self.run.machine.clone(),
            games,
            arrived: games.saturating_sub(left + handed_out),
            handed_out,
            host_plays: state.book.host_plays(),
        }
    }

    fn forget_silent(&mut self, news: &dyn Fn(WorkerNews)) {
        self.workers.retain(|_, worker| {
            let is_silent = worker.seen.elapsed() > 2 * LEASE;
            if is_silent && worker.has_joined {
                news(WorkerNews::Left { machine: worker.machine.clone() });
            }
            !is_silent
        });
    }

    /// Reports the workers that play, if something about them has changed.
    fn report_playing(&mut self, news: &dyn Fn(WorkerNews)) {
        let playing = self.workers.values().filter_map(|worker| worker.progress.clone());
        let mut workers: Vec<_> = playing.collect();
        workers.sort_by(|one, other| {
            let order = |of: &WorkerProgress| (of.machine.clone(), of.games, of.range);
            order(one).cmp(&order(other))
        });
        if workers == self.playing {
            return;
        }
        self.playing.clone_from(&workers);
        let rate: f64 = workers.iter().map(|worker| worker.rate).sum();
        let Announcement { games, arrived, .. } = self.announcement();
        let left = games.saturating_sub(arrived) as f64;
        let seconds_left = (rate > 0.0).then(|| left / rate);
        news(WorkerNews::Playing { workers, seconds_left });
    }

    /// Makes what the broker has lost again.
    async fn look_at_broker(&mut self, news: &dyn Fn(WorkerNews)) {
        self.looked = Instant::now();
        match self.restore().await {
            Ok(false) => self.is_failing = false,
            Ok(true) => {
                self.is_failing = false;
                self.shared.lock().book.lose_queue();
                news(WorkerNews::QueueRestored);
            }
            Err(error) => self.report(&error, news),
        }
    }

    async fn restore(&self) -> Result<bool, BrokerError> {
        for bot in &self.run.bots {
            keep_object(&self.broker, &bot.object(), &bot.content).await?;
        }
        self.queue.make().await
    }

    fn report(&mut self, error: &BrokerError, news: &dyn Fn(WorkerNews)) {
        if !std::mem::replace(&mut self.is_failing, true) {
            news(WorkerNews::BrokerFailed { why: error.to_string() });
        }
    }

    /// Hands out all ranges that are due.
    async fn hand_out(&mut self, news: &dyn Fn(WorkerNews)) {
        while let Some((order, id)) = self.next_order() {
            if let Err(error) = self.queue.publish(order, &id).await {
                self.report(&error, news);
                self.looked = Instant::now().checked_sub(LOOK).unwrap_or(self.looked);
                self.shared.lock().book.lose_queue();
                tokio::time::sleep(TICK).await;
                return;
            }
        }
    }

    fn next_order(&self) -> Option<(Vec<u8>, String)> {
        let now = self.shared.now();
        let mut state = self.shared.lock();
        let order = state.book.next_order(now)?;
        let barred = state.bars.iter().map(|bar| bar.bot.clone()).collect();
        let Order { segment, games, generation, checks } = order;
        let checks = checks.map_or_else(String::new, |of| format!("-{of}-{}", now.as_millis()));
        let id = format!("{}-{segment}-{}-{generation}{checks}", self.shared.run, games.first());
        Some((write(&WorkOrder::new(self.shared.run, barred, &order)), id))
    }
}
