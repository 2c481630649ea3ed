//! Attacks by system calls that no bot needs and in which vulnerabilities of the kernel are often found.

use super::outcome::Outcome;
use super::raw_syscall::{address, raw_syscall};
use super::target::Target;

pub(super) fn user_namespace(_: &Target) -> Outcome {
    let made = raw_syscall(libc::SYS_unshare, &[libc::CLONE_NEWUSER as usize]);
    Outcome::of(made, |_| "it is root in one of its own".to_owned())
}

/// Binds something that is not there: who may not mount hears of that first.
pub(super) fn mount(_: &Target) -> Outcome {
    let [source, place, kind] = [c"no-such-file", c".", c"none"].map(|text| text.as_ptr().addr());
    let words = [source, place, kind, libc::MS_BIND as usize, 0];
    match raw_syscall(libc::SYS_mount, &words) {
        Err(error) if error.raw_os_error() != Some(libc::ENOENT) => {
            Outcome::of(Err(error), |()| String::new())
        }
        Ok(_) | Err(_) => Outcome::Open("it may mount".to_owned()),
    }
}

pub(super) fn io_uring(_: &Target) -> Outcome {
    let mut parameters = [0_u8; 120];
    let made = raw_syscall(libc::SYS_io_uring_setup, &[4, address(&mut parameters)]);
    Outcome::of(made, |_| "it has a ring".to_owned())
}

/// An array of one number.
pub(super) fn bpf(_: &Target) -> Outcome {
    const MAP_CREATE: usize = 0;
    const ARRAY: u32 = 2;
    let mut attributes = [0_u32; 32];
    attributes[..4].copy_from_slice(&[ARRAY, 4, 4, 1]);
    let size = size_of_val(&attributes);
    let made = raw_syscall(libc::SYS_bpf, &[MAP_CREATE, address(&mut attributes), size]);
    Outcome::of(made, |_| "it has a map".to_owned())
}

/// The keyring of this process, which ends with it.
pub(super) fn keyring(_: &Target) -> Outcome {
    const GET_KEYRING_ID: usize = 0;
    const OF_PROCESS: usize = -2_isize as usize;
    let made = raw_syscall(libc::SYS_keyctl, &[GET_KEYRING_ID, OF_PROCESS, 1]);
    Outcome::of(made, |_| "it has a keyring".to_owned())
}

/// The clock of this task, without the kernel's part.
pub(super) fn perf_event(_: &Target) -> Outcome {
    const SOFTWARE: u64 = 1;
    const SIZE: u64 = 64;
    const TASK_CLOCK: u64 = 1;
    const DISABLED_AND_WITHOUT_KERNEL: u64 = 1 | 1 << 5 | 1 << 6;
    let mut attributes = [0_u64; 8];
    attributes[0] = SOFTWARE | SIZE << 32;
    attributes[1] = TASK_CLOCK;
    attributes[5] = DISABLED_AND_WITHOUT_KERNEL;
    let (nobody, any) = (usize::MAX, usize::MAX);
    let made =
        raw_syscall(libc::SYS_perf_event_open, &[address(&mut attributes), 0, any, nobody, 0]);
    Outcome::of(made, |_| "it has a counter".to_owned())
}

pub(super) fn page_faults(_: &Target) -> Outcome {
    const USER_MODE_ONLY: usize = 1;
    let made = raw_syscall(libc::SYS_userfaultfd, &[USER_MODE_ONLY]);
    Outcome::of(made, |_| "it handles page faults".to_owned())
}
