//! The secrets by which people keep their seats.

use std::fmt;

use subtle::ConstantTimeEq;

/// The secret of whoever sits at a seat: 128 bits, written as 32 hexadecimal digits.
pub(crate) struct SeatToken(String);

impl SeatToken {
    /// A secret drawn by the operating system.
    pub(crate) fn draw() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        Ok(Self(format!("{:032x}", u128::from_be_bytes(bytes))))
    }

    /// The secret as it is handed out, once.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// What the table keeps of it.
    pub(crate) fn lock(&self) -> SeatLock {
        SeatLock(blake3::hash(self.0.as_bytes()))
    }
}

/// Tells nothing of the secret.
impl fmt::Debug for SeatToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SeatToken")
    }
}

/// What a table keeps of a secret: its hash.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SeatLock(blake3::Hash);

impl SeatLock {
    /// Whether `token` is the secret, in a time that tells nothing of it.
    pub(crate) fn opens_with(&self, token: &str) -> bool {
        let offered = blake3::hash(token.as_bytes());
        self.0.as_bytes().ct_eq(offered.as_bytes()).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_opens_with_its_own_token_alone() {
        let (one, other) = (SeatToken::draw().unwrap(), SeatToken::draw().unwrap());
        assert!(one.lock().opens_with(one.as_str()));
        assert!(!one.lock().opens_with(other.as_str()) && !one.lock().opens_with(""));
        assert_eq!(format!("{one:?}"), "SeatToken");
    }
}
