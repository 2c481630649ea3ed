//! A round between two players, and the bids that make sense in it.

use std::fmt;

use dicehill_rules::Face;
use dicehill_rules::liars_dice::Bid;

/// One of the two players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// Who makes the first bid.
    Starter,
    /// The other.
    Responder,
}

impl Side {
    /// Both, the starter first.
    pub const BOTH: [Self; 2] = [Self::Starter, Self::Responder];

    /// The other player.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Starter => Self::Responder,
            Self::Responder => Self::Starter,
        }
    }

    /// Who acts after so many bids.
    #[must_use]
    pub const fn after(bids: usize) -> Self {
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

/// The number of a bid among those of a round, ascending from 0.
pub(crate) type Step = u8;

/// A round between two players: their dice, and the face that is wild.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Round {
    dice: [u8; 2],
    wild: Face,
}

/// Why there is no such round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RoundError {
    /// A player without dice is out.
    #[error("a player with {0} dice: each has 1 to {most}", most = Round::MOST_DICE - 1)]
    Dice(u8),
    /// More dice than two players have.
    #[error("{0} dice on the table: two players have at most {most}", most = Round::MOST_DICE)]
    Table(u16),
}

impl Round {
    /// The most dice on the table.
    pub const MOST_DICE: u8 = 10;

    /// The round that a player with `starter` dice begins against one with `responder` dice; ones are wild.
    ///
    /// # Errors
    /// If somebody has no dice, or there are more than [`Round::MOST_DICE`].
    pub fn new(starter: u8, responder: u8) -> Result<Self, RoundError> {
        Self::with_wild(starter, responder, Face::ONE)
    }

    /// The same with another wild face; a bid on it counts that face alone.
    ///
    /// # Errors
    /// As [`Round::new`].
    pub fn with_wild(starter: u8, responder: u8, wild: Face) -> Result<Self, RoundError> {
        let table = u16::from(starter) + u16::from(responder);
        let allowed = 1..Self::MOST_DICE;
        match [starter, responder].into_iter().find(|dice| *dice == 0) {
            Some(dice) => Err(RoundError::Dice(dice)),
            None if table > u16::from(Self::MOST_DICE) => Err(RoundError::Table(table)),
            None => {
                debug_assert!(allowed.contains(&starter) && allowed.contains(&responder));
                Ok(Self { dice: [starter, responder], wild })
            }
        }
    }

    /// The dice of a player, 1 to 9.
    #[must_use]
    pub const fn dice(self, side: Side) -> u8 {
        self.dice[side.index()]
    }

    /// All dice on the table, 2 to 10.
    #[must_use]
    pub const fn all_dice(self) -> u8 {
        self.dice[0] + self.dice[1]
    }

    /// The wild face.
    #[must_use]
    pub const fn wild(self) -> Face {
        self.wild
    }

    /// How many bids claim no more dice than there are; others are called, and surely lost.
    #[must_use]
    pub const fn bids(self) -> usize {
        6 * self.all_dice() as usize
    }

    /// The bid of a number below [`Round::bids`].
    pub(crate) fn bid(step: Step) -> Bid {
        Bid::new(count(step).into(), Face::ALL[face(step)]).expect("counts begin with 1")
    }

    /// The number of a bid; `None` if it claims more dice than there are.
    pub(crate) fn step(self, bid: Bid) -> Option<Step> {
        let step = 6 * (bid.count() as usize - 1) + bid.face().index();
        Step::try_from(step).ok().filter(|step| usize::from(*step) < self.bids())
    }
}

/// How many dice a bid claims.
pub(crate) const fn count(step: Step) -> u8 {
    step / 6 + 1
}

/// The place of a bid's face among all faces.
pub(crate) const fn face(step: Step) -> usize {
    step as usize % 6
}
