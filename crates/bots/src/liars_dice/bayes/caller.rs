//! When a player calls, as others have to guess it.

use dicehill_rules::liars_dice::Odds;

/// The next player, who calls bids that it finds hard to believe.
pub(super) struct Caller {
    /// The chance of a call, by the number of other players' dice that the bid needs.
    calls: [f64; MOST_DICE + 1],
}

/// The most dice on a table.
const MOST_DICE: usize = 25;

impl Caller {
    /// A player that does not see `unseen` of the dice on the table.
    ///
    /// # Panics
    /// If these are more than 25.
    pub(super) fn new(unseen: u32) -> Self {
        let mut calls = [1.0; MOST_DICE + 1];
        for (needed, call) in (0..=unseen).zip(&mut calls) {
            *call = doubt(belief(unseen, needed));
        }
        Self { calls }
    }

    /// The chance that it calls a bid that needs so many of the dice it does not see.
    pub(super) fn calls(&self, needed: u32) -> f64 {
        self.calls.get(needed as usize).copied().unwrap_or(1.0)
    }
}

/// The chance that the player gives a bid: it takes the bidder to hold a die of the face more, two
/// times out of three, and all other dice to be fair.
fn belief(unseen: u32, needed: u32) -> f64 {
    let of_fair_dice = |needed: i64| Odds::thirds(unseen, needed).chance();
    let needed = i64::from(needed);
    (2.0 * of_fair_dice(needed - 1) + of_fair_dice(needed)) / 3.0
}

/// The chance of a call: certain for a belief of 1/4 and less, none for 1/2 and more, and
/// proportional between them, because nobody knows what else the player would have to bid.
fn doubt(belief: f64) -> f64 {
    (2.0 - 4.0 * belief).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::Caller;

    #[test]
    fn calls_grow_with_what_a_bid_needs() {
        for unseen in 1..25 {
            let caller = Caller::new(unseen);
            let calls: Vec<_> = (0..=unseen + 2).map(|needed| caller.calls(needed)).collect();
            assert!(calls.is_sorted(), "{unseen} dice: {calls:?}");
            assert_eq!((calls[0], caller.calls(1_000_000)), (0.0, 1.0));
        }
    }
}
