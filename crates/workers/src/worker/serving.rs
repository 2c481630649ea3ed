//! How a worker serves one run.

use std::time::{Duration, Instant};

use dicehill_arena::PROGRAM;
use dicehill_store::{PlayedLine, RunPlan};
use tokio::time::{interval, sleep};

use super::event::WorkerEvent;
use super::player_queue::RunInvitation;
use super::worker_loop::{SIGN, WorkerLoop};
use crate::broker::{LEASE, Pulled, Subjects, WorkQueue, fetch_object};
use crate::id::Id;
use crate::messages::{
    Announcement, PlanReply, RangeResults, ResultsReply, WorkOrder, WorkerActivity, read,
};
use crate::ranges::Order;

/// How long a pull waits.
const PULL: Duration = Duration::from_secs(1);
/// How long to wait after a request that failed.
const PAUSE: Duration = Duration::from_millis(300);
/// The part of the broker's longest message that results use: the rest is for the first line and the headers.
const FILLED: usize = 2;

/// How often a worker tries to prepare a run while the broker or the host does not answer.
const MAX_TRIES: u32 = 10;

/// Why a worker does not play a run.
enum Unprepared {
    /// The broker or the host did not answer: it tries again.
    Yet(String),
    /// It cannot.
    Ever(String),
}

/// Why a worker leaves a run.
enum Leave {
    /// It is stopped, or the run is over.
    Over,
    /// It is not one of this run any more.
    Refused(String),
}

impl WorkerLoop<'_> {
    /// Serves a run until it is over.
    pub(super) async fn serve(&self, announced: &Announcement, events: &dyn Fn(WorkerEvent)) {
        let Announcement { run, hill, machine, program, .. } = announced.clone();
        self.sign.borrow_mut().run = Some(run);
        self.set(WorkerActivity::Prepares).await;
        let prepared = if program == PROGRAM {
            self.prepare(run).await
        } else {
            let why =
                format!("its host has {program}, and this is {PROGRAM}: install the same version");
            Err(Unprepared::Ever(why))
        };
        let tries = self.tries.replace(0) + 1;
        if matches!(&prepared, Err(Unprepared::Yet(_))) && tries < MAX_TRIES {
            self.tries.set(tries);
            return sleep(SIGN).await;
        }
        if let Err(Unprepared::Yet(why) | Unprepared::Ever(why)) = prepared {
            self.decline(run);
            self.set(WorkerActivity::Declines { why: why.clone() }).await;
            events(WorkerEvent::Declined { hill, machine, why });
            return;
        }
        events(WorkerEvent::Joined { hill: hill.clone(), machine: machine.clone() });
        let end = self.play_ranges(run, events).await;
        self.sign.borrow_mut().run = None;
        self.set(WorkerActivity::Waits).await;
        if let Leave::Refused(why) = end {
            self.decline(run);
            events(WorkerEvent::Declined { hill, machine, why });
        } else {
            events(WorkerEvent::Left { hill });
        }
    }

    async fn prepare(&self, run: Id) -> Result<(), Unprepared> {
        let reply = self.broker.ask(Subjects::plan(run), Vec::new()).await;
        let reply = reply.map_err(|error| Unprepared::Yet(error.to_string()))?;
        let reply = read::<PlanReply>(&reply).and_then(PlanReply::checked);
        let reply = reply.map_err(|error| Unprepared::Ever(error.to_string()));
        let PlanReply { plan, bots } = reply?;
        let plan = RunPlan::parse(&plan).map_err(Unprepared::Ever)?;
        let mut fetched = Vec::new();
        for bot in bots {
            let content = fetch_object(&self.broker, &bot).await;
            fetched.push((bot.name, content.map_err(|error| Unprepared::Yet(error.to_string()))?));
        }
        let invitation = RunInvitation { plan, bots: fetched };
        self.players.prepare(invitation).await.map_err(Unprepared::Ever)
    }

    async fn play_ranges(&self, run: Id, events: &dyn Fn(WorkerEvent)) -> Leave {
        let queue = WorkQueue::new(self.broker.clone(), run);
        let mut last_sign = Instant::now();
        self.set(WorkerActivity::Waits).await;
        while !self.is_stopping() && self.has_host(run) {
            let Ok(Some(pulled)) = queue.pull(PULL).await else {
                // The host makes a missing queue again, and an empty one may be filled.
                if last_sign.elapsed() > SIGN {
                    last_sign = Instant::now();
                    self.set(WorkerActivity::Waits).await;
                }
                sleep(PAUSE).await;
                continue;
            };
            if let Err(leave) = self.play_order(run, &pulled, events).await {
                return leave;
            }
        }
        Leave::Over
    }

    async fn play_order(
        &self,
        run: Id,
        pulled: &Pulled,
        events: &dyn Fn(WorkerEvent),
    ) -> Result<(), Leave> {
        let order = read::<WorkOrder>(pulled.payload());
        let order = order.and_then(|order| Ok((order.order()?, order)));
        let Ok((order, WorkOrder { barred, run: named, .. })) = order else {
            // No worker can play it. The host hands out what it misses.
            pulled.finish().await;
            return Ok(());
        };
        let worker = self.sign.borrow().worker;
        if named != run || order.checks == Some(worker) {
            pulled.leave().await;
            let waits = matches!(self.sign.borrow().activity, WorkerActivity::Waits);
            if !waits {
                self.set(WorkerActivity::Waits).await;
            }
            return Ok(());
        }
        let (first, last) = (order.games.first(), order.games.last());
        let Order { segment, generation, .. } = order;
        self.set(WorkerActivity::Plays { segment, first, last, generation }).await;
        let begun = Instant::now();
        let played = self.play_with_lease(barred, &order, pulled).await;
        let took = begun.elapsed();
        let results = RangeResults {
            worker,
            order,
            took,
            is_last: false,
            failed: played.as_ref().err().cloned(),
            lines: Vec::new(),
        };
        self.count(&played, took);
        let event = match &played {
            Ok(_) => WorkerEvent::Played { games: order.games },
            Err(why) => WorkerEvent::Failed { games: order.games, why: why.clone() },
        };
        let sent = self.send(run, results, played.unwrap_or_default(), pulled).await;
        pulled.finish().await;
        events(event);
        sent
    }

    fn count(&self, played: &Result<Vec<PlayedLine>, String>, took: Duration) {
        let mut sign = self.sign.borrow_mut();
        match played {
            Ok(lines) => {
                sign.played += lines.len() as u64;
                sign.rate = lines.len() as f64 / took.as_secs_f64().max(1e-3);
            }
            Err(_) => sign.failures += 1,
        }
    }

    /// Plays an order, and keeps its lease until then.
    async fn play_with_lease(
        &self,
        barred: Vec<String>,
        order: &Order,
        pulled: &Pulled,
    ) -> Result<Vec<PlayedLine>, String> {
        let played = self.players.play(barred, order.games);
        tokio::pin!(played);
        let mut ticks = interval(LEASE / 4);
        loop {
            tokio::select! {
                played = &mut played => return played,
                _ = ticks.tick() => pulled.keep().await,
            }
        }
    }

    /// Sends lines to the host, in messages that the broker takes, until the host has acknowledged all.
    async fn send(
        &self,
        run: Id,
        mut results: RangeResults,
        lines: Vec<PlayedLine>,
        pulled: &Pulled,
    ) -> Result<(), Leave> {
        let most = self.broker.max_payload() / FILLED;
        let mut bytes = 0;
        for line in lines {
            let length = line.line().len();
            if bytes + length > most && !results.lines.is_empty() {
                self.send_one(run, &results, pulled).await?;
                results.lines.clear();
                bytes = 0;
            }
            bytes += length;
            results.lines.push(line);
        }
        results.is_last = true;
        self.send_one(run, &results, pulled).await
    }

    async fn send_one(
        &self,
        run: Id,
        results: &RangeResults,
        pulled: &Pulled,
    ) -> Result<(), Leave> {
        let message = results.message();
        let message = message.map_err(|error| Leave::Refused(error.to_string()))?;
        while self.has_host(run) {
            let asked = self.broker.ask(Subjects::results(run), message.clone()).await;
            match asked.map(|reply| read::<ResultsReply>(&reply)) {
                Ok(Ok(ResultsReply::Taken)) => return Ok(()),
                Ok(Ok(ResultsReply::Refused { why })) => return Err(Leave::Refused(why)),
                // A lost message is sent again: the host takes each game once.
                Ok(Err(_)) | Err(_) => {
                    pulled.keep().await;
                    sleep(PAUSE).await;
                }
            }
        }
        Err(Leave::Over)
    }
}
