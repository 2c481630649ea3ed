//! A model of when the next player calls.

use dicehill_rules::liars_dice::Odds;

use crate::liars_dice::count_distribution::MAX_DICE;

/// The next player, who calls bids that are unlikely to hold from its point of view.
pub(super) struct CallModel {
    /// The probability of a call, by the number of other players' dice that the bid needs.
    calls: [f64; MAX_DICE + 1],
}

impl CallModel {
    /// A player that does not see `hidden` of the dice on the table.
    ///
    /// # Panics
    /// If `hidden` is more than 25.
    pub(super) fn new(hidden: u32) -> Self {
        let mut calls = [1.0; MAX_DICE + 1];
        for (needed, call) in (0..=hidden).zip(&mut calls) {
            *call = call_probability(belief(hidden, needed));
        }
        Self { calls }
    }

    /// The probability that it calls a bid that needs `needed` of the dice that it does not see.
    pub(super) fn calls(&self, needed: u32) -> f64 {
        self.calls.get(needed as usize).copied().unwrap_or(1.0)
    }
}

/// The probability that a bid holds, as the player is assumed to estimate it: with probability 2/3 the bidder holds one more die of the
/// face, and all other dice are fair.
fn belief(hidden: u32, needed: u32) -> f64 {
    let of_fair_dice = |needed: i64| Odds::with_wild_ones(hidden, needed).chance();
    let needed = i64::from(needed);
    (2.0 * of_fair_dice(needed - 1) + of_fair_dice(needed)) / 3.0
}

/// The probability of a call: 1 for a belief of 1/4 or less, 0 for 1/2 or more, and linear in between, because the player's alternatives
/// to the call are unknown.
fn call_probability(belief: f64) -> f64 {
    (2.0 - 4.0 * belief).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::CallModel;

    #[test]
    fn the_probability_of_a_call_rises_with_the_needed_dice() {
        for hidden in 1..25 {
            let caller = CallModel::new(hidden);
            let calls: Vec<_> = (0..=hidden + 2).map(|needed| caller.calls(needed)).collect();
            assert!(calls.is_sorted(), "{hidden} dice: {calls:?}");
            assert_eq!((calls[0], caller.calls(1_000_000)), (0.0, 1.0));
        }
    }
}
