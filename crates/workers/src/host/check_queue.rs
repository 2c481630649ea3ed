//! The threads that check what workers send.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use dicehill_arena::Bar;
use tokio::sync::mpsc::UnboundedSender;

use super::hill_judge::RunJudge;
use super::news::WorkerNews;
use super::shared::{Shared, State};
use crate::id::Id;
use crate::messages::{RangeResults, ResultsReply, write};
use crate::ranges::{Dispute, OrderRefusal};

/// An answer to a worker: the subject, and the message.
pub(super) type Reply = (String, Vec<u8>);

/// Results that wait for a thread that checks them.
pub(super) struct CheckQueue {
    shared: Arc<Shared>,
    replies: UnboundedSender<Reply>,
    waiting: Mutex<Option<VecDeque<Reply>>>,
    added: Condvar,
}

impl CheckQueue {
    pub(super) fn new(shared: Arc<Shared>, replies: UnboundedSender<Reply>) -> Self {
        let waiting = Mutex::new(Some(VecDeque::new()));
        Self { shared, replies, waiting, added: Condvar::new() }
    }

    /// Adds a message that is answered at this subject.
    pub(super) fn add(&self, reply_to: String, message: Vec<u8>) {
        if let Some(waiting) = &mut *self.lock() {
            waiting.push_back((reply_to, message));
        }
        self.added.notify_one();
    }

    pub(super) fn close(&self) {
        *self.lock() = None;
        self.added.notify_all();
    }

    /// A poisoned lock is no problem: each change is a single one.
    fn lock(&self) -> MutexGuard<'_, Option<VecDeque<Reply>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self) -> Option<Reply> {
        let is_empty = |waiting: &mut Option<VecDeque<Reply>>| {
            waiting.as_ref().is_some_and(VecDeque::is_empty)
        };
        let guard = self.added.wait_while(self.lock(), is_empty);
        guard.unwrap_or_else(PoisonError::into_inner).as_mut()?.pop_front()
    }

    /// Checks results until the queue is closed.
    pub(super) fn work(&self, judge: &dyn RunJudge, news: &dyn Fn(WorkerNews)) {
        while let Some((reply_to, message)) = self.next() {
            let reply = match RangeResults::read(&message) {
                Ok(results) => self.take(results, judge, news),
                Err(error) => ResultsReply::Refused { why: error.to_string() },
            };
            let _host_ended = self.replies.send((reply_to, write(&reply)));
            self.shared.changed();
            self.settle_disputes(judge, news);
        }
    }

    fn take(
        &self,
        results: RangeResults,
        judge: &dyn RunJudge,
        news: &dyn Fn(WorkerNews),
    ) -> ResultsReply {
        let RangeResults { worker, order, took, is_last, failed, lines } = results;
        let mut state = self.shared.lock();
        if let Some(why) = failed {
            let before = state.book.host_plays();
            state.book.fail(worker, &order, why.clone());
            let poisoned = state.book.host_plays() - before;
            let machine = state.machine(worker);
            drop(state);
            news(WorkerNews::Failed { machine, games: order.games, why });
            if poisoned > 0 {
                news(WorkerNews::Poisoned { games: poisoned });
            }
            return ResultsReply::Taken;
        }
        if order.segment == state.book.segment() {
            let bars = state.bars.clone();
            drop(state);
            let checked = judge.check(&bars, &lines);
            state = self.shared.lock();
            if let Err((game, why)) = checked {
                let why = OrderRefusal::Altered { game, why }.to_string();
                state.refuse(worker, game, &why);
                let machine = state.machine(worker);
                drop(state);
                news(WorkerNews::Refused { machine, why: why.clone() });
                return ResultsReply::Refused { why };
            }
        }
        if !state.book.insert(worker, &order, lines) {
            return ResultsReply::Refused {
                why: "the host takes nothing from this worker".to_owned(),
            };
        }
        if is_last {
            let now = self.shared.now();
            state.book.finish(worker, &order, took, now);
        }
        ResultsReply::Taken
    }

    /// Plays the games in which workers differ, and refuses those that are wrong.
    fn settle_disputes(&self, judge: &dyn RunJudge, news: &dyn Fn(WorkerNews)) {
        loop {
            let mut state = self.shared.lock();
            let (dispute, bars) = (state.book.next_dispute(), state.bars.clone());
            drop(state);
            let Some(dispute) = dispute else { return };
            for worker in self.wrong(&dispute, &bars, judge) {
                let why = OrderRefusal::Differs(dispute.game).to_string();
                let mut state = self.shared.lock();
                state.refuse(worker, dispute.game, &why);
                let machine = state.machine(worker);
                drop(state);
                news(WorkerNews::Refused { machine, why });
            }
            self.shared.changed();
        }
    }

    /// The workers that are wrong in a game; none if the bots differ from game to game here too.
    fn wrong(&self, dispute: &Dispute, bars: &[Bar], judge: &dyn RunJudge) -> Vec<Id> {
        let play = || judge.play(bars, dispute.game);
        let (Ok(one), Ok(other)) = (play(), play()) else { return Vec::new() };
        if one.line() != other.line() {
            return Vec::new();
        }
        self.shared.lock().book.settle(dispute, one.line())
    }
}

impl State {
    /// The machine of a worker.
    pub(super) fn machine(&self, worker: Id) -> String {
        self.machines.get(&worker).cloned().unwrap_or_else(|| worker.to_string())
    }

    /// Takes nothing from a worker any more. If the run has taken the game in which it was wrong, it cannot continue.
    pub(super) fn refuse(&mut self, worker: Id, game: u64, why: &str) {
        let machine = self.machine(worker);
        if self.book.refuse(worker, game) {
            self.failed.get_or_insert(format!(
                "the worker {machine} altered games ({why}), and the run has recorded game {game} as it sent it: discard the \
                 record, and play the run again without that worker"
            ));
        }
    }
}
