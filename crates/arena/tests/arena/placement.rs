//! A placement finds a new entrant's rank in a number of games that grows with the logarithm of the hill's size.

use dicehill_arena::Placement;

use crate::simulated_placement::{SimulatedField, SimulatedPlacement};

fn placed(
    entrants: usize,
    new_entrants: u64,
    place: fn(SimulatedField) -> SimulatedPlacement,
) -> Vec<SimulatedPlacement> {
    let seed = |number: u64| number * 1_000_003 + entrants as u64;
    (0..new_entrants)
        .map(|number| place(SimulatedField::new(entrants, 0.0, seed(number))))
        .collect()
}

fn mean_error(placed: &[SimulatedPlacement]) -> f64 {
    placed.iter().map(SimulatedPlacement::error).sum::<usize>() as f64 / placed.len() as f64
}

#[test]
fn games_grow_with_the_logarithm_of_the_entrants_and_intervals_cover_the_rank() {
    for (entrants, new_entrants, most_games) in [(10, 200, 64), (100, 100, 112), (1000, 30, 160)] {
        let placed = placed(entrants, new_entrants, SimulatedField::place);
        assert!(placed.iter().all(|outcome| outcome.games <= most_games), "{entrants}");
        let error = mean_error(&placed) / entrants as f64;
        assert!(error < 0.08, "{entrants} entrants: the mean error is {error} of them");
        let covered = placed.iter().filter(|outcome| outcome.is_covered()).count() as u64;
        assert!(
            100 * covered >= 90 * new_entrants,
            "{entrants}: {covered} of {new_entrants} covered"
        );
    }
}

#[test]
fn a_round_robin_takes_many_more_games_for_little_more_precision() {
    let adaptive = placed(500, 15, SimulatedField::place);
    let round_robin = placed(500, 15, SimulatedField::round_robin);
    assert!(round_robin.iter().all(|outcome| outcome.games == 1000));
    assert!(mean_error(&adaptive) < 5.0 * mean_error(&round_robin));
}

#[test]
fn an_entrant_that_wins_or_loses_every_block_is_first_or_last() {
    for entrants in [1, 2, 9, 300] {
        let strengths: Vec<f64> = (0..entrants).map(|index| f64::from(index) / 100.0).collect();
        for (share, rank) in [(1.0, 1), (0.0, strengths.len() + 1)] {
            let mut placement = Placement::new(&strengths);
            while let Some(rival) = placement.next_rival() {
                placement.add_block(rival, 2, share);
            }
            assert_eq!(placement.estimate().rank, rank, "{share} of {entrants}");
        }
    }
}

#[test]
fn a_placement_without_entrants_needs_no_block() {
    let placement = Placement::new(&[]);
    assert_eq!((placement.max_blocks(), placement.next_rival()), (0, None));
    let standing = placement.estimate();
    assert_eq!((standing.rank, standing.best, standing.worst), (1, 1, 1));
}

#[test]
fn blocks_are_spread_over_many_rivals() {
    let strengths: Vec<f64> = (0..50).map(|index| f64::from(index) / 10.0).collect();
    let mut placement = Placement::new(&strengths);
    let mut met = vec![0; strengths.len()];
    while let Some(rival) = placement.next_rival() {
        placement.add_block(rival, 2, 0.5);
        met[rival] += 1;
    }
    assert_eq!(met.iter().sum::<u64>(), placement.max_blocks());
    assert!(met.iter().filter(|times| **times > 0).count() > 10, "{met:?}");
    assert!(met.iter().all(|times| *times <= 5), "{met:?}");
}
