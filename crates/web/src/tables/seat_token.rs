//! The secret tokens that identify people at a table.

use std::fmt;

use subtle::ConstantTimeEq;

/// The secret token of a person at a table: 128 bits, written as 32 hexadecimal digits.
pub(crate) struct SeatToken(String);

impl SeatToken {
    /// A token drawn by the operating system.
    ///
    /// # Errors
    /// If it provides no random numbers.
    pub(crate) fn draw() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        Ok(Self(format!("{:032x}", u128::from_be_bytes(bytes))))
    }

    /// The token as the client receives it, once.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// The hash that the table keeps.
    pub(crate) fn hash(&self) -> SeatTokenHash {
        SeatTokenHash(blake3::hash(self.0.as_bytes()))
    }
}

/// Does not reveal the token.
impl fmt::Debug for SeatToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SeatToken")
    }
}

/// The hash of a seat token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SeatTokenHash(blake3::Hash);

impl SeatTokenHash {
    /// The hash in the form of [`SeatTokenHash::to_hex`].
    pub(super) fn from_hex(text: &str) -> Option<Self> {
        blake3::Hash::from_hex(text).ok().map(Self)
    }

    /// The hash as 64 hexadecimal digits.
    pub(super) fn to_hex(self) -> String {
        self.0.to_hex().to_string()
    }

    /// Whether `token` is the secret token, compared in constant time.
    pub(crate) fn matches(&self, token: &str) -> bool {
        let offered = blake3::hash(token.as_bytes());
        self.0.as_bytes().ct_eq(offered.as_bytes()).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_matches_only_its_own_token() {
        let (one, other) = (SeatToken::draw().unwrap(), SeatToken::draw().unwrap());
        assert!(one.hash().matches(one.as_str()));
        assert!(!one.hash().matches(other.as_str()) && !one.hash().matches(""));
        assert_eq!(format!("{one:?}"), "SeatToken");
    }
}
