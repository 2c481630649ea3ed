//! Master seeds, and the secret that keeps entrants from computing dice.
//!
//! The host's text may be known to everyone: it is in a hill file, on a page, or easily guessed. All dice follow
//! from the master seed. In a run with external bots, the master seed is therefore the host's text, `#`, and 128 bits from the operating system as 32
//! lower-case hexadecimal digits: the run's *secret*. Seats and table sizes follow from the text alone, so that two runs of one text
//! seat the same entrants, dice and the seeds of bots from all of it. See [`crate::Chance`].

use sha2::{Digest, Sha256};

/// The number of hexadecimal digits of a secret.
const SECRET_DIGITS: usize = 32;

/// The parts of a master seed.
///
/// ```
/// use dicehill_rules::SeedParts;
///
/// let seed = SeedParts::seal("spring", 0xabc);
/// assert_eq!(seed, "spring#00000000000000000000000000000abc");
/// let parts = SeedParts::of(&seed);
/// assert_eq!(parts.text, "spring");
/// assert_eq!(parts.secret, Some("00000000000000000000000000000abc"));
///
/// // Any other text is a seed without a secret.
/// assert_eq!(SeedParts::of("issue #5").text, "issue #5");
/// assert_eq!(SeedParts::of("issue #5").secret, None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SeedParts<'a> {
    /// The host's text, from which seats and table sizes follow.
    pub text: &'a str,
    /// The secret: 32 lower-case hexadecimal digits; `None` if the seed has none.
    pub secret: Option<&'a str>,
}

impl<'a> SeedParts<'a> {
    /// The parts of this master seed.
    #[must_use]
    pub fn of(seed: &'a str) -> Self {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        match seed.rsplit_once('#') {
            Some((text, secret))
                if secret.len() == SECRET_DIGITS && secret.bytes().all(is_digit) =>
            {
                Self { text, secret: Some(secret) }
            }
            Some(_) | None => Self { text: seed, secret: None },
        }
    }

    /// The master seed of this text with this secret, which the caller draws from a cryptographic random number generator.
    #[must_use]
    pub fn seal(text: &str, secret: u128) -> String {
        format!("{text}#{secret:032x}")
    }

    /// The hash by which a master seed is recognised: `sha256:` and the hexadecimal digits of SHA-256 over `dicehill/1/seed-hash`, a
    /// newline and the seed. Of a seed with a secret it reveals nothing but the seed's equality with another.
    #[must_use]
    pub fn hash(seed: &str) -> String {
        use std::fmt::Write;
        let digest =
            Sha256::new().chain_update("dicehill/1/seed-hash\n").chain_update(seed).finalize();
        digest.iter().fold("sha256:".to_owned(), |mut text, byte| {
            write!(text, "{byte:02x}").expect("writing to a String cannot fail");
            text
        })
    }
}
