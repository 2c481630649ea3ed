//! Names that can be printed on a board.

use std::fmt;

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
    /// Something that cannot be printed, or hides what is printed.
    #[error("bot name {name:?} holds the unprintable character {character:?}")]
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
        } else if let Some(character) = text.chars().find(|c| !is_printable(*c)) {
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

/// Whether a character may stand in a name or another text of a hill: neither a control character, nor
/// one that is invisible or turns the direction of the text.
#[must_use]
pub fn is_printable(character: char) -> bool {
    let invisible = matches!(
        character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{ffff}' | '\u{e000}'..='\u{f8ff}' | '\u{e0000}'..='\u{10ffff}'
    );
    !character.is_control() && !invisible && (character == ' ' || !character.is_whitespace())
}
