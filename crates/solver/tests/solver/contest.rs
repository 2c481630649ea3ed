//! Contests compared with exact values of single turns.

use std::num::NonZero;
use std::sync::atomic::{AtomicU64, Ordering};

use dicehill_rules::yahtzee::{Category, CategorySet};
use dicehill_solver::yahtzee::{Contest, Position, Solution, SolverThreads, Turn, Variant};

/// Solving a contest takes seconds, so one test checks everything about it.
#[test]
fn contest_values_are_plausible_and_survive_encoding() {
    let solution = Solution::shared(Variant::Official);
    let threads = NonZero::new(2).expect("two");
    let contest = Contest::new(solution, 1, 1, threads);
    let start = contest.start();
    assert!((0.505..0.53).contains(&start), "{start}");
    check_last_boxes(&contest);

    let bytes = contest.to_bytes();
    let read = Contest::from_bytes(solution, &bytes).expect("what was written");
    assert_eq!(read.to_bytes(), bytes);
    assert_eq!(read.start().to_bits(), start.to_bits());
    for length in (0..bytes.len()).step_by(bytes.len() / 50) {
        assert!(Contest::from_bytes(solution, &bytes[..length]).is_err(), "{length} bytes");
    }
    let other = Solution::shared(Variant::Plain);
    assert!(Contest::from_bytes(other, &bytes).is_err(), "it is of other rules");
}

#[test]
fn a_contest_is_not_solved_to_its_end_once_that_is_not_wanted() {
    let solution = Solution::shared(Variant::Official);
    // The rivals are simulated in 20,000 games, and then each row is asked for.
    for wanted in [0, 1000, 20_050] {
        let asked = AtomicU64::new(0);
        let is_stopped = || asked.fetch_add(1, Ordering::Relaxed) >= wanted;
        let threads = SolverThreads { count: NonZero::<usize>::MIN, is_stopped: &is_stopped };
        assert!(Contest::interruptible(solution, 1, 1, threads).is_none(), "{wanted}");
        // At the end of each level of rows it is asked once more.
        assert!(asked.into_inner() <= wanted + 16, "{wanted}");
    }
}

/// The rival has finished, so the score to reach is known.
fn check_last_boxes(contest: &Contest) {
    for category in Category::ALL {
        let free = CategorySet::only(category);
        let Ok(position) = Position::new(free, 40, false) else { continue };
        for missing in 1..60 {
            let reaches = |_, score: u8, _| f64::from(u8::from(i32::from(score) >= missing));
            let exact = Turn::from_boxes(Variant::Official, free, reaches).start();
            let found = contest.turn(position, f64::from(missing)).start();
            let upper = category.is_upper();
            assert!(upper || (found - exact).abs() < 1e-3, "{category} {missing}: {found} {exact}");
        }
    }
}
