//! Folders and files that are removed with the process that created them, even if it is killed.
//!
//! A [`TemporaryFolder`] is a folder, a [`DraftFile`] a file that gets its name once it is complete. Both are removed when they are
//! dropped. Each is locked while its process has it, and the kernel releases the lock however the process ends. A folder or
//! file with such a name and without a lock is therefore abandoned, and [`clear_abandoned`] removes it. Process numbers, which
//! the system reuses, play no part.
//!
//! Their content is up to other crates.

mod abandoned;
mod draft;
mod folder;
mod names;
mod owned;
mod system_error;
mod tree;

pub use abandoned::{clear_abandoned, remove_abandoned};
pub use draft::{DraftFile, sync_folder_of};
pub use folder::TemporaryFolder;
pub use tree::OPEN_FOLDER_FLAGS;
