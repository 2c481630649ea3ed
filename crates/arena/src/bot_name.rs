//! Names that can be printed on a board.

use std::fmt;

use crate::printable::{is_joined, is_printable};

/// The longest name, in characters.
const LONGEST_NAME: usize = 64;

/// A name that can be printed on a board.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BotName(String);

/// Why a text is no name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// Nothing to print.
    #[error("bot name {0:?} is empty")]
    Empty(String),
    /// Something that cannot be printed, hides what is printed, or joins what stands before the name.
    #[error("bot name {name:?} holds the unprintable character U+{:04X}", u32::from(*character))]
    Unprintable {
        /// The name.
        name: String,
        /// The first such character.
        character: char,
    },
    /// Blanks that nobody sees.
    #[error("bot name {0:?} begins or ends with a blank")]
    Blank(String),
    /// Too long for any board.
    #[error("bot name {0:?} is longer than {LONGEST_NAME} characters")]
    Long(String),
}

impl BotName {
    /// A name of 1 to 64 printable characters, without blanks at either end.
    ///
    /// # Errors
    /// If the text is anything else.
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

    /// The name as it is written.
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

/// The first character for which a text is no name.
fn unprintable(text: &str) -> Option<char> {
    let first = text.chars().next().filter(|first| is_joined(*first));
    first.or_else(|| text.chars().find(|character| !is_printable(*character)))
}
