//! Games and decisions per CPU second, on one thread.

use crate::figures::Figure;
use crate::prove::cpu::timed;

#[path = "../../../../crates/bots/benches/games/workloads.rs"]
mod workloads;

/// Repeats of each run; the median counts.
const REPEATS: usize = 15;

pub(crate) fn figures() -> Vec<Figure> {
    let [yahtzee, liars_dice, yahtzee_judge, liars_dice_judge] = workloads::WORKLOADS;
    vec![
        rate(yahtzee, 200_000.0),
        rate(liars_dice, 20_000.0),
        share(yahtzee_judge, 100.0),
        share(liars_dice_judge, 100.0),
    ]
}

fn rate(workload: workloads::Workload, least: f64) -> Figure {
    let games = workload.games as f64;
    let [slow, median, fast] = seconds(workload).map(|seconds| games / seconds);
    Figure {
        name: format!("{}, games a second", workload.name),
        value: format!("{median:.0}"),
        interval: format!("{slow:.0} - {fast:.0} in {REPEATS} repeats"),
        aim: format!("at least {least}"),
        met: median >= least,
    }
}

fn share(workload: workloads::Workload, most: f64) -> Figure {
    let decisions = workload.decisions as f64;
    let [slow, median, fast] = seconds(workload).map(|seconds| 1e9 * seconds / decisions);
    Figure {
        name: format!("{}, nanoseconds a decision", workload.name),
        value: format!("{median:.1}"),
        interval: format!("{fast:.1} - {slow:.1} in {REPEATS} repeats"),
        aim: format!("at most {most}"),
        met: median <= most,
    }
}

/// The slowest, the median and the fastest of the repeats, in CPU seconds.
fn seconds(workload: workloads::Workload) -> [f64; 3] {
    let mut all: Vec<f64> = (0..REPEATS).map(|_| timed(|| workload.run()).1).collect();
    all.sort_by(f64::total_cmp);
    [all[REPEATS - 1], all[REPEATS / 2], all[0]]
}
