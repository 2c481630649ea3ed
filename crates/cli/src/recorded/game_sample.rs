//! A sample of the games of a run.

use std::collections::BTreeSet;

use dicehill_rules::Chance;

use crate::failure::Failure;
use crate::seed;

/// `wanted` of the games 1 to `count`, ascending; all of them if there are no more. Each call draws others, so that a
/// forger cannot know which games a sample misses.
///
/// # Errors
/// If the operating system has no random numbers.
pub(crate) fn game_sample(count: u64, wanted: u64) -> Result<Vec<u64>, Failure> {
    Ok(drawn(&seed::draw()?, count, wanted))
}

fn drawn(seed: &str, count: u64, wanted: u64) -> Vec<u64> {
    if wanted >= count {
        return (1..=count).collect();
    }
    let chance = Chance::new(seed);
    let mut drawn = BTreeSet::new();
    let mut draws = 1..;
    while (drawn.len() as u64) < wanted {
        let draw = draws.next().expect("numbers do not run out");
        drawn.insert(chance.table_size(draw, count) + 1);
    }
    drawn.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_no_game_twice() {
        let sample = drawn("x", 100, 20);
        assert_eq!(sample.len(), 20);
        assert!(sample.iter().all(|game| (1..=100).contains(game)));
        assert_ne!(sample, drawn("y", 100, 20));
        assert_eq!(drawn("x", 3, 20), [1, 2, 3]);
        assert!(drawn("x", 0, 20).is_empty());
    }

    #[test]
    fn another_sample_has_other_games() {
        let sample = || game_sample(1 << 40, 20).unwrap_or_else(|failure| panic!("{failure}"));
        assert_ne!(sample(), sample());
    }
}
