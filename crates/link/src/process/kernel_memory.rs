//! How much memory the kernel holds for what processes have open: the data in sockets and pipes, the names of files that it
//! has read ahead in folders, and what epoll watches. It counts for no process, and the number of descriptors bounds it to many gibibytes.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::Path;

use rustix::fs::FileType;
use rustix::process::Pid;

use super::descendants::{is_alive, tasks};

/// Bytes of a pipe, whose size a child cannot change.
const PIPE_BYTES: u64 = 64 << 10;

/// Bytes for an open folder: once some of its names were read, ext4 keeps those of the rest of a block, each in 64 bytes or
/// more, of which a block of 4 KiB has 341 at most. Btrfs keeps a page.
const FOLDER_BYTES: u64 = 32 << 10;

/// Bytes for any open file.
const FILE_BYTES: u64 = 512;

/// Bytes for a line that describes a descriptor of another kind: each descriptor that epoll watches has one.
const LINE_BYTES: u64 = 256;

/// The kernel's memory for open descriptors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum KernelMemory {
    /// At most so many bytes.
    Counted(u64),
    /// More than the limit.
    TooMuch,
    /// A process keeps its descriptors from being read.
    Hidden,
}

/// Counts what the kernel may hold for the descriptors of these processes, up to a limit, because reading more takes too long.
/// Each socket counts with what it can hold, since the system does not report what it does hold.
pub(crate) fn kernel_memory(processes: &[Pid], socket_bytes: u64, most: u64) -> KernelMemory {
    let (mut bytes, mut known) = (0, HashSet::new());
    // The first thread may have ended, and then shows nothing; each may have descriptors of its own.
    for thread in processes.iter().flat_map(|pid| tasks(*pid)) {
        let open = match fs::read_dir(thread.join("fd")) {
            Ok(open) => open,
            Err(error) if error.kind() == ErrorKind::PermissionDenied && is_alive(&thread) => {
                return KernelMemory::Hidden;
            }
            // It has ended meanwhile.
            Err(_) => continue,
        };
        for entry in open.filter_map(Result::ok) {
            // It may have been closed since.
            let Ok(stat) = rustix::fs::stat(entry.path()) else { continue };
            let mut is_new = || known.insert((stat.st_dev, stat.st_ino));
            bytes += FILE_BYTES;
            bytes += match FileType::from_raw_mode(stat.st_mode) {
                FileType::Socket if is_new() => socket_bytes,
                FileType::Fifo if is_new() => PIPE_BYTES,
                FileType::Directory => FOLDER_BYTES,
                FileType::Unknown => {
                    lines(&thread.join("fdinfo").join(entry.file_name())) * LINE_BYTES
                }
                FileType::Socket
                | FileType::Fifo
                | FileType::RegularFile
                | FileType::Symlink
                | FileType::CharacterDevice
                | FileType::BlockDevice => 0,
            };
            if bytes > most {
                return KernelMemory::TooMuch;
            }
        }
    }
    KernelMemory::Counted(bytes)
}

/// The lines of a file, as far as it can be read.
fn lines(path: &Path) -> u64 {
    let Ok(mut file) = File::open(path) else { return 0 };
    let (mut count, mut bytes) = (0, [0; 16 << 10]);
    while let Ok(read @ 1..) = file.read(&mut bytes) {
        count += bytes[..read].iter().filter(|byte| **byte == b'\n').count() as u64;
    }
    count
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::os::unix::net::UnixStream;

    use rustix::event::epoll;
    use rustix::event::{EventfdFlags, eventfd};

    use super::*;

    /// The memory of this process, in which other tests may hold descriptors too.
    fn of_this_process(socket_bytes: u64, most: u64) -> KernelMemory {
        kernel_memory(&[rustix::process::getpid()], socket_bytes, most)
    }

    #[test]
    fn sockets_count_once_with_what_they_can_hold() {
        const SOCKET_BYTES: u64 = 1 << 40;
        let pair = UnixStream::pair().unwrap();
        let copies = [pair.0.try_clone().unwrap(), pair.1.try_clone().unwrap()];
        let KernelMemory::Counted(bytes) = of_this_process(SOCKET_BYTES, u64::MAX) else {
            panic!("it shows its descriptors")
        };
        assert!(bytes >= 2 * SOCKET_BYTES, "{bytes}");
        assert_eq!(of_this_process(SOCKET_BYTES, SOCKET_BYTES), KernelMemory::TooMuch);
        drop(copies);
    }

    #[test]
    fn each_open_folder_counts() {
        let folders: Vec<_> = (0..100).map(|_| File::open("/").unwrap()).collect();
        assert_eq!(of_this_process(0, 100 * FOLDER_BYTES), KernelMemory::TooMuch);
        drop(folders);
    }

    #[test]
    fn each_descriptor_that_epoll_watches_counts() {
        const WATCHED: u64 = 200;
        let watching = epoll::create(epoll::CreateFlags::CLOEXEC).unwrap();
        let event = eventfd(0, EventfdFlags::CLOEXEC).unwrap();
        let copies: Vec<_> = (0..WATCHED).map(|_| event.try_clone().unwrap()).collect();
        for copy in &copies {
            epoll::add(&watching, copy, epoll::EventData::new_u64(0), epoll::EventFlags::IN)
                .unwrap();
        }
        assert_eq!(of_this_process(0, WATCHED * LINE_BYTES), KernelMemory::TooMuch);
        let path = format!("/proc/self/fdinfo/{}", std::os::fd::AsRawFd::as_raw_fd(&watching));
        assert!((WATCHED..WATCHED + 10).contains(&lines(Path::new(&path))));
    }
}
