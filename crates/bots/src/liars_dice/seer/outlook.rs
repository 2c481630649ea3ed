//! What each action is worth in a position.

use dicehill_rules::Face;
use dicehill_rules::liars_dice::{Action, Bid, Position};

use super::claim::{Claim, Company, Manner, lowest, trusts};
use super::evidence::Evidence;
use super::hand_belief::HandBelief;
use super::odds::{MOST_DICE, fair_spread};
use super::parameters::{Parameters, RaisedOver};
use super::situation::Situation;
use super::stakes::{Aftermath, Stake};
use crate::liars_dice::plain_faces;
use crate::liars_dice::spread::{Spread, Tail};

/// Bids that hold with a lower chance are left out, but for the lowest on each face.
const LEAST_CHANCE: f64 = 0.05;

/// What comes of an action, as far as it can be foreseen.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Prospect {
    pub(super) action: Action,
    /// The chance to win the game.
    pub(super) value: f64,
    /// Dice that are expected to be gained in this round.
    pub(super) dice: f64,
    /// The chance that the bid, or the called bid, holds.
    pub(super) holds: f64,
    /// The chance that the next player calls; 1 of a call.
    pub(super) called: f64,
}

/// A position with what is believed of it.
pub(super) struct Outlook<'a> {
    pub(super) situation: Situation<'a>,
    parameters: &'a Parameters,
    /// The chance that the next player calls a bid on a plain face, by the dice that it lacks.
    calls: [f64; MOST_DICE + 2],
    /// If it is the own bid that is called.
    called: Stake,
    /// If others go on.
    goes_on: Aftermath,
    /// The hands of the others, in the order of [`Situation::others`].
    hands: Vec<(Position, HandBelief)>,
}

/// The hidden dice that count for bids on a face.
struct Unseen {
    /// Of the next player.
    next: Spread,
    /// Of all others.
    rest: Tail,
}

impl<'a> Outlook<'a> {
    /// `evidence` is what is known of each other player, by position.
    pub(super) fn new(
        situation: Situation<'a>,
        parameters: &'a Parameters,
        evidence: impl Fn(Position) -> &'a Evidence,
    ) -> Self {
        let hand = |position| {
            (position, hand_belief(&situation, position, parameters, evidence(position)))
        };
        let hands = situation.others().map(hand).collect();
        let calls = calls(&situation, parameters, evidence(situation.next()));
        let called = Stake::new(&situation, parameters, situation.next());
        let goes_on = Aftermath::new(&situation, parameters);
        Self { situation, parameters, calls, called, goes_on, hands }
    }

    /// How many dice of a player count for a bid on `face`.
    pub(super) fn counting(&self, position: Position, face: Face) -> Spread {
        let (_, hand) = self.hands.iter().find(|(of, _)| *of == position).expect("another player");
        hand.counting(face)
    }

    /// The call, and then the bids worth a thought, by face and count.
    pub(super) fn prospects(&self) -> Vec<Prospect> {
        let mut prospects = Vec::with_capacity(64);
        let last = self.situation.last_bid().map(|last| (last, self.unseen(last.face())));
        prospects.extend(last.as_ref().map(|(last, unseen)| self.of_call(*last, unseen)));
        // Of faces that nobody has bid on everybody holds alike.
        let mut free = None;
        for face in plain_faces() {
            if let Some((_, unseen)) = last.as_ref().filter(|(last, _)| last.face() == face) {
                self.add_bids(face, unseen, &mut prospects);
            } else if self.hands.iter().any(|(_, hand)| hand.is_told(face)) {
                self.add_bids(face, &self.unseen(face), &mut prospects);
            } else {
                let unseen = free.get_or_insert_with(|| self.unseen(face));
                self.add_bids(face, unseen, &mut prospects);
            }
        }
        prospects
    }

    fn of_call(&self, last: Bid, unseen: &Unseen) -> Prospect {
        let needed = last.count().saturating_sub(self.situation.own.counting(last.face()));
        let holds = unseen.at_least(needed);
        let bidder =
            (self.situation.you + self.situation.counts.len() - 1) % self.situation.counts.len();
        let stake = Stake::new(&self.situation, self.parameters, bidder);
        Prospect {
            action: Action::Call,
            value: holds * stake.lost + (1.0 - holds) * stake.won,
            dice: 1.0 - 2.0 * holds,
            holds,
            called: 1.0,
        }
    }

    fn add_bids(&self, face: Face, unseen: &Unseen, prospects: &mut Vec<Prospect>) {
        let held = self.situation.own.counting(face);
        let lowest = lowest(self.situation.last_bid(), face);
        for count in lowest..=held + self.situation.hidden_dice() {
            let bid = Bid::new(count, face).expect("a count from 1 to the dice on the table");
            let prospect = self.of_bid(bid, unseen);
            prospects.push(prospect);
            if prospect.holds < LEAST_CHANCE {
                break;
            }
        }
    }

    fn unseen(&self, face: Face) -> Unseen {
        let next = self.situation.next();
        let rest = || self.hands.iter().filter(|(position, _)| *position != next);
        let fair_dice = rest().filter_map(|(_, hand)| hand.fair_dice()).sum();
        let mut all = fair_spread(fair_dice, face).clone();
        for (_, hand) in rest().filter(|(_, hand)| hand.fair_dice().is_none()) {
            all.add(&hand.counting(face));
        }
        Unseen { next: self.counting(next, face), rest: Tail::new(all) }
    }

    fn of_bid(&self, bid: Bid, unseen: &Unseen) -> Prospect {
        let needed = bid.count().saturating_sub(self.situation.own.counting(bid.face()));
        let count = bid.count() as usize;
        let (mut right_called, mut called, mut holds) = (0.0, 0.0, 0.0);
        for (held, chance) in unseen.next.chances().iter().enumerate() {
            let right = unseen.rest.at_least(needed.saturating_sub(held as u32));
            let calls = chance * self.calls[count.saturating_sub(held).min(MOST_DICE + 1)];
            right_called += calls * right;
            called += calls;
            holds += chance * right;
        }
        let raised_over = self.parameters.raised_over(self.situation.counts.len(), holds);
        let wrong_called = called - right_called;
        let RaisedOver { gains, losses } = raised_over;
        let value = right_called * self.called.won
            + wrong_called * self.called.lost
            + (1.0 - called) * self.goes_on.value(raised_over);
        let dice = right_called - wrong_called + (1.0 - called) * (gains - losses);
        Prospect { action: Action::Bid(bid), value, dice, holds, called }
    }
}

impl Unseen {
    /// The chance that at least `needed` of them count.
    fn at_least(&self, needed: u32) -> f64 {
        let rest = |held: usize| self.rest.at_least(needed.saturating_sub(held as u32));
        self.next.chances().iter().enumerate().map(|(held, chance)| chance * rest(held)).sum()
    }
}

fn calls(
    situation: &Situation<'_>,
    parameters: &Parameters,
    evidence: &Evidence,
) -> [f64; MOST_DICE + 2] {
    let calls = evidence.calls(parameters, Company::of(situation.counts.len()));
    let (dice, all) = (situation.counts[situation.next()], situation.all_dice());
    trusts(Face::SIX, all as usize - usize::from(dice)).map(|trust| calls[usize::from(trust)])
}

fn hand_belief(
    situation: &Situation<'_>,
    position: Position,
    parameters: &Parameters,
    evidence: &Evidence,
) -> HandBelief {
    let mut hand = HandBelief::new(situation.counts[position]);
    for (bid, before) in situation.bids_of(position) {
        let claim = Claim::new(bid, situation.counts, position);
        hand.tell(bid.face(), evidence.likelihoods(parameters, Manner::of(bid, before), claim));
    }
    hand
}
