//! Folders and files that are removed with the process that created them, even if it is killed.
//!
//! A [`TemporaryFolder`] is a folder, a [`DraftFile`] a file that gets its name once it is complete. Both are removed when they are
//! dropped. Each is locked while its process has it, and the kernel releases the lock however the process ends. A folder or
//! file with such a name and without a lock is therefore abandoned, and [`clear_abandoned`] removes it. Process numbers, which
//! the system reuses, play no part.
//!
//! On Unix a folder itself is locked, links are never followed, and a deep or unreadable tree is removed too. Elsewhere
//! (`elsewhere`) a file in the folder is locked.
//!
//! Their content is up to other crates.

#[cfg(unix)]
mod abandoned;
mod draft;
#[cfg(not(unix))]
mod elsewhere;
#[cfg(unix)]
mod folder;
mod names;
#[cfg(unix)]
mod owned;
mod system_error;
#[cfg(unix)]
mod tree;

#[cfg(unix)]
pub use abandoned::{clear_abandoned, remove_abandoned};
pub use draft::{DraftFile, sync_folder_of};
#[cfg(not(unix))]
pub use elsewhere::{TemporaryFolder, clear_abandoned, remove_abandoned};
#[cfg(unix)]
pub use folder::TemporaryFolder;
#[cfg(unix)]
pub use tree::OPEN_FOLDER_FLAGS;
