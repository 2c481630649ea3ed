//! Attacks on other processes, and on the attacking process's own privileges.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::time::Duration;

use rustix::process::Pid;

use super::decoy::SECRET;
use super::outcome::Outcome;
use super::raw_syscall::{address, fork, raw_syscall};
use super::target::Target;

/// The longest that a process may live that an attack leaves behind: longer than one waits for it to be gone.
pub(super) const LIFE: Duration = Duration::from_secs(60);

/// Programs of which one or the other runs as root wherever there is one.
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

/// Anybody but itself and those from whom it descends; and who laid out the bait, also among those.
pub(super) fn see_others(target: &Target) -> Outcome {
    let is_doctor = |line: Vec<u8>| line.split(|byte| *byte == 0).any(|word| word == b"doctor");
    if fs::read(format!("/proc/{}/cmdline", target.doctor)).is_ok_and(is_doctor) {
        return Outcome::Open("who started it is seen".to_owned());
    }
    let entries = match fs::read_dir("/proc") {
        Ok(entries) => entries,
        Err(error) => return Outcome::of(Err(error), |()| String::new()),
    };
    let numbers = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    let family = family();
    let strangers = numbers.filter(|number| !family.contains(number)).count();
    match strangers {
        0 => Outcome::Contained("only itself is seen".to_owned()),
        strangers => Outcome::Open(format!("{strangers} others are seen")),
    }
}

/// This process and those from whom it descends.
fn family() -> HashSet<u32> {
    let mut family = HashSet::new();
    let mut next = Some(std::process::id());
    while let Some(member) = next.filter(|member| *member > 0 && family.insert(*member)) {
        let status = fs::read_to_string(format!("/proc/{member}/status")).unwrap_or_default();
        let parent = status.lines().find_map(|line| line.strip_prefix("PPid:"));
        next = parent.and_then(|parent| parent.trim().parse().ok());
    }
    family
}

/// Signal 0, which does nothing but ask for the right to send one.
pub(super) fn signal(target: &Target) -> Outcome {
    let doctor = Pid::from_raw(target.doctor).ok_or(rustix::io::Errno::SRCH);
    // Where the doctor is the first process of a container, an init has its number. Without one our parent is a keeper.
    if doctor.is_ok_and(|doctor| rustix::process::getppid() == Some(doctor)) {
        return Outcome::Contained("its number is that of the init".to_owned());
    }
    let sent = doctor.and_then(rustix::process::test_kill_process);
    Outcome::of(sent.map_err(io::Error::from), |()| "a signal can be sent".to_owned())
}

/// `PTRACE_SEIZE` stops nobody, but a signal to the traced would wait for the tracer: a process traces
/// that ends at once, which lets the traced go.
pub(super) fn trace(target: &Target) -> Outcome {
    const PTRACE_SEIZE: usize = 0x4206;
    let told = || -> io::Result<String> {
        let (mut reader, mut writer) = io::pipe()?;
        fork(|| {
            let seized = raw_syscall(libc::SYS_ptrace, &[PTRACE_SEIZE, target.doctor as usize]);
            let outcome = Outcome::of(seized, |_| "it is traced".to_owned());
            let _told = write!(writer, "{outcome}");
        })?;
        drop(writer);
        io::read_to_string(&mut reader)
    };
    match told().map(|line| Outcome::read(&line)) {
        Ok(Some(outcome)) => outcome,
        Ok(None) => Outcome::Unknown("the tracer said nothing".to_owned()),
        Err(error) => Outcome::of(Err(error), |()| String::new()),
    }
}

/// Reads the secret where the other process keeps it.
pub(super) fn read_memory(target: &Target) -> Outcome {
    let mut bytes = [0_u8; SECRET.len()];
    let mut local = [address(&mut bytes), bytes.len()];
    let mut remote = [target.secret_at, SECRET.len()];
    let (local, remote) = (address(&mut local), address(&mut remote));
    let words = [target.doctor as usize, local, 1, remote, 1, 0];
    match raw_syscall(libc::SYS_process_vm_readv, &words) {
        Ok(_) if bytes == *SECRET => Outcome::Open("its memory was read".to_owned()),
        Ok(_) => Outcome::Contained("that is somebody else's memory".to_owned()),
        Err(error) => Outcome::of(Err(error), |()| String::new()),
    }
}

pub(super) fn read_environment(target: &Target) -> Outcome {
    let environment = fs::read(format!("/proc/{}/environ", target.doctor));
    Outcome::of(environment, |bytes| format!("{} bytes were read", bytes.len()))
}

/// Starts a process twice over, in a session of its own, that closes nothing and waits.
pub(super) fn daemon(_: &Target) -> Outcome {
    let started = || -> io::Result<()> {
        let (mut reader, mut writer) = io::pipe()?;
        fork(|| {
            let session = rustix::process::setsid().map_err(io::Error::from);
            let _second = session.and_then(|_| {
                fork(|| {
                    let _up = writer.write_all(b"!");
                    std::thread::sleep(LIFE);
                })
            });
        })?;
        drop(writer);
        reader.read_exact(&mut [0])
    };
    Outcome::of(started(), |()| "it lives on".to_owned())
}

pub(super) fn setuid(_: &Target) -> Outcome {
    let runs_as_root = |path: &&&str| {
        let meta = fs::metadata(path);
        meta.is_ok_and(|meta| meta.uid() == 0 && meta.permissions().mode() & 0o4000 != 0)
    };
    match (SETUID.iter().find(runs_as_root), rustix::thread::no_new_privs()) {
        (None, _) => Outcome::Contained("there is none to be seen".to_owned()),
        (Some(path), Ok(true)) => Outcome::Contained(format!("{path} gets no rights")),
        (Some(path), _) => Outcome::Open(format!("{path} runs as root")),
    }
}

pub(super) fn new_privileges(_: &Target) -> Outcome {
    match rustix::thread::no_new_privs() {
        Ok(true) => Outcome::Contained("no_new_privs is set".to_owned()),
        Ok(false) => Outcome::Open("no_new_privs is not set".to_owned()),
        Err(error) => Outcome::Unknown(error.to_string()),
    }
}

pub(super) fn capabilities(_: &Target) -> Outcome {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("CapEff:"));
    match mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()) {
        Some(0) => Outcome::Contained("it has none".to_owned()),
        Some(mask) => Outcome::Open(format!("it has {}", mask.count_ones())),
        None => Outcome::Unknown("/proc/self/status does not tell".to_owned()),
    }
}
