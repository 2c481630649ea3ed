//! A table as a file has it: what its dice and positions follow from.

use dicehill_arena::{Failure, Reason};
use serde::{Deserialize, Serialize};

use super::Refusal;
use crate::model::table::Absence;

/// The format of these files.
pub(super) const FORMAT: &str = "dicehill.table/1";

/// A table as a file has it, unchecked.
///
/// Everything else of a table is a function of these: the rules replay the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StoredTable {
    /// [`FORMAT`].
    pub(super) format: String,
    /// The table's id.
    pub(super) id: String,
    pub(super) game: String,
    pub(super) rules: String,
    pub(super) seed: String,
    pub(super) seed_given: bool,
    /// The names of house bots.
    pub(super) opponents: Vec<String>,
    /// Seats for people.
    pub(super) people: usize,
    pub(super) move_seconds: Option<u32>,
    pub(super) open: bool,
    /// The people, in the order in which they took seats.
    pub(super) seated: Vec<StoredPerson>,
    pub(super) journal: Vec<JournalEntry>,
    /// The id of the table of the rematch.
    pub(super) rematch: Option<String>,
}

/// A person at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoredPerson {
    pub(super) name: String,
    /// The hash of the seat token, as hexadecimal digits.
    pub(super) token_hash: String,
}

/// What happened in a game, in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum JournalEntry {
    /// The action of the seat whose turn it was.
    Acted(String),
    /// The seat whose turn it was gave no legal action.
    Failed {
        /// The name of the reason.
        reason: String,
        detail: String,
    },
    /// A bot began to play for a person, named by the place among the people.
    Replaced { person: usize, why: Absence },
    /// The person returned.
    Returned { person: usize },
}

/// The failure with this reason, as the journal names it.
///
/// # Errors
/// If there is no such reason.
pub(super) fn recorded_failure(reason: &str, detail: &str) -> Result<Failure, Refusal> {
    let unknown = || Refusal::Illegal(format!("unknown reason {reason:?}"));
    Ok(Failure::new(Reason::named(reason).ok_or_else(unknown)?, detail))
}

/// Why a file is not a table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum DamagedTable {
    /// It is not JSON of this form.
    #[error("{0}")]
    Json(String),
    /// It has another format.
    #[error("format = {0:?}: this version reads {FORMAT:?}")]
    Format(String),
    /// It is the file of another table.
    #[error("id = {0:?}: the file has another name")]
    Id(String),
    /// Its options are invalid.
    #[error("options: {0}")]
    Options(String),
    /// A person is invalid.
    #[error("seated[{0}]: {1}")]
    Person(usize, String),
    /// An entry of the journal cannot be replayed.
    #[error("journal[{0}]: {1}")]
    Entry(usize, String),
    /// The table of the rematch is invalid.
    #[error("rematch = {0:?}: not an id")]
    Rematch(String),
}

impl StoredTable {
    /// Reads a file.
    ///
    /// # Errors
    /// If it has another format or form.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, DamagedTable> {
        let json = |error: serde_json::Error| DamagedTable::Json(error.to_string());
        // The format comes first, so that the error for a later format does not name one of its fields.
        let head: Head = serde_json::from_slice(bytes).map_err(json)?;
        if head.format != FORMAT {
            return Err(DamagedTable::Format(head.format));
        }
        serde_json::from_slice(bytes).map_err(json)
    }

    /// The content of the file.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec(self).expect("a table has only string keys");
        bytes.push(b'\n');
        bytes
    }
}

#[derive(Deserialize)]
struct Head {
    format: String,
}
