//! The secret that authorises its holder to upload bots.

use std::fmt;

/// The start of every token.
const PREFIX: &str = "dh_";
/// The secret that authorises its holder to upload bots. It is shown once, and only its hash is stored.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretToken(String);

impl SecretToken {
    /// The random bytes in a token.
    pub const BYTES: usize = 32;

    /// The token made of 32 random bytes.
    #[must_use]
    pub fn new(random: [u8; Self::BYTES]) -> Self {
        let digits: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
        Self(format!("{PREFIX}{digits}"))
    }

    /// Parses a token, with or without surrounding white space; `None` if the text does not have the form of a token.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let digits = text.strip_prefix(PREFIX)?;
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let is_token = digits.len() == 2 * Self::BYTES && digits.bytes().all(is_digit);
        is_token.then(|| Self(text.to_owned()))
    }

    /// The token in plain text.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The BLAKE3 hash of the token in hexadecimal digits, which is stored in place of the token.
    #[must_use]
    pub fn hash(&self) -> String {
        blake3::hash(self.0.as_bytes()).to_hex().to_string()
    }
}

/// Omits the secret, so that it appears in no message and no log.
impl fmt::Debug for SecretToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretToken")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_parsed_from_its_text() {
        let token = SecretToken::new([0xa7; 32]);
        assert_eq!(SecretToken::parse(&format!(" {}\n", token.reveal())), Some(token.clone()));
        assert!(!format!("{token:?}").contains("a7"));
        assert_ne!(token.hash(), SecretToken::new([0xa8; 32]).hash());
        let upper = token.reveal().to_uppercase();
        let short = &token.reveal()[..60];
        for text in ["", "dh_", &upper, short, &format!("{}0", token.reveal())] {
            assert_eq!(SecretToken::parse(text), None, "{text}");
        }
    }
}
