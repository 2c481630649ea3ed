//! The open descriptors of a process.

use std::fs::{self, DirEntry};
use std::io::ErrorKind;
use std::path::PathBuf;

use rustix::process::Pid;

use super::descendants::{is_alive, tasks};

/// An open descriptor of a process.
pub(crate) struct OpenDescriptor {
    /// The link of `/proc` to what is open.
    pub(crate) link: PathBuf,
    /// The file of `/proc` that describes it.
    pub(crate) info: PathBuf,
}

/// A process keeps its descriptors from being read.
pub(crate) struct HiddenDescriptors;

/// The open descriptors of a process, which all of its threads share: the sandbox lets no thread have others.
///
/// # Errors
/// If a living thread does not show them.
pub(crate) fn open_descriptors(pid: Pid) -> Result<Vec<OpenDescriptor>, HiddenDescriptors> {
    for thread in tasks(pid) {
        let open: Vec<DirEntry> = match fs::read_dir(thread.join("fd")) {
            Ok(open) => open.filter_map(Result::ok).collect(),
            Err(error) if error.kind() == ErrorKind::PermissionDenied && is_alive(&thread) => {
                return Err(HiddenDescriptors);
            }
            // It has ended meanwhile.
            Err(_) => continue,
        };
        // The first thread may have ended, and then shows none.
        if !open.is_empty() {
            let infos = thread.join("fdinfo");
            let descriptor = |entry: DirEntry| OpenDescriptor {
                link: entry.path(),
                info: infos.join(entry.file_name()),
            };
            return Ok(open.into_iter().map(descriptor).collect());
        }
    }
    Ok(Vec::new())
}
