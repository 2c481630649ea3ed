//! The descendants of a process, and what they use.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::Pid;

/// All descendants of a process, as far as the system reports them.
pub(crate) fn descendants(root: Pid) -> Vec<Pid> {
    let mut found = Vec::new();
    let mut waiting = vec![root];
    while let Some(parent) = waiting.pop() {
        let children = children(parent);
        found.extend(&children);
        waiting.extend(children);
    }
    found
}

/// Bytes of memory that a process uses, with swapped pages and page tables.
pub(crate) fn resident_bytes(pid: Pid) -> u64 {
    // The first thread may have ended, and then reports nothing of the others' memory.
    let living = tasks(pid).into_iter().find_map(|task| {
        let text = fs::read_to_string(task.join("status")).ok()?;
        let kibibytes = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name))?;
            line.trim().strip_suffix(" kB")?.parse::<u64>().ok()
        };
        let used = ["VmRSS:", "VmPTE:", "VmSwap:"].map(kibibytes);
        used[0]?;
        Some(used.into_iter().flatten().sum::<u64>())
    });
    living.unwrap_or(0) << 10
}

/// The folders of a process's threads.
pub(crate) fn tasks(pid: Pid) -> Vec<PathBuf> {
    let tasks = fs::read_dir(format!("/proc/{}/task", pid.as_raw_nonzero()));
    tasks.into_iter().flatten().filter_map(|task| Some(task.ok()?.path())).collect()
}

/// The peak memory of a process in bytes.
pub(crate) fn peak_bytes(pid: Pid) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{}/status", pid.as_raw_nonzero())).ok()?;
    let peak = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(peak.trim().strip_suffix(" kB")?.parse::<u64>().ok()? << 10)
}

/// Whether all threads of a process are stopped or have ended.
pub(crate) fn has_stopped(pid: Pid) -> bool {
    let state = |task: PathBuf| Some(stat(&task)?.state);
    tasks(pid).into_iter().filter_map(state).all(|state| matches!(state, 'T' | 't' | 'Z' | 'X'))
}

/// Whether the thread with this folder has neither ended nor begun to end.
pub(crate) fn is_alive(task: &Path) -> bool {
    /// `PF_EXITING`, a flag of tasks in the kernel.
    const EXITING: u64 = 4;
    stat(task).is_some_and(|stat| !matches!(stat.state, 'Z' | 'X') && stat.flags & EXITING == 0)
}

/// Whether a process has executed a program since it was forked.
pub(crate) fn has_executed(pid: Pid) -> bool {
    /// `PF_FORKNOEXEC`, a flag of tasks in the kernel.
    const FORKED_ONLY: u64 = 0x40;
    let folder = PathBuf::from(format!("/proc/{}", pid.as_raw_nonzero()));
    stat(&folder).is_some_and(|stat| stat.flags & FORKED_ONLY == 0)
}

/// Identifies a process even if its pid is reused later.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Lifetime {
    pid: Pid,
    /// When it started, in ticks of the system's clock.
    started: u64,
}

/// The processor time that a process has used so far, with its ended threads.
pub(crate) fn processor_time(pid: Pid) -> Option<(Lifetime, Duration)> {
    let tick = Duration::from_secs(1) / rustix::param::clock_ticks_per_second() as u32;
    let Stat { started, used, .. } =
        stat(&PathBuf::from(format!("/proc/{}", pid.as_raw_nonzero())))?;
    let by_ticks = tick * u32::try_from(used).unwrap_or(u32::MAX);
    // Ticks miss intervals shorter than a tick; these numbers miss threads that have ended.
    let nanoseconds = |task: PathBuf| -> Option<u64> {
        let text = fs::read_to_string(task.join("schedstat")).ok()?;
        text.split(' ').next()?.parse().ok()
    };
    let living = tasks(pid).into_iter().filter_map(nanoseconds).sum();
    Some((Lifetime { pid, started }, by_ticks.max(Duration::from_nanos(living))))
}

/// Whether a thread of a process wants a processor and has had one before. One that has ended since it was listed had.
///
/// How long it had one is not asked: the kernel adds that up when the thread leaves the processor, or at a tick, which
/// a brief process never sees.
pub(crate) fn has_begun_to_run(pid: Pid) -> bool {
    let is_running = |task: &PathBuf| stat(task).is_some_and(|stat| stat.state == 'R');
    let times_run = |task: PathBuf| -> u64 {
        let text = fs::read_to_string(task.join("schedstat")).ok();
        text.and_then(|text| text.split_ascii_whitespace().nth(2)?.parse().ok()).unwrap_or(1)
    };
    tasks(pid).into_iter().filter(is_running).any(|task| times_run(task) > 0)
}

/// The state of a process or a thread.
struct Stat {
    state: char,
    flags: u64,
    /// Processor time, in ticks.
    used: u64,
    /// When it started, in ticks.
    started: u64,
}

fn stat(folder: &Path) -> Option<Stat> {
    let text = fs::read_to_string(folder.join("stat")).ok()?;
    // The name may contain anything, and ends with the last parenthesis.
    let fields: Vec<_> = text.rsplit_once(") ")?.1.split(' ').collect();
    let number = |index: usize| fields.get(index)?.parse::<u64>().ok();
    Some(Stat {
        state: fields.first()?.chars().next()?,
        flags: number(6)?,
        used: number(11)? + number(12)?,
        started: number(19)?,
    })
}

/// Processor time of all living threads of a process, with their time in the run queue; `None` if the system
/// does not report it.
pub(crate) fn processor_demand(pid: Pid) -> Option<Duration> {
    let tasks = fs::read_dir(format!("/proc/{}/task", pid.as_raw_nonzero())).ok()?;
    let of_task = |task: fs::DirEntry| {
        let text = fs::read_to_string(task.path().join("schedstat")).ok()?;
        let nanoseconds = text.split(' ').take(2).map(|number| number.parse::<u64>().ok());
        nanoseconds.sum::<Option<u64>>().map(Duration::from_nanos)
    };
    let demands: Vec<_> = tasks.filter_map(|task| of_task(task.ok()?)).collect();
    (!demands.is_empty()).then(|| demands.iter().sum())
}

/// The children of a process. The system lists them by the thread that started them.
fn children(parent: Pid) -> Vec<Pid> {
    let tasks = fs::read_dir(format!("/proc/{}/task", parent.as_raw_nonzero()));
    let tasks = tasks.into_iter().flatten().filter_map(Result::ok);
    let listed = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    let pids = |text: String| {
        text.split_ascii_whitespace()
            .filter_map(|pid| Pid::from_raw(pid.parse().ok()?))
            .collect::<Vec<_>>()
    };
    listed.flat_map(pids).collect()
}
