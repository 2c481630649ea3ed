//! Entries as the store has them.

use std::path::PathBuf;

use dicehill_store::EntryStore;

use super::admission::UploadAdmission;
use crate::Problem;
use crate::hills::ServedHill;
use crate::model::entry::{EntriesDocument, EntryDocument, EntryHead};
use crate::requests::run_blocking;

/// The number of entries in a list.
const MAX_LISTED: u32 = 200;

/// The last entries of a hill, latest first.
///
/// # Errors
/// If the store cannot be read.
pub(crate) async fn entries(
    uploads: &UploadAdmission,
    hill: &ServedHill,
) -> Result<EntriesDocument, Problem> {
    let path = hill.path().to_owned();
    let read = move || EntryStore::open_to_read(&path)?.entries(MAX_LISTED);
    let entries = run_blocking(read).await?;
    Ok(EntriesDocument {
        hill: hill.address().to_owned(),
        closed: uploads.why_closed().map(str::to_owned),
        entries: entries.into_iter().map(EntryHead::from).collect(),
    })
}

/// An entry of a hill.
///
/// # Errors
/// If there is no such entry, or the store cannot be read.
pub(crate) async fn entry(hill: &ServedHill, id: i64) -> Result<EntryDocument, Problem> {
    let missing = || Problem::NotFound(format!("there is no entry {id} on this hill"));
    find_entry(hill.path().to_owned(), id).await?.ok_or_else(missing)
}

/// An entry of the hill whose store is at `path`; `None` if there is no such entry.
///
/// # Errors
/// If the store cannot be read.
pub(super) async fn find_entry(path: PathBuf, id: i64) -> Result<Option<EntryDocument>, Problem> {
    let read = move || EntryStore::open_to_read(&path)?.entry(id);
    Ok(run_blocking(read).await?.map(EntryDocument::from))
}
