//! Tries the sandbox once, to find out which mechanisms work on this machine.

use std::io;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

use dicehill_temporary::Temporary;

use super::child_process::Child;
use super::spawn_request::{Launch, Work};
use crate::isolation::control_groups;
use crate::isolation::limits::Bounds;
use crate::isolation::mechanism::{Absent, Mechanism};
use crate::isolation::sandbox::Room;
use crate::process::ended::Ended;

/// How long it may take to find out what can be had.
const LONGEST_SURVEY: Duration = Duration::from_secs(10);

/// What this machine cannot do, found out once by trying.
///
/// # Errors
/// If it could not be tried, for example because no process or no folder could be made. That says nothing about
/// the machine, so that no bot may be started on the strength of it.
pub fn survey() -> io::Result<&'static [Absent]> {
    static SURVEY: OnceLock<Result<Vec<Absent>, String>> = OnceLock::new();
    match SURVEY.get_or_init(try_all) {
        Ok(absent) => Ok(absent),
        Err(why) => Err(io::Error::other(format!(
            "the sandbox cannot be tried: {why}; mend that, or run bots of your own with --no-isolation"
        ))),
    }
}

fn try_all() -> Result<Vec<Absent>, String> {
    if !cfg!(target_os = "linux") {
        let why = format!("not on {}", std::env::consts::OS);
        return Ok(Mechanism::ALL.map(|mechanism| Absent { mechanism, why: why.clone() }).into());
    }
    let mut absent = survey_of_child().map_err(|error| error.to_string())?;
    if let Err(why) = control_groups::of_this_arena() {
        absent.insert(0, Absent { mechanism: Mechanism::ControlGroups, why: why.to_owned() });
    }
    Ok(absent)
}

/// A sandbox around a folder, with every mechanism that works on this machine.
pub(crate) fn sandbox(folder: PathBuf, user: u32, bounds: Bounds) -> Room {
    // If the probe failed no mechanism is left out, so that each must succeed.
    Room::new(folder, user, bounds, survey().unwrap_or_default())
}

/// Tries what keeps children apart, and says what cannot be had.
///
/// # Errors
/// If not even that can be found out.
fn survey_of_child() -> io::Result<Vec<Absent>> {
    let folder = Temporary::new()?;
    let path = folder.path().canonicalize()?;
    let room = Room::of_survey(path.clone());
    let (room, work) = (Some(room), Work::Build);
    let launch =
        Launch { command: &[], folder: &path, memory_mb: 64, room, work, cargo_home: None };
    match Child::start(&launch)?.ended(LONGEST_SURVEY) {
        Some(Ended::Surveyed(absent)) => Ok(serde_json::from_str(&absent)?),
        Some(Ended::NotStarted(why) | Ended::ArenaError(why)) => Err(io::Error::other(why)),
        other => Err(io::Error::other(format!("it ended otherwise: {other:?}"))),
    }
}
