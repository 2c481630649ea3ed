//! The store of a hill: one SQLite file with its entrants, their files, and all its runs.
//!
//! Games are kept as the lines of the run log, many in one row of the table `page`, so that the store holds the same records
//! as a log. `protocol/store.md` describes the tables and views for readers.

pub(crate) mod backup;
pub(crate) mod database;
pub(crate) mod entrants;
pub(crate) mod entries;
pub(crate) mod entry_rows;
pub(crate) mod hill_row;
pub(crate) mod pages;
pub(crate) mod prune;
pub(crate) mod read_connection;
pub(crate) mod renaming;
pub(crate) mod runs;
pub(crate) mod schema_check;
pub(crate) mod setting_rows;
pub(crate) mod store;
pub(crate) mod stored_entrant;
pub(crate) mod vacuum;
pub(crate) mod writing;

pub use entries::{
    EntryRefusal, EntryState, EntryStore, Host, HostAction, NewUpload, SecretToken, StoredAction,
    StoredEntry, StoredToken, StoredUpload, TokenError, TokenRole, TokenTerms, WholeRuns,
};
pub use pages::{GameOrder, GamePage, StoredGames};
pub use prune::Pruned;
pub use renaming::Renaming;
pub use runs::{RunSummary, StoredFailure, StoredRun, UnusedCommitment};
pub use store::HillStore;
pub use stored_entrant::{FileDigest, NewEntrant, StoredEntrant, StoredFile};
pub use writing::RunWriter;
