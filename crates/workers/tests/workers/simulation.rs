//! A thousand workers, simulated: the book that a real host has, and workers, queue and host as events in simulated time.
//!
//! `DICEHILL_SIMULATED_GAMES` is how many games are played. The figures are printed as a line of JSON.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::time::{Duration, Instant};

use dicehill_arena::GameRange;
use dicehill_store::PlayedLine;
use dicehill_workers::{BookSettings, CHECKED, Id, Order, RangeBook, Wanted};

use crate::random::Random;

/// How many workers there are at any time.
const WORKERS: usize = 1000;
/// The threads of each.
const THREADS: f64 = 4.0;
/// The mean time of a game with a worker of usual speed. The times are exponentially distributed.
const GAME: f64 = 1.0;
/// One of so many workers takes twenty times as long.
const SLOW: u64 = 100;
/// One of so many ranges is the last one of its worker, which dies in its middle; another one starts a minute later.
const DEADLY: u64 = 5_000;
/// A message's way, through the broker.
const MESSAGE: f64 = 0.002;
/// What a range costs beside its games: messages, and the end, in which threads have nothing to do.
const RANGE: f64 = 0.05;
/// What a game costs a thread of the host, which judges it again.
const JUDGING: f64 = 40e-6;
/// How long a worker may be silent until others get its range.
const LEASE: f64 = 6.0;
/// How often workers signal, and how often the host looks after its book.
const SIGN: f64 = 1.0;
const TICK: f64 = 0.25;
/// How long a worker waits before it asks an empty queue again.
const PAUSE: f64 = 0.3;

/// What happens next.
#[derive(Clone, Copy, Debug)]
enum Event {
    /// The host looks after its book.
    Tick,
    /// A worker asks for a range.
    Pull(usize),
    /// A worker signals.
    Sign(usize),
    /// The lines of a worker have arrived.
    Arrives(usize),
    /// The host has judged them.
    Judged(usize),
    /// The broker hands the range of a worker that has died out again.
    Redelivered(Order),
    /// A worker starts in place of one that has died.
    Starts(usize),
}

/// A worker.
struct Worker {
    id: Id,
    /// The time of a game, of the usual one.
    slowness: f64,
    /// What it plays, how long that takes, and whether it dies meanwhile.
    plays: Option<(Order, f64)>,
    is_dead: bool,
    /// Whether it has told that it waits.
    waits: bool,
    /// Games per second, of which it is capable.
    rate: f64,
}

/// A run in simulated time.
struct Simulation {
    book: RangeBook,
    queue: VecDeque<Order>,
    events: BinaryHeap<Reverse<(u64, u64)>>,
    scheduled: Vec<Event>,
    workers: Vec<Worker>,
    random: Random,
    now: f64,
    /// When the host has judged all that has arrived.
    host_free: f64,
    games: u64,
    taken: u64,
    played: u64,
    started: u64,
    longest_queue: usize,
    most_waiting: u64,
    arrived: u64,
    /// Seconds of this machine in the book.
    in_book: Duration,
}

impl Simulation {
    fn new(games: u64) -> Self {
        let settings = BookSettings {
            block: 1,
            lease: Duration::from_secs_f64(LEASE),
            target: Duration::from_secs(3),
            max_range: 8192,
            window: 400_000,
            checked: CHECKED,
            seed: 7,
        };
        let mut book = RangeBook::new(settings);
        book.begin(0, [GameRange::new(1, games).expect("a range")]);
        let mut simulation = Self {
            book,
            queue: VecDeque::new(),
            events: BinaryHeap::new(),
            scheduled: Vec::new(),
            workers: Vec::new(),
            random: Random(7),
            now: 0.0,
            host_free: 0.0,
            games,
            taken: 0,
            played: 0,
            started: 0,
            longest_queue: 0,
            most_waiting: 0,
            arrived: 0,
            in_book: Duration::ZERO,
        };
        for number in 0..WORKERS {
            let worker = simulation.worker();
            simulation.workers.push(worker);
            // They have started at some time within a second.
            let at = simulation.uniform();
            simulation.schedule(at, Event::Sign(number));
            simulation.schedule(at, Event::Pull(number));
        }
        simulation.schedule(0.0, Event::Tick);
        simulation
    }

    /// A number between 0 and 1.
    fn uniform(&mut self) -> f64 {
        (self.random.below(1 << 52) as f64 + 0.5) / (1_u64 << 52) as f64
    }

    fn worker(&mut self) -> Worker {
        self.started += 1;
        let usual = 0.5 + self.uniform();
        let slowness = if self.random.below(SLOW) == 0 { 20.0 } else { usual };
        let rate = THREADS / (GAME * slowness);
        Worker {
            id: Id::of(self.started),
            slowness,
            plays: None,
            is_dead: false,
            waits: false,
            rate,
        }
    }

    fn schedule(&mut self, at: f64, event: Event) {
        self.events.push(Reverse(((at * 1e9) as u64, self.scheduled.len() as u64)));
        self.scheduled.push(event);
    }

    fn clock(&self) -> Duration {
        Duration::from_secs_f64(self.now)
    }

    /// Does something with the book, and measures how long that takes.
    fn with_book<R>(&mut self, work: impl FnOnce(&mut RangeBook, Duration) -> R) -> R {
        let (now, begun) = (self.clock(), Instant::now());
        let done = work(&mut self.book, now);
        self.in_book += begun.elapsed();
        done
    }

    /// Plays the run; returns how long it took.
    fn run(&mut self) -> f64 {
        while self.taken < self.games {
            let Some(Reverse((at, number))) = self.events.pop() else { panic!("nothing happens") };
            self.now = at as f64 / 1e9;
            assert!(self.now < 100_000.0, "the run has no end: {} games", self.taken);
            match self.scheduled[number as usize] {
                Event::Tick => {
                    self.hand_out();
                    self.schedule(self.now + TICK, Event::Tick);
                }
                Event::Pull(worker) => self.pull(worker),
                Event::Sign(worker) => self.sign(worker),
                Event::Arrives(worker) => self.arrive(worker),
                Event::Judged(worker) => self.judged(worker),
                Event::Redelivered(order) => self.queue.push_front(order),
                Event::Starts(worker) => {
                    self.workers[worker] = self.worker();
                    self.schedule(self.now, Event::Sign(worker));
                    self.schedule(self.now, Event::Pull(worker));
                }
            }
        }
        self.now
    }

    fn hand_out(&mut self) {
        while let Some(order) = self.with_book(RangeBook::next_order) {
            self.queue.push_back(order);
        }
        self.longest_queue = self.longest_queue.max(self.queue.len());
    }

    fn pull(&mut self, worker: usize) {
        let id = self.workers[worker].id;
        let order = match self.queue.pop_front() {
            // It does not check itself.
            Some(order) if order.checks == Some(id) => {
                self.queue.push_back(order);
                None
            }
            order => order,
        };
        let Some(order) = order else {
            if !std::mem::replace(&mut self.workers[worker].waits, true) {
                self.with_book(|book, now| book.see(id, true, now));
                self.hand_out();
            }
            return self.schedule(self.now + PAUSE, Event::Pull(worker));
        };
        self.workers[worker].waits = false;
        self.with_book(|book, now| book.see_playing(id, &order, now));
        let mut work = 0.0;
        for _ in order.games.numbers() {
            work -= self.uniform().ln() * GAME * self.workers[worker].slowness;
        }
        let took = RANGE + work / THREADS;
        self.played += order.games.count();
        self.workers[worker].plays = Some((order, took));
        if self.random.below(DEADLY) == 0 {
            self.workers[worker].is_dead = true;
            self.schedule(self.now + LEASE, Event::Redelivered(order));
            self.schedule(self.now + 60.0, Event::Starts(worker));
        } else {
            self.schedule(self.now + MESSAGE + took, Event::Arrives(worker));
        }
    }

    fn sign(&mut self, worker: usize) {
        let Worker { id, plays, is_dead, .. } = &self.workers[worker];
        if *is_dead {
            return;
        }
        let (id, plays) = (*id, plays.map(|(order, _)| order));
        self.with_book(|book, now| match plays {
            Some(order) => book.see_playing(id, &order, now),
            None => book.see(id, true, now),
        });
        self.schedule(self.now + SIGN, Event::Sign(worker));
    }

    /// Lines wait until the host has judged those before them.
    fn arrive(&mut self, worker: usize) {
        let (order, _) = self.workers[worker].plays.expect("it has played");
        self.host_free = self.host_free.max(self.now) + JUDGING * order.games.count() as f64;
        self.schedule(self.host_free, Event::Judged(worker));
    }

    fn judged(&mut self, worker: usize) {
        let (order, took) = self.workers[worker].plays.take().expect("it has played");
        let id = self.workers[worker].id;
        let line = |game: u64| format!("{{\"type\":\"game\",\"game\":{game}}}\n");
        let text: String = order.games.numbers().map(line).collect();
        let lines = PlayedLine::read_all(&text, order.games).expect("lines of games");
        let took = Duration::from_secs_f64(took);
        self.with_book(|book, now| {
            assert!(book.insert(id, &order, lines), "all workers are honest");
            book.finish(id, &order, took, now);
        });
        self.arrived += order.games.count();
        let mut next = self.taken + 1;
        while matches!(self.with_book(|book, _| book.take(next)), Wanted::Line(_)) {
            self.taken = next;
            next += 1;
        }
        self.most_waiting = self.most_waiting.max(self.arrived.saturating_sub(self.taken));
        self.hand_out();
        self.schedule(self.now + MESSAGE, Event::Pull(worker));
    }
}

#[test]
fn a_thousand_workers_end_soon_after_the_ideal() {
    let games = std::env::var("DICEHILL_SIMULATED_GAMES");
    let games = games.map_or(200_000, |text| text.parse().expect("a number"));
    let mut simulation = Simulation::new(games);
    // Of the workers at the start: nobody waits, nothing is played twice, no message takes time.
    let rate: f64 = simulation.workers.iter().map(|worker| worker.rate).sum();
    let ideal = games as f64 / rate;
    let time = simulation.run();
    let played = simulation.played as f64 / games as f64;
    let judged = games as f64 * JUDGING / time;
    let book = simulation.in_book.as_secs_f64() * 1e6 / games as f64;
    let (queue, waiting) = (simulation.longest_queue, simulation.most_waiting);
    println!(
        "{{\"games\":{games},\"time\":{time:.1},\"ideal\":{ideal:.1},\"played\":{played:.4},\
         \"queue\":{queue},\"waiting\":{waiting},\"judging\":{judged:.3},\"book\":{book:.2},\
         \"started\":{}}}",
        simulation.started
    );
    // A twenty times slower worker takes 15 s or more for its first games; nobody waits for it at the end.
    assert!(time < 1.15 * ideal + 10.0, "{time:.1} s instead of {ideal:.1} s");
    assert!(played < 1.1, "{played:.3} of the games are played");
    assert!(queue <= 4 * WORKERS, "{queue} ranges wait");
    assert!(waiting < 100_000, "{waiting} games wait to be taken");
}
