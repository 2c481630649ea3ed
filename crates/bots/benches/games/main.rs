//! Benchmarks of whole runs on one thread: `cargo bench -p dicehill-bots`.
//!
//! `cargo xtask prove speed` measures the same runs by CPU time.

mod seats;
mod workloads;

use divan::Bencher;
use divan::counter::ItemsCount;
use workloads::{WORKLOADS, Workload};

fn main() {
    divan::main();
}

#[divan::bench(args = WORKLOADS.map(|workload| workload.name), sample_count = 10)]
fn games(bencher: Bencher<'_, '_>, name: &str) {
    let named = |workload: &Workload| workload.name == name;
    let workload = WORKLOADS.into_iter().find(named).expect("the name of a workload");
    bencher.counter(ItemsCount::new(workload.games)).bench(|| workload.run());
}

/// Decisions of `seer` per second, by number of seats.
#[divan::bench(args = [2, 3, 4, 5], sample_count = 10)]
fn seer(bencher: Bencher<'_, '_>, seats: usize) {
    let decisions = seats::play(seats);
    bencher.counter(ItemsCount::new(decisions)).bench(|| assert_eq!(seats::play(seats), decisions));
}
