//! Attacks on other processes, and on the attacking process's own privileges.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::time::Duration;

use rustix::process::Pid;

use super::decoy::SECRET;
use super::outcome::AttackOutcome;
use super::raw_syscall::{address, fork, raw_syscall};
use super::target::AttackTarget;

/// The longest that a process lives which an attack leaves behind: longer than the check waits for its end.
pub(super) const LIFETIME: Duration = Duration::from_secs(60);

/// Programs of which every Linux system has at least one, set-user-ID root.
const SETUID: [&str; 8] = [
    "/usr/bin/su",
    "/bin/su",
    "/usr/bin/sudo",
    "/usr/bin/passwd",
    "/usr/bin/mount",
    "/bin/mount",
    "/usr/bin/newgrp",
    "/usr/bin/chsh",
];

/// A better priority than it was started with, or that of a real-time process.
pub(super) fn priority(_: &AttackTarget) -> AttackOutcome {
    let lowest = [1_i32];
    let real_time = [0, libc::SCHED_FIFO as usize, lowest.as_ptr().expose_provenance()];
    let better = [libc::PRIO_PROCESS as usize, 0, (-1_isize).cast_unsigned()];
    #[expect(unsafe_code, reason = "no safe function makes these calls")]
    // SAFETY: the address is that of a live `struct sched_param`, which is one number.
    let (nice, real_time) = unsafe {
        (
            raw_syscall(libc::SYS_setpriority, &better),
            raw_syscall(libc::SYS_sched_setscheduler, &real_time),
        )
    };
    AttackOutcome::from_result(nice.or(real_time), |_| "its priority is better".to_owned())
}

/// Looks for processes other than itself and its ancestors, and for the doctor even among those.
pub(super) fn see_others(target: &AttackTarget) -> AttackOutcome {
    let is_doctor = |line: Vec<u8>| line.split(|byte| *byte == 0).any(|word| word == b"doctor");
    if fs::read(format!("/proc/{}/cmdline", target.doctor)).is_ok_and(is_doctor) {
        return AttackOutcome::Open("who started it is seen".to_owned());
    }
    let entries = match fs::read_dir("/proc") {
        Ok(entries) => entries,
        Err(error) => return AttackOutcome::from_result(Err(error), |()| String::new()),
    };
    let numbers = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    let ancestry = ancestry();
    let others = numbers.filter(|number| !ancestry.contains(number)).count();
    match others {
        0 => AttackOutcome::Contained("only itself is seen".to_owned()),
        others => AttackOutcome::Open(format!("{others} others are seen")),
    }
}

/// The ids of this process and its ancestors.
fn ancestry() -> HashSet<u32> {
    let mut ancestry = HashSet::new();
    let mut next = Some(std::process::id());
    while let Some(member) = next.filter(|member| *member > 0 && ancestry.insert(*member)) {
        let status = fs::read_to_string(format!("/proc/{member}/status")).unwrap_or_default();
        let parent = status.lines().find_map(|line| line.strip_prefix("PPid:"));
        next = parent.and_then(|parent| parent.trim().parse().ok());
    }
    ancestry
}

/// Sends signal 0, which only checks the permission.
pub(super) fn signal(target: &AttackTarget) -> AttackOutcome {
    let doctor = Pid::from_raw(target.doctor).ok_or(rustix::io::Errno::SRCH);
    // If the doctor has pid 1 in a container, so has an init in its namespace. Without an init the parent is
    // a supervisor.
    if doctor.is_ok_and(|doctor| rustix::process::getppid() == Some(doctor)) {
        return AttackOutcome::Contained("its number is that of the init".to_owned());
    }
    let sent = doctor.and_then(rustix::process::test_kill_process);
    AttackOutcome::from_result(sent.map_err(io::Error::from), |()| {
        "a signal can be sent".to_owned()
    })
}

/// `PTRACE_SEIZE` stops no process, but a signal to the traced process would wait for the tracer. The tracer
/// is therefore a process that exits at once, which detaches it.
pub(super) fn trace(target: &AttackTarget) -> AttackOutcome {
    const PTRACE_SEIZE: usize = 0x4206;
    let trace_once = || -> io::Result<String> {
        let (mut reader, mut writer) = io::pipe()?;
        let tracer = || {
            #[expect(unsafe_code, reason = "no safe function makes this call")]
            // SAFETY: seizing a process takes no addresses.
            let seized =
                unsafe { raw_syscall(libc::SYS_ptrace, &[PTRACE_SEIZE, target.doctor as usize]) };
            let outcome = AttackOutcome::from_result(seized, |_| "it is traced".to_owned());
            let _best_effort = write!(writer, "{outcome}");
        };
        #[expect(unsafe_code, reason = "a process is copied")]
        // SAFETY: the process of an attack has one thread.
        unsafe { fork(tracer) }?;
        drop(writer);
        io::read_to_string(&mut reader)
    };
    match trace_once().map(|line| AttackOutcome::read(&line)) {
        Ok(Some(outcome)) => outcome,
        Ok(None) => AttackOutcome::Unknown("the tracer said nothing".to_owned()),
        Err(error) => AttackOutcome::from_result(Err(error), |()| String::new()),
    }
}

/// Reads the secret from the memory of the doctor.
pub(super) fn read_memory(target: &AttackTarget) -> AttackOutcome {
    let mut bytes = [0_u8; SECRET.len()];
    let mut local = [address(&mut bytes), bytes.len()];
    let mut remote = [target.secret_at, SECRET.len()];
    let (local, remote) = (address(&mut local), address(&mut remote));
    let words = [target.doctor as usize, local, 1, remote, 1, 0];
    #[expect(unsafe_code, reason = "no safe function makes this call")]
    // SAFETY: the local vector names a live buffer of its length; the remote one is memory of another process.
    match unsafe { raw_syscall(libc::SYS_process_vm_readv, &words) } {
        Ok(_) if bytes == *SECRET => AttackOutcome::Open("its memory was read".to_owned()),
        Ok(_) => AttackOutcome::Contained("that is the memory of another process".to_owned()),
        Err(error) => AttackOutcome::from_result(Err(error), |()| String::new()),
    }
}

pub(super) fn read_environment(target: &AttackTarget) -> AttackOutcome {
    let environment = fs::read(format!("/proc/{}/environ", target.doctor));
    AttackOutcome::from_result(environment, |bytes| format!("{} bytes were read", bytes.len()))
}

/// Starts a grandchild in a new session that keeps its descriptors open and sleeps.
pub(super) fn daemon(_: &AttackTarget) -> AttackOutcome {
    let started = || -> io::Result<()> {
        let (mut reader, mut writer) = io::pipe()?;
        let grandchild = || {
            let _best_effort = writer.write_all(b"!");
            std::thread::sleep(LIFETIME);
        };
        let child = || {
            let session = rustix::process::setsid().map_err(io::Error::from);
            #[expect(unsafe_code, reason = "a process is copied")]
            // SAFETY: the process of an attack has one thread, and so has its copy.
            let _started = session.and_then(|_| unsafe { fork(grandchild) });
        };
        #[expect(unsafe_code, reason = "a process is copied")]
        // SAFETY: the process of an attack has one thread.
        unsafe { fork(child) }?;
        drop(writer);
        reader.read_exact(&mut [0])
    };
    AttackOutcome::from_result(started(), |()| "it lives on".to_owned())
}

pub(super) fn setuid(_: &AttackTarget) -> AttackOutcome {
    let runs_as_root = |path: &&&str| {
        let meta = fs::metadata(path);
        meta.is_ok_and(|meta| meta.uid() == 0 && meta.permissions().mode() & 0o4000 != 0)
    };
    match (SETUID.iter().find(runs_as_root), rustix::thread::no_new_privs()) {
        (None, _) => AttackOutcome::Contained("no setuid program of root is visible".to_owned()),
        (Some(path), Ok(true)) => AttackOutcome::Contained(format!("{path} gets no rights")),
        (Some(path), _) => AttackOutcome::Open(format!("{path} runs as root")),
    }
}

pub(super) fn new_privileges(_: &AttackTarget) -> AttackOutcome {
    match rustix::thread::no_new_privs() {
        Ok(true) => AttackOutcome::Contained("no_new_privs is set".to_owned()),
        Ok(false) => AttackOutcome::Open("no_new_privs is not set".to_owned()),
        Err(error) => AttackOutcome::Unknown(error.to_string()),
    }
}

pub(super) fn capabilities(_: &AttackTarget) -> AttackOutcome {
    match rustix::thread::capabilities(None).map(|sets| sets.effective.bits().count_ones()) {
        Ok(0) => AttackOutcome::Contained("it has none".to_owned()),
        Ok(count) => AttackOutcome::Open(format!("it has {count}")),
        Err(error) => AttackOutcome::Unknown(error.to_string()),
    }
}
