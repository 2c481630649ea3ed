//! Attacks on what bots share without knowing each other: files, and the memory in which they lie.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsRawFd;

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

/// Files that show how busy the network and the processors are.
pub(super) fn own_statistics(_: &AttackTarget) -> AttackOutcome {
    let files = ["net/softnet_stat", "net/sockstat", "schedstat", "smaps_rollup"];
    let read = files.map(|file| std::fs::read(format!("/proc/self/{file}")));
    let read = read.into_iter().reduce(io::Result::or).expect("there are files");
    AttackOutcome::from_result(read, |_| "the machine's statistics were read".to_owned())
}
