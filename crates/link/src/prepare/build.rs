//! Builds a bot, once for each content of its files, and runs other tools in the same way.

use std::ffi::OsString;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use dicehill_arena::{Wishes, wait};
use dicehill_temporary::Temporary;

use super::error::PrepareError;
use super::{cache, cargo_home, readable_paths};
use crate::bot_log::Tail;
use crate::child::child_process::Child;
use crate::child::probe::sandbox;
use crate::child::spawn_request::{Launch, Work};
use crate::files::bot_files::Files;
use crate::files::ownership;
use crate::isolation::bot_user::next_user;
use crate::isolation::limits::Bounds;
use crate::isolation::sandbox::{Isolation, Room};
use crate::process::disk_usage::Stock;
use crate::process::ended::Ended;

/// The longest that a build may take.
const LONGEST: Duration = Duration::from_secs(600);

/// The longest that the end may take of one that is killed.
const LONGEST_END: Duration = Duration::from_secs(5);

/// Bytes of its output that are kept.
const LONGEST_OUTPUT: usize = 1 << 20;

/// Mebibytes that a build may use.
const MEMORY_MB: u64 = 8 << 10;

/// What a build may do.
#[derive(Clone, Debug, Default)]
pub(crate) struct Site {
    /// What it may read beside the tools that are in the PATH.
    pub(crate) readable: Vec<PathBuf>,
    /// What it may write.
    pub(crate) writable: Vec<PathBuf>,
    pub(crate) isolation: Isolation,
}

/// The folder with the built bot.
pub(crate) fn built(
    command: &[String],
    files: &Files,
    identity: &str,
    isolation: Isolation,
) -> Result<PathBuf, PrepareError> {
    cache::get("build", &identity.replace(':', "-"), |folder| {
        files.copy_to(folder)?;
        let words: Vec<_> = command.iter().map(OsString::from).collect();
        let site = Site { writable: vec![folder.to_owned()], isolation, ..Site::default() };
        run(&words, folder, site).map(drop)
    })
}

/// Runs a command to its end and gives what it wrote to its stdout, up to a mebibyte.
///
/// # Errors
/// If it does not end well; its last output is then shown.
pub(crate) fn run(
    command: &[OsString],
    folder: &Path,
    site: Site,
) -> Result<Vec<u8>, PrepareError> {
    let Site { readable, mut writable, isolation } = site;
    let user = next_user();
    let cargo_home = match isolation {
        Isolation::On => cargo_home::new()?,
        Isolation::Off => None,
    };
    let cargo_home = cargo_home.as_ref().map(Temporary::path);
    writable.extend(cargo_home.map(Path::to_owned));
    let mut given = writable.clone();
    given.push(folder.to_owned());
    let room = match isolation {
        Isolation::Off => None,
        Isolation::On => Some(Room {
            readable: readable.into_iter().chain(readable_paths::of_build()).collect(),
            stock: Stock::of(writable.iter().map(PathBuf::as_path)),
            writable,
            has_tmp: true,
            needs_proc: true,
            ..sandbox(folder.to_owned(), user, Bounds::of_build(MEMORY_MB))
        }),
    };
    if room.is_none() {
        return run_in(command, folder, room, cargo_home);
    }
    for folder in &given {
        ownership::give(folder, user)?;
    }
    let output = run_in(command, folder, room, cargo_home);
    // What is deeper than is counted is not walked through either.
    let stock = Stock::of(given.iter().map(PathBuf::as_path));
    if stock.files > Bounds::of_build(MEMORY_MB).folder_files {
        let what = "the folder of a build".to_owned();
        let (how, output) = ("too many or too deep folders in it".to_owned(), String::new());
        return Err(PrepareError::Build { what, how, output });
    }
    for folder in &given {
        ownership::take_back(folder)?;
    }
    output
}

fn run_in(
    command: &[OsString],
    folder: &Path,
    room: Option<Room>,
    cargo_home: Option<&Path>,
) -> Result<Vec<u8>, PrepareError> {
    let is_kept_apart = room.is_some();
    let work = Work::Build;
    let launch = Launch { command, folder, memory_mb: MEMORY_MB, room, work, cargo_home };
    let mut child = Child::start(&launch)?;
    child.close_stdin();
    let until = Instant::now() + LONGEST;
    let mut tail = Tail::default();
    let heard = hear(&mut child, until, &mut tail);
    // What cannot be heard any more is not waited for.
    let ended = heard.is_ok().then(|| child.ended(until.saturating_duration_since(Instant::now())));
    let ended = ended.flatten();
    if ended.is_none() {
        // Nobody may work there any more when its folder is taken back.
        child.kill();
        let _ended = child.ended(LONGEST_END);
    }
    let kept = heard?;
    let how = match ended {
        Some(Ended::Exited(0)) => return Ok(kept),
        Some(Ended::Exited(status)) if is_kept_apart => {
            format!("status {status} (what it needs from the network has to be fetched before)")
        }
        Some(Ended::Exited(status)) => format!("status {status}"),
        Some(Ended::Signalled(signal)) => format!("signal {signal}"),
        Some(Ended::Memory) => format!("more than {MEMORY_MB} MiB"),
        Some(Ended::NotStarted(why)) => why,
        Some(Ended::ArenaError(why)) => return Err(io::Error::other(why).into()),
        Some(Ended::Files) => "too much written".to_owned(),
        Some(Ended::Surveyed(_)) => "it was not run".to_owned(),
        None => format!("not done after {} s", LONGEST.as_secs()),
    };
    let what = command.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
    Err(PrepareError::Build { what, how, output: tail.lines().join("\n") })
}

/// Takes what a build says, until it has closed its output and its log, and gives its output up to a mebibyte.
fn hear(child: &mut Child, until: Instant, tail: &mut Tail) -> io::Result<Vec<u8>> {
    let mut kept = Vec::new();
    let (mut out, mut log) = (true, true);
    while (out || log) && Instant::now() < until {
        let output = out.then(|| child.output().as_fd());
        let errors = log.then(|| child.log().as_fd());
        wait([Wishes { output, log: errors, ..Wishes::default() }]);
        out = out
            && drain(child.stdout(), &mut |bytes| {
                tail.push(bytes);
                kept.extend(&bytes[..bytes.len().min(LONGEST_OUTPUT - kept.len())]);
            })?;
        log = log && drain(child.stderr(), &mut |bytes| tail.push(bytes))?;
    }
    Ok(kept)
}

/// Reads what is there; says whether more may come.
fn drain(from: &mut impl Read, take: &mut dyn FnMut(&[u8])) -> io::Result<bool> {
    let mut bytes = [0; 8192];
    loop {
        match from.read(&mut bytes) {
            Ok(0) => return Ok(false),
            Ok(got) => take(&bytes[..got]),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(true),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
