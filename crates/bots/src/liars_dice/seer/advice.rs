//! What the player believes of a position, and what it would do, told to somebody else.

use dicehill_rules::liars_dice::{Action, Bid, LiarsDice, Position, dice_that_count};
use dicehill_rules::{Face, Game};

use super::evidence::Evidence;
use super::odds::{MOST_DICE, fair_chance, fair_tail};
use super::outlook::{Outlook, Prospect};
use super::parameters::Parameters;
use super::situation::Situation;
use crate::liars_dice::spread::Spread;

/// A position of Liar's Dice as the player to act sees it, checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeenPosition {
    you: Position,
    counts: Vec<u8>,
    dice: Vec<Face>,
    bids: Vec<Bid>,
}

/// Why there is no such position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SeenPositionError {
    /// No game has so many players.
    #[error("{0} players: a game has 2 to 5")]
    Players(usize),
    /// A player without dice is out.
    #[error("the player at seat {0} has no dice, and is out")]
    NoDice(Position),
    /// No game has so many dice.
    #[error("{0} dice on the table: there are at most 25")]
    Dice(u32),
    /// Nobody sits there.
    #[error("seat {you}: with {players} players seats are 0 to {last}", last = players - 1)]
    Seat {
        /// The seat.
        you: Position,
        /// How many play.
        players: usize,
    },
    /// The hand is not as large as it has to be.
    #[error("{dice} own dice, and {count} are at seat {you}")]
    Hand {
        /// The hand's.
        dice: usize,
        /// What the player has.
        count: u8,
        /// Its seat.
        you: Position,
    },
    /// A bid that does not rise.
    #[error("bid \"{bid}\" is not higher than \"{before}\", the one before it")]
    Bid {
        /// The bid.
        bid: Bid,
        /// The one before it.
        before: Bid,
    },
}

impl SeenPosition {
    /// The position of the player at seat `you` with `dice` in hand; `counts` has the dice of each player by seat, and `bids` is what was bid in this round,
    /// oldest first: the last one by the player before.
    ///
    /// # Errors
    /// Says what no game would come to.
    pub fn new(
        you: Position,
        counts: Vec<u8>,
        dice: Vec<Face>,
        bids: Vec<Bid>,
    ) -> Result<Self, SeenPositionError> {
        let players = counts.len();
        if !LiarsDice::SEATS.contains(&players) {
            return Err(SeenPositionError::Players(players));
        }
        if let Some(out) = counts.iter().position(|count| *count == 0) {
            return Err(SeenPositionError::NoDice(out));
        }
        let all = counts.iter().map(|count| u32::from(*count)).sum();
        if all > MOST_DICE as u32 {
            return Err(SeenPositionError::Dice(all));
        }
        let count = *counts.get(you).ok_or(SeenPositionError::Seat { you, players })?;
        if dice.len() != usize::from(count) {
            return Err(SeenPositionError::Hand { dice: dice.len(), count, you });
        }
        if let Some(two) = bids.windows(2).find(|two| two[1] <= two[0]) {
            return Err(SeenPositionError::Bid { bid: two[1], before: two[0] });
        }
        Ok(Self { you, counts, dice, bids })
    }

    /// The seat of the player to act, from 0.
    #[must_use]
    pub const fn you(&self) -> Position {
        self.you
    }

    /// Dice of each player, by seat.
    #[must_use]
    pub fn counts(&self) -> &[u8] {
        &self.counts
    }

    /// The own dice.
    #[must_use]
    pub fn dice(&self) -> &[Face] {
        &self.dice
    }

    /// What was bid, oldest first.
    #[must_use]
    pub fn bids(&self) -> &[Bid] {
        &self.bids
    }
}

/// What `seer` believes and would do in a position, against players of whom it has seen nothing yet.
#[derive(Clone, PartialEq, Debug)]
pub struct LiarsDiceAdvice {
    /// Of the last bid; `None` where there is none.
    pub last: Option<LastBid>,
    /// The call and the bids worth a thought, the best first.
    pub choices: Vec<WeighedAction>,
}

/// What is believed of the bid that may be called.
#[derive(Clone, PartialEq, Debug)]
pub struct LastBid {
    /// The bid.
    pub bid: Bid,
    /// Own dice that count for it.
    pub held: u32,
    /// The chance that it holds if all hidden dice are fair: the binomial one.
    pub fair: f64,
    /// The chance that it holds, given all bids of the round.
    pub holds: f64,
    /// The hands of the others, by seat.
    pub hands: Vec<HiddenHand>,
}

/// What is believed of a hand, as far as it counts for the last bid.
#[derive(Clone, PartialEq, Debug)]
pub struct HiddenHand {
    /// Whose it is.
    pub seat: Position,
    /// The chance of each number of counting dice, from none to all, of fair dice.
    pub fair: Vec<f64>,
    /// The same, given all bids of the round.
    pub given_bids: Vec<f64>,
}

/// An action and what may come of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WeighedAction {
    /// The action.
    pub action: Action,
    /// The chance to win the game, 0 to 1.
    pub wins: f64,
    /// Dice that are expected to be gained in this round, -1 to 1.
    pub value: f64,
    /// The chance that the bid, or the called bid, holds.
    pub holds: f64,
    /// The chance that the next player calls the bid; 1 of the call.
    pub called: f64,
}

/// What `seer` makes of a position, without having seen the others play. A function of its argument.
#[must_use]
pub fn advise_liars_dice(position: &SeenPosition) -> LiarsDiceAdvice {
    let parameters = Parameters::shipped();
    let anybody = Evidence::new(parameters);
    let SeenPosition { you, counts, dice, bids } = position;
    let situation = Situation::new(*you, counts, dice, bids);
    let outlook = Outlook::new(situation, parameters, |_| &anybody);
    let prospects = outlook.prospects();
    let called = prospects.first().filter(|first| first.action == Action::Call).copied();
    let last = bids.last().zip(called);
    let last = last.map(|(bid, call)| last_bid(position, *bid, call, &outlook));
    let mut choices: Vec<_> = prospects.into_iter().map(weighed).collect();
    // Stable, so that of equals the one is first that the player takes.
    choices.sort_by(|a, b| b.wins.total_cmp(&a.wins));
    LiarsDiceAdvice { last, choices }
}

fn last_bid(position: &SeenPosition, bid: Bid, call: Prospect, outlook: &Outlook<'_>) -> LastBid {
    let face = bid.face();
    let held = dice_that_count(&position.dice, face);
    let all: u32 = position.counts.iter().map(|count| u32::from(*count)).sum();
    let hidden = all as usize - position.dice.len();
    let hand = |seat: Position| HiddenHand {
        seat,
        fair: Spread::new(position.counts[seat], fair_chance(face)).chances().to_vec(),
        given_bids: outlook.counting(seat, face).chances().to_vec(),
    };
    LastBid {
        bid,
        held,
        fair: fair_tail(hidden, face).at_least(bid.count().saturating_sub(held)),
        holds: call.holds,
        hands: outlook.situation.others().map(hand).collect(),
    }
}

const fn weighed(Prospect { action, value, dice, holds, called }: Prospect) -> WeighedAction {
    WeighedAction { action, wins: value, value: dice, holds, called }
}
