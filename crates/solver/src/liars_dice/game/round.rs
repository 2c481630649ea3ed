//! A two-player round, and the bids that can hold in it.

use std::fmt;

use dicehill_rules::Face;
use dicehill_rules::liars_dice::Bid;

/// One of the two players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// The player who makes the first bid.
    Starter,
    /// The other player.
    Responder,
}

impl Side {
    /// Both sides, the starter first.
    pub const BOTH: [Self; 2] = [Self::Starter, Self::Responder];

    /// The other side.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Starter => Self::Responder,
            Self::Responder => Self::Starter,
        }
    }

    /// The side to act after this many bids.
    #[must_use]
    pub const fn to_act(bids: usize) -> Self {
        if bids.is_multiple_of(2) { Self::Starter } else { Self::Responder }
    }

    pub(crate) const fn index(self) -> usize {
        match self {
            Self::Starter => 0,
            Self::Responder => 1,
        }
    }

    /// The name in commands and documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Starter => "starter",
            Self::Responder => "responder",
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The index of a bid among the bids of a round, ascending from 0 for a bid of one one.
pub(crate) type BidIndex = u8;

/// A two-player round: the number of dice of each player and the wild face.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Round {
    dice: [u8; 2],
    wild: Face,
}

/// Why a round is impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RoundError {
    /// A player without dice is eliminated.
    #[error("a player with {0} dice: each has 1 to {most}", most = Round::MAX_DICE - 1)]
    Dice(u8),
    /// More dice than two players can have.
    #[error("{0} dice on the table: two players have at most {most}", most = Round::MAX_DICE)]
    Table(u16),
}

impl Round {
    /// The maximum number of dice on the table.
    pub const MAX_DICE: u8 = 10;

    /// The round that a player with `starter` dice begins against one with `responder` dice, with
    /// wild ones.
    ///
    /// # Errors
    /// If a player has no dice, or there are more than [`Round::MAX_DICE`] in total.
    pub fn new(starter: u8, responder: u8) -> Result<Self, RoundError> {
        Self::with_wild(starter, responder, Face::ONE)
    }

    /// The same round with another wild face. Only that face itself matches a bid on it.
    ///
    /// # Errors
    /// As [`Round::new`].
    pub fn with_wild(starter: u8, responder: u8, wild: Face) -> Result<Self, RoundError> {
        let table = u16::from(starter) + u16::from(responder);
        let allowed = 1..Self::MAX_DICE;
        match [starter, responder].into_iter().find(|dice| *dice == 0) {
            Some(dice) => Err(RoundError::Dice(dice)),
            None if table > u16::from(Self::MAX_DICE) => Err(RoundError::Table(table)),
            None => {
                debug_assert!(allowed.contains(&starter) && allowed.contains(&responder));
                Ok(Self { dice: [starter, responder], wild })
            }
        }
    }

    /// The number of dice of a player, 1 to 9.
    #[must_use]
    pub const fn dice(self, side: Side) -> u8 {
        self.dice[side.index()]
    }

    /// The number of dice on the table, 2 to 10.
    #[must_use]
    pub const fn all_dice(self) -> u8 {
        self.dice[0] + self.dice[1]
    }

    /// The wild face.
    #[must_use]
    pub const fn wild(self) -> Face {
        self.wild
    }

    /// The number of bids that can hold. A bid on more dice than are on the table always loses when
    /// called.
    #[must_use]
    pub const fn bids(self) -> usize {
        6 * self.all_dice() as usize
    }

    /// The bid with this index.
    pub(crate) fn bid_at(index: BidIndex) -> Bid {
        Bid::new(bid_count(index).into(), Face::ALL[bid_face(index)]).expect("counts begin with 1")
    }

    /// The index of a bid; `None` if it is on more dice than are on the table.
    pub(crate) fn index_of(self, bid: Bid) -> Option<BidIndex> {
        let index = 6 * (bid.count() as usize - 1) + bid.face().index();
        BidIndex::try_from(index).ok().filter(|index| usize::from(*index) < self.bids())
    }
}

/// The number of dice that a bid claims.
pub(crate) const fn bid_count(bid: BidIndex) -> u8 {
    bid / 6 + 1
}

/// The index of a bid's face.
pub(crate) const fn bid_face(bid: BidIndex) -> usize {
    bid as usize % 6
}
