//! A seed that nobody can have chosen: a secret whose hash is published before it is known who plays.
//!
//! Whoever holds a run draws 32 bytes of secret and 16 bytes of nonce, and publishes the commitment
//! while entries are open:
//!
//! `sha256:` and the hexadecimal digits of SHA-256 over `dicehill/1/commitment`, a newline, the nonce, and
//! the secret.
//!
//! When entries are closed the master seed follows: the hexadecimal digits of SHA-256 over
//! `dicehill/1/committed-seed`, a newline, the secret, the number of entrants, for each entrant in order the length
//! of its hash and the hash, the length of the public text and the text. Numbers and lengths have 8 bytes,
//! little-endian; lengths count bytes of UTF-8; no public text is the empty one. The run's result
//! reveals secret and nonce.
//!
//! `protocol/commitment.py` recomputes both in Python, and has a test vector that this module is tested
//! against.

use std::fmt;
use std::fmt::Write;

use sha2::{Digest, Sha256};

/// A secret and a nonce, from which the commitment and the seed of a run follow.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret {
    secret: [u8; 32],
    nonce: [u8; 16],
}

impl Secret {
    /// The secret and the nonce, both drawn by somebody who knows how to draw.
    #[must_use]
    pub const fn new(secret: [u8; 32], nonce: [u8; 16]) -> Self {
        Self { secret, nonce }
    }

    /// Both as [`Secret::secret_hex`] and [`Secret::nonce_hex`] have written them; `None` if they are no
    /// such texts.
    #[must_use]
    pub fn from_hex(secret: &str, nonce: &str) -> Option<Self> {
        Some(Self { secret: bytes(secret)?, nonce: bytes(nonce)? })
    }

    /// The secret: 64 hexadecimal digits.
    #[must_use]
    pub fn secret_hex(&self) -> String {
        hex(&self.secret)
    }

    /// The nonce: 32 hexadecimal digits.
    #[must_use]
    pub fn nonce_hex(&self) -> String {
        hex(&self.nonce)
    }

    /// What is published before the run: it binds to the secret and tells nothing of it.
    #[must_use]
    pub fn commitment(&self) -> String {
        let hasher = labelled("commitment").chain_update(self.nonce).chain_update(self.secret);
        format!("sha256:{}", hex(&hasher.finalize()))
    }

    /// The master seed of a run between entrants with these hashes, in this order.
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
    /// Tells only what is public.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Secret").field(&self.commitment()).finish()
    }
}

fn labelled(what: &str) -> Sha256 {
    Sha256::new().chain_update("dicehill/1/").chain_update(what).chain_update("\n")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a String takes everything");
        text
    })
}

/// The bytes of a text of lower-case hexadecimal digits: each value has one text.
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
    fn the_vector_of_the_python_version_is_met() {
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
    fn everything_counts() {
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
    fn a_secret_has_one_text() {
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
    fn what_is_printed_of_it_is_public() {
        let shown = format!("{:?}", secret());
        assert!(shown.contains(&secret().commitment()) && !shown.contains("000102"), "{shown}");
    }
}
