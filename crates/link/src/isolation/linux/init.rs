//! The init: the first process in a child's namespaces. It sets up the sandbox, starts the child, and waits for its end.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use rustix::fs::Mode;
use rustix::process::{
    DumpableBehavior, Pid, Signal, WaitOptions, geteuid, set_dumpable_behavior,
    set_parent_process_death_signal, setsid,
};
use rustix::thread::UnshareFlags;

use super::privileges::{change_user, give_up_capabilities};
use super::steps::SandboxSteps;
use super::{landlock_rules, namespaces, rlimits, root_folder, seccomp_filter};
use crate::files::ownership::closed_above;
use crate::isolation::mechanism::Mechanism;
use crate::isolation::sandbox::Sandbox;
use crate::process::child_end::ChildEnd;
use crate::process::inherited;

/// Runs an init in a copy of the supervisor, which sends the [`Sandbox`] on the socket as a line, and then a byte once the
/// child may start. Returns the exit status of the copy, in which no owner of another descriptor may be dropped.
pub(crate) fn init(socket: &UnixStream, command: impl Iterator<Item = OsString>) -> i32 {
    inherited::close_all_but(socket);
    let (mut messages, mut line) = (BufReader::new(socket), String::new());
    let received = messages.read_line(&mut line).ok();
    // A supervisor that has ended sends nothing.
    let Some(sandbox) = received.and_then(|_| serde_json::from_str(&line).ok()) else { return 2 };
    let mut steps = SandboxSteps::new(&sandbox);
    let set_up = drop_privileges(&sandbox, &mut steps);
    // Meanwhile the supervisor has given up its own privileges, or has ended.
    if messages.read_exact(&mut [0]).is_err() {
        return 2;
    }
    let ended = set_up.map_err(ChildEnd::from);
    let ended = ended.and_then(|has_own_files| run(steps, has_own_files, socket, command));
    let report = ended.unwrap_or_else(|not_started| not_started);
    // The supervisor may have ended.
    let _best_effort = (&*socket).write_all(report.to_string().as_bytes());
    0
}

/// Starts the child in the sandbox that is set up, and waits for its end; for a probe, reports the missing mechanisms
/// instead.
fn run(
    mut steps: SandboxSteps<'_>,
    has_own_files: bool,
    socket: &UnixStream,
    command: impl Iterator<Item = OsString>,
) -> Result<ChildEnd, ChildEnd> {
    let sandbox = steps.sandbox;
    if sandbox.is_probe {
        restrict(sandbox, &mut steps, has_own_files, socket)?;
        let missing = serde_json::to_string(&steps.missing).map_err(io::Error::from)?;
        return Ok(ChildEnd::Probed(missing));
    }
    let child = start(sandbox, has_own_files, socket, command)?;
    // The rule for the map is one for this entry, which the kernel could otherwise forget and create again.
    let _kept = File::options()
        .read(true)
        .custom_flags(libc::O_PATH)
        .open(format!("/proc/{}/maps", child.as_raw_nonzero()));
    inherited::release_standard_streams(&inherited::open_null()?)?;
    loop {
        let ended = rustix::process::wait(WaitOptions::empty()).map_err(io::Error::from)?;
        if let Some((pid, status)) = ended
            && pid == child
        {
            return Ok(ChildEnd::of_status(status));
        }
    }
}

/// Takes all steps before [`restrict`], in the only order in which they are possible. Returns whether there is a new
/// root folder.
fn drop_privileges(sandbox: &Sandbox, steps: &mut SandboxSteps<'_>) -> io::Result<bool> {
    // If the machine runs out of memory, the kernel should not kill the arena first.
    let _best_effort = std::fs::write("/proc/self/oom_score_adj", "1000");
    // The child's user must be able to enter the folders of the new root, whatever mask the arena was started with.
    rustix::process::umask(Mode::WGRP | Mode::WOTH);
    steps.take(Mechanism::CgroupNamespace, || namespaces::unshare(UnshareFlags::NEWCGROUP))?;
    let has_own_files =
        steps.take(Mechanism::MountNamespace, || root_folder::change_root(sandbox))?;
    if has_own_files {
        // Without rules for its files, no `/proc` is better than its own, and its own better than the host's.
        let may_have_proc = sandbox.needs_proc || !sandbox.missing.contains(&Mechanism::FileRules);
        let has_proc = may_have_proc && steps.take(Mechanism::OwnProc, root_folder::mount_proc)?;
        if !has_proc && !sandbox.needs_proc {
            root_folder::remove_proc()?;
        }
    }
    if geteuid().is_root() {
        let changed = steps.take(Mechanism::OwnUser, || change_user(sandbox))?;
        if changed {
            steps.take(Mechanism::UserNamespace, namespaces::enter_user_namespace)?;
        }
    } else {
        let same = "the arena is an ordinary user, and bots are the same one";
        steps.take(Mechanism::OwnUser, || Err(io::Error::other(same)))?;
    }
    // The init ends with the supervisor, for whatever reason. A change of user resets this setting.
    set_parent_process_death_signal(Some(Signal::KILL))?;
    let _already_leader = setsid();
    rustix::process::chdir(&sandbox.folder)?;
    steps.take(Mechanism::Bounds, || rlimits::set(sandbox.bounds))?;
    give_up_capabilities()?;
    rustix::thread::set_no_new_privs(true)?;
    // The kernel keeps a huge page whole while any of it is mapped, and only what is mapped counts for the child.
    rustix::thread::disable_transparent_huge_pages(true)?;
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    Ok(has_own_files)
}

/// Restricts the files and the system calls of this process, which is the first of the child.
fn restrict(
    sandbox: &Sandbox,
    steps: &mut SandboxSteps<'_>,
    has_own_files: bool,
    socket: &UnixStream,
) -> io::Result<()> {
    let mut supported = None;
    steps.take(Mechanism::FileRules, || {
        supported = Some(landlock_rules::set(sandbox, has_own_files)?);
        Ok(())
    })?;
    if let Some(supported) = supported {
        let missing = || io::Error::other("the kernel's Landlock is too old");
        let has = |there: bool| if there { Ok(()) } else { Err(missing()) };
        steps.take(Mechanism::NetworkRules, || has(supported.network))?;
        steps.take(Mechanism::ScopeRules, || has(supported.scope))?;
    }
    steps.take(Mechanism::SystemCalls, || seccomp_filter::set(socket, sandbox))?;
    Ok(())
}

/// Why a program that exists on the host cannot be run in the sandbox, with a remedy.
fn not_started(program: &OsStr, error: &io::Error, has_own_files: bool) -> ChildEnd {
    let is_hidden =
        matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied);
    // In a root folder of its own, nothing is closed to it.
    let closed = closed_above(Path::new(program), geteuid().as_raw()).filter(|_| !has_own_files);
    let advice = match closed {
        _ if !is_hidden => String::new(),
        Some(closed) => format!(
            "; its user may not enter {}, and there is no mount namespace here (see `dicehill doctor`)",
            closed.display()
        ),
        None => {
            "; a sandboxed bot can read only the system's programs and what `read` names in the hill file"
                .to_owned()
        }
    };
    let name = program.to_string_lossy();
    let ended = ChildEnd::of_spawn_error(error);
    if let ChildEnd::NotStarted(why) = &ended {
        return ChildEnd::NotStarted(format!("{name}: {why}{advice}"));
    }
    ended
}

/// Starts the child, which restricts itself before it executes its program.
fn start(
    sandbox: &Sandbox,
    has_own_files: bool,
    socket: &UnixStream,
    mut command: impl Iterator<Item = OsString>,
) -> Result<Pid, ChildEnd> {
    let program = command.next().ok_or_else(|| io::Error::other("no program"))?;
    let (mut failure, mut writer) = io::pipe()?;
    let (of_child, socket) = (sandbox.clone(), socket.try_clone()?);
    let restrict_itself = move || {
        // The supervisor of an arena that runs as root reads the child's descriptors as the child's user.
        set_dumpable_behavior(DumpableBehavior::Dumpable)?;
        let restricted =
            restrict(&of_child, &mut SandboxSteps::new(&of_child), has_own_files, &socket);
        // The standard library passes on the number of an error alone.
        restricted.inspect_err(|error| {
            let _best_effort = write!(writer, "{error}");
        })
    };
    let mut child = Command::new(&program);
    child.args(command).process_group(0);
    #[expect(unsafe_code, reason = "rules for the child's own files can only be set by itself")]
    // SAFETY: the init has one thread, so no lock is held by another thread in the copy.
    unsafe {
        child.pre_exec(restrict_itself);
    }
    let spawned = child.spawn();
    // Closes the writer.
    drop(child);
    spawned.map(|child| Pid::from_child(&child)).map_err(|error| {
        let mut why = String::new();
        let _best_effort = failure.read_to_string(&mut why);
        if why.is_empty() {
            not_started(&program, &error, has_own_files)
        } else {
            ChildEnd::ArenaError(why)
        }
    })
}
