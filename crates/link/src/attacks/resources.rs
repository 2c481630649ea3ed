//! Attacks on shared resources: memory, processes, the disk, the processors, and measures of their load.

use std::fs::{self, File};
use std::hint::black_box;
use std::io::{self, Read, Write};
use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::outcome::{Outcome, reason};
use super::processes::LIFE;
use super::raw_syscall::{address, fork, raw_syscall};
use super::target::Target;

/// How many processes an attack starts, and how many are too many.
const MOST_PROCESSES: usize = 600;

const TOO_MANY_PROCESSES: usize = 300;

/// How many threads an attack starts; it is contained if it gets fewer.
const MOST_THREADS: usize = 2000;

/// How many descriptors an attack opens; it is contained if it gets fewer.
const MOST_DESCRIPTORS: usize = 100_000;

/// Mebibytes that a bot may write to a file. The attack tries one more.
pub(super) const LARGEST_FILE_MB: u64 = 256;

/// The name of the file that it fills.
pub(super) const FILLED: &str = "filled";

/// Times its limit that an attack on memory takes.
const EXCESS: u64 = 4;

/// How long it holds the memory, for somebody to notice.
const HOLD: Duration = Duration::from_millis(300);

/// Threads that spin: so many that they get more of a busy machine than they may.
const SPINNING: usize = 4;

const MIB: usize = 1 << 20;

pub(super) fn read_load(_: &Target) -> Outcome {
    let load = fs::read("/proc/loadavg").or_else(|_| fs::read("/proc/stat"));
    Outcome::of(load, |_| "the machine's load was read".to_owned())
}

pub(super) fn system_information(_: &Target) -> Outcome {
    let mut information = [0_u64; 64];
    let asked = raw_syscall(libc::SYS_sysinfo, &[address(&mut information)]);
    Outcome::of(asked, |_| "load and memory were read".to_owned())
}

pub(super) fn start_processes(_: &Target) -> Outcome {
    let started = until_refused(MOST_PROCESSES, || fork(|| std::thread::sleep(LIFE)).map(drop));
    bounded(started, TOO_MANY_PROCESSES, "processes")
}

pub(super) fn start_threads(_: &Target) -> Outcome {
    let started = until_refused(MOST_THREADS, || {
        let builder = std::thread::Builder::new().stack_size(16 << 10);
        builder.spawn(|| std::thread::sleep(LIFE)).map(drop)
    });
    bounded(started, MOST_THREADS, "threads")
}

pub(super) fn open_descriptors(_: &Target) -> Outcome {
    let limit = getrlimit(Resource::Nofile);
    // Where that is refused, the limit stays.
    let _raised = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
    let mut all = Vec::with_capacity(MOST_DESCRIPTORS);
    let opened = until_refused(MOST_DESCRIPTORS, || {
        all.push(rustix::io::dup(io::stdout())?);
        Ok(())
    });
    bounded(opened, MOST_DESCRIPTORS, "descriptors")
}

/// Descriptors beyond the three that a bot is given.
pub(super) fn find_descriptors(_: &Target) -> Outcome {
    let is_open =
        |number: &usize| raw_syscall(libc::SYS_fcntl, &[*number, libc::F_GETFD as usize]).is_ok();
    let open: Vec<_> = (3..4096).filter(is_open).map(|number| number.to_string()).collect();
    if open.is_empty() {
        Outcome::Contained("there is none".to_owned())
    } else {
        Outcome::Open(format!("open: {}", open.join(", ")))
    }
}

pub(super) fn use_memory(target: &Target) -> Outcome {
    let megabytes = target.memory_mb * EXCESS;
    let mut held = Vec::new();
    for taken in 0..megabytes {
        let mut piece = Vec::new();
        if piece.try_reserve_exact(MIB).is_err() {
            return Outcome::Contained(format!("refused after {taken} MiB"));
        }
        piece.resize(MIB, 1_u8);
        held.push(piece);
    }
    std::thread::sleep(HOLD);
    black_box(&held);
    Outcome::Open(format!("{megabytes} MiB were used, {} allowed", target.memory_mb))
}

/// Several processes, each of which keeps to the limit, and says when it has what it wants.
pub(super) fn use_memory_of_many(target: &Target) -> Outcome {
    let megabytes = target.memory_mb as usize;
    let (mut told, tell) = match io::pipe() {
        Ok(ends) => ends,
        Err(error) => return Outcome::of(Err(error), |()| String::new()),
    };
    let mut tell = Some(tell);
    let (started, refused) = until_refused(EXCESS as usize, || {
        let use_it = || {
            let held = vec![1_u8; megabytes * MIB];
            black_box(&held);
            let _said = tell.take().map(|mut tell| tell.write_all(b"x"));
            std::thread::sleep(LIFE);
            black_box(&held);
        };
        fork(use_it).map(drop)
    });
    drop(tell);
    let mut said = Vec::new();
    // It ends when everybody has said it, or is gone.
    let _end = told.read_to_end(&mut said);
    std::thread::sleep(2 * HOLD);
    let what = format!("times {megabytes} MiB");
    if said.len() < started {
        return Outcome::Contained(format!("{} {what}, and then the end", said.len()));
    }
    bounded((started, refused), EXCESS as usize, &what)
}

/// A file that is in memory only and belongs to no process.
pub(super) fn use_memory_file(target: &Target) -> Outcome {
    let name = c"memory".as_ptr().expose_provenance();
    let descriptor = match raw_syscall(libc::SYS_memfd_create, &[name, 0]) {
        Ok(descriptor) => descriptor,
        Err(error) => return Outcome::of(Err(error), |()| String::new()),
    };
    let megabytes = target.memory_mb * EXCESS;
    let file = File::options().write(true).open(format!("/proc/self/fd/{descriptor}"));
    let written = file.and_then(|file| fill(file, megabytes));
    std::thread::sleep(HOLD);
    Outcome::of(written, |()| format!("{megabytes} MiB were used, {} allowed", target.memory_mb))
}

pub(super) fn fill_file(_: &Target) -> Outcome {
    let filled = File::create(FILLED).and_then(|file| fill(file, LARGEST_FILE_MB + 1));
    Outcome::of(filled, |()| format!("more than {LARGEST_FILE_MB} MiB were written"))
}

/// The threads go on after this has been said, while nobody asks anything.
pub(super) fn spin(_: &Target) -> Outcome {
    let spin = || {
        let until = std::time::Instant::now() + LIFE;
        while std::time::Instant::now() < until {
            black_box(0);
        }
    };
    let started = (0..SPINNING).try_for_each(|_| std::thread::Builder::new().spawn(spin).map(drop));
    Outcome::of(started, |()| "threads spin".to_owned())
}

/// How often something could be done, and why not more often.
fn until_refused(
    most: usize,
    mut once: impl FnMut() -> io::Result<()>,
) -> (usize, Option<io::Error>) {
    for done in 0..most {
        if let Err(error) = once() {
            return (done, Some(error));
        }
    }
    (most, None)
}

/// Contained if it was refused before there were so many.
fn bounded((done, refused): (usize, Option<io::Error>), too_many: usize, what: &str) -> Outcome {
    match refused {
        Some(error) if done < too_many => {
            Outcome::Contained(format!("{} after {done}", reason(&error)))
        }
        Some(_) | None => Outcome::Open(format!("{done} {what}")),
    }
}

fn fill(mut file: File, megabytes: u64) -> io::Result<()> {
    let piece = vec![1_u8; MIB];
    for _ in 0..megabytes {
        file.write_all(&piece)?;
    }
    Ok(())
}
