//! The house bots for Yahtzee.

mod aces_and_eights;
mod choice;
mod dummy;
mod greedy;
mod optimal;
mod random;
mod winner;

pub use winner::{KeptContests, keep_contests};

use dicehill_rules::yahtzee::Yahtzee;

use crate::House;

/// The house bots for Yahtzee of the standard field. [`exact_yahtzee_bots`] has the others.
#[must_use]
pub fn yahtzee_bots() -> [House<Yahtzee>; 4] {
    [
        House::new(
            "aces-and-eights",
            1,
            "the challenge's winner: looks for patterns, then takes the best-scoring box",
            || Box::new(aces_and_eights::AcesAndEights),
        ),
        House::new(
            "dummy",
            1,
            "the challenge's example: fills a random free box at once, but knows a Yahtzee",
            || Box::<dummy::Dummy>::default(),
        ),
        House::new(
            "greedy",
            1,
            "plays each turn as well as can be, with a guess at what each box is worth later",
            || Box::<greedy::Greedy>::default(),
        ),
        House::new(
            "random",
            1,
            "chooses evenly among the legal boxes and the 32 ways to keep dice",
            || Box::<random::Random>::default(),
        ),
    ]
}

/// The house bots for Yahtzee that use the exact solution of the game.
#[must_use]
pub fn exact_yahtzee_bots() -> [House<Yahtzee>; 2] {
    [
        House::new(
            "optimal",
            1,
            "has the highest expected score that is possible, by the exact solution",
            || Box::<optimal::Optimal>::default(),
        ),
        House::new(
            "winner",
            1,
            "plays for the win: has the highest chance to be top scorer, given all scores",
            || Box::<winner::Winner>::default(),
        ),
    ]
}
