//! The secrets that a host gives to a bot.

use std::fmt;

/// The shortest value: a shorter one would be found in ordinary texts too.
const MIN_LENGTH: usize = 8;

/// An environment variable that one bot gets. What the bot writes is kept free of its value.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret {
    name: String,
    value: String,
}

/// Why an environment variable cannot be a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SecretError {
    /// It does not exist.
    #[error("no such environment variable")]
    Missing,
    /// Its value is empty.
    #[error("the environment variable is empty")]
    Empty,
    /// Its value is too short.
    #[error(
        "the environment variable has fewer than {MIN_LENGTH} characters, too few to recognise it in logs"
    )]
    Short,
    /// Its value has other characters than those of keys and tokens.
    #[error("the environment variable may contain only visible ASCII characters")]
    Characters,
}

impl Secret {
    /// The environment variable of this name, with its value in this process.
    ///
    /// # Errors
    /// If it is missing or empty, or its value could not be recognised in a log.
    pub fn from_environment(name: &str) -> Result<Self, SecretError> {
        let value = std::env::var_os(name).ok_or(SecretError::Missing)?;
        Self::new(name, &value.to_string_lossy())
    }

    /// A secret with this value.
    ///
    /// # Errors
    /// If the value is empty, or could not be recognised in a log.
    pub fn new(name: &str, value: &str) -> Result<Self, SecretError> {
        if value.is_empty() {
            return Err(SecretError::Empty);
        }
        if !value.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(SecretError::Characters);
        }
        if value.len() < MIN_LENGTH {
            return Err(SecretError::Short);
        }
        Ok(Self { name: name.to_owned(), value: value.to_owned() })
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn value(&self) -> &str {
        &self.value
    }
}

/// Without the value.
impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Secret").field("name", &self.name).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_can_be_recognised_and_is_not_shown() {
        let of = |value| Secret::new("KEY", value);
        assert_eq!(of(""), Err(SecretError::Empty));
        assert_eq!(of("1234567"), Err(SecretError::Short));
        assert_eq!(of("a key with blanks"), Err(SecretError::Characters));
        assert_eq!(of("schlüssel-1234"), Err(SecretError::Characters));
        let secret = of("sk-1234567890").unwrap();
        assert_eq!(format!("{secret:?}"), "Secret { name: \"KEY\", .. }");
        assert_eq!(
            Secret::from_environment("DICEHILL_NO_SUCH_VARIABLE"),
            Err(SecretError::Missing)
        );
    }
}
