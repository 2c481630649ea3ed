//! The cost of solving Yahtzee, compared with two other exact solvers in the same run.

use std::error::Error;
use std::fs;
use std::num::NonZero;

use dicehill_solver::yahtzee::{Distribution, Solution, Variant};
use yatzy_solver::{JokerRule, State, TurnModel};

use crate::figures::Figure;
use crate::prove::cpu::timed;

/// Repeats of each comparison; the median counts.
const REPEATS: usize = 5;
const ONE_THREAD: NonZero<usize> = NonZero::<usize>::MIN;
/// Expected scores from the literature, and their precision.
const LITERATURE: [(Variant, f64, f64); 3] = [
    (Variant::Official, 254.587_728_734_495, 1e-9),
    (Variant::FreeJoker, 254.589_609_481_962, 1e-9),
    (Variant::Plain, 245.870_8, 1e-4),
];

pub(crate) fn figures() -> Result<Vec<Figure>, Box<dyn Error>> {
    let mut figures = vec![memory()?];
    figures.extend(LITERATURE.map(value));
    figures.push(ratio("yahtzee-engine 0.1.0", Variant::Official, yahtzee_engine));
    figures.push(ratio("yatzy-solver 1.0.0", Variant::FreeJoker, yatzy_solver));
    figures.extend(Variant::ALL.into_iter().flat_map(distribution));
    Ok(figures)
}

/// The peak memory of this process during a solution, everything else in it included.
fn memory() -> Result<Figure, Box<dyn Error>> {
    // 5 resets the high-water mark.
    fs::write("/proc/self/clear_refs", "5")?;
    let solution = Solution::new(Variant::Official, ONE_THREAD);
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib: f64 = line.and_then(|line| line.split_whitespace().next()).unwrap_or("").parse()?;
    let mib = kib / 1024.0;
    drop(solution);
    Ok(figure(
        "memory of a solution at its peak, MiB",
        format!("{mib:.1}"),
        "at most 32",
        mib <= 32.0,
    ))
}

fn value((variant, known, precision): (Variant, f64, f64)) -> Figure {
    let found = Solution::new(variant, ONE_THREAD).start();
    let name = format!("{variant}: expected score of optimal play");
    figure(
        &name,
        format!("{found:.12}"),
        &format!("{known} within {precision:e}"),
        (found - known).abs() < precision,
    )
}

/// The ratio of the CPU seconds of another solver to ours.
fn ratio(name: &str, variant: Variant, other: fn() -> f64) -> Figure {
    let mut repeats: Vec<_> = (0..REPEATS)
        .map(|_| {
            let (value, ours) = timed(|| Solution::new(variant, ONE_THREAD).start());
            let (other_value, theirs) = timed(other);
            assert!(
                (value - other_value).abs() < 1e-6,
                "{name} solves the same game: {other_value}"
            );
            (theirs / ours, ours, theirs)
        })
        .collect();
    repeats.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (ratio, ours, theirs) = repeats[REPEATS / 2];
    let (least, most) = (repeats[0].0, repeats[REPEATS - 1].0);
    let name = format!(
        "{variant}: CPU seconds of {name} ({theirs:.2}) by those of a solution ({ours:.3})"
    );
    Figure {
        interval: format!("{least:.1} - {most:.1} in {REPEATS} repeats"),
        ..figure(&name, format!("{ratio:.1}"), "at least 30", ratio >= 30.0)
    }
}

fn yahtzee_engine() -> f64 {
    let mut solver = yahtzee_engine::Solver::new();
    solver.solve();
    solver.value(yahtzee_engine::State::START)
}

fn yatzy_solver() -> f64 {
    let variant = yatzy_solver::Variant::american_with(Some(JokerRule::Free));
    let model = TurnModel::new(&variant);
    model.solve::<f64>()[model.space().index(&State::new())]
}

fn distribution(variant: Variant) -> [Figure; 3] {
    let solution = Solution::new(variant, ONE_THREAD);
    let (found, _) = timed(|| Distribution::new(&solution, ONE_THREAD));
    let mut seconds: Vec<_> =
        (0..REPEATS).map(|_| timed(|| Distribution::new(&solution, ONE_THREAD)).1).collect();
    seconds.sort_by(f64::total_cmp);
    let median = seconds[REPEATS / 2];
    let (total, mean) = ((found.total() - 1.0).abs(), (found.mean() - solution.start()).abs());
    let name = |what: &str| format!("{variant}: {what}");
    [
        Figure {
            interval: format!(
                "{:.2} - {:.2} in {REPEATS} repeats",
                seconds[0],
                seconds[REPEATS - 1]
            ),
            ..figure(
                &name("CPU seconds of the distribution of scores"),
                format!("{median:.2}"),
                "at most 2",
                median <= 2.0,
            )
        },
        figure(
            &name("total probability of all scores, distance from 1"),
            format!("{total:.1e}"),
            "below 1e-12",
            total < 1e-12,
        ),
        figure(
            &name("mean of the distribution, distance from the solution"),
            format!("{mean:.1e}"),
            "below 1e-9",
            mean < 1e-9,
        ),
    ]
}

fn figure(name: &str, value: String, aim: &str, met: bool) -> Figure {
    let (name, interval, aim) = (name.to_owned(), "exact".to_owned(), aim.to_owned());
    Figure { name, value, interval, aim, met }
}
