//! What each action is worth in a position.

use dicehill_rules::Face;
use dicehill_rules::liars_dice::{Action, Bid, Position};

use super::claim::{Claim, Manner, lowest};
use super::hand_belief::HandBelief;
use super::parameters::Parameters;
use super::situation::Situation;
use super::style::Style;
use crate::liars_dice::plain_faces;
use crate::liars_dice::spread::{Spread, Tail};

/// Bids that hold with a lower chance are left out, but for the lowest on each face.
const LEAST_CHANCE: f64 = 0.05;

/// What comes of an action, as far as it can be foreseen.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Prospect {
    pub(super) action: Action,
    /// In dice that are expected to be gained.
    pub(super) value: f64,
    /// The chance that the bid, or the called bid, holds.
    pub(super) holds: f64,
    /// The chance that the next player calls; 1 of a call.
    pub(super) called: f64,
}

/// A position with what is believed of it.
pub(super) struct Outlook<'a> {
    pub(super) situation: Situation<'a>,
    parameters: &'a Parameters,
    /// How the next player is expected to answer.
    next: &'a Style,
    /// The hands of the others, in the order of [`Situation::others`].
    hands: Vec<(Position, HandBelief)>,
}

impl<'a> Outlook<'a> {
    /// `styles` says how each player is expected to play, by position.
    pub(super) fn new(
        situation: Situation<'a>,
        parameters: &'a Parameters,
        styles: impl Fn(Position) -> &'a Style,
    ) -> Self {
        let hand = |position| (position, hand_belief(&situation, position, styles(position)));
        let hands = situation.others().map(hand).collect();
        Self { next: styles(situation.next()), situation, parameters, hands }
    }

    /// How many dice of a player count for a bid on `face`.
    pub(super) fn counting(&self, position: Position, face: Face) -> Spread {
        let (_, hand) = self.hands.iter().find(|(of, _)| *of == position).expect("another player");
        hand.counting(face)
    }

    /// The call, and then the bids worth a thought, by face and count.
    pub(super) fn prospects(&self) -> Vec<Prospect> {
        let mut prospects = Vec::with_capacity(32);
        prospects.extend(self.situation.last_bid().map(|last| self.of_call(last)));
        for face in plain_faces() {
            self.add_bids(face, &mut prospects);
        }
        prospects
    }

    fn of_call(&self, last: Bid) -> Prospect {
        let needed = last.count().saturating_sub(self.situation.own.counting(last.face()));
        let mut all = Spread::new(0, 0.5);
        for (_, hand) in &self.hands {
            all.add(&hand.counting(last.face()));
        }
        let holds = Tail::new(all).at_least(needed);
        Prospect { action: Action::Call, value: 1.0 - 2.0 * holds, holds, called: 1.0 }
    }

    fn add_bids(&self, face: Face, prospects: &mut Vec<Prospect>) {
        let (next, rest) = self.unseen(face);
        let held = self.situation.own.counting(face);
        let lowest = lowest(self.situation.last_bid(), face);
        for count in lowest..=held + self.situation.hidden_dice() {
            let bid = Bid::new(count, face).expect("a count from 1 to the dice on the table");
            let prospect = self.of_bid(bid, &next, &rest);
            prospects.push(prospect);
            if prospect.holds < LEAST_CHANCE {
                break;
            }
        }
    }

    /// How many dice of the next player count for a bid on `face`, and how many of all others.
    fn unseen(&self, face: Face) -> (Spread, Tail) {
        let next = self.situation.next();
        let mut rest = Spread::new(0, 0.5);
        for (position, hand) in &self.hands {
            if *position != next {
                rest.add(&hand.counting(face));
            }
        }
        (self.counting(next, face), Tail::new(rest))
    }

    fn of_bid(&self, bid: Bid, next: &Spread, rest: &Tail) -> Prospect {
        let needed = bid.count().saturating_sub(self.situation.own.counting(bid.face()));
        let claim = Claim::new(bid, self.situation.counts, self.situation.next());
        let (mut won, mut called, mut holds) = (0.0, 0.0, 0.0);
        for (held, chance) in next.chances().iter().enumerate() {
            let right = rest.at_least(needed.saturating_sub(held as u32));
            let calls = chance * self.next.call(claim, held);
            won += calls * (2.0 * right - 1.0);
            called += calls;
            holds += chance * right;
        }
        let raised_over = self.parameters.raised_over(self.situation.counts.len(), holds);
        let value = won + (1.0 - called) * raised_over;
        Prospect { action: Action::Bid(bid), value, holds, called }
    }
}

fn hand_belief(situation: &Situation<'_>, position: Position, style: &Style) -> HandBelief {
    let mut hand = HandBelief::new(situation.counts[position]);
    for (bid, before) in situation.bids_of(position) {
        let claim = Claim::new(bid, situation.counts, position);
        let bidding = style.bidding(claim.company, Manner::of(bid, before));
        hand.tell(bid.face(), |held| bidding.likelihood(claim, held));
    }
    hand
}
