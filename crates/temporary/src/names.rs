//! The names by which our folders and files are recognised.

/// The start of the names of temporary folders.
pub(crate) const FOLDER_PREFIX: &str = "dicehill-work-";
/// The folder in a temporary folder that its user gets. The outer one stays private, so that no other user of the machine can
/// enter, whatever the permissions inside are.
pub(crate) const INNER: &str = "own";
/// The start of the names of drafts.
pub(crate) const DRAFT_PREFIX: &str = ".dicehill-draft-";

/// Whether a folder or file with this name is one of ours.
pub(crate) fn is_ours(name: &[u8]) -> bool {
    name.starts_with(FOLDER_PREFIX.as_bytes()) || name.starts_with(DRAFT_PREFIX.as_bytes())
}
