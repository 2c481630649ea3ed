//! The descendants of a process, and what they use.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::Pid;

/// Everything that a process has started, and what that has started, as far as the system tells.
pub(crate) fn descendants(of: Pid) -> Vec<Pid> {
    let mut found = Vec::new();
    let mut waiting = vec![of];
    while let Some(parent) = waiting.pop() {
        let children = children(parent);
        found.extend(&children);
        waiting.extend(children);
    }
    found
}

/// Bytes of memory that a process has in use, with what is swapped out and the tables that lead to it.
pub(crate) fn resident_bytes(pid: Pid) -> u64 {
    // The first thread may have ended, and then knows nothing of what the others have.
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
fn tasks(pid: Pid) -> Vec<PathBuf> {
    let tasks = fs::read_dir(format!("/proc/{}/task", pid.as_raw_nonzero()));
    tasks.into_iter().flatten().filter_map(|task| Some(task.ok()?.path())).collect()
}

/// The most bytes of memory that a process has had in use.
pub(crate) fn peak_bytes(pid: Pid) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{}/status", pid.as_raw_nonzero())).ok()?;
    let peak = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(peak.trim().strip_suffix(" kB")?.parse::<u64>().ok()? << 10)
}

/// Whether a process does nothing any more: all its threads were stopped, or have ended.
pub(crate) fn has_stopped(pid: Pid) -> bool {
    let state = |task: PathBuf| Some(stat(&task)?.state);
    tasks(pid).into_iter().filter_map(state).all(|state| matches!(state, 'T' | 't' | 'Z' | 'X'))
}

/// A process, and not another that later got its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Life {
    pid: Pid,
    /// Ticks of the system's clock.
    began: u64,
}

/// Time of the processors that a process has used so far, its ended threads included.
pub(crate) fn used(pid: Pid) -> Option<(Life, Duration)> {
    let tick = Duration::from_secs(1) / rustix::param::clock_ticks_per_second() as u32;
    let Stat { began, used, .. } = stat(&PathBuf::from(format!("/proc/{}", pid.as_raw_nonzero())))?;
    let by_ticks = tick * u32::try_from(used).unwrap_or(u32::MAX);
    // Ticks miss what is shorter than they are, these what has ended.
    let nanoseconds = |task: PathBuf| -> Option<u64> {
        let text = fs::read_to_string(task.join("schedstat")).ok()?;
        text.split(' ').next()?.parse().ok()
    };
    let living = tasks(pid).into_iter().filter_map(nanoseconds).sum();
    Some((Life { pid, began }, by_ticks.max(Duration::from_nanos(living))))
}

/// What the system says of a process or a thread.
struct Stat {
    state: char,
    /// Ticks that it has used.
    used: u64,
    /// When it began.
    began: u64,
}

fn stat(folder: &Path) -> Option<Stat> {
    let text = fs::read_to_string(folder.join("stat")).ok()?;
    // Its name may hold anything, and ends with the last parenthesis.
    let fields: Vec<_> = text.rsplit_once(") ")?.1.split(' ').collect();
    let number = |index: usize| fields.get(index)?.parse::<u64>().ok();
    Some(Stat {
        state: fields.first()?.chars().next()?,
        used: number(11)? + number(12)?,
        began: number(19)?,
    })
}

/// How long all living threads of a process have had the processor or have stood in line for it.
#[cfg(target_os = "linux")]
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

/// A process is the child of the thread that started it.
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
