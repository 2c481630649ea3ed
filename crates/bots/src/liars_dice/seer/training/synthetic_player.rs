//! Randomised players with a few traits, so that training covers more styles than the published bots.

use dicehill_arena::{Bot, Failure};
use dicehill_rules::Face;
use dicehill_rules::liars_dice::{Action, LiarsDice, View};

use crate::liars_dice::actions::{bid, call, non_wild_faces};
use crate::liars_dice::fair_dice::fair_tail;
use crate::liars_dice::hand_counts::HandCounts;
use crate::liars_dice::seer::features::bid_context::lowest_count;
use crate::split_mix64::SplitMix64;

/// A kind of synthetic player. Probabilities are in percent.
pub(crate) struct Traits {
    pub(crate) name: &'static str,
    /// Calls bids with a lower probability of holding.
    doubts: u32,
    /// The probability of a bid on a random face instead of the one it holds most of.
    bluffs: u32,
    /// The probability of a bid that is one higher than necessary.
    jumps: u32,
    /// The percentage of the expected hidden dice that an opening bid counts on.
    leans: u32,
}

/// The kinds of synthetic players. Their names are in the parameter file.
pub(crate) const SYNTHETIC_PLAYERS: [Traits; 6] = [
    Traits { name: "careful", doubts: 50, bluffs: 5, jumps: 0, leans: 30 },
    Traits { name: "plain", doubts: 35, bluffs: 10, jumps: 10, leans: 60 },
    Traits { name: "bold", doubts: 15, bluffs: 15, jumps: 30, leans: 100 },
    Traits { name: "bluffer", doubts: 30, bluffs: 60, jumps: 20, leans: 80 },
    Traits { name: "doubter", doubts: 70, bluffs: 20, jumps: 10, leans: 50 },
    Traits { name: "reckless", doubts: 3, bluffs: 90, jumps: 50, leans: 120 },
];
/// The largest deviation of a player's `doubts` from those of its kind, in percentage points.
const DEVIATION: u32 = 10;

/// A player of one kind.
pub(crate) struct SyntheticPlayer {
    traits: &'static Traits,
    /// Its own threshold, 0 to 1.
    doubts: f64,
    rng: SplitMix64,
}

impl SyntheticPlayer {
    pub(crate) fn new(traits: &'static Traits, seed: u64) -> Self {
        let mut rng = SplitMix64::new(seed);
        let doubts = traits.doubts + rng.below(2 * DEVIATION + 1);
        let doubts = f64::from(doubts.saturating_sub(DEVIATION)) / 100.0;
        Self { traits, doubts, rng }
    }

    fn happens(&mut self, percent: u32) -> bool {
        self.rng.below(100) < percent
    }

    fn face(&mut self, own: &HandCounts) -> Face {
        if self.happens(self.traits.bluffs) {
            return Face::ALL[1 + self.rng.below(5) as usize];
        }
        let first = self.rng.below(5) as usize;
        let faces = non_wild_faces().cycle().skip(first).take(5);
        faces.max_by_key(|face| own.counting(*face)).expect("there are five plain faces")
    }
}

impl Bot<LiarsDice> for SyntheticPlayer {
    fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
        let own = HandCounts::new(view.dice);
        let hidden = view.hidden_dice();
        let trust = |count: u32, face: Face| {
            let needed = count.saturating_sub(own.counting(face));
            fair_tail(hidden as usize, face).at_least(needed)
        };
        let last = view.last_bid();
        if last.is_some_and(|last| trust(last.count(), last.face()) < self.doubts) {
            return call();
        }
        let face = self.face(&own);
        let count = match last {
            Some(_) => lowest_count(last, face) + u32::from(self.happens(self.traits.jumps)),
            None => (own.counting(face) + self.traits.leans * hidden / 300).max(1),
        };
        let doubts_itself = trust(count, face) < self.doubts / 2.0;
        if last.is_some() && doubts_itself { call() } else { bid(count, face) }
    }
}
