//! What players did in a round, once their hands are shown.

use dicehill_rules::Seat;
use dicehill_rules::liars_dice::{LiarsDice, dice_that_count};

use super::claim::{Claim, Manner};

/// A turn of a player whose hand is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TurnTaken {
    /// How it answered the bid before it; `None` of the first turn of a round.
    pub(super) answered: Option<Answered>,
    /// What it bid; `None` if it called.
    pub(super) made: Option<Made>,
}

/// An answer to a bid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Answered {
    /// The bid.
    pub(super) claim: Claim,
    /// Dice of the player that count for it.
    pub(super) held: usize,
    pub(super) called: bool,
}

/// A bid with the hand behind it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Made {
    pub(super) manner: Manner,
    pub(super) claim: Claim,
    /// Dice of the bidder that count for it.
    pub(super) held: usize,
}

/// The turns of the round that the call of the player to act would end, oldest first.
pub(super) fn turns_of_round(game: &LiarsDice) -> Vec<(Seat, TurnTaken)> {
    let Some(caller) = game.position_to_act() else { return Vec::new() };
    let (hands, bids) = (game.hands(), game.bids());
    let players = hands.len();
    let counts: Vec<_> = hands.iter().map(|hand| hand.faces().len() as u8).collect();
    let turn = |index: usize| {
        let turns_ago = bids.len() - index;
        let position = (caller + players - turns_ago % players) % players;
        let hand = hands[position].faces();
        let claim = |bid| Claim::new(bid, &counts, position);
        let held = |face| dice_that_count(hand, face) as usize;
        let before = index.checked_sub(1).map(|before| bids[before]);
        let made = bids.get(index).map(|bid| Made {
            manner: Manner::of(*bid, before),
            claim: claim(*bid),
            held: held(bid.face()),
        });
        let answered = before.map(|bid| Answered {
            claim: claim(bid),
            held: held(bid.face()),
            called: made.is_none(),
        });
        (game.seats()[position], TurnTaken { answered, made })
    };
    (0..=bids.len()).map(turn).collect()
}
