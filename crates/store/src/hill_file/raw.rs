//! The keys of a hill file as TOML has them, before their values are checked.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use super::words::words;

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawHill {
    pub(super) name: Option<Spanned<String>>,
    pub(super) game: Option<Spanned<String>>,
    pub(super) rules: Option<Spanned<String>>,
    pub(super) format: Option<Spanned<String>>,
    pub(super) seats: Option<Spanned<i64>>,
    pub(super) challenger: Option<Spanned<String>>,
    pub(super) games: Option<Spanned<i64>>,
    pub(super) seed: Option<Spanned<String>>,
    #[serde(default)]
    pub(super) open_seed: bool,
    pub(super) memory: Option<Spanned<String>>,
    #[serde(default)]
    pub(super) limits: RawLimits,
    #[serde(default)]
    pub(super) entries: RawEntries,
    #[serde(default)]
    pub(super) environment: BTreeMap<String, Spanned<RawEnvironment>>,
    #[serde(default, rename = "bot")]
    pub(super) bots: Vec<Spanned<RawBot>>,
}

#[derive(Clone, Deserialize, Default)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct RawLimits {
    pub(super) start_ms: Option<Spanned<i64>>,
    pub(super) move_ms: Option<Spanned<i64>>,
    pub(super) memory_mb: Option<Spanned<i64>>,
    pub(super) game_ms: Option<Spanned<i64>>,
    pub(super) run_ms: Option<Spanned<i64>>,
}

/// How entries are taken, and when the server plays by itself.
#[derive(Clone, Deserialize, Default)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct RawEntries {
    pub(super) schedule: Option<Spanned<String>>,
    pub(super) opens: Option<Spanned<String>>,
    pub(super) closes: Option<Spanned<String>>,
    pub(super) approval: Option<Spanned<String>>,
    pub(super) approval_words: Option<Spanned<Vec<String>>>,
    pub(super) author_bots: Option<Spanned<i64>>,
    pub(super) author_waiting: Option<Spanned<i64>>,
    pub(super) author_daily: Option<Spanned<i64>>,
    pub(super) reports: Option<Spanned<String>>,
    pub(super) remote: Option<Spanned<String>>,
    pub(super) message: Option<Spanned<String>>,
}

/// What uploaded bots may ask to read.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table with read = [\"/path\"]")]
pub(super) struct RawEnvironment {
    pub(super) read: Vec<String>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a [[bot]] table")]
pub(super) struct RawBot {
    pub(super) name: Spanned<String>,
    /// Only in a `bot.toml`.
    pub(super) game: Option<Spanned<String>>,
    /// Only in a `bot.toml`.
    pub(super) environment: Option<Spanned<String>>,
    pub(super) house: Option<Spanned<String>>,
    #[serde(default, deserialize_with = "words")]
    pub(super) command: Option<Spanned<Vec<String>>>,
    pub(super) java: Option<Spanned<String>>,
    pub(super) dir: Option<Spanned<String>>,
    #[serde(default, deserialize_with = "words")]
    pub(super) build: Option<Spanned<Vec<String>>>,
    pub(super) read: Option<Spanned<Vec<String>>>,
    pub(super) class: Option<Spanned<String>>,
    pub(super) author: Option<Spanned<String>>,
    pub(super) url: Option<Spanned<String>>,
    pub(super) votes: Option<Spanned<i64>>,
    pub(super) network: Option<Spanned<bool>>,
    pub(super) secrets: Option<Spanned<Vec<String>>>,
    pub(super) limits: Option<Spanned<RawOwnLimits>>,
    pub(super) deterministic: Option<Spanned<bool>>,
}

/// The limits of one bot.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct RawOwnLimits {
    pub(super) start_ms: Option<Spanned<i64>>,
    pub(super) move_ms: Option<Spanned<i64>>,
    pub(super) memory_mb: Option<Spanned<i64>>,
    pub(super) game_ms: Option<Spanned<i64>>,
    /// Not for one bot: it is refused with a hint.
    pub(super) run_ms: Option<Spanned<i64>>,
}

impl RawOwnLimits {
    /// No limits.
    pub(super) const DEFAULT: Self =
        Self { start_ms: None, move_ms: None, memory_mb: None, game_ms: None, run_ms: None };
}
