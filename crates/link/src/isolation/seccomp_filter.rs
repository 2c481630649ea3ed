//! Restricts a child to a list of system calls by seccomp. All others fail as if they did not exist.

use std::collections::BTreeMap;
use std::io;

use libc::c_long;
use seccompiler::{
    BackendError, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, apply_filter,
};

/// Calls that runtimes and ordinary programs make. Calls are left out that gain privileges, reach other
/// processes or the network, show the load of the machine, its free space or which files were read recently,
/// use memory that counts for no process, or belong to parts of the kernel in which vulnerabilities are often
/// found.
const ALLOWED: &[c_long] = &[
    libc::SYS_brk,
    libc::SYS_capget,
    libc::SYS_capset,
    libc::SYS_chdir,
    libc::SYS_clock_getres,
    libc::SYS_clock_gettime,
    libc::SYS_clock_nanosleep,
    libc::SYS_close,
    libc::SYS_close_range,
    libc::SYS_copy_file_range,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_epoll_create1,
    libc::SYS_epoll_ctl,
    libc::SYS_epoll_pwait,
    libc::SYS_epoll_pwait2,
    libc::SYS_eventfd2,
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_fallocate,
    libc::SYS_fchdir,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_fdatasync,
    libc::SYS_fgetxattr,
    libc::SYS_flistxattr,
    libc::SYS_fstat,
    libc::SYS_fsync,
    libc::SYS_ftruncate,
    libc::SYS_futex,
    libc::SYS_futex_waitv,
    libc::SYS_getcpu,
    libc::SYS_getcwd,
    libc::SYS_getdents64,
    libc::SYS_getegid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getgroups,
    libc::SYS_getitimer,
    libc::SYS_getpeername,
    libc::SYS_getpgid,
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_getpriority,
    libc::SYS_getrandom,
    libc::SYS_getresgid,
    libc::SYS_getresuid,
    libc::SYS_getrusage,
    libc::SYS_getsid,
    libc::SYS_getsockname,
    libc::SYS_getsockopt,
    libc::SYS_get_robust_list,
    libc::SYS_gettid,
    libc::SYS_gettimeofday,
    libc::SYS_getuid,
    libc::SYS_getxattr,
    libc::SYS_kill,
    libc::SYS_landlock_add_rule,
    libc::SYS_landlock_create_ruleset,
    libc::SYS_landlock_restrict_self,
    libc::SYS_lgetxattr,
    libc::SYS_linkat,
    libc::SYS_listxattr,
    libc::SYS_llistxattr,
    libc::SYS_lseek,
    libc::SYS_membarrier,
    libc::SYS_mkdirat,
    libc::SYS_mlock,
    libc::SYS_mlock2,
    libc::SYS_mlockall,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_msync,
    libc::SYS_munlock,
    libc::SYS_munlockall,
    libc::SYS_munmap,
    libc::SYS_nanosleep,
    libc::SYS_personality,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_send_signal,
    libc::SYS_pipe2,
    libc::SYS_pkey_alloc,
    libc::SYS_pkey_free,
    libc::SYS_pkey_mprotect,
    libc::SYS_ppoll,
    libc::SYS_prctl,
    libc::SYS_pread64,
    libc::SYS_preadv,
    libc::SYS_prlimit64,
    libc::SYS_pselect6,
    libc::SYS_pwrite64,
    libc::SYS_pwritev,
    libc::SYS_read,
    libc::SYS_readlinkat,
    libc::SYS_readv,
    libc::SYS_recvfrom,
    libc::SYS_recvmmsg,
    libc::SYS_recvmsg,
    libc::SYS_restart_syscall,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_rseq,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigpending,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_sigreturn,
    libc::SYS_rt_sigsuspend,
    libc::SYS_rt_sigtimedwait,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_getattr,
    libc::SYS_sched_getparam,
    libc::SYS_sched_get_priority_max,
    libc::SYS_sched_get_priority_min,
    libc::SYS_sched_getscheduler,
    libc::SYS_sched_yield,
    libc::SYS_seccomp,
    libc::SYS_sendfile,
    libc::SYS_sendto,
    libc::SYS_setfsgid,
    libc::SYS_setfsuid,
    libc::SYS_setgid,
    libc::SYS_setgroups,
    libc::SYS_setitimer,
    libc::SYS_setpgid,
    libc::SYS_setpriority,
    libc::SYS_setregid,
    libc::SYS_setresgid,
    libc::SYS_setresuid,
    libc::SYS_setreuid,
    libc::SYS_set_robust_list,
    libc::SYS_setsid,
    libc::SYS_set_tid_address,
    libc::SYS_setuid,
    libc::SYS_shutdown,
    libc::SYS_sigaltstack,
    libc::SYS_signalfd4,
    libc::SYS_splice,
    libc::SYS_statx,
    libc::SYS_symlinkat,
    libc::SYS_sync_file_range,
    libc::SYS_tee,
    libc::SYS_tgkill,
    libc::SYS_timer_create,
    libc::SYS_timer_delete,
    libc::SYS_timerfd_create,
    libc::SYS_timerfd_gettime,
    libc::SYS_timerfd_settime,
    libc::SYS_timer_getoverrun,
    libc::SYS_timer_gettime,
    libc::SYS_timer_settime,
    libc::SYS_times,
    libc::SYS_tkill,
    libc::SYS_truncate,
    libc::SYS_umask,
    libc::SYS_uname,
    libc::SYS_unlinkat,
    libc::SYS_utimensat,
    libc::SYS_wait4,
    libc::SYS_waitid,
    libc::SYS_write,
    libc::SYS_writev,
];

/// Older forms that exist only on this architecture.
#[cfg(target_arch = "x86_64")]
const ALLOWED_HERE: &[c_long] = &[
    libc::SYS_access,
    libc::SYS_alarm,
    libc::SYS_arch_prctl,
    libc::SYS_chown,
    libc::SYS_dup2,
    libc::SYS_epoll_create,
    libc::SYS_epoll_wait,
    libc::SYS_eventfd,
    libc::SYS_fork,
    libc::SYS_futimesat,
    libc::SYS_getdents,
    libc::SYS_getpgrp,
    libc::SYS_getrlimit,
    libc::SYS_lchown,
    libc::SYS_link,
    libc::SYS_lstat,
    libc::SYS_mkdir,
    libc::SYS_newfstatat,
    libc::SYS_pause,
    libc::SYS_pipe,
    libc::SYS_poll,
    libc::SYS_readlink,
    libc::SYS_rename,
    libc::SYS_rmdir,
    libc::SYS_select,
    libc::SYS_setrlimit,
    libc::SYS_signalfd,
    libc::SYS_stat,
    libc::SYS_symlink,
    libc::SYS_time,
    libc::SYS_unlink,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_vfork,
];

#[cfg(all(target_arch = "aarch64", target_env = "gnu"))]
const ALLOWED_HERE: &[c_long] = &[libc::SYS_getrlimit, libc::SYS_newfstatat, libc::SYS_setrlimit];

#[cfg(not(any(target_arch = "x86_64", all(target_arch = "aarch64", target_env = "gnu"))))]
const ALLOWED_HERE: &[c_long] = &[];

/// The flags with which `clone` creates namespaces.
const NAMESPACES: u64 = (libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET) as u64;

/// Restricts this process and all its future descendants.
///
/// # Errors
/// If the system has no seccomp.
pub(super) fn set() -> io::Result<()> {
    let arch = TargetArch::try_from(std::env::consts::ARCH).map_err(io::Error::other)?;
    let filter = filter(arch).map_err(io::Error::other)?;
    let program: seccompiler::BpfProgram = filter.try_into().map_err(io::Error::other)?;
    apply_filter(&program).map_err(io::Error::other)
}

fn filter(arch: TargetArch) -> Result<SeccompFilter, BackendError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        ALLOWED.iter().chain(ALLOWED_HERE).map(|call| (*call, Vec::new())).collect();
    // New processes, but no namespaces. A filter cannot see the flags of `clone3`, so that call fails as if
    // it did not exist, and the C library falls back to `clone`.
    rules.insert(libc::SYS_clone, vec![SeccompRule::new(vec![masked(0, NAMESPACES, 0)?])?]);
    rules.insert(libc::SYS_socketpair, connected_pairs()?);
    rules.extend(file_rules()?);
    // Shared anonymous memory counts for no process.
    let kinds = [libc::MAP_SHARED, libc::MAP_ANONYMOUS];
    let maps = kinds.map(|kind| SeccompRule::new(vec![masked(3, kind as u64, 0)?]));
    rules.insert(libc::SYS_mmap, maps.into_iter().collect::<Result<_, _>>()?);
    rules.insert(libc::SYS_ioctl, vec![none_of(1, &TERMINAL_INPUT)?]);
    rules.insert(libc::SYS_fcntl, vec![none_of(1, &COVERT_CHANNELS)?]);
    rules.insert(libc::SYS_madvise, vec![none_of(2, &CACHE_EVICTION)?]);
    let not_implemented = SeccompAction::Errno(libc::ENOSYS as u32);
    SeccompFilter::new(rules, not_implemented, SeccompAction::Allow, arch)
}

/// Pairs of connected sockets, which lead nowhere else; datagram sockets could be connected to others.
fn connected_pairs() -> Result<Vec<SeccompRule>, BackendError> {
    let pair = |kind: i32| {
        let unix = masked(0, u64::MAX, libc::AF_UNIX as u64)?;
        SeccompRule::new(vec![unix, masked(1, 0xf, kind as u64)?])
    };
    [libc::SOCK_STREAM, libc::SOCK_SEQPACKET].map(pair).into_iter().collect()
}

/// The calls that create files or change their modes.
///
/// They make no set-user-ID files: if the arena is an ordinary user, such a file would belong to it.
fn file_rules() -> Result<Vec<(i64, Vec<SeccompRule>)>, BackendError> {
    let has_no_set_id = |argument| masked(argument, SET_ID, 0);
    let with_mode = |call, mode| -> Result<_, BackendError> {
        Ok((call, vec![SeccompRule::new(vec![has_no_set_id(mode)?])?]))
    };
    let opens = |call, flags: u8| -> Result<_, BackendError> {
        let creates_nothing = SeccompRule::new(vec![masked(flags, CREATE, 0)?])?;
        Ok((call, vec![creates_nothing, SeccompRule::new(vec![has_no_set_id(flags + 1)?])?]))
    };
    Ok(vec![
        with_mode(libc::SYS_fchmod, 1)?,
        with_mode(libc::SYS_fchmodat, 2)?,
        with_mode(libc::SYS_mknodat, 2)?,
        opens(libc::SYS_openat, 2)?,
        #[cfg(target_arch = "x86_64")]
        opens(libc::SYS_open, 1)?,
        #[cfg(target_arch = "x86_64")]
        with_mode(libc::SYS_creat, 1)?,
        #[cfg(target_arch = "x86_64")]
        with_mode(libc::SYS_chmod, 1)?,
        #[cfg(target_arch = "x86_64")]
        with_mode(libc::SYS_mknod, 1)?,
    ])
}

/// The bits of `mask` in an argument are `value`.
fn masked(argument: u8, mask: u64, value: u64) -> Result<SeccompCondition, BackendError> {
    let masked = SeccompCmpOp::MaskedEq(mask);
    SeccompCondition::new(argument, SeccompCmpArgLen::Qword, masked, value)
}

/// An argument is none of these requests.
fn none_of(argument: u8, requests: &[u64]) -> Result<SeccompRule, BackendError> {
    let is_not = |request: &u64| {
        SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, *request)
    };
    SeccompRule::new(requests.iter().map(is_not).collect::<Result<_, _>>()?)
}

/// The set-user-ID and set-group-ID bits of a mode.
const SET_ID: u64 = 0o6000;

/// The flags of `open` that create a file.
const CREATE: u64 = (libc::O_CREAT | (libc::O_TMPFILE & !libc::O_DIRECTORY)) as u64;

/// Requests of `ioctl` that type into a terminal: TIOCSTI, and TIOCLINUX, by which a console pastes.
const TERMINAL_INPUT: [u64; 2] = [0x5412, 0x541c];

/// Requests of `fcntl` that two bots with a common readable file, or with the same user, could use as a
/// covert channel: locks in their old and new forms, leases, notifications, and pipes so large that other
/// processes get none.
const COVERT_CHANNELS: [u64; 10] = [
    libc::F_GETLK as u64,
    libc::F_SETLK as u64,
    libc::F_SETLKW as u64,
    libc::F_OFD_GETLK as u64,
    libc::F_OFD_SETLK as u64,
    libc::F_OFD_SETLKW as u64,
    libc::F_SETLEASE as u64,
    libc::F_GETLEASE as u64,
    libc::F_NOTIFY as u64,
    libc::F_SETPIPE_SZ as u64,
];

/// Advice that evicts files which other processes read from memory.
const CACHE_EVICTION: [u64; 2] = [libc::MADV_COLD as u64, libc::MADV_PAGEOUT as u64];
