//! Groups of similar mistakes.

use std::fmt;

use dicehill_rules::liars_dice::{Action, Bid};

use super::{AppraisedDecision, Fault, Infoset};

/// What similar mistakes have in common: one change of a bot may fix all of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Habit {
    /// The fault.
    pub fault: Fault,
    /// How many dice the player held of the face that it bid on or called.
    pub holding: Holding,
    /// Whether two players were left, so that the next player is also the last bidder.
    pub heads_up: bool,
}

/// How many dice a player holds of a face, wild ones included.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Holding {
    /// No dice.
    None,
    /// Fewer than the expected share: a third of the player's dice, or a sixth for ones.
    Few,
    /// The expected share or more.
    Many,
}

impl Holding {
    fn of(infoset: &Infoset, bid: Bid) -> Self {
        let held = infoset.count_matching(bid.face());
        let parts = if bid.face() == dicehill_rules::Face::ONE { 6 } else { 3 };
        let own = infoset.own_dice().count() as u32;
        match held {
            0 => Self::None,
            held if parts * held < own => Self::Few,
            _ => Self::Many,
        }
    }
}

impl Habit {
    /// The habit of a decision; `None` if it is no mistake.
    #[must_use]
    pub fn classify(step: &AppraisedDecision) -> Option<Self> {
        let AppraisedDecision { infoset, chosen, best, players, .. } = step;
        let fault = Fault::classify(infoset, *chosen, *best)?;
        let bid = match chosen {
            Action::Bid(bid) => *bid,
            Action::Call => infoset.last_bid()?,
        };
        let holding = Holding::of(infoset, bid);
        Some(Self { fault, holding, heads_up: *players == 2 })
    }
}

/// The fault and its circumstances: `let an improbable bid stand and bid on a face it held none of,
/// against one player`.
impl fmt::Display for Habit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { fault, holding, heads_up } = self;
        let how = match fault {
            Fault::OpenedTooHigh | Fault::OpenedTooLow => "with",
            Fault::CalledLikely => "on",
            Fault::MissedCall => "and bid on",
            Fault::RaisedInVain | Fault::RaisedTooFar | Fault::RaisedTooLittle => "on",
        };
        let held = match holding {
            Holding::None => "none",
            Holding::Few => "few",
            Holding::Many => "many",
        };
        let against = if *heads_up { "one player" } else { "several players" };
        write!(f, "{} {how} a face it held {held} of, against {against}", fault.title())
    }
}
