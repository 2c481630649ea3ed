//! The terms of one bot that differ from those of its hill.

use serde::{Deserialize, Serialize};

use super::limits::{LimitError, Limits};

/// The terms of one bot that differ from those of its hill, as the host's hill file gives them. The keys are those of the
/// hill file; a key with the usual value is left out.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct OwnTerms {
    /// Whether the bot may use the network.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub network: bool,
    /// The names of environment variables that the bot gets. Their values are in no document.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub secrets: Vec<String>,
    /// Limits in place of the hill's.
    #[serde(skip_serializing_if = "OwnLimits::is_empty")]
    pub limits: OwnLimits,
    /// Whether the bot runs on its author's machine, without a sandbox.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub remote: bool,
    /// Whether the bot gives the same answers when a game is played again.
    #[serde(skip_serializing_if = "Clone::clone")]
    pub deterministic: bool,
}

impl OwnTerms {
    /// Whether the bot plays on the terms of its hill alone.
    #[must_use]
    pub fn are_usual(&self) -> bool {
        *self == Self::default()
    }
}

impl Default for OwnTerms {
    fn default() -> Self {
        Self {
            network: false,
            secrets: Vec::new(),
            limits: OwnLimits::default(),
            remote: false,
            deterministic: true,
        }
    }
}

/// Limits of one bot. Those that are missing are the hill's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct OwnLimits {
    /// Milliseconds until the first answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_ms: Option<u64>,
    /// Milliseconds for each later answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub move_ms: Option<u64>,
    /// Mebibytes of memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_mb: Option<u64>,
    /// Milliseconds for all answers of a seat in a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game_ms: Option<u64>,
}

impl OwnLimits {
    /// Whether no limit differs from the hill's.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The limits, if all of them are in their ranges.
    ///
    /// # Errors
    /// Names the first that is not.
    pub fn checked(self) -> Result<Self, LimitError> {
        self.in_place_of(Limits::default()).checked()?;
        Ok(self)
    }

    /// The limits of the bot in a hill with these limits.
    #[must_use]
    pub fn in_place_of(self, hill: Limits) -> Limits {
        Limits {
            start_ms: self.start_ms.unwrap_or(hill.start_ms),
            move_ms: self.move_ms.unwrap_or(hill.move_ms),
            memory_mb: self.memory_mb.unwrap_or(hill.memory_mb),
            game_ms: self.game_ms.or(hill.game_ms),
            run_ms: hill.run_ms,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_from_the_hill_is_written() {
        let json = |terms: &OwnTerms| serde_json::to_string(terms).unwrap();
        assert_eq!(json(&OwnTerms::default()), "{}");
        assert!(OwnTerms::default().are_usual());
        let terms = OwnTerms {
            network: true,
            secrets: vec!["KEY".to_owned()],
            limits: OwnLimits { move_ms: Some(60_000), ..OwnLimits::default() },
            remote: false,
            deterministic: false,
        };
        let text = r#"{"network":true,"secrets":["KEY"],"limits":{"move_ms":60000},"deterministic":false}"#;
        assert_eq!(json(&terms), text);
        assert_eq!(serde_json::from_str::<OwnTerms>(text).unwrap(), terms);
        assert!(!terms.are_usual());
    }

    #[test]
    fn a_missing_limit_is_that_of_the_hill() {
        let hill = Limits { memory_mb: 256, run_ms: Some(9), ..Limits::default() };
        let own = OwnLimits { move_ms: Some(60_000), ..OwnLimits::default() };
        let limits = own.in_place_of(hill);
        assert_eq!(limits, Limits { move_ms: 60_000, ..hill });
        assert_eq!(limits.game_time().as_secs(), 60 * Limits::MOVES_PER_GAME);
    }
}
