//! Players with a few traits and much chance, so that training knows more than the players that exist.

use dicehill_arena::{Bot, Failure};
use dicehill_rules::Face;
use dicehill_rules::liars_dice::{Action, LiarsDice, View};

use crate::draw::Draw;
use crate::liars_dice::own::Own;
use crate::liars_dice::seer::claim::lowest;
use crate::liars_dice::seer::odds::fair_tail;
use crate::liars_dice::{bid, liar, plain_faces};

/// A kind of sketch. Chances are in percent.
pub(super) struct Traits {
    pub(super) name: &'static str,
    /// It calls bids that it gives a lower chance.
    doubts: u32,
    /// The chance that it bids on any face, rather than on the one it holds most of.
    bluffs: u32,
    /// The chance that it bids one more than it has to.
    jumps: u32,
    /// Which part of the others' expected dice it counts on in an opening bid.
    leans: u32,
}

/// The kinds.
pub(super) const SKETCHES: [Traits; 6] = [
    Traits { name: "careful", doubts: 50, bluffs: 5, jumps: 0, leans: 30 },
    Traits { name: "plain", doubts: 35, bluffs: 10, jumps: 10, leans: 60 },
    Traits { name: "bold", doubts: 15, bluffs: 15, jumps: 30, leans: 100 },
    Traits { name: "bluffer", doubts: 30, bluffs: 60, jumps: 20, leans: 80 },
    Traits { name: "doubter", doubts: 70, bluffs: 20, jumps: 10, leans: 50 },
    Traits { name: "reckless", doubts: 3, bluffs: 90, jumps: 50, leans: 120 },
];
/// By how many percent a player may differ from its kind in what it calls.
const SPREAD: u32 = 10;

/// A player of a kind.
pub(super) struct Sketch {
    traits: &'static Traits,
    /// Of its own.
    doubts: f64,
    draw: Draw,
}

impl Sketch {
    pub(super) fn new(traits: &'static Traits, seed: u64) -> Self {
        let mut draw = Draw::new(seed);
        let doubts = traits.doubts + draw.below(2 * SPREAD + 1);
        let doubts = f64::from(doubts.saturating_sub(SPREAD)) / 100.0;
        Self { traits, doubts, draw }
    }

    fn chances(&mut self, percent: u32) -> bool {
        self.draw.below(100) < percent
    }

    fn face(&mut self, own: &Own) -> Face {
        if self.chances(self.traits.bluffs) {
            return Face::ALL[1 + self.draw.below(5) as usize];
        }
        let first = self.draw.below(5) as usize;
        let faces = plain_faces().cycle().skip(first).take(5);
        faces.max_by_key(|face| own.counting(*face)).expect("there are five plain faces")
    }
}

impl Bot<LiarsDice> for Sketch {
    fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
        let own = Own::new(view.dice);
        let hidden = view.hidden_dice();
        let trust = |count: u32, face: Face| {
            let needed = count.saturating_sub(own.counting(face));
            fair_tail(hidden as usize, face).at_least(needed)
        };
        let last = view.last_bid();
        if last.is_some_and(|last| trust(last.count(), last.face()) < self.doubts) {
            return liar();
        }
        let face = self.face(&own);
        let count = match last {
            Some(_) => lowest(last, face) + u32::from(self.chances(self.traits.jumps)),
            None => (own.counting(face) + self.traits.leans * hidden / 300).max(1),
        };
        let doubts_itself = trust(count, face) < self.doubts / 2.0;
        if last.is_some() && doubts_itself { liar() } else { bid(count, face) }
    }
}
