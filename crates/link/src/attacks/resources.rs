//! Attacks on shared resources: memory, processes, the disk, the processors, and measures of their load.

use std::fs::{self, File};
use std::hint::black_box;
use std::io::{self, Read, Write};
use std::ops::RangeInclusive;
use std::ptr;
use std::time::{Duration, Instant};

use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::outcome::AttackOutcome;
use super::processes::LIFETIME;
use super::raw_syscall::{address, fork, raw_syscall};
use super::target::AttackTarget;
use crate::isolation::limits::ResourceLimits;
use crate::process::error_text::error_text;

/// How many processes the attack starts, and from how many on it is open.
const MAX_PROCESSES: usize = 600;

const TOO_MANY_PROCESSES: usize = 300;

/// How many threads the attack starts. It is contained if it gets fewer.
const MAX_THREADS: usize = 2000;

/// How many descriptors the attack opens. It is contained if it gets fewer.
const MAX_DESCRIPTORS: usize = 100_000;

/// Mebibytes of the file that the attack writes, less one: as much as a bot may write to a file.
pub(super) const MAX_FILE_MB: u64 = ResourceLimits::of_bot(0).file_bytes >> 20;

/// The file that the attack fills.
pub(super) const FILLED: &str = "filled";

/// The multiple of its limit that an attack on memory uses.
const EXCESS: u64 = 4;

/// How long the attack holds the memory, so that a check can see it.
const HOLD: Duration = Duration::from_millis(300);

/// Mappings of a process, which are few enough for the kernel, and the processes that inherit them: together three times as
/// many as a bot may have.
const MAPPINGS: usize = 20_000;

const MAPPING_PROCESSES: usize = 4;

/// How long the mappings are held, at least and at most. Counting them takes longer the more there are.
const MAPPING_HOLD: RangeInclusive<Duration> = Duration::from_secs(3)..=Duration::from_secs(12);

/// How many times as long as making them took the mappings are held: on a slow machine counting them takes longer, too.
const MAPPING_HOLD_FACTOR: u32 = 4;

/// A multiple of the page sizes of all systems.
const PAGE: usize = 64 << 10;

/// Spinning threads: so many that together they get more than their allowance even on a busy machine.
const SPINNING: usize = 4;

const MIB: usize = 1 << 20;

pub(super) fn read_load(_: &AttackTarget) -> AttackOutcome {
    let load = fs::read("/proc/loadavg").or_else(|_| fs::read("/proc/stat"));
    AttackOutcome::from_result(load, |_| "the machine's load was read".to_owned())
}

pub(super) fn system_information(_: &AttackTarget) -> AttackOutcome {
    let mut information = [0_u64; 64];
    #[expect(unsafe_code, reason = "no safe function makes this call")]
    // SAFETY: the buffer is live and longer than `struct sysinfo`.
    let asked = unsafe { raw_syscall(libc::SYS_sysinfo, &[address(&mut information)]) };
    AttackOutcome::from_result(asked, |_| "load and memory were read".to_owned())
}

pub(super) fn start_processes(_: &AttackTarget) -> AttackOutcome {
    let started = Repetition::until_refused(MAX_PROCESSES, || {
        #[expect(unsafe_code, reason = "a process is copied")]
        // SAFETY: the process of an attack has one thread.
        let copy = unsafe { fork(|| std::thread::sleep(LIFETIME)) };
        copy.map(drop)
    });
    started.outcome(TOO_MANY_PROCESSES, "processes")
}

pub(super) fn start_threads(_: &AttackTarget) -> AttackOutcome {
    let started = Repetition::until_refused(MAX_THREADS, || {
        let builder = std::thread::Builder::new().stack_size(16 << 10);
        builder.spawn(|| std::thread::sleep(LIFETIME)).map(drop)
    });
    started.outcome(MAX_THREADS, "threads")
}

pub(super) fn open_descriptors(_: &AttackTarget) -> AttackOutcome {
    let limit = getrlimit(Resource::Nofile);
    // If it is refused, the lower limit stays.
    let _raised = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
    let mut all = Vec::with_capacity(MAX_DESCRIPTORS);
    let opened = Repetition::until_refused(MAX_DESCRIPTORS, || {
        all.push(rustix::io::dup(io::stdout())?);
        Ok(())
    });
    opened.outcome(MAX_DESCRIPTORS, "descriptors")
}

/// Descriptors other than the standard three.
pub(super) fn find_descriptors(_: &AttackTarget) -> AttackOutcome {
    let is_open = |number: &usize| {
        #[expect(unsafe_code, reason = "a number that may not be open has no safe type")]
        // SAFETY: the call takes no addresses.
        let flags = unsafe { raw_syscall(libc::SYS_fcntl, &[*number, libc::F_GETFD as usize]) };
        flags.is_ok()
    };
    let open: Vec<_> = (3..4096).filter(is_open).map(|number| number.to_string()).collect();
    if open.is_empty() {
        AttackOutcome::Contained("there is none".to_owned())
    } else {
        AttackOutcome::Open(format!("open: {}", open.join(", ")))
    }
}

pub(super) fn use_memory(target: &AttackTarget) -> AttackOutcome {
    let megabytes = target.memory_mb * EXCESS;
    let mut held = Vec::new();
    for taken in 0..megabytes {
        let mut piece = Vec::new();
        if piece.try_reserve_exact(MIB).is_err() {
            return AttackOutcome::Contained(format!("refused after {taken} MiB"));
        }
        piece.resize(MIB, 1_u8);
        held.push(piece);
    }
    std::thread::sleep(HOLD);
    black_box(&held);
    AttackOutcome::Open(format!("{megabytes} MiB were used, {} allowed", target.memory_mb))
}

/// Starts several processes that stay below the limit each, and report once they hold their memory.
pub(super) fn use_memory_of_many(target: &AttackTarget) -> AttackOutcome {
    let megabytes = target.memory_mb as usize;
    let (mut reader, writer) = match io::pipe() {
        Ok(ends) => ends,
        Err(error) => return AttackOutcome::from_result(Err(error), |()| String::new()),
    };
    let mut writer = Some(writer);
    let started = Repetition::until_refused(EXCESS as usize, || {
        let use_it = || {
            let held = vec![1_u8; megabytes * MIB];
            black_box(&held);
            let _best_effort = writer.take().map(|mut writer| writer.write_all(b"x"));
            std::thread::sleep(LIFETIME);
            black_box(&held);
        };
        #[expect(unsafe_code, reason = "a process is copied")]
        // SAFETY: the process of an attack has one thread.
        let copy = unsafe { fork(use_it) };
        copy.map(drop)
    });
    drop(writer);
    let mut reports = Vec::new();
    // The pipe ends when every process has reported or ended.
    let _end = reader.read_to_end(&mut reports);
    std::thread::sleep(2 * HOLD);
    let what = format!("times {megabytes} MiB");
    if reports.len() < started.done {
        return AttackOutcome::Contained(format!("{} {what}, and then the end", reports.len()));
    }
    started.outcome(EXCESS as usize, &what)
}

/// Mappings that the processes started later inherit: neighbouring pages with different permissions.
pub(super) fn use_mappings(_: &AttackTarget) -> AttackOutcome {
    let began = Instant::now();
    let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
    let writable = ProtFlags::READ | ProtFlags::WRITE;
    #[expect(unsafe_code, reason = "a mapping that is to be split has no safe type")]
    // SAFETY: the kernel chooses an address that is not in use.
    let mapped = unsafe { mmap_anonymous(ptr::null_mut(), MAPPINGS * PAGE, writable, flags) };
    let split = mapped.and_then(|start| {
        (0..MAPPINGS).step_by(2).try_for_each(|page| {
            #[expect(unsafe_code, reason = "the permissions of a mapping are changed")]
            // SAFETY: the page is part of the mapping, to which nothing refers.
            unsafe {
                mprotect(start.byte_add(page * PAGE), PAGE, MprotectFlags::READ)
            }
        })
    });
    if let Err(error) = split {
        return AttackOutcome::from_result(Err(error.into()), |()| String::new());
    }
    let started = Repetition::until_refused(MAPPING_PROCESSES, || {
        #[expect(unsafe_code, reason = "a process is copied")]
        // SAFETY: the process of an attack has one thread.
        let copy = unsafe { fork(|| std::thread::sleep(LIFETIME)) };
        copy.map(drop)
    });
    let hold = began.elapsed() * MAPPING_HOLD_FACTOR;
    std::thread::sleep(hold.clamp(*MAPPING_HOLD.start(), *MAPPING_HOLD.end()));
    started.outcome(MAPPING_PROCESSES, &format!("processes with {MAPPINGS} mappings were held"))
}

/// A file in memory that belongs to no process.
pub(super) fn use_memory_file(target: &AttackTarget) -> AttackOutcome {
    let name = c"memory".as_ptr().expose_provenance();
    #[expect(unsafe_code, reason = "no safe function makes this call")]
    // SAFETY: the address is that of a static string that ends with a zero.
    let created = unsafe { raw_syscall(libc::SYS_memfd_create, &[name, 0]) };
    let descriptor = match created {
        Ok(descriptor) => descriptor,
        Err(error) => return AttackOutcome::from_result(Err(error), |()| String::new()),
    };
    let megabytes = target.memory_mb * EXCESS;
    let file = File::options().write(true).open(format!("/proc/self/fd/{descriptor}"));
    let written = file.and_then(|file| fill(file, megabytes));
    std::thread::sleep(HOLD);
    AttackOutcome::from_result(written, |()| {
        format!("{megabytes} MiB were used, {} allowed", target.memory_mb)
    })
}

pub(super) fn fill_file(_: &AttackTarget) -> AttackOutcome {
    let filled = File::create(FILLED).and_then(|file| fill(file, MAX_FILE_MB + 1));
    AttackOutcome::from_result(filled, |()| format!("more than {MAX_FILE_MB} MiB were written"))
}

/// As little as shows that the call works: with it, a bot could take the whole disk between two checks.
pub(super) fn reserve_space(_: &AttackTarget) -> AttackOutcome {
    let reserved = File::create(FILLED).and_then(|file| {
        Ok(rustix::fs::fallocate(file, rustix::fs::FallocateFlags::empty(), 0, 1 << 20)?)
    });
    AttackOutcome::from_result(reserved, |()| "1 MiB was reserved at once".to_owned())
}

/// The threads keep running after the report, while no answer is owed.
pub(super) fn spin(_: &AttackTarget) -> AttackOutcome {
    let spin = || {
        let until = Instant::now() + LIFETIME;
        while Instant::now() < until {
            black_box(0);
        }
    };
    let started = (0..SPINNING).try_for_each(|_| std::thread::Builder::new().spawn(spin).map(drop));
    AttackOutcome::from_result(started, |()| "threads spin".to_owned())
}

/// How often something succeeded, and the error that ended it.
struct Repetition {
    done: usize,
    refused: Option<io::Error>,
}

impl Repetition {
    /// Calls `once` until it fails, at most `most` times.
    fn until_refused(most: usize, mut once: impl FnMut() -> io::Result<()>) -> Self {
        for done in 0..most {
            if let Err(error) = once() {
                return Self { done, refused: Some(error) };
            }
        }
        Self { done: most, refused: None }
    }

    /// Contained if the error came before `too_many`.
    fn outcome(self, too_many: usize, what: &str) -> AttackOutcome {
        let done = self.done;
        match self.refused {
            Some(error) if done < too_many => {
                AttackOutcome::Contained(format!("{} after {done}", error_text(&error)))
            }
            Some(_) | None => AttackOutcome::Open(format!("{done} {what}")),
        }
    }
}

pub(super) fn fill(mut file: File, megabytes: u64) -> io::Result<()> {
    let piece = vec![1_u8; MIB];
    for _ in 0..megabytes {
        file.write_all(&piece)?;
    }
    Ok(())
}
