//! Which games are handed out next, and what has arrived.

mod checking;

use std::collections::{HashMap, HashSet, VecDeque};
use std::time::Duration;

use dicehill_arena::{GameRange, Offence};
use dicehill_store::PlayedLine;

use super::checked_range::{has_failure, line_hash};
use super::checks::Checks;
use super::game_set::GameSet;
use super::open_range::{OpenRange, PATIENCE};
use super::open_ranges::OpenRanges;
use super::order::Order;
use super::worker_states::WorkerStates;
use crate::id::Id;

/// How often workers may fail in a range before the host plays it.
const MAX_FAILURES: u32 = 5;
/// How long a worker is idle before that counts: its next pull may be on its way.
const IDLE: Duration = Duration::from_millis(500);
/// How often all ranges are looked at: that costs time for each worker.
const LOOK: Duration = Duration::from_millis(50);
/// The most workers that play the same range at once.
const MAX_ATTEMPTS: usize = 3;
/// How many times the usual time a range may take before it is handed out a second time although no worker is idle.
const STRAGGLES: u32 = 4;

/// How ranges are handed out.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BookSettings {
    /// Games of a block, which stay together.
    pub block: u64,
    /// How long a worker may give no sign of life.
    pub lease: Duration,
    /// How long a range is to take.
    pub target: Duration,
    /// The most games of a range.
    pub max_range: u64,
    /// The most games that are handed out or wait to be taken.
    pub window: u64,
    /// The share of the ranges that another worker plays again.
    pub checked: f64,
    /// Chooses those ranges.
    pub seed: u64,
}

/// A game as the run asks for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// A worker has played it.
    Line(String),
    /// The host plays it.
    Host,
    /// It has not arrived.
    NotYet,
}

/// A line that has arrived and is not taken yet.
#[derive(Clone, Debug)]
struct Arrived {
    worker: Id,
    line: PlayedLine,
}

/// Which games are handed out next, and what has arrived.
///
/// It hands out a range again if the worker fails, falls silent or the broker loses it, and twice if workers are idle. Lines
/// are inserted in any order and any number of times.
#[derive(Debug)]
pub struct RangeBook {
    settings: BookSettings,
    segment: u32,
    /// How many games workers are to play, and the last one.
    games: u64,
    last: Option<u64>,
    /// The games that were never handed out, ascending.
    unplanned: VecDeque<GameRange>,
    open: OpenRanges,
    /// How many games of these have not arrived.
    handed_out: u64,
    /// When all ranges were last looked at.
    looked: Option<Duration>,
    /// The games that no worker has to play any more.
    arrived: GameSet,
    lines: HashMap<u64, Arrived>,
    /// Offences in lines that were taken.
    offences: HashMap<u64, Vec<Offence>>,
    /// Who sent the lines that were taken.
    players: HashMap<u64, Id>,
    /// The games that the host plays: workers failed in them, or a bot did.
    host: HashSet<u64>,
    /// The games of each worker that were taken, with the hashes of their lines.
    taken: HashMap<Id, Vec<(u64, u64)>>,
    workers: WorkerStates,
    checks: Checks,
}

impl RangeBook {
    /// A book without games.
    #[must_use]
    pub fn new(settings: BookSettings) -> Self {
        Self {
            settings,
            segment: 0,
            games: 0,
            last: None,
            unplanned: VecDeque::new(),
            open: OpenRanges::default(),
            handed_out: 0,
            looked: None,
            arrived: GameSet::default(),
            lines: HashMap::new(),
            offences: HashMap::new(),
            players: HashMap::new(),
            host: HashSet::new(),
            taken: HashMap::new(),
            workers: WorkerStates::default(),
            checks: Checks::new(settings.seed),
        }
    }

    /// Begins the part of the run after a bar, or the first one, with the games that workers are to play. All other games are
    /// the host's.
    pub fn begin(&mut self, segment: u32, games: impl IntoIterator<Item = GameRange>) {
        let seed = self.settings.seed.wrapping_add(u64::from(segment));
        let (settings, workers) = (self.settings, std::mem::take(&mut self.workers));
        let unplanned: VecDeque<GameRange> = games.into_iter().collect();
        let games = unplanned.iter().map(|games| games.count()).sum();
        let last = unplanned.back().map(|games| games.last());
        let checks = Checks::new(seed);
        *self = Self { segment, games, last, unplanned, workers, checks, ..Self::new(settings) };
    }

    /// The part of the run that is played.
    #[must_use]
    pub const fn segment(&self) -> u32 {
        self.segment
    }

    /// Takes a game for the run.
    pub fn take(&mut self, game: u64) -> Wanted {
        if self.host.contains(&game) {
            return Wanted::Host;
        }
        if let Some(Arrived { worker, line }) = self.lines.remove(&game) {
            self.taken.entry(worker).or_default().push((game, line_hash(line.line())));
            self.players.insert(game, worker);
            if !line.offences().is_empty() {
                self.offences.insert(game, line.offences().to_vec());
            }
            return Wanted::Line(line.line().to_owned());
        }
        if self.is_planned(game) { Wanted::NotYet } else { Wanted::Host }
    }

    /// Whether [`RangeBook::take`] has the game or leaves it to the host.
    #[must_use]
    pub fn has(&self, game: u64) -> bool {
        self.host.contains(&game) || self.lines.contains_key(&game) || !self.is_planned(game)
    }

    /// The worker that sent a game that was taken; once for each game.
    #[must_use]
    pub fn player(&mut self, game: u64) -> Option<Id> {
        self.players.remove(&game)
    }

    fn is_planned(&self, game: u64) -> bool {
        let has = |games: &GameRange| games.numbers().contains(&game);
        self.open.with(game).is_some() || self.unplanned.iter().any(has)
    }

    /// The offences in a game that was taken.
    #[must_use]
    pub fn offences(&mut self, game: u64) -> Option<Vec<Offence>> {
        self.offences.remove(&game)
    }

    /// Notes that a worker waits for work, or does something else that is no range of this run.
    pub fn see(&mut self, worker: Id, is_idle: bool, now: Duration) {
        self.workers.see(worker, is_idle, now);
        if is_idle {
            // What it played is lost, unless its lines are on their way.
            self.open.change_all(|range| range.end_old_attempt(worker, now));
        }
    }

    /// Notes that a worker plays a range.
    pub fn see_playing(&mut self, worker: Id, order: &Order, now: Duration) {
        self.workers.see(worker, false, now);
        if order.segment != self.segment
            || self.workers.is_refused(worker)
            || order.checks.is_some()
        {
            return;
        }
        if let Some(first) = self.open.with(order.games.first()) {
            self.open.change(first, |range| range.see(worker, order.generation, now));
        }
    }

    /// Notes that a worker ends.
    pub fn forget(&mut self, worker: Id) {
        self.workers.forget(worker);
    }

    /// Inserts lines of an order, which were checked, and says whether the worker is still one of the run.
    pub fn insert(&mut self, worker: Id, order: &Order, lines: Vec<PlayedLine>) -> bool {
        if self.workers.is_refused(worker) {
            return false;
        }
        if order.segment != self.segment {
            return true;
        }
        if let Some(of) = order.checks {
            self.checks.compare(of, worker, &lines);
            return true;
        }
        let is_new = |line: &PlayedLine| !self.arrived.contains(line.game());
        let (new, known): (Vec<_>, Vec<_>) = lines.into_iter().partition(is_new);
        for line in known {
            if let Some(arrived) = self.lines.get(&line.game()) {
                self.checks.compare_lines(arrived.worker, &arrived.line, worker, &line);
            }
        }
        self.sample(worker, &new);
        for line in new {
            self.add(worker, line);
        }
        true
    }

    fn add(&mut self, worker: Id, line: PlayedLine) {
        let game = line.game();
        if self.arrived.insert(game) && self.open.with(game).is_some() {
            self.handed_out -= 1;
        }
        if has_failure(&line) {
            // The machine of the worker may be the cause: the failure counts only if the bot fails here too.
            self.host.insert(game);
        } else {
            self.lines.insert(game, Arrived { worker, line });
        }
    }

    /// Notes that a worker has sent all lines of an order, after it has played for so long.
    pub fn finish(&mut self, worker: Id, order: &Order, took: Duration, now: Duration) {
        self.workers.see(worker, false, now);
        self.workers.measure(worker, order.games.count(), took);
        if order.segment != self.segment {
            return;
        }
        if let Some(of) = order.checks {
            return self.end_check(of, order.games);
        }
        let Some(first) = self.open.with(order.games.first()) else { return };
        let ended = self.open.change(first, |range| {
            range.end_attempt(worker);
            range.games
        });
        let Some(games) = ended else { return };
        match self.arrived.first_absent(games) {
            None => self.close(first),
            Some(next) if self.arrived.contains(order.games.first()) => {
                // A bot is barred there, unless the worker is wrong: then the rest is played after all.
                self.close(first);
                self.unplanned.push_front(games.starting_at(next));
            }
            Some(_) => {
                self.open.change(first, |range| range.fail("it sent no game".to_owned()));
            }
        }
        self.leave_poisoned(first);
    }

    /// Notes that a worker could not play an order.
    pub fn fail(&mut self, worker: Id, order: &Order, why: String) {
        if order.segment != self.segment {
            return;
        }
        if let Some(of) = order.checks {
            return self.end_check(of, order.games);
        }
        let Some(first) = self.open.with(order.games.first()) else { return };
        self.open.change(first, |range| {
            range.end_attempt(worker);
            range.fail(why);
        });
        self.leave_poisoned(first);
    }

    /// A range is not to arrive any more, or has arrived.
    fn close(&mut self, first: u64) {
        if let Some(games) = self.open.remove(first) {
            self.handed_out -= self.arrived.count_absent(games);
        }
    }

    /// Leaves a range to the host if workers have failed in it too often.
    fn leave_poisoned(&mut self, first: u64) {
        let Some(range) = self.open.get(first) else { return };
        if range.failures < MAX_FAILURES {
            return;
        }
        let games = range.games;
        self.close(first);
        for game in games.numbers() {
            if self.arrived.insert(game) {
                self.host.insert(game);
            }
        }
    }

    /// Hands out everything again that no worker plays: the broker has lost its queue.
    pub fn lose_queue(&mut self) {
        self.open.change_all(|range| range.is_waiting = false);
        self.looked = None;
        self.checks.lose_queue();
    }

    /// The next order to hand out; `None` if there is none now.
    pub fn next_order(&mut self, now: Duration) -> Option<Order> {
        let is_due = self.looked.is_none_or(|looked| looked + LOOK <= now);
        let lost = if is_due { self.next_lost(now) } else { None };
        let order = lost.or_else(|| {
            let is_hungry = self.open.waiting() < self.workers.wanted_waiting();
            is_hungry.then(|| self.cut(now)).flatten()
        });
        let order = order.or_else(|| self.next_check(now));
        let order = order.or_else(|| if is_due { self.next_slow(now) } else { None });
        if order.is_none() && is_due {
            self.looked = Some(now);
        }
        order
    }

    /// The next range that no worker plays any more.
    fn next_lost(&mut self, now: Duration) -> Option<Order> {
        self.expire(now);
        debug_assert_eq!(self.counted(), (self.handed_out, self.open.waiting()));
        self.lost(now).and_then(|first| self.hand_out_again(first, now))
    }

    /// The next range that one worker plays slowly.
    fn next_slow(&mut self, now: Duration) -> Option<Order> {
        let is_idle = self.workers.idle(now, IDLE) > self.open.waiting();
        let slow = self.slowest(now, is_idle)?;
        self.hand_out_again(slow, now)
    }

    fn expire(&mut self, now: Duration) {
        let lease = self.settings.lease;
        self.workers.forget_silent(now, lease);
        let mut silent = Vec::new();
        self.open.change_all(|range| {
            if range.expire(now, lease) && range.attempts.is_empty() {
                // The broker hands it out again by itself, unless it has lost it.
                (range.is_waiting, range.published) = (true, now);
                silent.push(range.games.first());
            }
        });
        silent.into_iter().for_each(|first| self.leave_poisoned(first));
    }

    /// A range that no worker plays and that is not in the queue.
    fn lost(&self, now: Duration) -> Option<u64> {
        let is_idle = self.workers.idle(now, IDLE) > 0;
        let is_lost = |range: &OpenRange| match range.is_waiting {
            true => is_idle && range.published + PATIENCE <= now,
            false => range.attempts.is_empty(),
        };
        self.open.iter().find(|(_, range)| is_lost(range)).map(|(first, _)| first)
    }

    /// The range that is played for the longest time by the same workers: for half of the usual time of a range if another
    /// worker is idle, and else for many times as long, because the games behind it wait in memory.
    fn slowest(&self, now: Duration, is_idle: bool) -> Option<u64> {
        let target = self.settings.target;
        let rate = self.workers.rate().unwrap_or(f64::INFINITY);
        let usual = |range: &OpenRange| {
            let time = Duration::try_from_secs_f64(range.games.count() as f64 / rate);
            time.map_or(target, |time| time.max(target))
        };
        let is_slow = |range: &OpenRange| {
            let patience = if is_idle { target / 2 } else { STRAGGLES * usual(range) };
            let since = range.played_since();
            !range.is_waiting
                && range.attempts.len() < MAX_ATTEMPTS
                && since.is_some_and(|since| since + patience <= now)
        };
        let slow = self.open.iter().filter(|(_, range)| is_slow(range));
        slow.min_by_key(|(_, range)| range.played_since()).map(|(first, _)| first)
    }

    fn hand_out_again(&mut self, first: u64, now: Duration) -> Option<Order> {
        let next = self.arrived.first_absent(self.open.get(first)?.games)?;
        let (games, generation) = self.open.change(first, |range| {
            range.generation += 1;
            (range.is_waiting, range.published) = (true, now);
            (range.games.starting_at(next), range.generation)
        })?;
        Some(Order { segment: self.segment, games, generation, checks: None })
    }

    /// Cuts the next range from the games that were never handed out.
    fn cut(&mut self, now: Duration) -> Option<Order> {
        let left: u64 = self.unplanned.iter().map(|games| games.count()).sum();
        let next = self.unplanned.pop_front()?;
        let size = self.size(left).min(next.count());
        if self.handed_out + self.lines.len() as u64 + size > self.settings.window {
            self.unplanned.push_front(next);
            return None;
        }
        let end = next.first() + size;
        let games = GameRange::new(next.first(), end - 1)?;
        if end <= next.last() {
            self.unplanned.push_front(next.starting_at(end));
        }
        self.open.insert(OpenRange::new(games, now));
        self.handed_out += self.arrived.count_absent(games);
        Some(Order { segment: self.segment, games, generation: 0, checks: None })
    }

    /// The games of the next range: as many as a worker plays in the time that a range is to take, but towards the end half of
    /// each worker's share.
    fn size(&self, left: u64) -> u64 {
        let BookSettings { block, target, max_range, .. } = self.settings;
        let share = left.div_ceil(2 * self.workers.count().max(1) as u64);
        let size = self.workers.games_in(target).min(max_range).min(share);
        size.div_ceil(block).max(1) * block
    }

    /// How many games are handed out and have not arrived.
    #[must_use]
    pub const fn handed_out(&self) -> u64 {
        self.handed_out
    }

    /// How many games are handed out and have not arrived, and how many ranges wait, counted again.
    fn counted(&self) -> (u64, usize) {
        let absent = self.open.iter().map(|(_, range)| self.arrived.count_absent(range.games));
        (absent.sum(), self.open.iter().filter(|(_, range)| range.is_waiting).count())
    }

    /// How many games workers are to play since the last bar.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Whether this is the last game that workers are to play.
    #[must_use]
    pub fn is_last(&self, game: u64) -> bool {
        self.last == Some(game)
    }

    /// How many games are not handed out yet.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.unplanned.iter().map(|games| games.count()).sum()
    }

    /// How many games the host plays because a worker or a bot failed in them.
    #[must_use]
    pub fn host_plays(&self) -> u64 {
        self.host.len() as u64
    }

    /// How many workers have signalled lately.
    #[must_use]
    pub fn workers(&self) -> usize {
        self.workers.count()
    }
}
