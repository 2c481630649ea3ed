//! Limits on the resources of a child.

use serde::{Deserialize, Serialize};

/// Mebibytes that the kernel may hold for a child and its init, beside what they have themselves.
const KERNEL_MB: u64 = 16;

/// Bytes that may be written to a `/tmp` of its own.
pub(super) const TMP_BYTES: u64 = 1 << 30;

/// What a child may use, beside the memory that its keeper looks after.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Bounds {
    /// Processes and threads.
    pub(crate) processes: u64,
    /// Bytes of memory that a control group holds for all its processes together. More than they may use, of which
    /// the keeper takes care: what the kernel has for them counts here too.
    pub(crate) group_bytes: u64,
    /// Open descriptors of a process.
    pub(crate) descriptors: u64,
    /// Bytes of a file.
    pub(crate) file_bytes: u64,
    /// Bytes of private memory of a process. More than it may really use, of which its keeper takes care: this
    /// stops what is too fast for the keeper.
    pub(crate) data_bytes: u64,
    /// Bytes that it may add to the folders that it can write.
    pub(crate) folder_bytes: u64,
    /// Files that it may add there.
    pub(crate) folder_files: u64,
}

impl Bounds {
    /// Those of a bot that may use so much memory.
    pub(crate) const fn of_bot(memory_mb: u64) -> Self {
        Self {
            processes: 64,
            group_bytes: (memory_mb + KERNEL_MB) << 20,
            descriptors: 128,
            file_bytes: 64 << 20,
            data_bytes: (2 * memory_mb + 512) << 20,
            folder_bytes: 128 << 20,
            folder_files: 10_000,
        }
    }

    /// Those of a build.
    pub(crate) const fn of_build(memory_mb: u64) -> Self {
        Self {
            processes: 1024,
            group_bytes: ((memory_mb + KERNEL_MB) << 20) + TMP_BYTES,
            descriptors: 4096,
            file_bytes: 2 << 30,
            data_bytes: (2 * memory_mb) << 20,
            folder_bytes: 4 << 30,
            folder_files: 100_000,
        }
    }
}
