//! Our own player for two: solves what is left of each round while it is played.
//!
//! **What it believes.** It keeps a weight for each hand, its own included, as the other sees them: the solution says what each hand
//! would have done, and Bayes' rule does the rest (`range`). **What it solves.** At each of its decisions its next bid and the answer:
//! the call, or a raise that is worth what raises are worth on average (`prospects`). It plays an equilibrium of that subgame, in
//! which it hides its hand as well as it looks for the other's. **What it does.** It draws an action with the chances of its own hand.
//!
//! A round between two has only two outcomes, so that the chance to win it is all that counts, whatever the dice. With
//! more at the table, or more dice than two players bring, it plays like `bayes`.

mod prospects;
mod range;

use std::sync::Arc;

use dicehill_arena::{Bot, Failure, Start};
use dicehill_rules::liars_dice::{Action, Bid, LiarsDice, View};
use dicehill_solver::liars_dice::{Hands, Round};

use self::prospects::Prospects;
use self::range::Range;
use super::bayes::Bayes;
use super::{bid, liar};
use crate::draw::Draw;

/// What is done less often is a trace of learning, and left out.
const LEAST: f64 = 0.02;

/// Draws from an approximate equilibrium of what is left of the round.
pub(super) struct Duelist {
    draw: Draw,
    round: Option<Followed>,
    /// Who plays where more sit.
    crowd: Bayes,
}

impl Default for Duelist {
    fn default() -> Self {
        Self { draw: Draw::new(0), round: None, crowd: Bayes }
    }
}

impl Bot<LiarsDice> for Duelist {
    fn start(&mut self, start: &Start) {
        (self.draw, self.round) = (Draw::new(start.seed), None);
    }

    fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
        let &[first, second] = view.counts else { return self.crowd.act(view) };
        let counts = if view.you == 0 { [first, second] } else { [second, first] };
        let Ok(round) = Round::new(counts[0], counts[1]) else { return self.crowd.act(view) };
        if view.last_bid().is_some_and(|last| last.count() >= view.dice_in_play()) {
            // There is nothing above it that could hold.
            return liar();
        }
        let mut followed = self.followed(counts, view.bids);
        let prospects = followed.prospects(round, view.bids);
        let hand = Hands::of(counts[0]).find(view.dice).expect("a hand of so many dice");
        let (action, chances) = self.draw_action(&prospects, hand);
        let Some(made) = action else { return liar() };
        followed.own.follow(chances);
        followed.made = Some((Arc::clone(&prospects), made));
        followed.bids = view.bids.len() + 1;
        self.round = Some(followed);
        bid(made.count(), made.face())
    }
}

impl Duelist {
    /// The round as it stands, the other's last bid taken in.
    fn followed(&mut self, counts: [u8; 2], bids: &[Bid]) -> Followed {
        let is_next = |round: &Followed| round.counts == counts && round.bids + 1 == bids.len();
        let followed = self.round.take().filter(is_next);
        let mut followed = followed.unwrap_or_else(|| Followed::new(counts));
        if let Some(last) = bids.last() {
            followed.learn(*last, bids.len() == 1);
        }
        followed
    }

    /// One of the actions, with the chances of this hand.
    fn draw_action<'a>(
        &mut self,
        prospects: &'a Prospects,
        hand: usize,
    ) -> (Option<Bid>, &'a [f32]) {
        const PARTS: u32 = 1 << 24;
        let chance = |row: &[f32]| Some(f64::from(row[hand])).filter(|chance| *chance >= LEAST);
        let actions = prospects.actions.iter();
        let likely: Vec<_> =
            actions.filter_map(|(bid, row)| Some((*bid, &row[..], chance(row)?))).collect();
        let sum: f64 = likely.iter().map(|(.., chance)| chance).sum();
        let mut left = sum * f64::from(self.draw.below(PARTS)) / f64::from(PARTS);
        let drawn = likely.iter().find(|(.., chance)| {
            left -= chance;
            left < 0.0
        });
        let (bid, row, _) = *drawn.or(likely.last()).expect("of so few one is likely");
        (bid, row)
    }
}

/// A round in which the player has acted, as far as it has been followed.
struct Followed {
    /// The player's dice, and the other's.
    counts: [u8; 2],
    /// Bids, the player's own last one included; 0 before it.
    bids: usize,
    /// The player's hands, as the other sees them.
    own: Range,
    /// The other's hands.
    other: Range,
    /// Its last bid, and what was expected then.
    made: Option<(Arc<Prospects>, Bid)>,
}

impl Followed {
    fn new(counts: [u8; 2]) -> Self {
        let [own, other] = counts.map(Range::new);
        Self { counts, bids: 0, own, other, made: None }
    }

    /// Takes in what the other has bid, as the round's first bid or as an answer.
    fn learn(&mut self, bid: Bid, is_first: bool) {
        let hands = Hands::of(self.counts[1]);
        let expected = match &self.made {
            Some((prospects, made)) => prospects.answers.get(made).cloned(),
            None if is_first => self.opening(),
            None => None,
        };
        let actions = expected.unwrap_or_default();
        let row = actions.iter().find(|(action, _)| *action == Some(bid));
        self.other.learn(&hands, row.map(|(_, row)| &row[..]), bid);
    }

    /// What the other begins with.
    fn opening(&self) -> Option<prospects::Rows> {
        let round = Round::new(self.counts[1], self.counts[0]).ok()?;
        let prospects = Prospects::new(round, &[], [&self.other, &self.own]);
        Some(prospects.actions.clone())
    }

    fn prospects(&self, round: Round, bids: &[Bid]) -> Arc<Prospects> {
        Prospects::new(round, bids, [&self.own, &self.other])
    }
}
