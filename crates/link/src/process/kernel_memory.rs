//! How much memory the kernel holds for what processes have open: the data in sockets and pipes, the names of files that it
//! has read ahead in folders, texts of `/proc`, and what epoll watches. It counts for no process, and the number of descriptors bounds it to many gibibytes.

use std::collections::HashSet;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use rustix::fs::FileType;
use rustix::process::Pid;

use super::descriptors::open_descriptors;

/// Bytes of a pipe, whose size a child cannot change.
const PIPE_BYTES: u64 = 64 << 10;

/// Bytes for an open folder: once some of its names were read, ext4 keeps those of the rest of a block, each in 64 bytes or
/// more, of which a block of 4 KiB has 341 at most. Btrfs keeps a page.
const FOLDER_BYTES: u64 = 32 << 10;

/// Bytes for an open file of `/proc`. The kernel keeps a buffer for its longest line, in which a map has the paths of mapped
/// files: a path of some hundred folders takes a quarter of a mebibyte. It keeps the page tables of a process that has ended too.
/// Runtimes read their map once, and close it.
const PROC_BYTES: u64 = 4 << 20;

/// The type of the file system `proc` (`PROC_SUPER_MAGIC`).
const PROC_TYPE: u64 = 0x9fa0;

/// Bytes for any other open file.
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

/// The open descriptors whose memory is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Descriptors {
    /// All. A socket counts with so many bytes, which it can hold: the system does not report what it does hold.
    All { socket_bytes: u64 },
    /// Folders, whose memory is charged to no control group. That of the others is.
    Folders,
}

/// Counts what the kernel may hold for descriptors of these processes, up to a limit, because reading more takes too long.
pub(crate) fn kernel_memory(
    processes: &[Pid],
    descriptors: Descriptors,
    most: u64,
) -> KernelMemory {
    let (mut bytes, mut known) = (0, HashSet::new());
    for process in processes {
        let Ok(open) = open_descriptors(*process) else { return KernelMemory::Hidden };
        for descriptor in open {
            // It may have been closed since.
            let Ok(stat) = rustix::fs::stat(&descriptor.link) else { continue };
            let mut is_new = || known.insert((stat.st_dev, stat.st_ino));
            bytes += match (FileType::from_raw_mode(stat.st_mode), descriptors) {
                (FileType::Directory, _) => FOLDER_BYTES,
                (_, Descriptors::Folders) => 0,
                (FileType::Socket, Descriptors::All { socket_bytes }) if is_new() => socket_bytes,
                (FileType::Fifo, _) if is_new() => PIPE_BYTES,
                (FileType::Unknown, _) => lines(&descriptor.info) * LINE_BYTES,
                (FileType::RegularFile, Descriptors::All { .. })
                    if stat.st_size == 0 && is_of_proc(&descriptor.link) =>
                {
                    PROC_BYTES
                }
                (
                    FileType::Socket
                    | FileType::Fifo
                    | FileType::RegularFile
                    | FileType::Symlink
                    | FileType::CharacterDevice
                    | FileType::BlockDevice,
                    Descriptors::All { .. },
                ) => FILE_BYTES,
            };
            if bytes > most {
                return KernelMemory::TooMuch;
            }
        }
    }
    KernelMemory::Counted(bytes)
}

/// Whether a link leads to a file of `/proc`.
fn is_of_proc(link: &Path) -> bool {
    rustix::fs::statfs(link).is_ok_and(|found| found.f_type as u64 == PROC_TYPE)
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
    fn of_this_process(descriptors: Descriptors, most: u64) -> KernelMemory {
        kernel_memory(&[rustix::process::getpid()], descriptors, most)
    }

    #[test]
    fn sockets_count_once_with_what_they_can_hold() {
        const SOCKET_BYTES: u64 = 1 << 40;
        let pair = UnixStream::pair().unwrap();
        let copies = [pair.0.try_clone().unwrap(), pair.1.try_clone().unwrap()];
        let all = Descriptors::All { socket_bytes: SOCKET_BYTES };
        let KernelMemory::Counted(bytes) = of_this_process(all, u64::MAX) else {
            panic!("it shows its descriptors")
        };
        assert!(bytes >= 2 * SOCKET_BYTES, "{bytes}");
        assert_eq!(of_this_process(all, SOCKET_BYTES), KernelMemory::TooMuch);
        // They are charged to a control group.
        let charged = of_this_process(Descriptors::Folders, SOCKET_BYTES);
        assert!(matches!(charged, KernelMemory::Counted(_)), "{charged:?}");
        drop(copies);
    }

    #[test]
    fn each_open_folder_counts() {
        let folders: Vec<_> = (0..101).map(|_| File::open("/").unwrap()).collect();
        for descriptors in [Descriptors::All { socket_bytes: 0 }, Descriptors::Folders] {
            let found = of_this_process(descriptors, 100 * FOLDER_BYTES);
            assert_eq!(found, KernelMemory::TooMuch, "{descriptors:?}");
        }
        drop(folders);
    }

    #[test]
    fn each_open_file_of_proc_counts() {
        let maps: Vec<_> = (0..51).map(|_| File::open("/proc/self/maps").unwrap()).collect();
        let all = Descriptors::All { socket_bytes: 0 };
        assert_eq!(of_this_process(all, 50 * PROC_BYTES), KernelMemory::TooMuch);
        drop(maps);
        let empty: Vec<_> = (0..51).map(|_| tempfile::tempfile().unwrap()).collect();
        let found = of_this_process(all, 50 * PROC_BYTES);
        assert!(matches!(found, KernelMemory::Counted(_)), "{found:?}");
        drop(empty);
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
        let all = Descriptors::All { socket_bytes: 0 };
        assert_eq!(of_this_process(all, WATCHED * LINE_BYTES), KernelMemory::TooMuch);
        let path = format!("/proc/self/fdinfo/{}", std::os::fd::AsRawFd::as_raw_fd(&watching));
        assert!((WATCHED..WATCHED + 10).contains(&lines(Path::new(&path))));
    }
}
