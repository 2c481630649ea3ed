//! Steps of a core-second, by CPU time: `cargo bench -p dicehill-environments --profile dist`.
//!
//! The actions are chosen before: a policy that is uniform over the legal actions plays and is recorded, and then the
//! same environment is stepped with the recorded actions. The benchmark is `step` alone. The floor is what any
//! environment with these dice and buffers has to do: hash the dice, and write every byte of its rows once.
//!
//! Arguments choose the workloads whose names contain them all: `-- 'liars-dice 5' uint8`.

use std::hint::black_box;

use dicehill_environments::{
    Buffers, EnvironmentGame, Observations, VectorEnvironment, VectorOptions,
};
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_rules::{Chance, Dice, Face, Seat};
use rustix::time::{ClockId, clock_gettime};

/// Measurements of a workload; the fastest counts, because others share the machine.
const REPEATS: usize = 5;

/// Steps of an environment in which at least one of its games ends, at any table.
const LONGEST_GAME: usize = 1000;

/// The CPU time of this thread, in seconds.
fn cpu_time() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// The seconds of the fastest of some calls.
fn fastest(mut call: impl FnMut()) -> f64 {
    let times = (0..REPEATS).map(|_| {
        let start = cpu_time();
        call();
        cpu_time() - start
    });
    times.fold(f64::INFINITY, f64::min)
}

/// The caller's arrays.
struct Arrays {
    bytes: Vec<u8>,
    floats: Option<Vec<f32>>,
    masks: Vec<u8>,
    rewards: Vec<f32>,
    dones: Vec<u8>,
    seats: Vec<u8>,
}

impl Arrays {
    fn new<G: EnvironmentGame>(options: &VectorOptions<G>, float: bool) -> Self {
        let (n, length) = (options.environments, G::observation_len(options.players));
        Self {
            bytes: vec![0; n * length],
            floats: float.then(|| vec![0.0; n * length]),
            masks: vec![0; n * G::ACTIONS],
            rewards: vec![0.0; n * options.players],
            dones: vec![0; n],
            seats: vec![0; n],
        }
    }

    fn buffers(&mut self) -> Buffers<'_> {
        let observations = match &mut self.floats {
            Some(floats) => Observations::F32(floats),
            None => Observations::U8(&mut self.bytes),
        };
        let (masks, rewards) = (&mut self.masks, &mut self.rewards);
        let (dones, seats) = (&mut self.dones, &mut self.seats);
        Buffers {
            observations,
            masks,
            rewards,
            dones,
            seats,
            final_observations: None,
            seat_observations: None,
        }
    }

    fn row_bytes(&self) -> usize {
        let floats = self.floats.as_ref().map_or(self.bytes.len(), |floats| 4 * floats.len());
        let all = floats + self.masks.len() + 4 * self.rewards.len() + 2 * self.dones.len();
        all / self.dones.len()
    }
}

/// Some steps, recorded.
struct Recording {
    actions: Vec<u16>,
    rewards: f64,
    /// Words hashed for dice.
    words: f64,
}

struct Workload<G: EnvironmentGame> {
    options: VectorOptions<G>,
    float: bool,
    steps: usize,
    /// Words hashed for the dice of a step.
    words: fn(&G) -> u32,
}

impl<G: EnvironmentGame> Workload<G> {
    fn environment(&self) -> VectorEnvironment<G> {
        VectorEnvironment::new(self.options.clone()).expect("consistent options")
    }

    /// Plays and records a uniform policy.
    fn record(&self) -> Recording {
        let mut environment = self.environment();
        let mut arrays = Arrays::new(&self.options, self.float);
        environment.reset(arrays.buffers()).expect("right lengths");
        let mut recording = Recording { actions: Vec::new(), rewards: 0.0, words: 0.0 };
        let (n, mut state) = (self.options.environments, 1);
        for _ in 0..self.steps {
            let masks = arrays.masks.chunks_exact(G::ACTIONS);
            recording.actions.extend(masks.map(|mask| choose(mask, &mut state)));
            let actions = &recording.actions[recording.actions.len() - n..];
            environment.step(actions, arrays.buffers()).expect("legal actions");
            recording.rewards += arrays.rewards.iter().copied().map(f64::from).sum::<f64>();
            let words = |index| f64::from((self.words)(environment.game(index)));
            recording.words += (0..n).map(words).sum::<f64>();
        }
        recording
    }

    /// Seconds of the recorded steps.
    fn measure(&self, recording: &Recording) -> f64 {
        let n = self.options.environments;
        fastest(|| {
            let mut environment = self.environment();
            let mut arrays = Arrays::new(&self.options, self.float);
            environment.reset(arrays.buffers()).expect("right lengths");
            for actions in recording.actions.chunks_exact(n) {
                environment.step(actions, arrays.buffers()).expect("legal actions");
            }
            black_box(&arrays.rewards);
        })
    }

    /// Seconds to hash the dice of the steps, and to write every byte.
    fn floor(&self, recording: &Recording) -> [f64; 2] {
        let chance = Chance::new("floor");
        let words = recording.words as u32;
        let dice = fastest(|| {
            let (mut faces, table) = ([Face::ONE; 5], chance.table(1));
            for round in 0..words {
                table.roll(Seat::new(0), round, 0, &mut faces);
                black_box(&faces);
            }
        });
        let row = Arrays::new(&self.options, self.float).row_bytes();
        let mut rows = vec![0_u8; self.options.environments * row];
        let bytes = fastest(|| {
            for step in 0..self.steps {
                for row in rows.chunks_exact_mut(row) {
                    black_box(row).fill(step as u8);
                }
            }
        });
        [dice, bytes]
    }

    /// Measures and prints, if the command line asks for workloads with such names or for none.
    fn report(&self, name: &str) {
        let mut wanted = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
        if wanted.any(|wanted| !name.contains(&wanted)) {
            return;
        }
        let recording = self.record();
        let seconds = self.measure(&recording);
        let [dice, bytes] = self.floor(&recording);
        let steps = recording.actions.len() as f64;
        let nanoseconds = |seconds: f64| 1e9 * seconds / steps;
        println!(
            "{name:<44} {:>6} {:>9.2} {:>8.1} {:>8.1} {:>8.1} {:>8.2}",
            self.options.environments,
            steps / seconds / 1e6,
            nanoseconds(seconds),
            nanoseconds(dice),
            nanoseconds(bytes),
            recording.words / steps,
        );
        assert!(self.steps < LONGEST_GAME || recording.rewards > 0.0, "games end and pay");
    }
}

/// A uniform choice among the legal actions.
fn choose(mask: &[u8], state: &mut u64) -> u16 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    let legal = mask.iter().map(|legal| u64::from(*legal)).sum::<u64>();
    let mut choice = ((*state >> 33) * legal) >> 31;
    for (action, legal) in (0..).zip(mask) {
        if *legal == 1 {
            if choice == 0 {
                return action;
            }
            choice -= 1;
        }
    }
    unreachable!("the choice is below the number of legal actions")
}

/// A roll of five dice has one word; all dice kept have none, which is neglected.
fn words_of_yahtzee(_game: &Yahtzee) -> u32 {
    1
}

/// A new round has a word for each hand.
fn words_of_liars_dice(game: &LiarsDice) -> u32 {
    if game.bids().is_empty() { game.seats().len() as u32 } else { 0 }
}

/// Measures a table of one size, alone and with opponents.
fn report<G: EnvironmentGame>(
    words: fn(&G) -> u32,
    players: usize,
    steps: usize,
    opponents: &[(&str, usize)],
) {
    let name = |what: &str| format!("{} {players} {what}", G::NAME);
    let workload = |n: usize, steps: usize| Workload {
        options: VectorOptions::<G>::new(n, players, "bench"),
        float: false,
        steps: steps.div_ceil(n),
        words,
    };
    for n in [1, 64, 1024] {
        workload(n, steps).report(&name("uint8"));
        Workload { float: true, ..workload(n, steps) }.report(&name("float32"));
    }
    for (opponent, divisor) in opponents {
        for n in [1, 64, 1024] {
            let mut workload = workload(n, steps / divisor);
            workload.options.opponents = vec![(*opponent).to_owned(); players - 1];
            workload.report(&name(&format!("uint8 v {opponent}")));
        }
    }
}

fn main() {
    let steps =
        if std::env::args().any(|argument| argument == "--bench") { 4_000_000 } else { 20_000 };
    println!(
        "{:<44} {:>6} {:>9} {:>8} {:>8} {:>8} {:>8}",
        "game, players, observations",
        "batch",
        "Mstep/s",
        "ns/step",
        "dice ns",
        "write ns",
        "words"
    );
    report(words_of_liars_dice, 2, steps, &[("honest", 4), ("bayes", 40)]);
    report(words_of_liars_dice, 3, steps, &[]);
    report(words_of_liars_dice, 5, steps, &[("honest", 4)]);
    report(words_of_yahtzee, 1, steps, &[]);
    report(words_of_yahtzee, 2, steps, &[("dummy", 4), ("greedy", 200)]);
}
