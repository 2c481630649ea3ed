//! The processes below another.

use std::fs;
#[cfg(target_os = "linux")]
use std::time::Duration;

use rustix::process::{Pid, getpid};

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

/// Bytes of memory that all below this process have in use.
pub(crate) fn resident_bytes() -> u64 {
    let page = rustix::param::page_size() as u64;
    descendants(getpid()).into_iter().filter_map(resident_pages).sum::<u64>() * page
}

fn resident_pages(pid: Pid) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{}/statm", pid.as_raw_nonzero())).ok()?;
    text.split(' ').nth(1)?.parse().ok()
}

/// The most bytes of memory that a process has had in use.
pub(crate) fn peak_bytes(pid: Pid) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{}/status", pid.as_raw_nonzero())).ok()?;
    let peak = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(peak.trim().strip_suffix(" kB")?.parse::<u64>().ok()? << 10)
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
