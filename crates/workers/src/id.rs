//! Names of runs and workers that are drawn at random.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The digits of an id.
const DIGITS: usize = 16;

/// The name of a run or worker: sixteen hexadecimal digits, which can be a part of a subject.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Id(u64);

impl Id {
    /// Draws an id.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub fn draw() -> std::io::Result<Self> {
        getrandom::u64().map(Self).map_err(std::io::Error::other)
    }

    /// The id with this number, for tests and simulations.
    #[must_use]
    pub const fn of(number: u64) -> Self {
        Self(number)
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:0width$x}", self.0, width = DIGITS)
    }
}

impl From<Id> for String {
    fn from(id: Id) -> Self {
        id.to_string()
    }
}

impl FromStr for Id {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if text.len() != DIGITS || !text.bytes().all(is_digit) {
            return Err("an id has 16 hexadecimal digits");
        }
        u64::from_str_radix(text, 16).map(Self).map_err(|_| "an id has 16 hexadecimal digits")
    }
}

impl TryFrom<String> for Id {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}
