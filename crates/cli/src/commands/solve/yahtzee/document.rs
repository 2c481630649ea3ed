//! The document `dicehill.solution/1`.

use dicehill_rules::yahtzee::Category;
use serde::Serialize;

use super::solved_game::SolvedGame;

/// The percentiles in reports.
pub(super) const PERCENTILES: [f64; 9] = [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99];

#[derive(Serialize)]
pub(super) struct SolutionDocument {
    schema: &'static str,
    game: &'static str,
    rules: &'static str,
    start: f64,
    positions: usize,
    seconds: Seconds,
    score: Score,
    boxes: Vec<BoxLine>,
    upper_bonus: f64,
    yahtzee_bonuses: Vec<f64>,
    distribution: Vec<(u32, f64)>,
}

#[derive(Serialize)]
struct Seconds {
    solution: f64,
    distribution: f64,
}

#[derive(Serialize)]
struct Score {
    total_probability: f64,
    mean: f64,
    variance: f64,
    standard_deviation: f64,
    skewness: f64,
    lowest: u32,
    highest: u32,
    percentiles: Vec<(f64, u32)>,
}

#[derive(Serialize)]
struct BoxLine {
    category: &'static str,
    mean: f64,
    zero: f64,
    full: f64,
    most: u8,
}

impl SolutionDocument {
    pub(super) fn of(solved: &SolvedGame) -> Self {
        let found = &solved.distribution;
        let line = |category: Category| {
            let result = found.category(category)?;
            Some(BoxLine {
                category: category.name(),
                mean: result.mean,
                zero: result.zero,
                full: result.full,
                most: result.most,
            })
        };
        Self {
            schema: "dicehill.solution/1",
            game: "yahtzee",
            rules: solved.rules.name(),
            start: solved.start,
            positions: solved.rules.positions(),
            seconds: Seconds {
                solution: solved.solution_seconds,
                distribution: solved.distribution_seconds,
            },
            score: Score {
                total_probability: found.total(),
                mean: found.mean(),
                variance: found.variance(),
                standard_deviation: found.standard_deviation(),
                skewness: found.skewness(),
                lowest: found.lowest(),
                highest: found.highest(),
                percentiles: PERCENTILES.map(|share| (share, found.percentile(share))).into(),
            },
            boxes: Category::ALL.into_iter().filter_map(line).collect(),
            upper_bonus: found.upper_bonus(),
            yahtzee_bonuses: found.yahtzee_bonuses().to_vec(),
            distribution: found.scores().filter(|(_, chance)| *chance > 0.0).collect(),
        }
    }
}
