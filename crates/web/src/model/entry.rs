//! Entries: bots that were brought, and what came of them.

use std::time::{Duration, UNIX_EPOCH};

use dicehill_arena::printable;
use dicehill_store::StoredEntry;
use serde::Serialize;
use utoipa::ToSchema;

/// A bot that was brought.
#[derive(Clone, Serialize, ToSchema)]
pub(crate) struct EntryHead {
    /// Its number on the hill, from 1.
    pub(crate) id: i64,
    /// The bot's name.
    #[schema(example = "Mine")]
    pub(crate) bot: String,
    /// When it came, in UTC.
    #[schema(example = "2026-05-01T12:00:00Z")]
    pub(crate) received: String,
    /// How far it is: `waiting`, `checking`, `refused`, `playing`, `done` or `failed`.
    #[schema(example = "playing")]
    pub(crate) state: &'static str,
    /// Whether nothing more comes of it.
    pub(crate) is_final: bool,
    /// The run with which it came to the hill.
    pub(crate) run: Option<i64>,
}

/// A bot that was brought, with all that was told about it.
#[derive(Clone, Serialize, ToSchema)]
pub(crate) struct EntryDocument {
    #[serde(flatten)]
    pub(crate) head: EntryHead,
    /// What was told about it, line by line.
    pub(crate) report: Vec<String>,
}

/// The last bots that were brought to a hill.
#[derive(Serialize, ToSchema)]
pub(crate) struct EntriesDocument {
    /// The hill's name in addresses.
    pub(crate) hill: String,
    /// Why no bots come in; null if they do.
    pub(crate) closed: Option<String>,
    /// Latest first.
    pub(crate) entries: Vec<EntryHead>,
}

/// What has come to an entry since somebody looked last.
#[derive(Serialize)]
pub(crate) struct EntryNews {
    #[serde(flatten)]
    head: EntryHead,
    /// What the state means.
    meaning: &'static str,
    /// Lines of the report that were known.
    from: usize,
    /// Those behind them.
    new: Vec<String>,
    /// Lines of the report in all.
    #[serde(skip)]
    pub(crate) lines: usize,
}

impl EntryNews {
    /// What comes behind so many lines of the report.
    pub(crate) fn behind(EntryDocument { head, report }: EntryDocument, known: usize) -> Self {
        let (lines, from) = (report.len(), known.min(report.len()));
        let new = report.into_iter().skip(from).collect();
        Self { meaning: head.meaning(), head, from, new, lines }
    }
}

impl EntryHead {
    /// What the state means, for whoever waits.
    pub(crate) fn meaning(&self) -> &'static str {
        match (self.state, self.run) {
            ("waiting", _) => "It waits: others are before it, or somebody plays on the hill.",
            ("checking", _) => {
                "It is being qualified: does it play legally, and the same way each time?"
            }
            ("refused", _) => "It does not come to the hill. The report says why.",
            ("playing", _) => "It has qualified, and the hill plays.",
            ("done", None) => "It is on the hill. The hill plays as soon as there are enough bots.",
            ("done", Some(_)) => "It is on the hill, and the hill has played.",
            _ => "Something went wrong. The report says what.",
        }
    }
}

impl From<StoredEntry> for EntryHead {
    fn from(entry: StoredEntry) -> Self {
        let received = Duration::from_secs(entry.received.clamp(0, 1 << 36).unsigned_abs());
        Self {
            id: entry.id,
            bot: printable(&entry.bot),
            received: humantime::format_rfc3339_seconds(UNIX_EPOCH + received).to_string(),
            state: entry.state.name(),
            is_final: entry.state.is_final(),
            run: entry.run,
        }
    }
}

impl From<StoredEntry> for EntryDocument {
    fn from(entry: StoredEntry) -> Self {
        let report = entry.report.lines().map(printable).collect();
        Self { head: EntryHead::from(entry), report }
    }
}
