//! The ids of tables.

use std::fmt;
use std::str::FromStr;

/// The id of a table: 128 random bits, so that it cannot be guessed, written as 32 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct TableId(u128);

impl TableId {
    /// An id drawn by the operating system.
    ///
    /// # Errors
    /// If it provides no random numbers.
    pub(crate) fn draw() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        Ok(Self(u128::from_be_bytes(bytes)))
    }
}

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// The error of a text that is not a table id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ParseTableIdError;

impl FromStr for TableId {
    type Err = ParseTableIdError;

    /// Reads exactly the form that `Display` writes.
    fn from_str(text: &str) -> Result<Self, ParseTableIdError> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if text.len() != 32 || !text.bytes().all(is_digit) {
            return Err(ParseTableIdError);
        }
        u128::from_str_radix(text, 16).map(Self).map_err(|_| ParseTableIdError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_read_only_as_it_is_written() {
        let id = TableId::draw().unwrap();
        assert_eq!(id.to_string().parse(), Ok(id));
        assert_ne!(TableId::draw().unwrap(), id);
        let upper = "ABCDEF0123456789ABCDEF0123456789";
        for text in ["", "1", "+0000000000000000000000000000001", upper] {
            assert_eq!(text.parse::<TableId>(), Err(ParseTableIdError), "{text}");
        }
    }
}
