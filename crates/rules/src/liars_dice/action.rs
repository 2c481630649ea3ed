//! What a player may do: bid, or call the bidder a liar.

use std::fmt;
use std::str::FromStr;

use super::{Bid, BidError};

/// A bid, or the call `Liar!`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Claim this many dice of this face.
    Bid(Bid),
    /// Call the last bidder a liar.
    Call,
}

/// A text that is neither a bid nor `Liar!`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseActionError {
    /// The text looks like a bid, and its numbers are wrong.
    #[error(transparent)]
    Bid(BidError),
    /// The text is something else.
    #[error("{0:?} is neither \"COUNT FACE\" nor \"Liar!\"")]
    Form(String),
}

impl Action {
    /// Appends the action's text.
    pub(super) fn write(&self, text: &mut String) {
        match self {
            Self::Bid(bid) => bid.write(text),
            Self::Call => text.push_str("Liar!"),
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.write(&mut text);
        f.pad(&text)
    }
}

impl FromStr for Action {
    type Err = ParseActionError;

    /// Surrounding blanks are forgiven.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.trim_matches([' ', '\t']) == "Liar!" {
            return Ok(Self::Call);
        }
        match text.parse() {
            Ok(bid) => Ok(Self::Bid(bid)),
            Err(BidError::Form(text)) => Err(ParseActionError::Form(text)),
            Err(error @ (BidError::Count(_) | BidError::Face(_))) => {
                Err(ParseActionError::Bid(error))
            }
        }
    }
}
