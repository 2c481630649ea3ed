//! How much disk space folders take that a bot can write to.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

use dicehill_temporary::OPEN_FOLDER_FLAGS;
use rustix::fs::{AtFlags, Dir, FileType, Mode, major, minor, openat, statat};
use rustix::process::Pid;
use serde::{Deserialize, Serialize};

use super::descendants::tasks;
use super::descriptors::{OpenDescriptor, open_descriptors};
use super::mappings::MapBudget;

/// The deepest nesting of folders. More can only be meant to hide files.
const DEEPEST: usize = 64;

/// The disk usage of folders.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct DiskUsage {
    /// Bytes of allocated blocks.
    pub(crate) bytes: u64,
    /// The number of files and folders.
    pub(crate) files: u64,
    /// Whether a process keeps its open files from being read, or has sent some that were not received yet.
    #[serde(default)]
    pub(crate) is_hidden: bool,
    /// Whether processes have more mappings than can be read in time, some of which may be of files without a name.
    #[serde(default)]
    pub(crate) has_too_many_mappings: bool,
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

    /// The same of opened folders.
    pub(crate) fn of_open(folders: &[OwnedFd]) -> Self {
        let mut usage = Self::default();
        folders.iter().for_each(|folder| usage.add_folder(folder, 0));
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

    /// Adds the files without a name that these processes hold open or mapped, or were started from. Stops if they have more
    /// than `max_mappings`, because reading so many takes too long.
    pub(crate) fn add_unnamed(&mut self, processes: &[Pid], file_bytes: u64, max_mappings: usize) {
        let (mut open, mut mapped) = (HashSet::new(), HashSet::new());
        let mut budget = MapBudget::of(max_mappings);
        for pid in processes {
            self.add_unnamed_open(*pid, &mut open);
            // The first thread may have ended, and then shows nothing.
            let threads = tasks(*pid);
            for thread in &threads {
                // The program, which a process holds even after it has unmapped it.
                self.add_if_unnamed(&thread.join("exe"), &mut open);
            }
            let mut maps = threads.iter().filter_map(|thread| unnamed_mapped(thread, &mut budget));
            let maps = maps.next().unwrap_or_default();
            mapped.extend(maps.unnamed);
            self.has_too_many_mappings |= maps.is_cut_off;
        }
        // The length of files that are only mapped is unknown: the longest possible is assumed.
        let is_open = |file: &MappedFile| open.iter().any(|known| file.is(*known));
        let mapped = mapped.iter().filter(|file| !is_open(file)).count() as u64;
        self.bytes = self.bytes.saturating_add(mapped.saturating_mul(file_bytes));
    }

    fn add_unnamed_open(&mut self, pid: Pid, known: &mut HashSet<(u64, u64)>) {
        let Ok(open) = open_descriptors(pid) else { return self.is_hidden = true };
        for OpenDescriptor { link, info } in open {
            self.add_if_unnamed(&link, known);
            self.is_hidden |= holds_sent_files(&link, &info);
        }
    }

    /// Adds the file behind a link of `/proc`, unless it has a name or is known.
    fn add_if_unnamed(&mut self, link: &Path, known: &mut HashSet<(u64, u64)>) {
        if let Ok(meta) = fs::metadata(link)
            && meta.is_file()
            && meta.nlink() == 0
            && known.insert((meta.dev(), meta.ino()))
        {
            self.bytes = self.bytes.saturating_add(512 * meta.blocks());
        }
    }
}

/// Whether open files were sent through this socket, and are held by no process until they are received.
fn holds_sent_files(link: &Path, info: &Path) -> bool {
    let is_socket = fs::metadata(link).is_ok_and(|meta| meta.file_type().is_socket());
    let info = if is_socket { fs::read_to_string(info).unwrap_or_default() } else { String::new() };
    let sent = info.lines().find_map(|line| line.strip_prefix("scm_fds:"));
    sent.is_some_and(|count| count.trim() != "0")
}

/// The device and inode of a file, as `/proc` shows those that are mapped: `08:01 1234`.
#[derive(PartialEq, Eq, Hash)]
struct MappedFile(String);

impl MappedFile {
    /// Whether it is the file with this device and inode.
    fn is(&self, (device, inode): (u64, u64)) -> bool {
        self.0 == format!("{:02x}:{:02x} {inode}", major(device), minor(device))
    }
}

/// The mapped files of a process.
#[derive(Default)]
struct MappedFiles {
    unnamed: Vec<MappedFile>,
    /// Whether there are more than the budget allows to read.
    is_cut_off: bool,
}

/// The files without a name that a thread has mapped; `None` if the thread has ended.
fn unnamed_mapped(thread: &Path, budget: &mut MapBudget) -> Option<MappedFiles> {
    let maps = File::open(thread.join("maps")).ok()?;
    let (mut mapped, mut is_alive) = (MappedFiles::default(), false);
    for line in BufReader::new(maps).split(b'\n').map_while(Result::ok) {
        is_alive = true;
        if !budget.take(1, line.len()) {
            mapped.is_cut_off = true;
            break;
        }
        if line.ends_with(b" (deleted)") {
            let line = String::from_utf8_lossy(&line);
            let fields: Vec<_> = line.split_ascii_whitespace().skip(3).take(2).collect();
            mapped.unnamed.push(MappedFile(fields.join(" ")));
        }
    }
    is_alive.then_some(mapped)
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
    fn the_program_of_a_process_is_counted_if_it_has_no_name() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("sleep");
        fs::copy("/bin/sleep", &program).unwrap();
        let mut child = std::process::Command::new(&program).arg("60").spawn().unwrap();
        let pid = [Pid::from_child(&child)];
        // The mapped program counts with the length given here: none.
        let bytes = || {
            let mut usage = DiskUsage::default();
            usage.add_unnamed(&pid, 0, usize::MAX);
            usage.bytes
        };
        assert_eq!(bytes(), 0);
        fs::remove_file(program).unwrap();
        let counted = bytes();
        child.kill().and_then(|()| child.wait()).unwrap();
        assert!(counted > 0);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_that_is_open_and_mapped_counts_once() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("sleep");
        fs::copy("/bin/sleep", &program).unwrap();
        let open = File::open(&program).unwrap();
        let mut child = std::process::Command::new(&program).arg("60").spawn().unwrap();
        fs::remove_file(&program).unwrap();
        let usage = |file_bytes| {
            let mut usage = DiskUsage::default();
            usage.add_unnamed(&[Pid::from_child(&child)], file_bytes, usize::MAX);
            usage.bytes
        };
        // The program is mapped, and open as the program.
        let [once, with_mapped] = [usage(0), usage(1 << 40)];
        let length = 512 * open.metadata().unwrap().blocks();
        child.kill().and_then(|()| child.wait()).unwrap();
        assert_eq!([once, with_mapped], [length, length]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn files_in_a_socket_are_hidden() {
        use std::io::IoSlice;
        use std::mem::MaybeUninit;
        use std::os::fd::AsRawFd;
        use std::os::unix::net::UnixStream;

        use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};

        let (sender, receiver) = UnixStream::pair().unwrap();
        let is_hidden = || {
            let path = |folder| format!("/proc/self/{folder}/{}", receiver.as_raw_fd());
            holds_sent_files(Path::new(&path("fd")), Path::new(&path("fdinfo")))
        };
        assert!(!is_hidden());
        let file = tempfile::tempfile().unwrap();
        let files = [file.as_fd()];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut sent = SendAncillaryBuffer::new(&mut space);
        sent.push(SendAncillaryMessage::ScmRights(&files));
        sendmsg(&sender, &[IoSlice::new(b"x")], &mut sent, SendFlags::empty()).unwrap();
        assert!(is_hidden());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn open_files_without_a_name_are_counted() {
        let mut file = tempfile::tempfile().unwrap();
        std::io::Write::write_all(&mut file, &vec![1; 1 << 20]).unwrap();
        file.sync_all().unwrap();
        let mut usage = DiskUsage::default();
        usage.add_unnamed(&[rustix::process::getpid()], 0, usize::MAX);
        assert!(usage.bytes >= 1 << 20, "{usage:?}");
        usage.add_unnamed(&[rustix::process::getpid()], 0, 1);
        assert!(usage.has_too_many_mappings);
    }
}
