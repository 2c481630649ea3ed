//! Tokens, the bots that their holders upload, and what the host asks of a run in progress or changes for later ones.
//!
//! They are written while another process plays a run on the hill, without the lock of the store and in short transactions.

pub(crate) mod entry;
pub(crate) mod entry_store;
pub(crate) mod host_request;
pub(crate) mod secret_token;
pub(crate) mod token;

pub use entry::{EntryState, StoredEntry};
pub use entry_store::EntryStore;
pub use secret_token::SecretToken;
pub use token::{StoredToken, TokenError, TokenTerms};
