//! The record of a bar.

use serde::{Deserialize, Serialize};

/// A barred entrant, with the reason and the game of the offence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bar {
    /// The entrant's name.
    pub bot: String,
    /// The reason, for example `illegal-move`.
    pub reason: String,
    /// The game of the offence, or 0 for the qualification.
    pub game: u64,
    /// The request that the entrant got.
    pub request: String,
    /// Its answer, and what is wrong with it; in the qualification preceded by the test case.
    pub detail: String,
    /// The last lines of its log.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub log: Vec<String>,
    /// The record of that game, as a line of the log; empty for the qualification.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub record: String,
}
