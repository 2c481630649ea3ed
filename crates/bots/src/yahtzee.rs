//! House bots for Yahtzee.

mod aces_and_eights;
mod dummy;
mod greedy;
mod random;

use dicehill_rules::yahtzee::Yahtzee;

use crate::House;

/// All house bots for Yahtzee.
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
