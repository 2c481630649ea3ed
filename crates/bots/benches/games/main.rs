//! Benchmarks of whole runs on one thread: `cargo bench -p dicehill-bots`.
//!
//! `cargo xtask prove speed` measures the same runs by CPU time.

mod appraisals;
mod seats;
mod workloads;

use dicehill_solver::yahtzee::{Solution, Variant};
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

/// Appraised turns per second.
#[divan::bench(sample_count = 10)]
fn appraisals(bencher: Bencher<'_, '_>) {
    let solution = Solution::shared(Variant::Official);
    let games: Vec<_> = (1..=200).map(appraisals::turns).collect();
    bencher.counter(ItemsCount::new(26 * games.len())).bench(|| {
        let appraised = games.iter().flat_map(|turns| solution.appraise(turns));
        let loss: f64 = appraised.flat_map(|turn| turn.losses).sum();
        assert!(loss > 1.0, "the players lose points: {loss}");
    });
}
