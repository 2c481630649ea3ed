//! The init: the first process in a child's namespaces. It sets up the sandbox, starts the child, and waits for its end.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

use rustix::process::{
    DumpableBehavior, Gid, Pid, Signal, Uid, WaitOptions, set_dumpable_behavior,
    set_parent_process_death_signal, setsid,
};
use rustix::thread::{
    CapabilitiesSecureBits, CapabilitySet, CapabilitySets, UnshareFlags, set_thread_groups,
    set_thread_res_gid, set_thread_res_uid,
};

use super::mechanism::Mechanism;
use super::sandbox::Room;
use super::steps::Steps;
use super::{landlock_rules, namespaces, rlimits, root_folder, seccomp_filter};
use crate::process::ended::Ended;
use crate::process::inherited;

/// The first argument of a program that is to be a child's init.
pub(crate) const INIT: &str = "--init";

/// Does an init's work: `arguments` are the child's command, and its keeper says what the room is.
pub(crate) fn init(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let told = inherited::socket().and_then(|mut socket| {
        let mut text = String::new();
        socket.read_to_string(&mut text).ok()?;
        Some((serde_json::from_str(&text).ok()?, socket))
    });
    let Some((room, mut socket)) = told else {
        eprintln!("dicehill {INIT} is started by dicehill itself");
        return ExitCode::from(2);
    };
    let settled = settle(&room).map_err(Ended::from);
    let ended = settled.and_then(|steps| start(&room, &steps, arguments));
    let report = ended.unwrap_or_else(|not_started| not_started);
    // Nobody may be there to read it.
    let _told = socket.write_all(report.to_string().as_bytes());
    ExitCode::SUCCESS
}

/// Takes all steps, in the one order in which they are possible.
fn settle(room: &Room) -> io::Result<Steps<'_>> {
    let mut steps = Steps::new(room);
    // Should the machine run out of memory, it is not the arena that ends.
    let _where_it_can_be_said = std::fs::write("/proc/self/oom_score_adj", "1000");
    steps.take(Mechanism::CgroupNamespace, || namespaces::unshare(UnshareFlags::NEWCGROUP))?;
    let has_own_files = steps.take(Mechanism::MountNamespace, || root_folder::change_root(room))?;
    if has_own_files
        && !steps.take(Mechanism::OwnProc, root_folder::mount_proc)?
        && !room.needs_proc
    {
        // Rather none than that of everybody.
        root_folder::remove_proc()?;
    }
    if rustix::process::geteuid().is_root() {
        let changed = steps.take(Mechanism::OwnUser, || change_user(room.user))?;
        if changed {
            steps.take(Mechanism::UserNamespace, namespaces::enter_user_namespace)?;
        }
    }
    // The keeper's end is ours, however it comes. A change of user would have undone this.
    set_parent_process_death_signal(Some(Signal::KILL))?;
    let _is_leader_already = setsid();
    rustix::process::chdir(&room.folder)?;
    steps.take(Mechanism::Bounds, || rlimits::set(room.bounds))?;
    give_up_capabilities()?;
    rustix::thread::set_no_new_privs(true)?;
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    let mut known = None;
    steps.take(Mechanism::FileRules, || {
        known = Some(landlock_rules::set(room, has_own_files)?);
        Ok(())
    })?;
    if let Some(known) = known {
        let missing = || io::Error::other("the kernel's Landlock is too old");
        let has = |there: bool| if there { Ok(()) } else { Err(missing()) };
        steps.take(Mechanism::NetworkRules, || has(known.network))?;
        steps.take(Mechanism::ScopeRules, || has(known.scope))?;
    }
    steps.take(Mechanism::SystemCalls, seccomp_filter::set)?;
    Ok(steps)
}

fn change_user(user: u32) -> io::Result<()> {
    if user == 0 {
        return Err(io::Error::other("no other user is known here"));
    }
    let (user, group) = (Uid::from_raw(user), Gid::from_raw(user));
    set_thread_groups(&[])?;
    set_thread_res_gid(group, group, group)?;
    set_thread_res_uid(user, user, user)?;
    Ok(())
}

/// Gives up every right, for good: programs that are started cannot bring any.
fn give_up_capabilities() -> io::Result<()> {
    let had = rustix::thread::capabilities(None)?;
    if had.effective.contains(CapabilitySet::SETPCAP) {
        let bits = CapabilitiesSecureBits::NO_ROOT | CapabilitiesSecureBits::NO_ROOT_LOCKED;
        rustix::thread::set_capabilities_secure_bits(bits)?;
        for number in 0..64 {
            let one = CapabilitySet::from_bits_retain(1 << number);
            // The kernel knows fewer than there is room for.
            if rustix::thread::remove_capability_from_bounding_set(one).is_err() {
                break;
            }
        }
    }
    rustix::thread::clear_ambient_capability_set()?;
    let none = CapabilitySet::empty();
    let none = CapabilitySets { effective: none, permitted: none, inheritable: none };
    rustix::thread::set_capabilities(None, none)?;
    Ok(())
}

/// Why a program that was found cannot be run in here, and the way out.
fn not_started(program: &OsStr, error: &io::Error) -> Ended {
    let is_hidden =
        matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied);
    let advice = if is_hidden {
        "; where bots are kept apart, only the system's programs and what `read` names in the hill file can be \
         read"
    } else {
        ""
    };
    let name = program.to_string_lossy();
    let ended = Ended::of_spawn(error);
    if let Ended::NotStarted(why) = &ended {
        return Ended::NotStarted(format!("{name}: {why}{advice}"));
    }
    ended
}

/// Starts the child and waits for its end, or says what is absent if that was all the question.
fn start(
    room: &Room,
    steps: &Steps<'_>,
    mut command: impl Iterator<Item = OsString>,
) -> Result<Ended, Ended> {
    if room.is_survey {
        let absent = serde_json::to_string(&steps.absent).map_err(io::Error::from)?;
        return Ok(Ended::Surveyed(absent));
    }
    let program = command.next().ok_or_else(|| io::Error::other("no program"))?;
    let nothing = inherited::open_nothing()?;
    let child = Command::new(&program).args(command).process_group(0).spawn();
    let child = child.map_err(|error| not_started(&program, &error))?;
    inherited::let_go_of_the_pipes(&nothing)?;
    let child = Pid::from_child(&child);
    loop {
        let ended = rustix::process::wait(WaitOptions::empty()).map_err(io::Error::from)?;
        if let Some((pid, status)) = ended
            && pid == child
        {
            return Ok(Ended::of(status));
        }
    }
}
