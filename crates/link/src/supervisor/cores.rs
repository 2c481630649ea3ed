//! On which cores a child runs.

use rustix::process::Pid;
#[cfg(target_os = "linux")]
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

#[cfg(target_os = "linux")]
use crate::process::descendants::{descendants, tasks};

/// Moves a child to the core that its arena shares with it, and back.
pub(super) struct Cores {
    /// The core that is shared.
    shared: Option<usize>,
    /// Whether threads that were started while the others were moved have to be looked for.
    is_new: bool,
    /// All cores that the child may use.
    #[cfg(target_os = "linux")]
    all: Option<CpuSet>,
}

#[cfg(target_os = "linux")]
impl Cores {
    /// The child may use the cores of this process.
    pub(super) fn new() -> Self {
        Self { shared: None, is_new: false, all: sched_getaffinity(None).ok() }
    }

    /// How many cores the child can use at the most: brief processes escape the move to the shared one.
    pub(super) fn count(&self) -> u32 {
        self.all.as_ref().map_or(u32::MAX, CpuSet::count)
    }

    /// Moves all descendants of `root`, without `root` itself, if `shared` is another core than before. It matters for speed
    /// alone, so that a thread that cannot be moved stays.
    pub(super) fn follow(&mut self, shared: Option<usize>, root: Pid) {
        let is_new = shared != self.shared;
        if !is_new && !self.is_new {
            return;
        }
        (self.shared, self.is_new) = (shared, is_new);
        let Some(all) = self.all else { return };
        let mut cores = all;
        if let Some(core) = shared.filter(|core| *core < CpuSet::MAX_CPU) {
            cores = CpuSet::new();
            cores.set(core);
        }
        for task in descendants(root).into_iter().flat_map(tasks) {
            let name = task.file_name().and_then(|name| name.to_str());
            let task = name.and_then(|name| name.parse().ok()).and_then(Pid::from_raw);
            if let Some(task) = task {
                let _stays_if_refused = sched_setaffinity(Some(task), &cores);
            }
        }
    }
}

/// Where no child is sandboxed, none has a clock.
#[cfg(not(target_os = "linux"))]
impl Cores {
    pub(super) const fn new() -> Self {
        Self { shared: None, is_new: false }
    }

    pub(super) const fn count(&self) -> u32 {
        u32::MAX
    }

    pub(super) const fn follow(&mut self, shared: Option<usize>, _root: Pid) {
        (self.shared, self.is_new) = (shared, self.is_new);
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn descendants_move_to_the_core_and_back() {
        let mut root = Command::new("sh")
            .args(["-c", "cat; :"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let pid = Pid::from_child(&root);
        let child = loop {
            if let [child] = *descendants(pid) {
                break child;
            }
            std::thread::yield_now();
        };
        let all = sched_getaffinity(None).unwrap();
        let last = (0..CpuSet::MAX_CPU).rev().find(|core| all.is_set(*core)).unwrap();
        let mut cores = Cores::new();
        for shared in [Some(last), None] {
            cores.follow(shared, pid);
            let (own, of_child) = (sched_getaffinity(Some(pid)), sched_getaffinity(Some(child)));
            let (own, of_child) = (own.unwrap(), of_child.unwrap());
            assert_eq!(own, all);
            assert_eq!(of_child.count(), if shared.is_some() { 1 } else { all.count() });
            assert!(of_child.is_set(last));
        }
        drop(root.stdin.take());
        root.wait().unwrap();
    }
}
