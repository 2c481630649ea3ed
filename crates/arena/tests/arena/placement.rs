//! A newcomer's rank in a number of games that grows like the logarithm of the hill's size.

use dicehill_arena::Placement;

use crate::newcomers::{Field, Placed};

fn placed(entrants: usize, newcomers: u64, place: fn(Field) -> Placed) -> Vec<Placed> {
    let seed = |number: u64| number * 1_000_003 + entrants as u64;
    (0..newcomers).map(|number| place(Field::new(entrants, 0.0, seed(number)))).collect()
}

fn mean_error(placed: &[Placed]) -> f64 {
    placed.iter().map(Placed::error).sum::<usize>() as f64 / placed.len() as f64
}

#[test]
fn games_grow_like_the_logarithm_and_ranks_are_found() {
    for (entrants, newcomers, most_games) in [(10, 200, 64), (100, 100, 112), (1000, 30, 160)] {
        let placed = placed(entrants, newcomers, Field::place);
        assert!(placed.iter().all(|one| one.games <= most_games), "{entrants}");
        let error = mean_error(&placed) / entrants as f64;
        assert!(error < 0.08, "{entrants} entrants: the mean error is {error} of them");
        let covered = placed.iter().filter(|one| one.is_covered()).count() as u64;
        assert!(100 * covered >= 90 * newcomers, "{entrants}: {covered} of {newcomers} covered");
    }
}

#[test]
fn a_round_robin_takes_far_more_games_for_little_more() {
    let adaptive = placed(500, 15, Field::place);
    let everybody = placed(500, 15, Field::round_robin);
    assert!(everybody.iter().all(|one| one.games == 1000));
    assert!(mean_error(&adaptive) < 5.0 * mean_error(&everybody));
}

#[test]
fn whoever_beats_everybody_is_first() {
    for entrants in [1, 2, 9, 300] {
        let strengths: Vec<f64> = (0..entrants).map(|index| f64::from(index) / 100.0).collect();
        for (share, rank) in [(1.0, 1), (0.0, strengths.len() + 1)] {
            let mut placement = Placement::new(&strengths);
            while let Some(rival) = placement.next_rival() {
                placement.add(rival, 2, share);
            }
            assert_eq!(placement.standing().rank, rank, "{share} of {entrants}");
        }
    }
}

#[test]
fn an_empty_hill_asks_for_nothing() {
    let placement = Placement::new(&[]);
    assert_eq!((placement.most_blocks(), placement.next_rival()), (0, None));
    let standing = placement.standing();
    assert_eq!((standing.rank, standing.best, standing.worst), (1, 1, 1));
}

#[test]
fn no_rival_is_met_again_and_again() {
    let strengths: Vec<f64> = (0..50).map(|index| f64::from(index) / 10.0).collect();
    let mut placement = Placement::new(&strengths);
    let mut met = vec![0; strengths.len()];
    while let Some(rival) = placement.next_rival() {
        placement.add(rival, 2, 0.5);
        met[rival] += 1;
    }
    assert_eq!(met.iter().sum::<u64>(), placement.most_blocks());
    assert!(met.iter().filter(|times| **times > 0).count() > 10, "{met:?}");
    assert!(met.iter().all(|times| *times <= 5), "{met:?}");
}
