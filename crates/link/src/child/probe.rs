//! Tries the sandbox once, to find out which mechanisms work on this machine.

use std::io;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use dicehill_temporary::TemporaryFolder;

use super::child_process::ChildProcess;
use super::spawn_request::{SpawnRequest, Work};
use crate::isolation::bot_user::BotUser;
use crate::isolation::control_groups;
use crate::isolation::limits::ResourceLimits;
use crate::isolation::mechanism::{Mechanism, MissingMechanism};
use crate::isolation::mode::Isolation;
use crate::isolation::sandbox::Sandbox;
use crate::process::child_end::ChildEnd;

/// The longest that the probe may take. It takes a thousandth of it on an idle machine.
const PROBE_TIMEOUT: Duration = Duration::from_secs(60);

/// The mechanisms that do not work on this machine, found by trying each once.
///
/// # Errors
/// If they could not be tried, for example because no process or folder could be created. That says nothing
/// about the machine, so no bot may be started then.
pub fn probe() -> io::Result<&'static [MissingMechanism]> {
    static PROBED: OnceLock<Result<Vec<MissingMechanism>, String>> = OnceLock::new();
    match PROBED.get_or_init(probe_all) {
        Ok(missing) => Ok(missing),
        Err(why) => Err(io::Error::other(format!(
            "the sandbox cannot be tried: {why}; mend that, or run bots of your own with --no-isolation"
        ))),
    }
}

fn probe_all() -> Result<Vec<MissingMechanism>, String> {
    if !cfg!(target_os = "linux") {
        let why = format!("not on {}", std::env::consts::OS);
        return Ok(Mechanism::ALL
            .map(|mechanism| MissingMechanism { mechanism, why: why.clone() })
            .into());
    }
    let mut missing = probe_child().map_err(|error| error.to_string())?;
    missing.splice(0..0, missing_groups());
    Ok(missing)
}

/// What control groups cannot do here, as far as it is known without a child.
fn missing_groups() -> Vec<MissingMechanism> {
    let because = |why: &str| {
        let why = why.to_owned();
        move |mechanism| MissingMechanism { mechanism, why: why.clone() }
    };
    match control_groups::of_this_process() {
        Err(why) => {
            [Mechanism::ControlGroups, Mechanism::ProcessorAccount].map(because(why)).into()
        }
        Ok(groups) => {
            let why = groups.without_limits();
            why.map(|why| because(why)(Mechanism::ControlGroups)).into_iter().collect()
        }
    }
}

/// A sandbox around a folder, with every mechanism that works on this machine.
pub(crate) fn sandbox_around(folder: PathBuf, user: BotUser, bounds: ResourceLimits) -> Sandbox {
    // If the probe failed, no mechanism is left out, and each must succeed.
    Sandbox::new(folder, user, bounds, probe().unwrap_or_default())
}

/// A user for a sandboxed child: 0 where an arena that runs as root cannot start processes of other users, and without a
/// sandbox.
pub(crate) fn sandbox_user(isolation: Isolation) -> BotUser {
    let missing = match isolation {
        Isolation::On => probe().unwrap_or_default(),
        Isolation::Off => return BotUser::from(0),
    };
    let is_missing = missing.iter().any(|missing| missing.mechanism == Mechanism::OwnUser);
    if is_missing && rustix::process::geteuid().is_root() {
        return BotUser::from(0);
    }
    BotUser::new()
}

/// Has a child try all mechanisms.
///
/// # Errors
/// If the child could not be started or did not report.
fn probe_child() -> io::Result<Vec<MissingMechanism>> {
    let folder = TemporaryFolder::new()?;
    let path = folder.path().canonicalize()?;
    let request = SpawnRequest {
        command: &[],
        folder: &path,
        memory_mb: 64,
        sandbox: Some(Sandbox::for_probe(path.clone())),
        work: Work::Build,
        cargo_home: None,
        secrets: &[],
    };
    let began = Instant::now();
    match ChildProcess::start(&request)?.wait_for_end(PROBE_TIMEOUT) {
        Some(ChildEnd::Probed(missing)) => Ok(serde_json::from_str(&missing)?),
        Some(ChildEnd::NotStarted(why) | ChildEnd::ArenaError(why)) => Err(io::Error::other(why)),
        None if std::fs::symlink_metadata("/dev/fd").is_err() => Err(io::Error::other(
            "/dev/fd is missing: mount /proc, and link /dev/fd to /proc/self/fd",
        )),
        None if began.elapsed() < PROBE_TIMEOUT => {
            Err(io::Error::other("it has ended without a report"))
        }
        None => {
            let seconds = PROBE_TIMEOUT.as_secs();
            Err(io::Error::other(format!(
                "it has not ended after {seconds} s: this machine is too busy"
            )))
        }
        other => Err(io::Error::other(format!("it ended otherwise: {other:?}"))),
    }
}
