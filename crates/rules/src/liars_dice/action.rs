//! Actions: a bid, or the call of the last bid.

use std::fmt;
use std::str::FromStr;

use super::{Bid, BidError};

/// A bid, or the call `Liar!`.
///
/// ```
/// use dicehill_rules::liars_dice::{Action, Bid};
///
/// let action: Action = "4 6".parse()?;
/// assert_eq!(action, Action::Bid("4 6".parse::<Bid>().expect("a bid")));
/// assert_eq!("Liar!".parse(), Ok(Action::Call));
/// assert_eq!(action.to_string(), "4 6");
/// # Ok::<(), dicehill_rules::liars_dice::ParseActionError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Claims a number of dice of one face.
    Bid(Bid),
    /// Calls the last bidder a liar.
    Call,
}

/// The text is neither a bid nor `Liar!`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseActionError {
    /// The text has the form of a bid, but a number is out of range.
    #[error(transparent)]
    Bid(BidError),
    /// The text has another form.
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

    /// Ignores spaces and tabs around the text.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.trim_matches([' ', '\t']) == "Liar!" {
            return Ok(Self::Call);
        }
        match text.parse() {
            Ok(bid) => Ok(Self::Bid(bid)),
            Err(BidError::Form(text) | BidError::Notation(text)) => {
                Err(ParseActionError::Form(text))
            }
            Err(error @ (BidError::Count(_) | BidError::Face(_))) => {
                Err(ParseActionError::Bid(error))
            }
        }
    }
}
