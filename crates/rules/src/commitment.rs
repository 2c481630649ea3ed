//! Committed seeds: the host publishes the hash of a secret before the entrants are known, so that it cannot choose the seed.
//!
//! The host of a run draws a secret of 32 bytes and a nonce of 16 bytes, and publishes the commitment while entries are open:
//!
//! `sha256:` and the hexadecimal digits of SHA-256 over `dicehill/1/commitment`, a newline, the nonce, and the secret.
//!
//! When entries are closed, the master seed is the hexadecimal digits of SHA-256 over `dicehill/1/committed-seed`, a newline, the secret,
//! the number of entrants, for each entrant in order the length of its hash and the hash, the length of the public text, and the text.
//! Numbers and lengths have 8 bytes, little-endian; lengths are in bytes of UTF-8; a missing public text is the empty text. The result
//! of the run reveals the secret and the nonce.
//!
//! `protocol/commitment.py` recomputes both in Python, and its test vector is also this module's.

use std::fmt;
use std::fmt::Write;

use sha2::{Digest, Sha256};

/// A secret and a nonce, which determine the commitment and the seed of a run.
///
/// ```
/// use dicehill_rules::Secret;
///
/// // Draw both from a cryptographic random number generator.
/// let secret = Secret::new([7; 32], [1; 16]);
/// let published = secret.commitment();
/// let seed = secret.seed(["house:greedy@1", "blake3:00ff"].into_iter(), "weather of 1 May");
///
/// // Later, anyone can check the revealed secret against the commitment and recompute the seed.
/// let revealed = Secret::from_hex(&secret.secret_hex(), &secret.nonce_hex()).expect("hexadecimal digits");
/// assert_eq!(revealed.commitment(), published);
/// assert_eq!(revealed.seed(["house:greedy@1", "blake3:00ff"].into_iter(), "weather of 1 May"), seed);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Secret {
    secret: [u8; 32],
    nonce: [u8; 16],
}

impl Secret {
    /// The secret and the nonce. The caller draws both from a cryptographic random number generator.
    #[must_use]
    pub const fn new(secret: [u8; 32], nonce: [u8; 16]) -> Self {
        Self { secret, nonce }
    }

    /// Reads the texts of [`Secret::secret_hex`] and [`Secret::nonce_hex`]; `None` if either has another form.
    #[must_use]
    pub fn from_hex(secret: &str, nonce: &str) -> Option<Self> {
        Some(Self { secret: bytes(secret)?, nonce: bytes(nonce)? })
    }

    /// The secret as 64 lower-case hexadecimal digits.
    #[must_use]
    pub fn secret_hex(&self) -> String {
        hex(&self.secret)
    }

    /// The nonce as 32 lower-case hexadecimal digits.
    #[must_use]
    pub fn nonce_hex(&self) -> String {
        hex(&self.nonce)
    }

    /// The commitment to publish before the run: it is binding and reveals nothing about the secret.
    #[must_use]
    pub fn commitment(&self) -> String {
        let hasher = labelled("commitment").chain_update(self.nonce).chain_update(self.secret);
        format!("sha256:{}", hex(&hasher.finalize()))
    }

    /// The master seed of a run: `hashes` has the hash of each entrant in order, `public_text` a text that was unknown when the
    /// commitment was published, or is empty.
    #[must_use]
    pub fn seed<'a>(
        &self,
        hashes: impl ExactSizeIterator<Item = &'a str>,
        public_text: &'a str,
    ) -> String {
        let mut hasher = labelled("committed-seed").chain_update(self.secret);
        hasher.update((hashes.len() as u64).to_le_bytes());
        for text in hashes.chain([public_text]) {
            hasher.update((text.len() as u64).to_le_bytes());
            hasher.update(text);
        }
        hex(&hasher.finalize())
    }
}

impl fmt::Debug for Secret {
    /// Shows the commitment only, never the secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Secret").field(&self.commitment()).finish()
    }
}

fn labelled(what: &str) -> Sha256 {
    Sha256::new().chain_update("dicehill/1/").chain_update(what).chain_update("\n")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a String cannot fail");
        text
    })
}

/// The bytes of a text of lower-case hexadecimal digits. Upper case is refused, so that each value has one text.
fn bytes<const LENGTH: usize>(text: &str) -> Option<[u8; LENGTH]> {
    let is_digit = |digit: u8| matches!(digit, b'0'..=b'9' | b'a'..=b'f');
    if text.len() != 2 * LENGTH || !text.bytes().all(is_digit) {
        return None;
    }
    let mut bytes = [0; LENGTH];
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * index..2 * index + 2], 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret() -> Secret {
        Secret::new(std::array::from_fn(|index| index as u8), [0xab; 16])
    }

    #[test]
    fn commitment_and_seed_match_the_python_vector() {
        let hashes = ["house:greedy@1", "blake3:00ff"];
        assert_eq!(
            secret().commitment(),
            "sha256:1ab4191888deb9679b0e365a78fe3d3f991a177d3e5f61cc258e4e52279c65bd"
        );
        assert_eq!(
            secret().seed(hashes.into_iter(), "Ärger"),
            "77246df319e6b6a78f6f7ca2ab68501ab71850cc2c1307b5d86c9667738694a1"
        );
    }

    #[test]
    fn every_input_changes_the_seed() {
        let seed = |hashes: &[&str], text| secret().seed(hashes.iter().copied(), text);
        let all = [
            seed(&["a", "b"], "c"),
            seed(&["b", "a"], "c"),
            seed(&["ab"], "c"),
            seed(&["a", "b", "c"], ""),
            seed(&["a", "b"], ""),
            Secret::new([1; 32], [0xab; 16]).seed(["a", "b"].into_iter(), "c"),
        ];
        for (index, one) in all.iter().enumerate() {
            assert!(!all[..index].contains(one), "{index}");
        }
    }

    #[test]
    fn only_the_canonical_text_is_read() {
        let known = secret();
        let (secret, nonce) = (known.secret_hex(), known.nonce_hex());
        assert_eq!(Secret::from_hex(&secret, &nonce), Some(known));
        for (secret, nonce) in [
            (secret.to_uppercase(), nonce.clone()),
            (secret[2..].to_owned(), nonce.clone()),
            (secret.clone(), format!("{nonce}00")),
            (secret.replacen("00", "+0", 1), nonce),
        ] {
            assert_eq!(Secret::from_hex(&secret, &nonce), None);
        }
    }

    #[test]
    fn debug_output_shows_the_commitment_only() {
        let shown = format!("{:?}", secret());
        assert!(shown.contains(&secret().commitment()) && !shown.contains("000102"), "{shown}");
    }
}
