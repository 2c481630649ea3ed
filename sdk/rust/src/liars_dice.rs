//! Liar's Dice as a bot sees it.

mod bid;
mod wire;

pub use bid::Bid;
pub(crate) use wire::{LiarsDice, function};

use crate::Start;

/// Bids and calls in one game; every game has an object of its own.
pub trait Bot {
    /// Whether the arena should tell what each call revealed, for [`Bot::round`].
    const ROUNDS: bool = false;

    /// The game begins.
    fn start(&mut self, _start: &Start) {}

    /// Bids, or calls the last bidder a liar.
    fn turn(&mut self, turn: &Turn) -> Answer;

    /// A call revealed all dice. Only asked for with [`Bot::ROUNDS`].
    fn round(&mut self, _round: &Round) {}

    /// The game is over.
    fn end(&mut self, _end: &End) {}
}

/// What the bot sees when it has to act.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turn {
    /// The request's number.
    pub id: u64,
    /// The game's number.
    pub game: u64,
    /// The bot's seat now; it shifts when a lower seat is eliminated.
    pub you: usize,
    /// How many dice each seat holds.
    pub counts: Vec<u32>,
    /// The bot's own dice, faces 1-6, in the order rolled.
    pub dice: Vec<u8>,
    /// Every bid of this round, oldest first.
    pub bids: Vec<Bid>,
    /// The players' names, by seat.
    pub names: Vec<String>,
    /// The players' points so far, by seat.
    pub points: Vec<u64>,
}

/// What a player does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Bids more than the last bidder.
    Bid(Bid),
    /// Calls the last bidder a liar.
    Liar,
}

/// What a call revealed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// The game's number.
    pub game: u64,
    /// Every bid of the round, oldest first.
    pub bids: Vec<Bid>,
    /// Everybody's dice, by seat as it was in the round.
    pub hands: Vec<Vec<u8>>,
    /// The seat that called.
    pub caller: usize,
    /// The seat whose bid was called.
    pub bidder: usize,
    /// Whether there were as many dice as bid.
    pub held: bool,
}

/// A game is over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct End {
    /// The game's number.
    pub game: u64,
    /// `None` where the limit of turns ended the game.
    pub winner: Option<String>,
    /// Everybody's points.
    pub points: Vec<u64>,
    /// Everybody's name, in the order of the points.
    pub names: Vec<String>,
}

impl Turn {
    /// The bid on the table; `None` for a round's first action.
    #[must_use]
    pub fn last_bid(&self) -> Option<Bid> {
        self.bids.last().copied()
    }

    /// How many dice are on the table, the bot's own included.
    #[must_use]
    pub fn dice_in_play(&self) -> u32 {
        self.counts.iter().sum()
    }

    /// How many dice the others hold.
    #[must_use]
    pub fn hidden_dice(&self) -> u32 {
        let others = self.counts.iter().enumerate().filter(|&(seat, _)| seat != self.you);
        others.map(|(_, count)| count).sum()
    }

    /// The seat that made `bids[index]`.
    ///
    /// # Panics
    /// If there is no such bid.
    #[must_use]
    pub fn bidder(&self, index: usize) -> usize {
        let seats = self.counts.len();
        assert!(index < self.bids.len(), "bid {index} of {}", self.bids.len());
        let back = (self.bids.len() - index) % seats;
        (self.you + seats - back) % seats
    }

    /// Whether a bid may follow the one on the table.
    #[must_use]
    pub fn is_higher(&self, bid: Bid) -> bool {
        self.last_bid().is_none_or(|last| bid > last)
    }

    /// The lowest bid on `face` that may follow the one on the table.
    #[must_use]
    pub fn lowest_bid(&self, face: u8) -> Bid {
        let count = match self.last_bid() {
            None => 1,
            Some(last) if face > last.face => last.count,
            Some(last) => last.count + 1,
        };
        Bid { count, face }
    }

    /// Bids. Whether the bid is legal is left to the arena.
    #[must_use]
    pub fn bid(&self, count: u32, face: u8) -> Answer {
        Answer::Bid(Bid { count, face })
    }

    /// Calls the last bidder a liar; illegal as a round's first action.
    #[must_use]
    pub fn liar(&self) -> Answer {
        Answer::Liar
    }
}

impl From<Bid> for Answer {
    fn from(bid: Bid) -> Self {
        Self::Bid(bid)
    }
}
