//! Folders and files that go with the process that made them, also if it is killed.
//!
//! A [`Temporary`] is a folder, a [`Draft`] a file that gets its name once it is whole. Both are removed when they are
//! dropped. Each is locked for as long as its process has it; the kernel drops the lock with the process, however that
//! ends. So whatever has such a name and no lock is abandoned: [`clear_abandoned`] removes it, and never that of a live
//! process, whose number may be that of one long gone.
//!
//! What is written into them is left to other crates.

mod abandoned;
mod draft;
mod folder;
mod owned;
mod tree;

pub use abandoned::{clear_abandoned, remove_abandoned};
pub use draft::Draft;
pub use folder::Temporary;
pub use tree::FOLDER;
