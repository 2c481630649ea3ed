//! Checked names of bots.

use std::fmt;

use crate::contract::printable::is_joined;
use crate::is_printable;

/// The longest name, in characters.
const LONGEST_NAME: usize = 64;

/// A name that is safe to print on a board.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BotName(String);

/// Why a text is not a valid name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// The text is empty or blank.
    #[error("bot name {0:?} is empty")]
    Empty(String),
    /// The text has an unprintable character, or begins with a combining mark that would join the character before the
    /// name.
    #[error("bot name {name:?} holds the unprintable character U+{:04X}", u32::from(*character))]
    Unprintable {
        /// The name.
        name: String,
        /// The first such character.
        character: char,
    },
    /// The text begins or ends with a blank.
    #[error("bot name {0:?} begins or ends with a blank")]
    Blank(String),
    /// The text has more than 64 characters.
    #[error("bot name {0:?} is longer than {LONGEST_NAME} characters")]
    Long(String),
}

impl BotName {
    /// Checks that a text has 1 to 64 printable characters, without blanks at either end.
    ///
    /// # Errors
    /// If it does not.
    ///
    /// ```
    /// use dicehill_arena::{BotName, NameError};
    ///
    /// assert_eq!(BotName::new("Ada 2").unwrap().as_str(), "Ada 2");
    /// assert!(matches!(BotName::new(" Ada"), Err(NameError::Blank(_))));
    /// assert!(matches!(BotName::new("A\u{202e}da"), Err(NameError::Unprintable { .. })));
    /// ```
    pub fn new(text: &str) -> Result<Self, NameError> {
        let name = text.to_owned();
        if text.trim().is_empty() {
            Err(NameError::Empty(name))
        } else if let Some(character) = unprintable(text) {
            Err(NameError::Unprintable { name, character })
        } else if text.trim() != text {
            Err(NameError::Blank(name))
        } else if text.chars().count() > LONGEST_NAME {
            Err(NameError::Long(name))
        } else {
            Ok(Self(name))
        }
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
