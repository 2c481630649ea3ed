//! Attacks on what bots share without knowing each other: files, and the memory in which they lie.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;

use super::outcome::AttackOutcome;
use super::raw_syscall::{address, raw_syscall};
use super::target::AttackTarget;

/// `F_GET_RW_HINT`, an operation of `fcntl`.
const GET_HINT: usize = 1035;

/// A bit for each page of memory tells whether another process maps it, too.
pub(super) fn page_map(_: &AttackTarget) -> AttackOutcome {
    let mut entry = [0; 8];
    let read = File::open("/proc/self/pagemap").and_then(|mut map| map.read(&mut entry));
    AttackOutcome::from_result(read, |_| "it sees which pages others map".to_owned())
}

/// A hint about the life of its data stays with a file.
pub(super) fn file_hint(_: &AttackTarget) -> AttackOutcome {
    let mut hint = 0_u64;
    let asked = File::open("/proc/self/exe").and_then(|file| {
        let words = [file.as_raw_fd() as usize, GET_HINT, address(&mut hint)];
        #[expect(unsafe_code, reason = "no safe function makes this call")]
        // SAFETY: the kernel writes eight bytes to a live buffer of that length.
        unsafe {
            raw_syscall(libc::SYS_fcntl, &words)
        }
    });
    AttackOutcome::from_result(asked, |_| "a file's hint was read".to_owned())
}

/// The number of a descriptor of a process is one more than that of the last one that was made on the machine by any
/// process. The kernel makes one for each process.
pub(super) fn process_descriptor(_: &AttackTarget) -> AttackOutcome {
    let pid = rustix::process::getpid().as_raw_nonzero().get() as usize;
    #[expect(unsafe_code, reason = "no safe function makes this call")]
    // SAFETY: the call takes no addresses.
    let opened = unsafe { raw_syscall(libc::SYS_pidfd_open, &[pid, 0]) };
    let made = opened.map(drop).or_else(|_| copy_with_descriptor());
    AttackOutcome::from_result(made, |()| "processes of the machine are counted".to_owned())
}

/// Starts a copy of this process, which ends at once, with a descriptor of it.
fn copy_with_descriptor() -> io::Result<()> {
    let mut descriptor = 0_i32;
    let flags = (libc::SIGCHLD | libc::CLONE_PIDFD) as usize;
    let words = [flags, 0, address(&mut descriptor)];
    #[expect(unsafe_code, reason = "no safe function makes this call")]
    // SAFETY: without a stack, `clone` works like `fork`; the kernel writes four bytes to a live buffer of that length. The
    // process of an attack has one thread, so that none is missing in the copy.
    let pid = unsafe { raw_syscall(libc::SYS_clone, &words) }?;
    if pid == 0 {
        std::process::exit(0);
    }
    Ok(())
}

/// The cookie of a socket counts those that all processes have asked for on the same processor.
pub(super) fn socket_cookie(_: &AttackTarget) -> AttackOutcome {
    let asked = UnixStream::pair().and_then(|(socket, _)| {
        let (mut cookie, mut length) = (0_u64, size_of::<u64>() as u32);
        let [level, option] = [libc::SOL_SOCKET, libc::SO_COOKIE].map(|number| number as usize);
        let socket = socket.as_raw_fd() as usize;
        let words = [socket, level, option, address(&mut cookie), address(&mut length)];
        #[expect(unsafe_code, reason = "no safe function makes this call")]
        // SAFETY: both buffers are live, and the second holds the length of the first.
        unsafe {
            raw_syscall(libc::SYS_getsockopt, &words)
        }
    });
    AttackOutcome::from_result(asked, |_| "sockets of the machine are counted".to_owned())
}

/// The unique number of a mount counts those of all sandboxes.
pub(super) fn mount_number(_: &AttackTarget) -> AttackOutcome {
    const UNIQUE: u32 = 0x4000;
    // The first field of `struct statx` says which others are known.
    let mut found = [0_u32; 64];
    let root = c"/".as_ptr().expose_provenance();
    let words = [libc::AT_FDCWD as usize, root, 0, UNIQUE as usize, address(&mut found)];
    #[expect(unsafe_code, reason = "no safe function makes this call")]
    // SAFETY: the path ends with a zero, and the buffer is live and as long as `struct statx`.
    let asked = unsafe { raw_syscall(libc::SYS_statx, &words) };
    let known = asked.and_then(|_| match found[0] & UNIQUE {
        0 => Err(io::Error::from(io::ErrorKind::Unsupported)),
        _ => Ok(()),
    });
    AttackOutcome::from_result(known, |()| "mounts of the machine are counted".to_owned())
}

/// Files that show how busy the network and the processors are.
pub(super) fn own_statistics(_: &AttackTarget) -> AttackOutcome {
    let files = ["net/softnet_stat", "net/sockstat", "schedstat", "smaps_rollup"];
    let read = files.map(|file| std::fs::read(format!("/proc/self/{file}")));
    let read = read.into_iter().reduce(io::Result::or).expect("there are files");
    AttackOutcome::from_result(read, |_| "the machine's statistics were read".to_owned())
}
