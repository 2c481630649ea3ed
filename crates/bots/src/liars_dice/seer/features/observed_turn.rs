//! The turns of a round, once a call has revealed all hands.

use dicehill_rules::Seat;
use dicehill_rules::liars_dice::{LiarsDice, dice_that_count};

use crate::liars_dice::seer::features::bid_context::{BidContext, BidKind};

/// A turn of a player whose hand is known: the training examples of the opponent models.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ObservedTurn {
    /// The response to the bid before it; `None` for the first turn of a round.
    pub(crate) response: Option<BidResponse>,
    /// The bid; `None` if the player called.
    pub(crate) made_bid: Option<ObservedBid>,
}

/// A player's response to a bid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BidResponse {
    /// The bid, as the player saw it.
    pub(crate) context: BidContext,
    /// Dice of the player that count for the bid.
    pub(crate) held: usize,
    /// Whether the player called; otherwise it raised.
    pub(crate) called: bool,
}

/// A bid with the hand behind it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ObservedBid {
    pub(crate) bid_kind: BidKind,
    pub(crate) context: BidContext,
    /// Dice of the bidder that count for the bid.
    pub(crate) held: usize,
}

/// The turns of the current round, oldest first, including the call that the player to act is about to make.
pub(crate) fn turns_of_round(game: &LiarsDice) -> Vec<(Seat, ObservedTurn)> {
    let Some(caller) = game.position_to_act() else { return Vec::new() };
    let (hands, bids) = (game.hands(), game.bids());
    let players = hands.len();
    let counts: Vec<_> = hands.iter().map(|hand| hand.faces().len() as u8).collect();
    let turn = |index: usize| {
        let turns_ago = bids.len() - index;
        let position = (caller + players - turns_ago % players) % players;
        let hand = hands[position].faces();
        let context = |bid| BidContext::new(bid, &counts, position);
        let held = |face| dice_that_count(hand, face) as usize;
        let before = index.checked_sub(1).map(|before| bids[before]);
        let made_bid = bids.get(index).map(|bid| ObservedBid {
            bid_kind: BidKind::of(*bid, before),
            context: context(*bid),
            held: held(bid.face()),
        });
        let response = before.map(|bid| BidResponse {
            context: context(bid),
            held: held(bid.face()),
            called: made_bid.is_none(),
        });
        (game.seats()[position], ObservedTurn { response, made_bid })
    };
    (0..=bids.len()).map(turn).collect()
}
