//! The chances of dice of which nothing is known.

use std::sync::LazyLock;

use dicehill_rules::Face;

use crate::liars_dice::spread::{Spread, Tail};

/// The most dice on a table.
pub(super) const MOST_DICE: usize = 25;

/// 0 to 25 fair dice, of which a third count, and of which a sixth count.
static SPREADS: LazyLock<[Vec<Spread>; 2]> = LazyLock::new(|| {
    [1.0 / 3.0, 1.0 / 6.0]
        .map(|chance| (0..=MOST_DICE as u8).map(|dice| Spread::new(dice, chance)).collect())
});

/// The tails of 0 to 25 fair dice, of which a third count, and of which a sixth count.
static TAILS: LazyLock<[Vec<Tail>; 2]> = LazyLock::new(|| {
    SPREADS.each_ref().map(|spreads| spreads.iter().cloned().map(Tail::new).collect())
});

/// The chance that a die counts for a bid on `face`.
pub(super) fn fair_chance(face: Face) -> f64 {
    if face == Face::ONE { 1.0 / 6.0 } else { 1.0 / 3.0 }
}

/// How many of `dice` fair dice count for a bid on `face`.
///
/// # Panics
/// If there are more than 25 dice.
pub(super) fn fair_spread(dice: usize, face: Face) -> &'static Spread {
    &SPREADS[usize::from(face == Face::ONE)][dice]
}

/// The chances that so many of `dice` fair dice, or more, count for a bid on `face`.
///
/// # Panics
/// If there are more than 25 dice.
pub(super) fn fair_tail(dice: usize, face: Face) -> &'static Tail {
    &TAILS[usize::from(face == Face::ONE)][dice]
}
