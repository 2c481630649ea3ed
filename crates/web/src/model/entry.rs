//! Entries: uploaded bots, and their states and reports.

use dicehill_arena::printable;
use dicehill_store::{EntryState, StoredEntry};
use serde::Serialize;
use utoipa::ToSchema;

use super::host_paths::without_host_paths;
use super::time::date;

/// An upload.
#[derive(Clone, Serialize, ToSchema)]
pub(crate) struct EntryHead {
    /// Its number on the hill, from 1.
    pub(crate) id: i64,
    /// The bot's name.
    #[schema(example = "Mine")]
    pub(crate) bot: String,
    /// When it was received, in UTC.
    #[schema(example = "2026-05-01T12:00:00Z")]
    pub(crate) received: String,
    /// Its state: `waiting`, `checking`, `refused`, `playing`, `done` or `failed`.
    #[schema(example = "playing")]
    pub(crate) state: &'static str,
    /// Whether its state is final.
    pub(crate) is_final: bool,
    /// The run that added it to the hill.
    pub(crate) run: Option<i64>,
    /// The state of which `state` is the name.
    #[serde(skip)]
    stored_state: EntryState,
}

/// An upload with its report.
#[derive(Clone, Serialize, ToSchema)]
pub(crate) struct EntryDocument {
    #[serde(flatten)]
    pub(crate) head: EntryHead,
    /// The report, line by line.
    pub(crate) report: Vec<String>,
}

/// The last uploads to a hill.
#[derive(Serialize, ToSchema)]
pub(crate) struct EntriesDocument {
    /// The hill's name in addresses.
    pub(crate) hill: String,
    /// Why the server accepts no bots; `null` if it does.
    pub(crate) closed: Option<String>,
    /// Latest first.
    pub(crate) entries: Vec<EntryHead>,
}

/// What has changed in an entry since the client was last sent its state.
#[derive(Serialize)]
pub(crate) struct EntryUpdate {
    #[serde(flatten)]
    head: EntryHead,
    /// The state in words.
    meaning: &'static str,
    /// The number of lines of the report that the client has.
    from: usize,
    /// The lines after these.
    new: Vec<String>,
    /// The number of lines of the whole report.
    #[serde(skip)]
    pub(crate) lines: usize,
}

impl EntryUpdate {
    /// The update for a client that has the first `known` lines of the report.
    pub(crate) fn after(EntryDocument { head, report }: EntryDocument, known: usize) -> Self {
        let lines = report.len();
        let from = known.min(lines);
        let new = report.into_iter().skip(from).collect();
        Self { meaning: head.meaning(), head, from, new, lines }
    }
}

impl EntryHead {
    /// The state in words.
    pub(crate) fn meaning(&self) -> &'static str {
        match (self.stored_state, self.run) {
            (EntryState::Waiting, _) => {
                "It is waiting for other entries, or for another run on the hill."
            }
            (EntryState::Checking, _) => {
                "It is being qualified: does it play legally, and the same way each time?"
            }
            (EntryState::Refused, _) => "It was not added to the hill. The report says why.",
            (EntryState::Playing, _) => "It qualified, and the hill is playing a run with it.",
            (EntryState::Done, None) => {
                "It is on the hill, which plays as soon as it has enough bots."
            }
            (EntryState::Done, Some(_)) => "It is on the hill, and has played in a run.",
            (EntryState::Failed, _) => "An error occurred. The report has the details.",
        }
    }
}

impl From<StoredEntry> for EntryHead {
    fn from(entry: StoredEntry) -> Self {
        Self {
            id: entry.id,
            bot: printable(&entry.bot),
            received: date(entry.received),
            state: entry.state.name(),
            is_final: entry.state.is_final(),
            run: entry.run,
            stored_state: entry.state,
        }
    }
}

impl From<StoredEntry> for EntryDocument {
    fn from(entry: StoredEntry) -> Self {
        let shown = |line: &str| without_host_paths(&printable(line));
        let report = entry.report.lines().map(shown).collect();
        Self { head: EntryHead::from(entry), report }
    }
}
