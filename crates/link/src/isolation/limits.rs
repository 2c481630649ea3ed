//! Limits on the resources of a child.

use serde::{Deserialize, Serialize};

/// Mebibytes that the kernel may use for a child and its init, in addition to their own memory.
const KERNEL_MB: u64 = 16;

/// Bytes that may be written to a private `/tmp`.
pub(super) const TMP_BYTES: u64 = 1 << 30;

/// Files and folders that may be created in a private `/tmp`. The memory that the kernel uses for each, about one
/// kibibyte, is not part of its bytes.
pub(super) const TMP_FILES: u64 = 100_000;

/// What a child may use, in addition to the memory limit that its supervisor checks.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct ResourceLimits {
    /// Processes and threads.
    pub(crate) processes: u64,
    /// Bytes of memory of the control group. More than the processes may use, because the memory that the
    /// kernel uses for them counts here; the supervisor checks the exact limit.
    pub(crate) group_bytes: u64,
    /// Open descriptors per process.
    pub(crate) descriptors: u64,
    /// Bytes per file.
    pub(crate) file_bytes: u64,
    /// Bytes of private memory per process. More than it may really use, which the supervisor checks; this
    /// stops what is too fast for the supervisor.
    pub(crate) data_bytes: u64,
    /// Bytes that it may add to its writable folders.
    pub(crate) folder_bytes: u64,
    /// Files that it may add to its writable folders.
    pub(crate) folder_files: u64,
}

/// Descriptors of a bot: as many as most systems allow by default. Node opens all files of a package at once.
const DESCRIPTORS: u64 = 1024;

/// The same for a bot that writes to its folder. Its supervisor examines each descriptor, and must be done with all of its
/// processes before the disk is full.
const DESCRIPTORS_WITH_WRITABLE_FOLDER: u64 = 128;

/// Mappings of memory for each process that is allowed. Runtimes have one or two thousand in a process or two.
const MAPPINGS_PER_PROCESS: u64 = 512;

impl ResourceLimits {
    /// The most mappings of memory of all processes together. The kernel keeps records of each, which count for no process, and
    /// mapped files without a name are found among them, which takes longer the more there are.
    pub(crate) const fn mappings(&self) -> usize {
        (MAPPINGS_PER_PROCESS * self.processes) as usize
    }

    /// The limits of a bot with so many mebibytes of memory.
    pub(crate) const fn of_bot(memory_mb: u64) -> Self {
        Self {
            processes: 64,
            group_bytes: (memory_mb + KERNEL_MB) << 20,
            descriptors: DESCRIPTORS,
            file_bytes: 64 << 20,
            data_bytes: (2 * memory_mb + 512) << 20,
            folder_bytes: 128 << 20,
            folder_files: 10_000,
        }
    }

    /// The same if the bot may write to its folder.
    pub(crate) const fn with_writable_folder(self) -> Self {
        Self { descriptors: DESCRIPTORS_WITH_WRITABLE_FOLDER, ..self }
    }

    /// The limits of a build with so many mebibytes of memory.
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
