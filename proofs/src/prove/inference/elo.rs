//! Ratings on the scale of mean strength: how often their intervals hold the truth in fields of 2 to 30 entrants, with
//! entrants that never win, always win, or often tie.

use dicehill_arena::FormatName::{self, Challenge, Duel};

use super::simulated_ratings::{ALWAYS, Coverage, NEVER, SimulatedField};
use super::simulated_runs::{AIM, hill, in_parallel, liars_dice_challenge};
use crate::figures::Figure;

/// Runs of a field of two, whose intervals are right or wrong together.
const RUNS_OF_TWO: u64 = 10_000;
/// Runs of a field of up to 10 entrants.
const RUNS: u64 = 1000;
/// Runs of a larger field, of which each takes long.
const RUNS_OF_LARGE: u64 = 300;
/// The strength of an entrant that wins so rarely that it mostly has only a bound, which counts in no average.
const RARELY: f64 = -9.5;
/// The least permitted coverage of a bound, in percent.
const LEAST_OF_BOUNDS: f64 = 94.0;

pub(super) fn figures() -> Vec<Figure> {
    let at_fixed_tables = fields().into_iter().flat_map(|field| coverage(&field));
    at_fixed_tables.chain(liars_dice_fields().iter().map(drawn_coverage)).collect()
}

fn field(
    name: &'static str,
    format: FormatName,
    games: i64,
    strengths: &[f64],
    tie: f64,
) -> SimulatedField {
    SimulatedField { name, format, games, strengths: strengths.to_vec(), tie }
}

/// `entrants` strengths: the `others`, and before them regular steps from `most` to its opposite.
fn spread(entrants: usize, most: f64, others: &[f64]) -> Vec<f64> {
    let step = 2.0 * most / (entrants - others.len() - 1) as f64;
    let regular = (0..entrants - others.len()).map(|index| most - step * index as f64);
    regular.chain(others.iter().copied()).collect()
}

/// Fields of 2 to 30 entrants, in which all meet at one table or each meets each.
fn fields() -> Vec<SimulatedField> {
    vec![
        field("2 in a challenge", Challenge, 100, &[1.0, 0.0], 0.0),
        field("2 in a duel", Duel, 60, &[1.0, 0.0], 0.0),
        field("2 in a duel, one always wins", Duel, 60, &[ALWAYS, 0.0], 0.0),
        field("4 in a challenge, two never win", Challenge, 100, &[1.7, 0.0, NEVER, NEVER], 0.0),
        field("4 in a challenge, one mostly wins", Challenge, 100, &[4.0, 0.0, 0.0, 0.0], 0.0),
        field("4 in duels, one never wins", Duel, 60, &[0.6, 0.0, -0.6, NEVER], 0.0),
        field("4 in duels, one mostly wins", Duel, 60, &[3.5, 0.5, 0.0, -0.5], 0.0),
        field("4 in duels, one always wins", Duel, 60, &[ALWAYS, 0.5, 0.0, -0.5], 0.0),
        field("3 in a challenge, a third tied", Challenge, 100, &[0.5, 0.0, -0.5], 0.7),
        field("4 in duels, half tied", Duel, 60, &[1.0, 0.3, -0.3, -1.0], 2.0),
        field("10 in a challenge", Challenge, 200, &spread(10, 1.0, &[]), 0.0),
        field("10 in duels, two never win", Duel, 60, &spread(10, 2.0, &[NEVER, NEVER]), 0.0),
        field("30 in a challenge", Challenge, 600, &spread(30, 1.0, &[]), 0.0),
        field("30 in duels, three never win", Duel, 20, &spread(30, 2.0, &[NEVER; 3]), 0.0),
    ]
}

/// Fields of challenges of Liar's Dice, whose tables are drawn. That of 30 has the strengths of five copies each of bayes,
/// badnomial, nobody, pirate, straight-shooter and random in 200,000 games.
fn liars_dice_fields() -> Vec<SimulatedField> {
    let copies: Vec<f64> =
        [1.6, -0.5, -1.5, -2.5, -2.5, RARELY].into_iter().flat_map(|s| [s; 5]).collect();
    vec![
        field("2", Challenge, 100, &[1.0, 0.0], 0.0),
        field("6", Challenge, 100, &spread(6, 1.5, &[]), 0.0),
        field("10", Challenge, 100, &spread(10, 1.5, &[]), 0.0),
        field("30 in six groups, 200 games", Challenge, 200, &copies, 0.0),
        field("30 in six groups, 600 games", Challenge, 600, &copies, 0.0),
        field("29 equals and a champion, 200 games", Challenge, 200, &one_strong(30), 0.0),
    ]
}

/// Equals, and one entrant with twenty times their strength.
fn one_strong(entrants: usize) -> Vec<f64> {
    (0..entrants).map(|index| if index == 0 { 3.0 } else { 0.0 }).collect()
}

/// The coverage of the intervals of a challenge of Liar's Dice.
fn drawn_coverage(field: &SimulatedField) -> Figure {
    let entrants = field.strengths.len();
    let hill = liars_dice_challenge(entrants, field.games);
    let runs = runs_of(entrants);
    let coverage = Coverage::of(in_parallel(runs, |run| field.play_for_elo(&hill, run)));
    let rated: Vec<usize> = (0..entrants).filter(|i| field.strengths[*i] > RARELY).collect();
    let found = Summary::of(&coverage, &rated).expect("all have intervals");
    Figure {
        name: format!(
            "elo in a challenge of Liar's Dice, {}: 95 % intervals with the truth, % of {runs} runs",
            field.name
        ),
        value: format!("{:.1}", found.mean),
        interval: found.range(),
        aim: format!("{} - {} on average over the entrants", AIM[0], AIM[1]),
        met: (AIM[0]..=AIM[1]).contains(&found.mean),
    }
}

fn runs_of(entrants: usize) -> u64 {
    match entrants {
        ..=2 => RUNS_OF_TWO,
        3..=10 => RUNS,
        _ => RUNS_OF_LARGE,
    }
}

/// The figures of a field: the coverage of its intervals, and of the bounds of entrants that have only those.
fn coverage(field: &SimulatedField) -> Vec<Figure> {
    let entrants = field.strengths.len();
    let hill = hill(entrants, field.format, None, field.games);
    let runs = runs_of(entrants);
    let held = in_parallel(runs, |run| field.play(&hill, run));
    let [before, after] =
        [0, 1].map(|scale: usize| Coverage::of(held.iter().map(|held| held[scale].clone())));
    // Beside one that always wins, all have only a bound.
    let all_bounded = field.strengths.contains(&ALWAYS);
    let (bounded, rated): (Vec<usize>, Vec<usize>) =
        (0..entrants).partition(|index| all_bounded || field.strengths[*index] == NEVER);
    let rated = Summary::of(&after, &rated).zip(Summary::of(&before, &rated));
    let rated = rated.map(|(after, before)| Figure {
        name: format!(
            "elo of {}: 95 % intervals with the truth, % of {runs} runs (of `rating`: {})",
            field.name,
            before.text()
        ),
        value: format!("{:.1}", after.mean),
        interval: after.range(),
        aim: format!("{} - {} on average over the entrants", AIM[0], AIM[1]),
        met: (AIM[0]..=AIM[1]).contains(&after.mean),
    });
    let bounded = Summary::of(&after, &bounded).map(|after| Figure {
        name: format!(
            "elo of {}: bounds of entrants that never or always win, or play against one that always wins, \
             with the truth, % of {runs} runs",
            field.name
        ),
        value: format!("{:.1}", after.mean),
        interval: after.range(),
        aim: format!("at least {LEAST_OF_BOUNDS}"),
        met: after.least >= LEAST_OF_BOUNDS,
    });
    rated.into_iter().chain(bounded).collect()
}

/// Coverages of several entrants in percent.
struct Summary {
    entrants: usize,
    mean: f64,
    least: f64,
    most: f64,
}

impl Summary {
    /// `None` without an entrant that had intervals.
    fn of(coverage: &Coverage, entrants: &[usize]) -> Option<Self> {
        let shares: Vec<f64> =
            entrants.iter().filter_map(|index| Some(100.0 * coverage.share(*index)?)).collect();
        (!shares.is_empty()).then(|| Self {
            entrants: shares.len(),
            mean: shares.iter().sum::<f64>() / shares.len() as f64,
            least: shares.iter().copied().fold(100.0, f64::min),
            most: shares.iter().copied().fold(0.0, f64::max),
        })
    }

    fn range(&self) -> String {
        format!("{:.1} - {:.1} over {} entrants", self.least, self.most, self.entrants)
    }

    fn text(&self) -> String {
        format!("{:.1}, {:.1} - {:.1}", self.mean, self.least, self.most)
    }
}
