//! Building a bot, once for each content of its files.

use std::ffi::OsString;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use dicehill_arena::{Wishes, wait};

use crate::bot_log::Tail;
use crate::child::{Child, Ended, Launch};
use crate::files::Files;
use crate::{PrepareError, cache};

/// The longest that a build may take.
const LONGEST: Duration = Duration::from_secs(600);
/// Bytes of its output that are kept.
const LONGEST_OUTPUT: usize = 1 << 20;
/// Mebibytes that a build may use.
const MEMORY_MB: u64 = 8 << 10;

/// The folder with the built bot.
pub(crate) fn built(
    command: &[String],
    files: &Files,
    identity: &str,
) -> Result<PathBuf, PrepareError> {
    cache::get("build", &identity.replace(':', "-"), |folder| {
        files.copy_to(folder)?;
        let words: Vec<_> = command.iter().map(OsString::from).collect();
        run(&words, folder).map(drop)
    })
}

/// Runs a command to its end and gives what it wrote to its stdout, up to a mebibyte.
///
/// # Errors
/// If it does not end well; its last output is then shown.
pub(crate) fn run(command: &[OsString], folder: &Path) -> Result<Vec<u8>, PrepareError> {
    let mut child = Child::start(&Launch { command, folder, memory_mb: MEMORY_MB })?;
    child.close_stdin();
    let until = Instant::now() + LONGEST;
    let mut tail = Tail::default();
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
    let how = match child.ended(until.saturating_duration_since(Instant::now())) {
        Some(Ended::Exited(0)) => return Ok(kept),
        Some(Ended::Exited(status)) => format!("status {status}"),
        Some(Ended::Signalled(signal)) => format!("signal {signal}"),
        Some(Ended::Memory) => format!("more than {MEMORY_MB} MiB"),
        Some(Ended::NotStarted(why)) => why,
        None => format!("not done after {} s", LONGEST.as_secs()),
    };
    let what = command.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
    Err(PrepareError::Build { what, how, output: tail.lines().join("\n") })
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
