//! A test bot with extreme bids.

use dicehill_arena::{Bot, Failure, Program, Start};
use dicehill_rules::liars_dice::{Action, Bid, LiarsDice, View};
use dicehill_rules::{Chance, Face};

/// Calls one bid in eight; otherwise raises by a small or a large amount, on any face, up to the highest bid.
#[derive(Default)]
pub(crate) struct Absurd {
    seed: u64,
    turns: u64,
}

impl Program<LiarsDice> for Absurd {
    fn identity(&self) -> String {
        "test:absurd".to_owned()
    }

    fn bot(&self) -> Box<dyn Bot<LiarsDice>> {
        Box::<Self>::default()
    }
}

impl Bot<LiarsDice> for Absurd {
    fn start(&mut self, start: &Start) {
        *self = Self { seed: start.seed, turns: 0 };
    }

    fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
        self.turns += 1;
        let mut choice = Chance::new(&self.seed.to_string()).seat_key(self.turns, "absurd");
        let mut below = |choices: u64| {
            let chosen = choice % choices;
            choice /= choices;
            chosen
        };
        let last = view.last_bid();
        let raises = [0, 1, 1, 2, 5, 20, 1000, u64::from(Bid::MAX_COUNT)];
        let raise = raises[below(8) as usize] as u32;
        let count = last.map_or(1, |last| last.count().saturating_add(raise)).min(Bid::MAX_COUNT);
        let face = Face::ALL[below(6) as usize];
        let bid = Bid::new(count, face).expect("a count from 1 to the most");
        let may_bid = last.is_none_or(|last| bid > last);
        Ok(if may_bid && (last.is_none() || below(8) > 0) {
            Action::Bid(bid)
        } else {
            Action::Call
        })
    }
}
