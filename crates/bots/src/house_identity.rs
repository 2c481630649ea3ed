//! The identity of a house bot.

use std::fmt;
use std::str::FromStr;

/// The identity of a house bot in headers and documents, `house:NAME@VERSION`. Bots of the same identity decide the same.
///
/// ```
/// use dicehill_bots::HouseIdentity;
///
/// let identity: HouseIdentity = "house:greedy@2".parse().unwrap();
/// assert_eq!((identity.name.as_str(), identity.version), ("greedy", 2));
/// assert_eq!(identity.to_string(), "house:greedy@2");
/// assert!("blake3:00ff".parse::<HouseIdentity>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HouseIdentity {
    /// The name in hill files.
    pub name: String,
    /// Goes up whenever a decision of the bot changes.
    pub version: u32,
}

/// A text that is not the identity of a house bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseHouseIdentityError(pub String);

/// What the identities of house bots begin with.
const SCHEME: &str = "house:";

impl fmt::Display for HouseIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{SCHEME}{}@{}", self.name, self.version)
    }
}

impl FromStr for HouseIdentity {
    type Err = ParseHouseIdentityError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = text.strip_prefix(SCHEME).and_then(|parts| parts.rsplit_once('@'));
        let identity = parts.and_then(|(name, version)| {
            Some(Self { name: name.to_owned(), version: version.parse().ok()? })
        });
        // A number with a sign or leading zeros would be written differently.
        let identity = identity.filter(|identity| identity.to_string() == text);
        identity.ok_or_else(|| ParseHouseIdentityError(text.to_owned()))
    }
}

impl fmt::Display for ParseHouseIdentityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not the identity of a house bot, such as house:greedy@1", self.0)
    }
}

impl std::error::Error for ParseHouseIdentityError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_identity_has_one_spelling() {
        for text in
            ["", "greedy@1", "house:greedy", "house:greedy@", "house:greedy@+1", "house:greedy@01"]
        {
            assert_eq!(
                text.parse::<HouseIdentity>(),
                Err(ParseHouseIdentityError(text.to_owned()))
            );
        }
    }
}
