//! Checked names of bots.

use std::fmt;

use crate::contract::printable::is_joined;
use crate::is_printable;

/// The longest name, in characters.
const MAX_NAME_LENGTH: usize = 64;

/// A name that is safe to print on a board.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BotName(String);

/// A text that is not a valid name, and why. Its own display is for bots; other names take the parts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("bot name {name:?} {fault}")]
pub struct NameError {
    /// The text.
    pub name: String,
    /// What is wrong with it.
    pub fault: NameFault,
}

/// What is wrong with a name. The display completes a sentence that begins with the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameFault {
    /// The text is empty or blank.
    #[error("is empty")]
    Empty,
    /// The text has this unprintable character, or begins with this combining mark, which would join the character
    /// before the name.
    #[error("contains the unprintable character U+{:04X}", u32::from(*.0))]
    Unprintable(char),
    /// The text begins or ends with a blank.
    #[error("begins or ends with a blank")]
    Blank,
    /// The text has dots alone, which mean folders in addresses.
    #[error("has dots alone")]
    Dots,
    /// The text has more than 64 characters.
    #[error("is longer than {MAX_NAME_LENGTH} characters")]
    Long,
}

impl BotName {
    /// Checks that a text has 1 to 64 printable characters, not all of them dots, without blanks at either end.
    ///
    /// # Errors
    /// If it does not.
    ///
    /// ```
    /// use dicehill_arena::{BotName, NameFault};
    ///
    /// assert_eq!(BotName::new("Ada 2").unwrap().as_str(), "Ada 2");
    /// assert_eq!(BotName::new(" Ada").unwrap_err().fault, NameFault::Blank);
    /// assert_eq!(BotName::new("..").unwrap_err().fault, NameFault::Dots);
    /// let fault = NameFault::Unprintable('\u{202e}');
    /// assert_eq!(BotName::new("A\u{202e}da").unwrap_err().fault, fault);
    /// ```
    pub fn new(text: &str) -> Result<Self, NameError> {
        let name = text.to_owned();
        let fault = if text.trim().is_empty() {
            NameFault::Empty
        } else if let Some(character) = unprintable(text) {
            NameFault::Unprintable(character)
        } else if text.trim() != text {
            NameFault::Blank
        } else if text.chars().all(|character| character == '.') {
            NameFault::Dots
        } else if text.chars().count() > MAX_NAME_LENGTH {
            NameFault::Long
        } else {
            return Ok(Self(name));
        };
        Err(NameError { name, fault })
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for BotName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// The first character that is not allowed at its position.
fn unprintable(text: &str) -> Option<char> {
    let first = text.chars().next().filter(|first| is_joined(*first));
    first.or_else(|| text.chars().find(|character| !is_printable(*character)))
}
