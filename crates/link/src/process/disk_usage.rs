//! How much disk space folders take that a bot can write to.

use std::fs;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use dicehill_temporary::OPEN_FOLDER_FLAGS;
use rustix::fs::{AtFlags, Dir, FileType, Mode, openat, statat};
use rustix::process::Pid;
use serde::{Deserialize, Serialize};

/// The deepest nesting of folders. More can only be meant to hide files.
const DEEPEST: usize = 64;

/// The disk usage of folders.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct DiskUsage {
    /// Bytes of allocated blocks.
    pub(crate) bytes: u64,
    /// The number of files and folders.
    pub(crate) files: u64,
}

impl DiskUsage {
    /// The disk usage of these folders. `files` is `u64::MAX` if they are nested too deeply or cannot be
    /// opened.
    pub(crate) fn of<'a>(folders: impl IntoIterator<Item = &'a Path>) -> Self {
        let mut usage = Self::default();
        for folder in folders {
            match rustix::fs::open(folder, OPEN_FOLDER_FLAGS, Mode::empty()) {
                Ok(folder) => usage.add_folder(&folder, 0),
                Err(rustix::io::Errno::NOENT) => {}
                Err(_) => usage.files = u64::MAX,
            }
        }
        usage
    }

    fn add_folder(&mut self, folder: &OwnedFd, depth: usize) {
        let Ok(entries) = Dir::read_from(folder) else { return self.files = u64::MAX };
        for entry in entries.filter_map(Result::ok) {
            let name = entry.file_name();
            if name.to_bytes() == b"." || name.to_bytes() == b".." {
                continue;
            }
            // The entry may have been removed since.
            let Ok(stat) = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) else { continue };
            self.files = self.files.saturating_add(1);
            self.bytes = self.bytes.saturating_add(512 * stat.st_blocks as u64);
            if FileType::from_raw_mode(stat.st_mode) == FileType::Directory {
                match openat(folder.as_fd(), name, OPEN_FOLDER_FLAGS, Mode::empty()) {
                    Ok(inner) if depth < DEEPEST => self.add_folder(&inner, depth + 1),
                    Err(rustix::io::Errno::NOENT) => {}
                    Ok(_) | Err(_) => return self.files = u64::MAX,
                }
            }
        }
    }

    /// Adds the files without a name that these processes hold open or mapped.
    pub(crate) fn add_unnamed(&mut self, processes: &[Pid], file_bytes: u64) {
        for pid in processes {
            let folder = format!("/proc/{}", pid.as_raw_nonzero());
            let open = fs::read_dir(format!("{folder}/fd")).into_iter().flatten();
            for entry in open.filter_map(Result::ok) {
                let meta = fs::metadata(entry.path());
                if let Ok(meta) = meta.as_ref()
                    && meta.is_file()
                    && meta.nlink() == 0
                {
                    self.bytes = self.bytes.saturating_add(512 * meta.blocks());
                }
            }
            // The length of mapped files is unknown: the longest possible is assumed.
            let maps = fs::read_to_string(format!("{folder}/maps")).unwrap_or_default();
            let mut unnamed: Vec<_> = maps
                .lines()
                .filter(|line| line.ends_with(" (deleted)"))
                .filter_map(|line| line.split_ascii_whitespace().nth(4))
                .collect();
            unnamed.dedup();
            let unnamed = unnamed.len() as u64;
            self.bytes = self.bytes.saturating_add(unnamed.saturating_mul(file_bytes));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_folders_are_counted() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("inner")).unwrap();
        fs::write(folder.path().join("inner/file"), vec![1; 100_000]).unwrap();
        let usage = DiskUsage::of([folder.path()]);
        assert_eq!(usage.files, 2);
        assert!((100_000..200_000).contains(&usage.bytes), "{usage:?}");
    }

    #[test]
    fn too_deep_nesting_counts_as_unlimited() {
        let folder = tempfile::tempdir().unwrap();
        let mut path = folder.path().to_owned();
        for _ in 0..=DEEPEST + 1 {
            path.push("a");
            fs::create_dir(&path).unwrap();
        }
        assert_eq!(DiskUsage::of([folder.path()]).files, u64::MAX);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn open_files_without_a_name_are_counted() {
        let mut file = tempfile::tempfile().unwrap();
        std::io::Write::write_all(&mut file, &vec![1; 1 << 20]).unwrap();
        file.sync_all().unwrap();
        let mut usage = DiskUsage::default();
        usage.add_unnamed(&[rustix::process::getpid()], 0);
        assert!(usage.bytes >= 1 << 20, "{usage:?}");
    }
}
