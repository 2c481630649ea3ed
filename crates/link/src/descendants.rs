//! The processes below another.

use std::fs;

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
