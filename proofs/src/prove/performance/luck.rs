//! The cost of finding the loss and the luck in games of Yahtzee.

use std::sync::Arc;

use dicehill_arena::Hill;
use dicehill_bots::yahtzee_bots;
use dicehill_coach::yahtzee::YahtzeeAppraiser;
use dicehill_rules::yahtzee::{Yahtzee, YahtzeeRules};
use dicehill_solver::yahtzee::{Solution, Variant};

use crate::figures::{Bound, Figure};
use crate::prove::cpu::timed;
use crate::prove::hills::{challenge, play_hill};

/// Games of a run.
const GAMES: i64 = 30_000;
/// Turns of a game of two.
const TURNS: f64 = 26.0;
/// Repeats of each run; the median counts.
const REPEATS: usize = 9;

/// On one thread, because two threads of one core would slow each other down.
pub(crate) fn figures() -> Vec<Figure> {
    let (_, solution) = timed(|| Solution::shared(Variant::Official));
    // Runs with luck and with --no-luck alternate, so that both meet the same machine.
    let pairs: Vec<_> = (0..REPEATS).map(|_| [seconds(&hill()), seconds(&appraised())]).collect();
    let games = GAMES as f64;
    let rates = |of: &dyn Fn(&[f64; 2]) -> f64, name: &str, least: f64| {
        let mut values: Vec<_> = pairs.iter().map(of).collect();
        Figure::of_repeats(name.to_owned(), &mut values, least, Bound::AtLeast)
    };
    let with = "aces-and-eights v dummy with luck, games a CPU second";
    let with_solution = "the same with the solution, which a process computes once";
    let without = "the same with --no-luck";
    let mut figures = vec![
        rates(&|[_, luck]| games / luck, with, 25_000.0),
        rates(&|[_, luck]| games / (luck + solution), with_solution, 25_000.0),
        rates(&|[plain, _]| games / plain, without, 0.0),
    ];
    let cost = |[plain, luck]: &[f64; 2]| 1e9 * (luck - plain) / (TURNS * games);
    let mut costs: Vec<_> = pairs.iter().map(cost).collect();
    let name = "luck and loss of a turn, CPU nanoseconds".to_owned();
    figures.push(Figure::of_repeats(name, &mut costs, 1_800.0, Bound::AtMost));
    figures
}

fn hill() -> Hill<Yahtzee> {
    let draft = challenge(yahtzee_bots(), &["aces-and-eights", "dummy"], GAMES);
    Hill::new(draft).expect("a hill that can be played")
}

fn appraised() -> Hill<Yahtzee> {
    hill().with_appraiser(Arc::new(YahtzeeAppraiser::new(YahtzeeRules::Official)))
}

/// The CPU seconds of a run.
fn seconds(hill: &Hill<Yahtzee>) -> f64 {
    timed(|| play_hill(hill, 1)).1
}
