//! Tokens, the bots that their holders upload, the queue in which these wait, and what the host does with them.
//!
//! They are written while another process plays a run on the hill, without the lock of the store and in short transactions.

mod counted;
pub(crate) mod entry;
pub(crate) mod entry_refusal;
pub(crate) mod entry_store;
pub(crate) mod host_action;
pub(crate) mod host_request;
pub(crate) mod queue;
pub(crate) mod secret_token;
pub(crate) mod token;
pub(crate) mod upload;

pub use entry::{EntryState, StoredEntry};
pub use entry_refusal::EntryRefusal;
pub use entry_store::EntryStore;
pub use host_action::{Host, HostAction, StoredAction};
pub use queue::WholeRuns;
pub use secret_token::SecretToken;
pub use token::{StoredToken, TokenError, TokenRole, TokenTerms};
pub use upload::{NewUpload, StoredUpload};
