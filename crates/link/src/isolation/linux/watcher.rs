//! What remains of a supervisor's privileges before its child starts, if the arena runs as root: those of the child's user.
//!
//! That user owns the child's processes, folders and user namespace, so that it may kill, pause and measure them. Another
//! unprivileged user could not: it may not look into folders that the child closes to others. The supervisor of an arena
//! that runs as an ordinary user has no other rights either.

use std::collections::BTreeMap;
use std::io;

use rustix::mount::{MountFlags, MountPropagationFlags, mount, mount_change};
use rustix::process::{Pid, Signal, getppid, set_parent_process_death_signal};
use rustix::thread::UnshareFlags;
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition,
    SeccompFilter, SeccompRule, TargetArch, apply_filter,
};

use super::call_tree;
use super::namespaces::unshare;
use super::privileges::{change_user, give_up_capabilities};
use super::refused_calls;
use crate::isolation::mechanism::Mechanism;
use crate::isolation::sandbox::Sandbox;

/// Becomes the user of the sandbox, without capabilities, and restricts this process, which must have one thread, to the
/// system calls that watching takes. It ends with `parent`.
///
/// # Errors
/// If a step fails, or this process may no longer see `init`.
pub(crate) fn drop_privileges(sandbox: &Sandbox, parent: Pid, init: Pid) -> io::Result<()> {
    // rustix asks the system once for this and keeps it. Before Linux 6.4 that takes a file of `/proc` which this process
    // may not read once its user has changed, and without it rustix panics.
    let _kept = rustix::param::clock_ticks_per_second();
    // Whether it was of use is checked below.
    let _best_effort = show_processes();
    change_user(sandbox)?;
    give_up_capabilities()?;
    // A change of user resets this setting.
    set_parent_process_death_signal(Some(Signal::KILL))?;
    if getppid() != Some(parent) {
        return Err(io::Error::other("its parent has exited"));
    }
    rustix::thread::set_no_new_privs(true)?;
    if !sandbox.missing.contains(&Mechanism::SystemCalls) {
        allow_only_watching()?;
    }
    // An init that has ended is still listed.
    std::fs::read_dir(format!("/proc/{}/task", init.as_raw_nonzero())).map_err(|error| {
        let remedy = "mount /proc without `hidepid`, or start dicehill as an ordinary user";
        io::Error::new(error.kind(), format!("/proc hides processes ({error}): {remedy}"))
    })?;
    Ok(())
}

/// Where `/proc` shows processes to their users and root only, mounts one for this process that shows all, such as the init,
/// which can be inspected by root alone. That takes Linux 5.8.
fn show_processes() -> io::Result<()> {
    let mounts = std::fs::read_to_string("/proc/self/mounts")?;
    let hides = |line: &str| line.split(' ').nth(1) == Some("/proc") && line.contains("hidepid=");
    if !mounts.lines().any(hides) {
        return Ok(());
    }
    unshare(UnshareFlags::NEWNS)?;
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    Ok(mount("proc", "/proc", "proc", flags, c"hidepid=off")?)
}

/// The calls that watching a child takes: reading files, waiting, and signals and the choice of cores, which reach processes of
/// the own user only.
const ALLOWED: &[libc::c_long] = &[
    libc::SYS_brk,
    libc::SYS_clock_gettime,
    libc::SYS_clock_nanosleep,
    libc::SYS_close,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_fstat,
    libc::SYS_fstatfs,
    libc::SYS_futex,
    libc::SYS_getdents64,
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_getrandom,
    libc::SYS_gettid,
    libc::SYS_kill,
    libc::SYS_lseek,
    libc::SYS_madvise,
    libc::SYS_mremap,
    libc::SYS_munmap,
    libc::SYS_nanosleep,
    NEWFSTATAT,
    libc::SYS_ppoll,
    libc::SYS_pread64,
    libc::SYS_read,
    libc::SYS_readlinkat,
    libc::SYS_recvfrom,
    libc::SYS_recvmsg,
    libc::SYS_restart_syscall,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_yield,
    libc::SYS_sendto,
    libc::SYS_shutdown,
    libc::SYS_sigaltstack,
    libc::SYS_statfs,
    libc::SYS_statx,
    libc::SYS_tgkill,
    libc::SYS_wait4,
    libc::SYS_waitid,
    libc::SYS_write,
];

/// `newfstatat`, which libc does not name on every architecture.
const NEWFSTATAT: libc::c_long = if cfg!(target_arch = "x86_64") { 262 } else { 79 };

/// Has all other calls of this process fail, permanently.
fn allow_only_watching() -> io::Result<()> {
    let arch = TargetArch::try_from(std::env::consts::ARCH).map_err(io::Error::other)?;
    let always = call_tree::allow(arch, &ALLOWED.iter().copied().collect())?;
    let conditional: BpfProgram =
        filter(arch).and_then(BpfProgram::try_from).map_err(io::Error::other)?;
    apply_filter(&[always, conditional].concat()).map_err(io::Error::other)
}

/// Allows calls with some arguments, and refuses all others.
fn filter(arch: TargetArch) -> Result<SeccompFilter, BackendError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = BTreeMap::new();
    let only = |argument, comparison, value| {
        let length = SeccompCmpArgLen::Dword;
        SeccompRule::new(vec![SeccompCondition::new(argument, length, comparison, value)?])
    };
    // Files are opened to be read.
    let changing = (libc::O_ACCMODE | libc::O_CREAT | libc::O_TRUNC | libc::O_APPEND) as u64;
    rules.insert(libc::SYS_openat, vec![only(2, SeccompCmpOp::MaskedEq(changing), 0)?]);
    // Descriptors are only asked for their flags.
    let flags = [libc::F_GETFD, libc::F_GETFL];
    let flags = flags.map(|flags| only(1, SeccompCmpOp::Eq, flags as u64));
    rules.insert(libc::SYS_fcntl, flags.into_iter().collect::<Result<_, _>>()?);
    let requests = [refused_calls::RECEIVE, refused_calls::SEND];
    let requests = requests.map(|request| only(1, SeccompCmpOp::Eq, u64::from(request)));
    rules.insert(libc::SYS_ioctl, requests.into_iter().collect::<Result<_, _>>()?);
    // No memory that can be executed.
    let executable = SeccompCmpOp::MaskedEq(libc::PROT_EXEC as u64);
    for call in [libc::SYS_mmap, libc::SYS_mprotect] {
        rules.insert(call, vec![only(2, executable.clone(), 0)?]);
    }
    let refused = SeccompAction::Errno(libc::EPERM as u32);
    SeccompFilter::new(rules, refused, SeccompAction::Allow, arch)
}
