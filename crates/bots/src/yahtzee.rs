//! The house bots for Yahtzee.

mod aces_and_eights;
mod choice;
mod dummy;
mod greedy;
mod optimal;
mod random;
mod winner;

pub use winner::{ContestCache, cache_contests};

use dicehill_rules::yahtzee::Yahtzee;

use crate::HouseBot;

/// The house bots for Yahtzee of the standard field. [`exact_yahtzee_bots`] has the others.
#[must_use]
pub fn yahtzee_bots() -> [HouseBot<Yahtzee>; 4] {
    [
        HouseBot::new(
            "aces-and-eights",
            1,
            "the challenge's winner: looks for patterns, then takes the best-scoring box",
            || Box::new(aces_and_eights::AcesAndEights),
        ),
        HouseBot::new(
            "dummy",
            1,
            "the challenge's example: fills a random free box at once, but recognises a Yahtzee",
            || Box::<dummy::Dummy>::default(),
        ),
        HouseBot::new(
            "greedy",
            1,
            "plays each turn optimally, with an estimate of the later value of each box",
            || Box::<greedy::Greedy>::default(),
        ),
        HouseBot::new(
            "random",
            1,
            "chooses uniformly among the legal boxes and the 32 ways to keep dice",
            || Box::<random::Random>::default(),
        ),
    ]
}

/// The house bots for Yahtzee that use the exact solution of the game.
#[must_use]
pub fn exact_yahtzee_bots() -> [HouseBot<Yahtzee>; 2] {
    [
        HouseBot::new(
            "optimal",
            1,
            "has the highest possible expected score, by the exact solution",
            || Box::<optimal::Optimal>::default(),
        ),
        HouseBot::new(
            "winner",
            1,
            "plays to win: has the highest probability of the top score, given all scores",
            || Box::<winner::Winner>::default(),
        ),
    ]
}
