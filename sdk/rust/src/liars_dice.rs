//! Liar's Dice as a bot sees it.

mod bid;
mod wire;

pub use bid::Bid;
pub(crate) use wire::{LiarsDice, function};

use crate::Start;

/// A bot for Liar's Dice. Each game has its own object.
///
/// ```
/// use dicehill_bot::liars_dice::{Answer, Bot, Round, Turn};
///
/// /// Calls more often after it has seen a lie.
/// #[derive(Default)]
/// struct Wary {
///     lies: u32,
/// }
///
/// impl Bot for Wary {
///     const ROUNDS: bool = true;
///
///     fn turn(&mut self, turn: &Turn) -> Answer {
///         match turn.last_bid() {
///             Some(last) if last.count + self.lies > turn.dice_in_play() / 2 => turn.liar(),
///             _ => turn.lowest_bid(6).into(),
///         }
///     }
///
///     fn round(&mut self, round: &Round) {
///         self.lies += u32::from(!round.held);
///     }
/// }
/// ```
pub trait Bot {
    /// Whether the arena should send what each call revealed, for [`Bot::round`].
    const ROUNDS: bool = false;

    /// Called when the game begins.
    fn start(&mut self, _start: &Start) {}

    /// Bids, or calls the last bidder a liar. Called whenever it is the bot's turn.
    fn turn(&mut self, turn: &Turn) -> Answer;

    /// Called when a call has revealed all dice, if [`Bot::ROUNDS`] is true.
    fn round(&mut self, _round: &Round) {}

    /// Called when the game has ended.
    fn end(&mut self, _end: &End) {}
}

/// What the bot sees when it is its turn.
///
/// ```
/// use dicehill_bot::liars_dice::{Bid, Turn};
///
/// let bids = vec![Bid { count: 3, face: 6 }, Bid { count: 4, face: 2 }];
/// let turn = Turn { you: 1, counts: vec![6, 4, 5], dice: vec![1, 2, 2, 3], bids, ..Turn::default() };
/// assert_eq!((turn.dice_in_play(), turn.hidden_dice()), (15, 11));
/// assert_eq!(turn.last_bid(), Some(Bid { count: 4, face: 2 }));
/// assert_eq!(turn.bidder(1), 0);
/// assert_eq!(turn.lowest_bid(6), Bid { count: 4, face: 6 });
/// assert!(!turn.is_higher(Bid { count: 4, face: 1 }));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turn {
    /// The request's number.
    pub id: u64,
    /// The game's number.
    pub game: u64,
    /// The bot's current seat. It shifts down when a lower seat is eliminated.
    pub you: usize,
    /// The number of dice of each seat.
    pub counts: Vec<u32>,
    /// The bot's own dice, faces 1-6, in the order rolled.
    pub dice: Vec<u8>,
    /// All bids of this round, oldest first.
    pub bids: Vec<Bid>,
    /// The players' names, by seat.
    pub names: Vec<String>,
    /// The players' points so far, by seat.
    pub points: Vec<u64>,
}

/// The answer to a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A bid, higher than the last one.
    Bid(Bid),
    /// The call of the last bid.
    Liar,
}

/// What a call revealed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// The game's number.
    pub game: u64,
    /// All bids of the round, oldest first.
    pub bids: Vec<Bid>,
    /// The dice of all players, by their seats in the round.
    pub hands: Vec<Vec<u8>>,
    /// The seat that called.
    pub caller: usize,
    /// The seat whose bid was called.
    pub bidder: usize,
    /// Whether the bid held.
    pub held: bool,
}

/// The end of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct End {
    /// The game's number.
    pub game: u64,
    /// The winner's name; `None` if the turn limit ended the game.
    pub winner: Option<String>,
    /// The points of all players.
    pub points: Vec<u64>,
    /// The names of all players, in the order of `points`.
    pub names: Vec<String>,
}

impl Turn {
    /// The last bid; `None` for the first action of a round.
    #[must_use]
    pub fn last_bid(&self) -> Option<Bid> {
        self.bids.last().copied()
    }

    /// The number of dice on the table, including the bot's own.
    #[must_use]
    pub fn dice_in_play(&self) -> u32 {
        self.counts.iter().sum()
    }

    /// The number of dice that the other players hold.
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

    /// Whether the bid is higher than the last one.
    #[must_use]
    pub fn is_higher(&self, bid: Bid) -> bool {
        self.last_bid().is_none_or(|last| bid > last)
    }

    /// The lowest bid on `face` that is higher than the last bid.
    #[must_use]
    pub fn lowest_bid(&self, face: u8) -> Bid {
        let count = match self.last_bid() {
            None => 1,
            Some(last) if face > last.face => last.count,
            Some(last) => last.count + 1,
        };
        Bid { count, face }
    }

    /// The answer that bids. The arena checks whether the bid is legal.
    #[must_use]
    pub fn bid(&self, count: u32, face: u8) -> Answer {
        Answer::Bid(Bid { count, face })
    }

    /// The answer that calls the last bidder a liar. It is illegal as the first action of a round.
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
