//! Restricts a child to a list of system calls by seccomp. All others fail as if they did not exist, and are reported to
//! the supervisor, which answers them (`super::refused_calls`).

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, IoSlice};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, FromRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::mpsc;
use std::thread;

use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition,
    SeccompFilter, SeccompRule, TargetArch, apply_filter, sock_filter,
};

use super::call_tree;
use super::system_calls::{
    ADVICE, ALLOWED, ALLOWED_HERE, FILE_OPERATIONS, NETWORK_CALLS, NETWORK_OPTIONS,
    PROCESS_OPTIONS, REQUESTS, SOCKET_OPTIONS, TRIED, TRIED_SOCKETS, UNSUPPORTED,
};
use crate::isolation::mode::NetworkAccess;
use crate::isolation::sandbox::Sandbox;

/// The flags with which `clone` creates namespaces.
const NAMESPACES: u64 = (libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET) as u64;

/// Restricts this process, which must have one thread, and all its future descendants. Passes a descriptor for the calls
/// that are refused through the socket, with one byte.
///
/// # Errors
/// If the system has no seccomp.
pub(super) fn set(socket: &UnixStream, sandbox: &Sandbox) -> io::Result<()> {
    let arch = TargetArch::try_from(std::env::consts::ARCH).map_err(io::Error::other)?;
    let compile = |filter: Result<SeccompFilter, BackendError>| -> io::Result<BpfProgram> {
        filter.and_then(BpfProgram::try_from).map_err(io::Error::other)
    };
    let tried = compile(tried(arch))?;
    let rules = conditions(sandbox).map_err(io::Error::other)?;
    let always = call_tree::allow(arch, &always_allowed(sandbox, &rules))?;
    let refused = SeccompFilter::new(rules, not_implemented(), SeccompAction::Allow, arch);
    let rest = [always, compile(refused)?].concat();
    let unsupported = unsupported(sandbox);
    thread::scope(|scope| {
        // The filters do not apply to this thread, which may thus still pass a descriptor.
        let (sender, receiver) = mpsc::channel();
        scope.spawn(move || receiver.recv().map(|listener| pass(socket, &listener)));
        apply_filter(&unsupported).map_err(io::Error::other)?;
        apply_filter(&tried).map_err(io::Error::other)?;
        match apply_with_listener(&rest) {
            Ok(listener) => {
                // If it cannot be passed, the kernel answers the calls itself.
                let _best_effort = sender.send(listener);
                Ok(())
            }
            // Linux before 5.0, or a container whose own filter has a listener.
            Err(_) => apply_filter(&rest).map_err(io::Error::other),
        }
    })
}

/// Applies a filter with a descriptor on which the refused calls arrive.
fn apply_with_listener(program: &BpfProgram) -> io::Result<OwnedFd> {
    let mut program = program.clone();
    for instruction in &mut program {
        let is_return = u32::from(instruction.code) == libc::BPF_RET | libc::BPF_K;
        if is_return && instruction.k == NOT_IMPLEMENTED {
            instruction.k = libc::SECCOMP_RET_USER_NOTIF;
        }
    }
    let length = u16::try_from(program.len()).map_err(io::Error::other)?;
    let program = libc::sock_fprog { len: length, filter: program.as_mut_ptr().cast() };
    let flags = libc::SECCOMP_FILTER_FLAG_NEW_LISTENER;
    #[expect(unsafe_code, reason = "no safe function applies a filter with a listener")]
    // SAFETY: the program is live during the call, and has the length that is passed; the instructions of both crates
    // have the layout of the kernel's.
    let listener = unsafe {
        libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, flags, &raw const program)
    };
    let listener = i32::try_from(listener).ok().filter(|number| *number >= 0);
    let listener = listener.ok_or_else(io::Error::last_os_error)?;
    #[expect(unsafe_code, reason = "the call returns a descriptor as a number")]
    // SAFETY: the kernel has just created it, and nothing else owns it.
    Ok(unsafe { OwnedFd::from_raw_fd(listener) })
}

/// Passes a descriptor with one byte.
fn pass(socket: &UnixStream, descriptor: &OwnedFd) -> io::Result<()> {
    let descriptors = [descriptor.as_fd()];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut passed = SendAncillaryBuffer::new(&mut space);
    passed.push(SendAncillaryMessage::ScmRights(&descriptors));
    sendmsg(socket, &[IoSlice::new(b"\n")], &mut passed, SendFlags::NOSIGNAL)?;
    Ok(())
}

/// What a refused call returns from the kernel.
const NOT_IMPLEMENTED: u32 = libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32;

fn not_implemented() -> SeccompAction {
    SeccompAction::Errno(libc::ENOSYS as u32)
}

/// Refuses what is tried in normal operation.
fn tried(arch: TargetArch) -> Result<SeccompFilter, BackendError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        TRIED.iter().map(|call| (*call, Vec::new())).collect();
    rules.insert(libc::SYS_socket, one_of(0, &TRIED_SOCKETS.map(|family| family as u64))?);
    SeccompFilter::new(rules, SeccompAction::Allow, not_implemented(), arch)
}

/// The calls that return this number and do nothing: errors that programs are prepared for, or 0.
fn ignored(sandbox: &Sandbox) -> impl Iterator<Item = (i64, i32)> {
    let locks = sandbox.ignores_locks.then_some((libc::SYS_flock, 0));
    UNSUPPORTED.iter().copied().chain(locks)
}

/// Answers calls without making them. The other filters check the architecture.
fn unsupported(sandbox: &Sandbox) -> BpfProgram {
    let instruction = |code: u32, otherwise: u8, k: u32| sock_filter {
        code: code as u16,
        jt: 0,
        jf: otherwise,
        k,
    };
    let returns = |action| instruction(libc::BPF_RET | libc::BPF_K, 0, action);
    let number = std::mem::offset_of!(libc::seccomp_data, nr) as u32;
    let load = instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, number);
    let refusals = ignored(sandbox).flat_map(|(call, error)| {
        let is_call = instruction(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, 1, call as u32);
        [is_call, returns(libc::SECCOMP_RET_ERRNO | error as u32)]
    });
    [load].into_iter().chain(refusals).chain([returns(libc::SECCOMP_RET_ALLOW)]).collect()
}

/// Rules for an argument that has one of these values.
fn one_of(argument: u8, values: &[u64]) -> Result<Vec<SeccompRule>, BackendError> {
    let is = |value: &u64| {
        let is = SeccompCmpOp::Eq;
        let is = SeccompCondition::new(argument, SeccompCmpArgLen::Dword, is, *value)?;
        SeccompRule::new(vec![is])
    };
    values.iter().map(is).collect()
}

/// Calls that are allowed with one of these values of an argument.
const LISTED_ARGUMENTS: &[(libc::c_long, u8, &[u64])] = &[
    (libc::SYS_fcntl, 1, FILE_OPERATIONS),
    (libc::SYS_ioctl, 1, REQUESTS),
    (libc::SYS_madvise, 2, ADVICE),
    (libc::SYS_prctl, 0, PROCESS_OPTIONS),
    // Mono sets the default again.
    (libc::SYS_sched_setscheduler, 1, &[libc::SCHED_OTHER as u64]),
    // Only asks.
    (libc::SYS_personality, 0, &[0xffff_ffff]),
];

/// The calls that are allowed whatever their arguments are: those of the lists without rules, and what the other filters refuse.
fn always_allowed(sandbox: &Sandbox, rules: &BTreeMap<i64, Vec<SeccompRule>>) -> BTreeSet<i64> {
    let network: &[_] = match sandbox.network {
        NetworkAccess::None => &[],
        NetworkAccess::Host => NETWORK_CALLS,
    };
    let all = [ALLOWED, ALLOWED_HERE, TRIED, network].into_iter().flatten().copied();
    let all = all.chain(ignored(sandbox).map(|(call, _)| call));
    all.filter(|call| !rules.contains_key(call)).collect()
}

/// Rules for the calls that are allowed with some arguments, by their numbers.
fn conditions(sandbox: &Sandbox) -> Result<BTreeMap<i64, Vec<SeccompRule>>, BackendError> {
    let mut rules = BTreeMap::new();
    rules.insert(libc::SYS_socket, one_of(0, &TRIED_SOCKETS.map(|family| family as u64))?);
    for (call, argument, values) in LISTED_ARGUMENTS {
        rules.insert(*call, one_of(*argument, values)?);
    }
    let masked = |argument, mask, value| {
        let masked = SeccompCmpOp::MaskedEq(mask);
        SeccompCondition::new(argument, SeccompCmpArgLen::Qword, masked, value)
    };
    // Huge pages may be forbidden again, as Ruby does, but not allowed, not even where they are asked for (a flag of new kernels).
    let only_small_pages = [(0, libc::PR_SET_THP_DISABLE as u64), (1, 1), (2, 0)];
    let only_small_pages =
        only_small_pages.map(|(argument, value)| masked(argument, u64::MAX, value));
    let only_small_pages = only_small_pages.into_iter().collect::<Result<_, _>>()?;
    rules.entry(libc::SYS_prctl).or_default().push(SeccompRule::new(only_small_pages)?);
    // New processes, but no namespaces, and no descriptors of processes, whose numbers count all processes of the machine.
    let refused = NAMESPACES | libc::CLONE_PIDFD as u64;
    // Threads share their descriptors, so that those of one are those of its process.
    let (thread, files) = (libc::CLONE_THREAD as u64, libc::CLONE_FILES as u64);
    let process = masked(0, refused | thread, 0)?;
    let sharing_thread = masked(0, refused | thread | files, thread | files)?;
    let clone = [process, sharing_thread].map(|flags| SeccompRule::new(vec![flags]));
    rules.insert(libc::SYS_clone, clone.into_iter().collect::<Result<_, _>>()?);
    let shares = masked(2, u64::from(libc::CLOSE_RANGE_UNSHARE), 0)?;
    rules.insert(libc::SYS_close_range, vec![SeccompRule::new(vec![shares])?]);
    // The unique number of a mount counts those of all sandboxes.
    rules.insert(libc::SYS_statx, vec![SeccompRule::new(vec![masked(3, UNIQUE_MOUNT, 0)?])?]);
    rules.insert(libc::SYS_getsockopt, socket_options()?);
    allow_limits(&mut rules)?;
    // Pairs of connected sockets, which lead nowhere else; datagram sockets could be connected to others.
    let types = [libc::SOCK_STREAM, libc::SOCK_SEQPACKET];
    let pair = |kind: i32| {
        let unix = masked(0, u64::MAX, libc::AF_UNIX as u64)?;
        SeccompRule::new(vec![unix, masked(1, 0xf, kind as u64)?])
    };
    let pairs = types.map(pair).into_iter().collect::<Result<_, _>>()?;
    rules.insert(libc::SYS_socketpair, pairs);
    match sandbox.network {
        NetworkAccess::None => {}
        NetworkAccess::Host => allow_network(&mut rules)?,
    }
    // No set-user-ID files: if the arena is an ordinary user, such a file would belong to it.
    let has_no_set_id = |argument| masked(argument, SET_ID, 0);
    let creates_no_file = |argument| masked(argument, CREATE, 0);
    for (call, mode) in [(libc::SYS_fchmod, 1), (libc::SYS_fchmodat, 2), (libc::SYS_mknodat, 2)] {
        rules.insert(call, vec![SeccompRule::new(vec![has_no_set_id(mode)?])?]);
    }
    let opens = |flags: u8| -> Result<_, BackendError> {
        let rules = [creates_no_file(flags)?, has_no_set_id(flags + 1)?];
        rules.into_iter().map(|rule| SeccompRule::new(vec![rule])).collect::<Result<Vec<_>, _>>()
    };
    rules.insert(libc::SYS_openat, opens(2)?);
    #[cfg(target_arch = "x86_64")]
    {
        rules.insert(libc::SYS_open, opens(1)?);
        for call in [libc::SYS_creat, libc::SYS_chmod, libc::SYS_mknod] {
            rules.insert(call, vec![SeccompRule::new(vec![has_no_set_id(1)?])?]);
        }
    }
    // Shared anonymous memory counts for no process, and neither does the machine's pool of huge pages. What grows like a
    // stack does not count for the limit of a process's data.
    let kinds = [libc::MAP_SHARED, libc::MAP_ANONYMOUS];
    let refused = kinds.map(|kind| (kind | libc::MAP_HUGETLB | libc::MAP_GROWSDOWN) as u64);
    let maps = refused.map(|flags| SeccompRule::new(vec![masked(3, flags, 0)?]));
    rules.insert(libc::SYS_mmap, maps.into_iter().collect::<Result<_, _>>()?);
    Ok(rules)
}

/// Adds rules for the limits of the process itself, but for that of core dumps, which is not to change
/// (`super::rlimits`).
fn allow_limits(rules: &mut BTreeMap<i64, Vec<SeccompRule>>) -> Result<(), BackendError> {
    let core = u64::from(libc::RLIMIT_CORE);
    let is = |argument, length, operator, value| {
        SeccompCondition::new(argument, length, operator, value)
    };
    let is_own = is(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, 0)?;
    let is_other_limit = |argument| is(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, core);
    let only_asks = is(2, SeccompCmpArgLen::Qword, SeccompCmpOp::Eq, 0)?;
    let own_limits = [is_other_limit(1)?, only_asks];
    let own_limits = own_limits.map(|second| SeccompRule::new(vec![is_own.clone(), second]));
    rules.insert(libc::SYS_prlimit64, own_limits.into_iter().collect::<Result<_, _>>()?);
    #[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_env = "gnu")))]
    rules.insert(libc::SYS_setrlimit, vec![SeccompRule::new(vec![is_other_limit(0)?])?]);
    Ok(())
}

/// Adds rules for sockets that connect to others: TCP, and UDP for names. Other protocols of these families would have
/// the kernel load modules that few programs use.
fn allow_network(rules: &mut BTreeMap<i64, Vec<SeccompRule>>) -> Result<(), BackendError> {
    let is = |argument, operator, value: i32| {
        SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value as u64)
    };
    let sockets = rules.entry(libc::SYS_socket).or_default();
    let kinds = [(libc::SOCK_STREAM, libc::IPPROTO_TCP), (libc::SOCK_DGRAM, libc::IPPROTO_UDP)];
    for family in [libc::AF_INET, libc::AF_INET6] {
        for (kind, usual) in kinds {
            for protocol in [0, usual] {
                sockets.push(SeccompRule::new(vec![
                    is(0, SeccompCmpOp::Eq, family)?,
                    is(1, SeccompCmpOp::MaskedEq(0xf), kind)?,
                    is(2, SeccompCmpOp::Eq, protocol)?,
                ])?);
            }
        }
    }
    for (level, options) in NETWORK_OPTIONS {
        for option in *options {
            let option = vec![is(1, SeccompCmpOp::Eq, *level)?, is(2, SeccompCmpOp::Eq, *option)?];
            let rule = SeccompRule::new(option)?;
            rules.entry(libc::SYS_getsockopt).or_default().push(rule.clone());
            rules.entry(libc::SYS_setsockopt).or_default().push(rule);
        }
    }
    Ok(())
}

/// Rules for the options of sockets that may be asked for.
fn socket_options() -> Result<Vec<SeccompRule>, BackendError> {
    let is = |argument, value| {
        SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value)
    };
    let rule =
        |option: &u64| SeccompRule::new(vec![is(1, libc::SOL_SOCKET as u64)?, is(2, *option)?]);
    SOCKET_OPTIONS.iter().map(rule).collect()
}

/// `STATX_MNT_ID_UNIQUE`, a field of `statx`.
const UNIQUE_MOUNT: u64 = 0x4000;

/// The set-user-ID and set-group-ID bits of a mode.
const SET_ID: u64 = 0o6000;

/// The flags of `open` that create a file.
const CREATE: u64 = (libc::O_CREAT | (libc::O_TMPFILE & !libc::O_DIRECTORY)) as u64;
