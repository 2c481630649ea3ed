//! A new entrant is placed in a number of games that grows like the logarithm of the hill's size.

use super::simulated_placement::{SimulatedField, SimulatedPlacement};
use crate::figures::Figure;

/// The sizes of the hills, the new entrants of each, and how many of them also play against every entrant.
const HILLS: [(usize, u64, u64); 4] =
    [(10, 2000, 2000), (100, 2000, 2000), (1000, 1000, 200), (10_000, 500, 30)];
/// The standard deviation of the ratings' errors.
const RATING_ERROR: f64 = 0.2;
/// The required mean error of a new entrant's rank, in percent of the entrants.
const MAX_ERROR: f64 = 5.0;
/// The required percentage of new entrants whose rank is in its interval.
const MIN_COVERAGE: f64 = 93.0;

pub(crate) fn figures() -> Vec<Figure> {
    HILLS
        .iter()
        .flat_map(|(entrants, new_entrants, round_robins)| {
            hill(*entrants, *new_entrants, *round_robins)
        })
        .collect()
}

fn hill(entrants: usize, new_entrants: u64, round_robins: u64) -> Vec<Figure> {
    let placed_entrants =
        |count: u64, error: f64, placed_entrants: fn(SimulatedField) -> SimulatedPlacement| {
            let seed = |number: u64| (entrants as u64) << 32 | number << 1;
            (0..count)
                .map(|number| placed_entrants(SimulatedField::new(entrants, error, seed(number))))
                .collect::<Vec<_>>()
        };
    let placed = placed_entrants(new_entrants, 0.0, SimulatedField::place);
    let misrated = placed_entrants(new_entrants, RATING_ERROR, SimulatedField::place);
    let round_robin = placed_entrants(round_robins, 0.0, SimulatedField::round_robin);
    let among = format!("a new entrant among {entrants}");
    let most_games = 16.0 * (entrants as f64 + 1.0).log2().ceil();
    vec![
        games(&among, &placed, most_games),
        error(&format!("{among}: error of its rank"), entrants, &placed, true),
        covered(&format!("{among}: ranks within their 95 % intervals, %"), &placed),
        error(
            &format!("{among}: error if ratings err by {RATING_ERROR}"),
            entrants,
            &misrated,
            true,
        ),
        error(
            &format!("{among}: error after a block against each, {} games", 2 * entrants),
            entrants,
            &round_robin,
            false,
        ),
    ]
}

fn games(among: &str, placed: &[SimulatedPlacement], most_games: f64) -> Figure {
    let all = placed.iter().map(|one| one.games);
    let (least, mean) = (all.clone().min().unwrap_or(0), all.clone().sum::<u64>() as f64);
    let highest = all.max().unwrap_or(0);
    Figure {
        name: format!("{among}: games until it is placed"),
        value: format!("{:.1}", mean / placed.len() as f64),
        interval: format!("{least} - {highest} of {} new entrants", placed.len()),
        aim: format!("at most 16 ⌈log2(n + 1)⌉ = {most_games}"),
        met: highest as f64 <= most_games,
    }
}

/// The mean error; that of the round robin is only a comparison.
fn error(name: &str, entrants: usize, placed: &[SimulatedPlacement], is_aim: bool) -> Figure {
    let errors: Vec<f64> = placed.iter().map(|one| one.error() as f64).collect();
    let count = errors.len() as f64;
    let mean = errors.iter().sum::<f64>() / count;
    let variance = errors.iter().map(|e| (e - mean) * (e - mean)).sum::<f64>() / (count - 1.0);
    let share = 100.0 * mean / entrants as f64;
    // With few entrants a single rank is already a large share.
    let most_games = (MAX_ERROR * entrants as f64 / 100.0).max(1.0);
    Figure {
        name: name.to_owned(),
        value: format!("{mean:.2} ranks, {share:.2} % of the entrants"),
        interval: format!(
            "± {:.2} ranks, {} new entrants",
            1.96 * (variance / count).sqrt(),
            placed.len()
        ),
        aim: if is_aim {
            format!("at most {most_games} on average")
        } else {
            "to compare".to_owned()
        },
        met: !is_aim || mean <= most_games,
    }
}

fn covered(name: &str, placed: &[SimulatedPlacement]) -> Figure {
    let covered = placed.iter().filter(|one| one.is_covered()).count() as f64;
    let share = covered / placed.len() as f64;
    let spread = 196.0 * (share * (1.0 - share) / placed.len() as f64).sqrt();
    Figure {
        name: name.to_owned(),
        value: format!("{:.1}", 100.0 * share),
        interval: format!("± {spread:.1}"),
        aim: format!("at least {MIN_COVERAGE}"),
        met: 100.0 * share >= MIN_COVERAGE,
    }
}
