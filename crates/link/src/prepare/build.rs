//! Builds a bot, once for each content of its files, and runs other tools in the same way.

use std::ffi::OsString;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use dicehill_arena::PollInterest;
use dicehill_temporary::TemporaryFolder;

use super::build_output::BuildOutput;
use super::error::PrepareError;
use super::{cache, cargo_home, readable_paths};
use crate::child::child_process::ChildProcess;
use crate::child::probe::{sandbox_around, sandbox_user};
use crate::child::spawn_request::{SpawnRequest, Work};
use crate::child::wait::wait_for_one;
use crate::files::bot_files::BotFiles;
use crate::files::ownership;
use crate::isolation::limits::ResourceLimits;
use crate::isolation::mode::Isolation;
use crate::isolation::sandbox::Sandbox;
use crate::process::child_end::ChildEnd;
use crate::process::disk_usage::DiskUsage;

/// The longest that a build may take.
const LONGEST: Duration = Duration::from_secs(600);

/// The longest that a killed build may take to end.
const END_TIMEOUT: Duration = Duration::from_secs(5);

/// Bytes of its stdout that are kept.
const MAX_OUTPUT_BYTES: usize = 1 << 20;

/// The least free bytes of a disk on which something is built.
const MIN_FREE_BYTES: u64 = 16 << 20;

/// Mebibytes of memory of a build.
const MEMORY_MB: u64 = 8 << 10;

/// What a build may access.
#[derive(Clone, Debug)]
pub(crate) struct BuildAccess {
    /// What it may read in addition to the tools in the PATH.
    pub(crate) readable: Vec<PathBuf>,
    /// Folders that it may write to.
    pub(crate) writable: Vec<PathBuf>,
    pub(crate) isolation: Isolation,
}

/// The folder with the built bot, from the cache if it was built before. The build may read what the bot may, `readable`.
pub(crate) fn build_bot(
    command: &[String],
    files: &BotFiles,
    identity: &str,
    (readable, isolation): (&[PathBuf], Isolation),
) -> Result<PathBuf, PrepareError> {
    cache::get_or_make(cache::Cached::Build, &identity.replace(':', "-"), |folder| {
        files.copy_to(folder)?;
        let words: Vec<_> = command.iter().map(OsString::from).collect();
        let (readable, writable) = (readable.to_owned(), vec![folder.to_owned()]);
        let access = BuildAccess { readable, writable, isolation };
        run_command(&words, folder, access).map(drop)
    })
}

/// Runs a command to its end and returns what it wrote to stdout, up to one mebibyte.
///
/// # Errors
/// If it fails; the error shows the end of its output.
pub(crate) fn run_command(
    command: &[OsString],
    folder: &Path,
    access: BuildAccess,
) -> Result<Vec<u8>, PrepareError> {
    let BuildAccess { readable, mut writable, isolation } = access;
    let user = sandbox_user(isolation);
    let cargo_home = match isolation {
        Isolation::On => cargo_home::new()?,
        Isolation::Off => None,
    };
    let cargo_home = cargo_home.as_ref().map(TemporaryFolder::path);
    writable.extend(cargo_home.map(Path::to_owned));
    let mut folders = writable.clone();
    folders.push(folder.to_owned());
    folders.iter().try_for_each(|folder| refuse_full_disk(folder))?;
    let sandbox = match isolation {
        Isolation::Off => None,
        Isolation::On => Some(Sandbox {
            readable: readable.into_iter().chain(readable_paths::of_build()).collect(),
            initial_usage: DiskUsage::of(writable.iter().map(PathBuf::as_path)),
            writable,
            has_tmp: true,
            ignores_locks: true,
            needs_proc: true,
            reads_proc: true,
            ..sandbox_around(folder.to_owned(), user.clone(), ResourceLimits::of_build(MEMORY_MB))
        }),
    };
    if sandbox.is_none() {
        return run_child(command, folder, sandbox, cargo_home);
    }
    for folder in &folders {
        ownership::hand_over(folder, user.number())?;
    }
    let output = run_child(command, folder, sandbox, cargo_home);
    check_number_of_files(&folders)?;
    for folder in &folders {
        ownership::take_back(folder)?;
    }
    output
}

/// Refuses to build on a disk without room, so that no bot is blamed for it.
fn refuse_full_disk(folder: &Path) -> io::Result<()> {
    let disk = rustix::fs::statvfs(folder)?;
    let free = disk.f_bavail.saturating_mul(disk.f_frsize);
    if free >= MIN_FREE_BYTES {
        return Ok(());
    }
    let (place, free_kb) = (folder.display(), free >> 10);
    Err(io::Error::other(format!(
        "{place}: the disk has {free_kb} KiB left, too little for a build"
    )))
}

/// Refuses folders that are nested deeper than is counted: they would not be traversed below either.
fn check_number_of_files(folders: &[PathBuf]) -> Result<(), PrepareError> {
    let usage = DiskUsage::of(folders.iter().map(PathBuf::as_path));
    if usage.files <= ResourceLimits::of_build(MEMORY_MB).folder_files {
        return Ok(());
    }
    Err(PrepareError::Build {
        what: "the folder of a build".to_owned(),
        how: "too many, too deep or unreadable folders in it".to_owned(),
        output: String::new(),
    })
}

fn run_child(
    command: &[OsString],
    folder: &Path,
    sandbox: Option<Sandbox>,
    cargo_home: Option<&Path>,
) -> Result<Vec<u8>, PrepareError> {
    let is_sandboxed = sandbox.is_some();
    let request = SpawnRequest {
        command,
        folder,
        memory_mb: MEMORY_MB,
        sandbox,
        work: Work::Build,
        cargo_home,
        secrets: &[],
    };
    let mut child = ChildProcess::start(&request)?;
    child.close_stdin();
    let until = Instant::now() + LONGEST;
    let mut output = BuildOutput::default();
    let stdout = match read_output(&mut child, until, &mut output) {
        Ok(stdout) => stdout,
        Err(error) => {
            kill(&mut child);
            return Err(error.into());
        }
    };
    let ended = child.wait_for_end(until.saturating_duration_since(Instant::now()));
    if ended.is_none() {
        kill(&mut child);
    }
    let how = match ended {
        Some(ChildEnd::Exited(0)) => return Ok(stdout),
        Some(ChildEnd::Exited(status)) if is_sandboxed && output.shows_missing_network() => {
            format!("status {status} (a build has no network: fetch its dependencies first)")
        }
        Some(ChildEnd::Exited(status)) => format!("status {status}"),
        Some(ChildEnd::Signalled(signal)) => format!("signal {signal}"),
        Some(ChildEnd::Memory) => format!("more than {MEMORY_MB} MiB"),
        Some(ChildEnd::NotStarted(why)) => why,
        Some(ChildEnd::ArenaError(why)) => return Err(io::Error::other(why).into()),
        Some(ChildEnd::Files) => "it wrote too much, or a folder that cannot be read".to_owned(),
        Some(ChildEnd::Mappings) => "too many mappings of memory".to_owned(),
        Some(ChildEnd::KernelMemory) => {
            "too much in sockets, pipes, open folders and epoll".to_owned()
        }
        Some(ChildEnd::HiddenFiles) => "a process hid its open files".to_owned(),
        Some(ChildEnd::Probed(_)) => "it was not run".to_owned(),
        None => format!("not finished after {} s", LONGEST.as_secs()),
    };
    let what = command.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
    Err(PrepareError::Build { what, how, output: output.lines().join("\n") })
}

/// Kills a child and waits for its end: no process may work in its folder when that is taken back.
fn kill(child: &mut ChildProcess) {
    child.kill();
    let _ended = child.wait_for_end(END_TIMEOUT);
}

/// Reads the output of a build until it closes stdout and stderr, and returns its stdout, up to one mebibyte.
fn read_output(
    child: &mut ChildProcess,
    until: Instant,
    output: &mut BuildOutput,
) -> io::Result<Vec<u8>> {
    let mut stdout = Vec::new();
    let (mut out, mut log) = (true, true);
    while (out || log) && Instant::now() < until {
        wait_for_one(PollInterest {
            stdout: out.then(|| child.stdout()),
            stderr: log.then(|| child.stderr()),
            ..PollInterest::default()
        });
        out = out
            && drain(child.stdout_mut(), &mut |bytes| {
                output.push(bytes);
                stdout.extend(&bytes[..bytes.len().min(MAX_OUTPUT_BYTES - stdout.len())]);
            })?;
        log = log && drain(child.stderr_mut(), &mut |bytes| output.push(bytes))?;
    }
    Ok(stdout)
}

/// Reads what is available; returns whether more may come.
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
