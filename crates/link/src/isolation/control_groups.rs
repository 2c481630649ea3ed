//! The folder for the control groups of children, below the arena's own group if that is delegated to the arena.
//!
//! Every group of cgroup v2 accounts for the processor time of its processes and can freeze them. The controllers `memory`
//! and `pids` limit them besides. Except for the root, a group that enables controllers for groups below it may hold no
//! process itself. The arena therefore creates a folder `dicehill-PID` in its own group and moves itself into the group
//! `arena` there, which it shares with its supervisors; the groups of the children are next to that
//! ([`super::control_group`]). The arena moves no other process: if other processes are in its group, or a controller is
//! missing, it stays where it is, and the groups of its children have no limits.
//!
//! A server starts further commands, which begin in its group `arena`. Such a command creates its folder next to that
//! group, where no process is in its way.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use rustix::fs::Access;
use serde::{Deserialize, Serialize};

use crate::process::error_text::error_text;

/// The prefix of the names of the folders.
const PREFIX: &str = "dicehill-";

/// The group of the arena and its supervisors.
const ARENA: &str = "arena";

/// The controllers that limit children.
const CONTROLLERS: [&str; 2] = ["memory", "pids"];

/// How often removing a group is tried while processes are leaving it, and the pause between two tries.
const TRIES: usize = 200;

const BETWEEN_TRIES: Duration = Duration::from_millis(5);

/// Where the groups of one arena's children are created.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct ControlGroups {
    /// The group in which the arena was started.
    start: PathBuf,
    /// The group that has the arena's folder: the same, or the folder of the arena that started this one.
    parent: PathBuf,
    /// The arena's folder in it.
    own: PathBuf,
    /// Why the groups have no limits on memory and processes, if they have none.
    without_limits: Option<String>,
    /// Whether the arena moved into its own folder.
    has_moved: bool,
}

static GROUPS: OnceLock<Result<ControlGroups, String>> = OnceLock::new();

/// The groups for the children of this process, set up on the first call.
///
/// # Errors
/// Why there are none.
pub(crate) fn of_this_process() -> Result<&'static ControlGroups, &'static str> {
    let make = || ControlGroups::make().map_err(|error| error_text(&error));
    GROUPS.get_or_init(make).as_ref().map_err(String::as_str)
}

/// Removes what was set up for the children of this process, once there are none.
pub(crate) fn remove_groups() {
    if let Some(Ok(groups)) = GROUPS.get() {
        groups.remove_groups();
    }
}

impl ControlGroups {
    fn make() -> io::Result<Self> {
        let start = own_group()?;
        let parent = folder_with_arena(&start).unwrap_or(&start).to_owned();
        // The root group has no type.
        let is_root = !parent.join("cgroup.type").exists();
        let without_limits = why_no_limits(&parent, is_root)?;
        let has_moved = !is_root && without_limits.is_none();
        remove_abandoned(&parent);
        let own = parent.join(format!("{PREFIX}{}", std::process::id()));
        let groups = Self { start, parent, own, without_limits, has_moved };
        groups.enable().inspect_err(|_| groups.remove_groups())?;
        Ok(groups)
    }

    /// Why the groups have no limits on memory and processes, if they have none.
    pub(crate) fn without_limits(&self) -> Option<&str> {
        self.without_limits.as_deref()
    }

    fn enable(&self) -> io::Result<()> {
        let enabled = CONTROLLERS.map(|name| format!("+{name}")).join(" ");
        let with_path = |error: io::Error| {
            io::Error::new(error.kind(), format!("{}: {error}", self.parent.display()))
        };
        // Without it no process can be moved from this group to one below it.
        rustix::fs::access(self.parent.join("cgroup.procs"), Access::WRITE_OK)
            .map_err(|error| with_path(error.into()))?;
        fs::create_dir(&self.own).map_err(with_path)?;
        if fs::read_to_string(self.own.join("cgroup.type"))?.trim() != "domain" {
            return Err(with_path(io::Error::other("it is for threads")));
        }
        if self.without_limits.is_some() {
            return Ok(());
        }
        if self.has_moved {
            fs::create_dir(self.arena())?;
            enter(&self.arena()).map_err(with_path)?;
        }
        fs::write(self.parent.join("cgroup.subtree_control"), &enabled).map_err(with_path)?;
        fs::write(self.own.join("cgroup.subtree_control"), &enabled).map_err(with_path)
    }

    /// Disables the controllers, without which no process can move back. Those of another arena stay.
    fn disable(&self) {
        let disabled = CONTROLLERS.map(|name| format!("-{name}")).join(" ");
        for group in [&self.own, &self.start] {
            // Another supervisor may have done it.
            let _done = fs::write(group.join("cgroup.subtree_control"), &disabled);
        }
    }

    fn arena(&self) -> PathBuf {
        self.own.join(ARENA)
    }

    /// The folder of the group for the child of a supervisor with this pid.
    pub(crate) fn folder_of_child(&self, supervisor: u32) -> PathBuf {
        self.own.join(supervisor.to_string())
    }

    /// Moves back to the original group and removes the folder. As long as there are children, this is left
    /// to a later call.
    pub(crate) fn remove_groups(&self) {
        let mut children = groups_in(&self.own).into_iter().filter(|group| *group != self.arena());
        // A supervisor that was killed may have left an empty group.
        if !children.all(|group| fs::remove_dir(group).is_ok()) {
            return;
        }
        if self.has_moved {
            self.disable();
            let _moved = enter(&self.start);
            remove(&self.arena());
        }
        remove(&self.own);
    }
}

/// Moves this process into a group.
fn enter(group: &Path) -> io::Result<()> {
    fs::write(group.join("cgroup.procs"), "0")
}

/// Removes a group once the processes that are leaving it have left.
pub(super) fn remove(group: &Path) {
    for _ in 0..TRIES {
        match fs::remove_dir(group) {
            Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {
                std::thread::sleep(BETWEEN_TRIES);
            }
            Ok(()) | Err(_) => return,
        }
    }
}

/// The groups directly below a group.
fn groups_in(group: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(group).into_iter().flatten().filter_map(Result::ok);
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    folders.map(|entry| entry.path()).collect()
}

/// Why groups below this one can have no limits on memory and processes, if that is so.
fn why_no_limits(group: &Path, is_root: bool) -> io::Result<Option<String>> {
    let controllers = fs::read_to_string(group.join("cgroup.controllers"))?;
    let is_available =
        |name: &&str| controllers.split_whitespace().any(|available| available == *name);
    if let Some(missing) = CONTROLLERS.iter().find(|name| !is_available(name)) {
        return Ok(Some(format!("the controller `{missing}` is not there in {}", group.display())));
    }
    let is_shared = !is_root && has_others(group)?;
    Ok(is_shared.then(|| format!("other processes are in {} too", group.display())))
}

/// Whether the group contains other processes than this one.
fn has_others(group: &Path) -> io::Result<bool> {
    let processes = fs::read_to_string(group.join("cgroup.procs"))?;
    let own = std::process::id().to_string();
    Ok(processes.lines().any(|process| process != own))
}

/// Removes the folders of arenas that were killed with all their supervisors. Groups with processes in them
/// stay.
fn remove_abandoned(parent: &Path) {
    for folder in groups_in(parent) {
        let arena = arena_of(&folder);
        if arena.is_some_and(|arena| !Path::new(&format!("/proc/{arena}")).exists()) {
            // Of commands that it had started.
            remove_abandoned(&folder);
            let groups = groups_in(&folder).into_iter().filter(|group| arena_of(group).is_none());
            for group in groups.chain([folder.clone()]) {
                let _not_empty = fs::remove_dir(group);
            }
        }
    }
}

/// The pid of the arena whose folder this is.
fn arena_of(folder: &Path) -> Option<u32> {
    folder.file_name()?.to_str()?.strip_prefix(PREFIX)?.parse().ok()
}

/// The folder of the arena whose own group this is.
fn folder_with_arena(group: &Path) -> Option<&Path> {
    let folder = group.parent().filter(|_| group.ends_with(ARENA))?;
    arena_of(folder).map(|_| folder)
}

/// The folder of the group of this process.
fn own_group() -> io::Result<PathBuf> {
    let [groups, mounts] = ["/proc/self/cgroup", "/proc/self/mountinfo"].map(fs::read_to_string);
    let not_mounted = || io::Error::other("cgroup v2 cannot be seen here");
    folder_of(group_of(&groups?).ok_or_else(not_mounted)?, &mounts?).ok_or_else(not_mounted)
}

/// The path of the group in its hierarchy, from `/proc/self/cgroup`.
fn group_of(groups: &str) -> Option<&Path> {
    groups.lines().find_map(|line| line.strip_prefix("0::")).map(Path::new)
}

/// Where the group is mounted, from `/proc/self/mountinfo`. A mount may show only a part of the hierarchy.
fn folder_of(group: &Path, mounts: &str) -> Option<PathBuf> {
    let mount = |line: &str| {
        let (mount, kind) = line.split_once(" - ")?;
        let mut fields = mount.split(' ').skip(3).map(unescaped);
        let (root, place) = (fields.next()?, fields.next()?);
        let below = group.strip_prefix(root).ok()?;
        // A group outside the mounted part has `..` in its path.
        let is_shown = !below.components().any(|part| part.as_os_str() == "..");
        (kind.starts_with("cgroup2 ") && is_shown).then(|| {
            let place = PathBuf::from(place);
            if below.as_os_str().is_empty() { place } else { place.join(below) }
        })
    };
    mounts.lines().find_map(mount)
}

/// A field of `/proc/self/mountinfo` without escapes: spaces and some other characters are three octal digits
/// there.
fn unescaped(field: &str) -> String {
    let mut parts = field.split('\\');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.get(..3).map(|digits| u8::from_str_radix(digits, 8)) {
            Some(Ok(byte)) => {
                text.push(char::from(byte));
                text.push_str(&part[3..]);
            }
            Some(Err(_)) | None => text.extend(["\\", part]),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const HYBRID: &str = "31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
";

    #[track_caller]
    fn check(groups: &str, mounts: &str, expected: Option<&str>) {
        let found = group_of(groups).and_then(|group| folder_of(group, mounts));
        assert_eq!(found.as_deref(), expected.map(Path::new));
    }

    #[test]
    fn the_groups_folder_is_below_its_mount() {
        let unified = "30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n";
        check(
            "0::/user.slice/run-1.scope\n",
            unified,
            Some("/sys/fs/cgroup/user.slice/run-1.scope"),
        );
        check("0::/\n", unified, Some("/sys/fs/cgroup"));
    }

    #[test]
    fn cgroup_v1_hierarchies_are_ignored() {
        check("4:memory:/a\n1:cpu:/b\n0::/c\n", HYBRID, Some("/sys/fs/cgroup/unified/c"));
        check("4:memory:/a\n1:cpu:/b\n", HYBRID, None);
        check("0::/a\n", HYBRID.lines().next().unwrap_or_default(), None);
    }

    #[test]
    fn a_mount_may_show_a_part_of_the_hierarchy() {
        let part = "9 8 0:26 /docker/7 /sys/fs/cgroup ro - cgroup2 cgroup rw\n";
        check("0::/docker/7/x\n", part, Some("/sys/fs/cgroup/x"));
        check("0::/docker/7\n", part, Some("/sys/fs/cgroup"));
        check("0::/docker/70\n", part, None);
        let outer = "9 8 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup rw\n";
        check("0::/../other\n", outer, None);
    }

    #[test]
    fn a_command_of_another_arena_uses_its_folder() {
        let check = |group: &str, expected: Option<&str>| {
            assert_eq!(folder_with_arena(Path::new(group)), expected.map(Path::new), "{group}");
        };
        check("/sys/fs/cgroup/a/dicehill-7/arena", Some("/sys/fs/cgroup/a/dicehill-7"));
        for other in ["/a/dicehill-7", "/a/dicehill-7/8", "/a/b/arena", "/a/dicehill-x/arena", "/"]
        {
            check(other, None);
        }
    }

    #[test]
    fn octal_escapes_in_mount_points_are_decoded() {
        let spaced = "9 8 0:26 / /mnt/two\\040words\\134 rw - cgroup2 none rw\n";
        check("0::/a\n", spaced, Some("/mnt/two words\\/a"));
    }
}
