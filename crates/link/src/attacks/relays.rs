//! Attacks on the processor by processes that live too briefly for a check to see them.
//!
//! Each process reports on stderr what it has used, because nothing else may know it.

use std::fs;
use std::hint::black_box;
use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

use super::outcome::AttackOutcome;
use super::processes::LIFETIME;
use super::raw_syscall::{fork, raw_syscall};
use super::target::AttackTarget;

/// How long each process computes.
const BURST: Duration = Duration::from_micros(300);

/// The pause between reports.
const REPORT_INTERVAL: Duration = Duration::from_millis(20);

/// Relays at the same time: together they get more than their allowance even on a busy machine.
const RELAYS: usize = 4;

/// The processor time of a relay so far.
#[derive(Clone, Copy, Default)]
pub(super) struct RelayedTime {
    /// Time on a processor.
    pub(super) used: Duration,
    /// The same with the time in the run queue.
    pub(super) demanded: Duration,
}

impl RelayedTime {
    /// That of this process.
    fn of_process() -> Self {
        let text = fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
        let mut numbers = text.split_ascii_whitespace().map_while(|number| number.parse().ok());
        let used = Duration::from_nanos(numbers.next().unwrap_or(0));
        Self { used, demanded: used + Duration::from_nanos(numbers.next().unwrap_or(0)) }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self { used: self.used + other.used, demanded: self.demanded + other.demanded }
    }

    /// The sum of the lines that relays have printed, each of which says what was used since the line before.
    pub(super) fn read(text: &str) -> Self {
        let number = |word: Option<&str>| word?.parse().ok().map(Duration::from_micros);
        let of_line = |line: &str| {
            let mut words = line.split(' ');
            Some(Self { used: number(words.next())?, demanded: number(words.next())? })
        };
        text.lines().filter_map(of_line).fold(Self::default(), Self::plus)
    }

    /// Prints one line, short enough to be written at once.
    fn print(self) {
        let line = format!("{} {}\n", self.used.as_micros(), self.demanded.as_micros());
        let _best_effort = io::stderr().write_all(line.as_bytes());
    }
}

/// Each process starts its successor and ends.
pub(super) fn relay(_: &AttackTarget) -> AttackOutcome {
    start(|| {
        let mut total = RelayedTime::default();
        let mut reported = Instant::now();
        let until = Instant::now() + LIFETIME;
        while Instant::now() < until {
            compute();
            total = total.plus(RelayedTime::of_process());
            if reported.elapsed() >= REPORT_INTERVAL {
                total.print();
                total = RelayedTime::default();
                reported = Instant::now();
            }
            if !continues_in_copy() {
                return;
            }
        }
    })
}

/// One process starts all others and ignores their ends, so that the system adds their time to no process.
pub(super) fn relay_unreaped(_: &AttackTarget) -> AttackOutcome {
    start(|| {
        #[expect(unsafe_code, reason = "no safe function ignores a signal")]
        // SAFETY: no handler is installed.
        unsafe {
            libc::signal(libc::SIGCHLD, libc::SIG_IGN)
        };
        let until = Instant::now() + LIFETIME;
        while Instant::now() < until {
            let Ok((mut reader, writer)) = io::pipe() else { return };
            let mut writer = Some(writer);
            let child = || {
                compute();
                RelayedTime::of_process().print();
                drop(writer.take());
            };
            #[expect(unsafe_code, reason = "a process is copied")]
            // SAFETY: the process of an attack has one thread.
            let copy = unsafe { fork(child) };
            drop(writer);
            let _end = copy.map(|_| reader.read(&mut [0]));
        }
    })
}

fn start(work: impl Fn()) -> AttackOutcome {
    let started = (0..RELAYS).try_for_each(|_| {
        #[expect(unsafe_code, reason = "a process is copied")]
        // SAFETY: the process of an attack has one thread.
        let copy = unsafe { fork(&work) };
        copy.map(drop)
    });
    AttackOutcome::from_result(started, |()| "relays run".to_owned())
}

/// Copies this process; true in the copy.
fn continues_in_copy() -> bool {
    #[expect(unsafe_code, reason = "a process is copied")]
    // SAFETY: without flags and a stack, `clone` works like `fork` and takes no addresses; this process has one thread.
    let copy = unsafe { raw_syscall(libc::SYS_clone, &[libc::SIGCHLD as usize]) };
    copy.is_ok_and(|copy| copy == 0)
}

fn compute() {
    let began = Instant::now();
    while began.elapsed() < BURST {
        black_box(0);
    }
}
