//! How much the games of a sample depend on each other.

use std::collections::BTreeMap;

use super::sample_outcome::SampleOutcome;

/// How many games say as much as one independent game would, from 1 to the `length` of a sample in games.
///
/// It is the variance of the wins that is observed between the samples of a table, divided by that of independent games,
/// summed over all entrants and tables. One sample whose games all go the same way is added to the observed ones, for
/// rare wins may by chance never fall into the same sample.
///
/// Source: Kish, "Survey sampling", 1965.
pub(super) fn design_effect(outcomes: &[SampleOutcome], length: f64) -> f64 {
    let mut tables: BTreeMap<&[usize], Vec<&SampleOutcome>> = BTreeMap::new();
    for outcome in outcomes {
        tables.entry(&outcome.seats).or_default().push(outcome);
    }
    let (mut observed, mut independent, mut of_games, mut count) = (0.0, 0.0, 0.0, 0.0);
    for (seats, outcomes) in tables {
        let samples: f64 = outcomes.iter().map(|outcome| outcome.count as f64).sum();
        if samples < 2.0 {
            continue;
        }
        let games = samples * length;
        for entrant in seats {
            let (sum, squares) = sums_of_wins(&outcomes, *entrant);
            let of_game = sum / games * (1.0 - sum / games);
            observed += (squares - sum * sum / samples) * samples / (samples - 1.0);
            independent += games * of_game * games / (games - 1.0);
            of_games += of_game;
            count += 1.0;
        }
    }
    if of_games == 0.0 {
        return length;
    }
    let of_sample = length * of_games / count;
    ((observed + length * of_sample) / (independent + of_sample)).clamp(1.0, length)
}

/// The sum of an entrant's wins in all samples, and that of their squares.
fn sums_of_wins(outcomes: &[&SampleOutcome], entrant: usize) -> (f64, f64) {
    outcomes.iter().fold((0.0, 0.0), |(sum, squares), outcome| {
        let own = outcome.winners.iter().filter(|(_, winner)| *winner == entrant);
        let wins: f64 = own.map(|(size, _)| 1.0 / *size as f64).sum();
        let count = outcome.count as f64;
        (sum + count * wins, squares + count * wins * wins)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the effect of duels in blocks of two games; `won` has how often the first won none, one and both.
    fn check(won: [u64; 3], expected: f64) {
        let outcome = |(wins, count): (usize, u64)| {
            let winners = (0..2).map(|game| (1, usize::from(game >= wins))).collect();
            SampleOutcome { count, seats: vec![0, 1], winners }
        };
        let outcomes: Vec<_> = (0..).zip(won).map(outcome).collect();
        let found = design_effect(&outcomes, 2.0);
        assert!((found - expected).abs() < 0.02, "{won:?}: {found}");
    }

    #[test]
    fn games_that_go_the_same_way_count_less() {
        check([25, 50, 25], 1.01);
        check([50, 0, 50], 2.0);
        check([37, 26, 37], 1.49);
        check([0, 100, 0], 1.0);
        // Nothing varies.
        check([0, 0, 100], 2.0);
        check([0, 0, 1], 2.0);
    }
}
