//! Attacks by system calls that no bot needs and in which vulnerabilities of the kernel are often found.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::outcome::AttackOutcome;
use super::raw_syscall::{address, raw_syscall};
use super::target::AttackTarget;

pub(super) fn user_namespace(_: &AttackTarget) -> AttackOutcome {
    #[expect(unsafe_code, reason = "no safe function makes this call")]
    // SAFETY: the call takes no addresses.
    let made = unsafe { raw_syscall(libc::SYS_unshare, &[libc::CLONE_NEWUSER as usize]) };
    AttackOutcome::from_result(made, |_| "it is root in one of its own".to_owned())
}

/// Mounts a source that does not exist: without the right to mount, the error is another one.
pub(super) fn mount(_: &AttackTarget) -> AttackOutcome {
    let [source, place, kind] = [c"no-such-file", c".", c"none"].map(|text| text.as_ptr().addr());
    let words = [source, place, kind, libc::MS_BIND as usize, 0];
    #[expect(unsafe_code, reason = "no safe function makes this call")]
    // SAFETY: the addresses are those of static strings that end with a zero; a bind mount takes no data.
    match unsafe { raw_syscall(libc::SYS_mount, &words) } {
        Err(error) if error.raw_os_error() != Some(libc::ENOENT) => {
            AttackOutcome::from_result(Err(error), |()| String::new())
        }
        Ok(_) | Err(_) => AttackOutcome::Open("it may mount".to_owned()),
    }
}

/// After a crash the kernel may start a program as root and hand it the memory of the process. A limit of 0, which any
/// process may set, does not prevent that, but one of 1 does; where it is handed to a socket, no limit does.
pub(super) fn core_dump(target: &AttackTarget) -> AttackOutcome {
    if target.has_crash_socket {
        return AttackOutcome::Open(
            "its crash is passed on to the socket in core_pattern".to_owned(),
        );
    }
    let limit = getrlimit(Resource::Core);
    let _lowered = setrlimit(Resource::Core, Rlimit { current: Some(0), ..limit });
    match getrlimit(Resource::Core).current {
        Some(1) => AttackOutcome::Contained("its crash starts no program".to_owned()),
        _ => AttackOutcome::Open("its crash starts the program in core_pattern".to_owned()),
    }
}

pub(super) fn io_uring(_: &AttackTarget) -> AttackOutcome {
    let mut parameters = [0_u8; 120];
    #[expect(unsafe_code, reason = "no safe function makes this call")]
    // SAFETY: the buffer is live and as long as `struct io_uring_params`.
    let made = unsafe { raw_syscall(libc::SYS_io_uring_setup, &[4, address(&mut parameters)]) };
    AttackOutcome::from_result(made, |_| "it has a ring".to_owned())
}

/// A map of one element.
pub(super) fn bpf(_: &AttackTarget) -> AttackOutcome {
    const MAP_CREATE: usize = 0;
    const ARRAY: u32 = 2;
    let mut attributes = [0_u32; 32];
    attributes[..4].copy_from_slice(&[ARRAY, 4, 4, 1]);
    let size = size_of_val(&attributes);
    #[expect(unsafe_code, reason = "no safe function makes this call")]
    // SAFETY: the buffer is live, and its size is passed.
    let made = unsafe { raw_syscall(libc::SYS_bpf, &[MAP_CREATE, address(&mut attributes), size]) };
    AttackOutcome::from_result(made, |_| "it has a map".to_owned())
}

/// The keyring of this process, which ends with it.
pub(super) fn keyring(_: &AttackTarget) -> AttackOutcome {
    const GET_KEYRING_ID: usize = 0;
    const OF_PROCESS: usize = -2_isize as usize;
    #[expect(unsafe_code, reason = "no safe function makes this call")]
    // SAFETY: the call takes no addresses.
    let made = unsafe { raw_syscall(libc::SYS_keyctl, &[GET_KEYRING_ID, OF_PROCESS, 1]) };
    AttackOutcome::from_result(made, |_| "it has a keyring".to_owned())
}

/// A set of rules is memory of the kernel that only the limit of a control group counts.
pub(super) fn landlock_rules(_: &AttackTarget) -> AttackOutcome {
    let mut files_to_read = 1_u64 << 2;
    let words = [address(&mut files_to_read), size_of::<u64>(), 0];
    #[expect(unsafe_code, reason = "no safe function makes this call")]
    // SAFETY: the buffer is live, and its size is passed.
    let made = unsafe { raw_syscall(libc::SYS_landlock_create_ruleset, &words) };
    AttackOutcome::from_result(made, |_| "it has a set of rules".to_owned())
}

/// Asks whether filters can allow a call, which they all can.
pub(super) fn system_call_filters(_: &AttackTarget) -> AttackOutcome {
    let mut action = libc::SECCOMP_RET_ALLOW;
    let words = [libc::SECCOMP_GET_ACTION_AVAIL as usize, 0, address(&mut action)];
    #[expect(unsafe_code, reason = "no safe function makes this call")]
    // SAFETY: the kernel reads four bytes of a live buffer of that length.
    let asked = unsafe { raw_syscall(libc::SYS_seccomp, &words) };
    AttackOutcome::from_result(asked, |_| "it may add filters".to_owned())
}

/// The clock of this task, without time in the kernel.
pub(super) fn perf_event(_: &AttackTarget) -> AttackOutcome {
    const SOFTWARE: u64 = 1;
    const SIZE: u64 = 64;
    const TASK_CLOCK: u64 = 1;
    const ANY_CPU: usize = usize::MAX;
    const NO_GROUP: usize = usize::MAX;
    const DISABLED_AND_WITHOUT_KERNEL: u64 = 1 | 1 << 5 | 1 << 6;
    let mut attributes = [0_u64; 8];
    attributes[0] = SOFTWARE | SIZE << 32;
    attributes[1] = TASK_CLOCK;
    attributes[5] = DISABLED_AND_WITHOUT_KERNEL;
    #[expect(unsafe_code, reason = "no safe function makes this call")]
    // SAFETY: the buffer is live, and holds its own size.
    let made = unsafe {
        raw_syscall(libc::SYS_perf_event_open, &[address(&mut attributes), 0, ANY_CPU, NO_GROUP, 0])
    };
    AttackOutcome::from_result(made, |_| "it has a counter".to_owned())
}

pub(super) fn page_faults(_: &AttackTarget) -> AttackOutcome {
    const USER_MODE_ONLY: usize = 1;
    #[expect(unsafe_code, reason = "no safe function makes this call")]
    // SAFETY: the call takes no addresses.
    let made = unsafe { raw_syscall(libc::SYS_userfaultfd, &[USER_MODE_ONLY]) };
    AttackOutcome::from_result(made, |_| "it handles page faults".to_owned())
}
