//! The processes below another.

use std::fs;
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

/// Bytes of memory that a process has in use.
pub(crate) fn resident_bytes(pid: Pid) -> u64 {
    let pages = || {
        let text = fs::read_to_string(format!("/proc/{}/statm", pid.as_raw_nonzero())).ok()?;
        text.split(' ').nth(1)?.parse::<u64>().ok()
    };
    pages().unwrap_or(0) * rustix::param::page_size() as u64
}

/// The most bytes of memory that a process has had in use.
pub(crate) fn peak_bytes(pid: Pid) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{}/status", pid.as_raw_nonzero())).ok()?;
    let peak = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(peak.trim().strip_suffix(" kB")?.parse::<u64>().ok()? << 10)
}

/// Whether a process does nothing any more: it was stopped, or has ended.
pub(crate) fn has_stopped(pid: Pid) -> bool {
    stat(pid).is_none_or(|stat| matches!(stat.state, 'T' | 'Z' | 'X'))
}

/// Time of the processors that all have used that come from a process, which is itself not counted.
pub(crate) fn used(by_those_of: Pid) -> Duration {
    let tick = Duration::from_secs(1) / rustix::param::clock_ticks_per_second() as u32;
    let own = stat(by_those_of).map_or(0, |stat| stat.used_by_its_ended);
    let living = descendants(by_those_of).into_iter().filter_map(stat);
    let living: u64 = living.map(|stat| stat.used + stat.used_by_its_ended).sum();
    tick * u32::try_from(own + living).unwrap_or(u32::MAX)
}

/// What the system says of a process.
struct Stat {
    state: char,
    /// Ticks that it has used.
    used: u64,
    /// Ticks that those have used which came from it and have ended.
    used_by_its_ended: u64,
}

fn stat(pid: Pid) -> Option<Stat> {
    let text = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
    // Its name may hold anything, and ends with the last parenthesis.
    let fields: Vec<_> = text.rsplit_once(") ")?.1.split(' ').collect();
    let ticks = |index: usize| fields.get(index)?.parse::<u64>().ok();
    Some(Stat {
        state: fields.first()?.chars().next()?,
        used: ticks(11)? + ticks(12)?,
        used_by_its_ended: ticks(13)? + ticks(14)?,
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
