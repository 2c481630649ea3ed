//! The folder for the control groups of children, below the arena's own group if that is delegated to the arena.
//!
//! The controllers `memory` and `pids` of cgroup v2 are used. Except for the root, a group that enables controllers for
//! groups below it may hold no process itself. The arena therefore creates a folder `dicehill-PID` in its own group
//! and moves itself into the group `arena` there, which it shares with its supervisors; the groups of the children are
//! next to that ([`super::control_group`]). The arena moves no other process: if other processes are in its group, there
//! are no control groups.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How the names of the folders begin.
const PREFIX: &str = "dicehill-";

/// The group in which arena and keepers are.
const ARENA: &str = "arena";

/// What bounds children.
const CONTROLLERS: [&str; 2] = ["memory", "pids"];

/// How often it is tried to remove a group that others are about to leave, and how long between.
const TRIES: usize = 200;

const BETWEEN_TRIES: Duration = Duration::from_millis(5);

/// The place for the groups of one arena's children.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct ControlGroups {
    /// The group in which the arena was started.
    around: PathBuf,
    /// The folder in it.
    own: PathBuf,
    /// Whether the arena had to move.
    has_moved: bool,
}

static GROUPS: OnceLock<Result<ControlGroups, String>> = OnceLock::new();

/// The groups of this process's children; made when they are first asked for.
///
/// # Errors
/// Why there are none.
pub(crate) fn of_this_arena() -> Result<&'static ControlGroups, &'static str> {
    let make = || ControlGroups::make().map_err(|error| error.to_string());
    GROUPS.get_or_init(make).as_ref().map_err(String::as_str)
}

/// Gives back what was made for the children of this process, once there are none.
pub(crate) fn give_back() {
    if let Some(Ok(groups)) = GROUPS.get() {
        groups.give_back();
    }
}

impl ControlGroups {
    fn make() -> io::Result<Self> {
        let around = own_group()?;
        let controllers = fs::read_to_string(around.join("cgroup.controllers"))?;
        let is_there = |name: &&str| controllers.split_whitespace().any(|there| there == *name);
        if let Some(missing) = CONTROLLERS.iter().find(|name| !is_there(name)) {
            let why = format!("the controller `{missing}` is not there in {}", around.display());
            return Err(io::Error::other(why));
        }
        // The root of all has no type.
        let has_moved = around.join("cgroup.type").exists();
        if has_moved && has_others(&around)? {
            let why = format!("other processes are in {} too", around.display());
            return Err(io::Error::other(why));
        }
        remove_abandoned(&around);
        let own = around.join(format!("{PREFIX}{}", std::process::id()));
        let groups = Self { around, own, has_moved };
        groups.settle().inspect_err(|_| groups.give_back())?;
        Ok(groups)
    }

    fn settle(&self) -> io::Result<()> {
        let hand_on = CONTROLLERS.map(|name| format!("+{name}")).join(" ");
        let told = |error: io::Error| {
            io::Error::new(error.kind(), format!("{}: {error}", self.around.display()))
        };
        fs::create_dir(&self.own).map_err(told)?;
        if self.has_moved {
            fs::create_dir(self.arena())?;
            enter(&self.arena()).map_err(told)?;
        }
        fs::write(self.around.join("cgroup.subtree_control"), &hand_on).map_err(told)?;
        fs::write(self.own.join("cgroup.subtree_control"), &hand_on).map_err(told)
    }

    fn arena(&self) -> PathBuf {
        self.own.join(ARENA)
    }

    /// Where the group of the child of this keeper is.
    pub(super) fn place(&self, keeper: u32) -> PathBuf {
        self.own.join(keeper.to_string())
    }

    /// Removes the folder, and moves back before. As long as there are children that is left to others.
    pub(crate) fn give_back(&self) {
        let mut children = groups_in(&self.own).into_iter().filter(|group| *group != self.arena());
        // Of a keeper that was killed an empty group may be left.
        if !children.all(|group| fs::remove_dir(group).is_ok()) {
            return;
        }
        if self.has_moved {
            let keep = CONTROLLERS.map(|name| format!("-{name}")).join(" ");
            for group in [&self.own, &self.around] {
                // Another keeper may have done it.
                let _done = fs::write(group.join("cgroup.subtree_control"), &keep);
            }
            let _moved = enter(&self.around);
            remove(&self.arena());
        }
        remove(&self.own);
    }
}

/// Moves this process into a group.
fn enter(group: &Path) -> io::Result<()> {
    fs::write(group.join("cgroup.procs"), "0")
}

/// Removes a group as soon as those who are about to leave it have left.
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

/// The groups in a group.
fn groups_in(group: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(group).into_iter().flatten().filter_map(Result::ok);
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    folders.map(|entry| entry.path()).collect()
}

/// Whether others than this process are in the group.
fn has_others(group: &Path) -> io::Result<bool> {
    let processes = fs::read_to_string(group.join("cgroup.procs"))?;
    let own = std::process::id().to_string();
    Ok(processes.lines().any(|process| process != own))
}

/// Removes what arenas have left that were killed with all their keepers. Groups with processes in them stay.
fn remove_abandoned(around: &Path) {
    for folder in groups_in(around) {
        let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let arena = name.strip_prefix(PREFIX).and_then(|arena| arena.parse::<u32>().ok());
        if arena.is_some_and(|arena| !Path::new(&format!("/proc/{arena}")).exists()) {
            for group in groups_in(&folder).iter().chain([&folder]) {
                let _not_empty = fs::remove_dir(group);
            }
        }
    }
}

/// The folder of the group in which this process is.
fn own_group() -> io::Result<PathBuf> {
    let [groups, mounts] = ["/proc/self/cgroup", "/proc/self/mountinfo"].map(fs::read_to_string);
    let absent = || io::Error::other("cgroup v2 cannot be seen here");
    folder_of(group_of(&groups?).ok_or_else(absent)?, &mounts?).ok_or_else(absent)
}

/// The group by its own name, from `/proc/self/cgroup`.
fn group_of(groups: &str) -> Option<&Path> {
    groups.lines().find_map(|line| line.strip_prefix("0::")).map(Path::new)
}

/// Where the group is mounted, by `/proc/self/mountinfo`. A mount may show what is below a group only.
fn folder_of(group: &Path, mounts: &str) -> Option<PathBuf> {
    let mount = |line: &str| {
        let (mount, kind) = line.split_once(" - ")?;
        let mut fields = mount.split(' ').skip(3).map(unescaped);
        let (root, place) = (fields.next()?, fields.next()?);
        let below = group.strip_prefix(root).ok()?;
        // What lies outside what is shown is named so.
        let is_shown = !below.components().any(|part| part.as_os_str() == "..");
        (kind.starts_with("cgroup2 ") && is_shown).then(|| {
            let place = PathBuf::from(place);
            if below.as_os_str().is_empty() { place } else { place.join(below) }
        })
    };
    mounts.lines().find_map(mount)
}

/// What a field of `/proc/self/mountinfo` stands for: spaces and the like are three octal digits there.
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
    fn the_own_group_is_found_below_its_mount() {
        let unified = "30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n";
        check(
            "0::/user.slice/run-1.scope\n",
            unified,
            Some("/sys/fs/cgroup/user.slice/run-1.scope"),
        );
        check("0::/\n", unified, Some("/sys/fs/cgroup"));
    }

    #[test]
    fn other_hierarchies_are_passed_over() {
        check("4:memory:/a\n1:cpu:/b\n0::/c\n", HYBRID, Some("/sys/fs/cgroup/unified/c"));
        check("4:memory:/a\n1:cpu:/b\n", HYBRID, None);
        check("0::/a\n", HYBRID.lines().next().unwrap_or_default(), None);
    }

    #[test]
    fn a_mount_may_show_a_part_only() {
        let part = "9 8 0:26 /docker/7 /sys/fs/cgroup ro - cgroup2 cgroup rw\n";
        check("0::/docker/7/x\n", part, Some("/sys/fs/cgroup/x"));
        check("0::/docker/7\n", part, Some("/sys/fs/cgroup"));
        check("0::/docker/70\n", part, None);
        let outer = "9 8 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup rw\n";
        check("0::/../other\n", outer, None);
    }

    #[test]
    fn a_place_with_spaces_is_unescaped() {
        let spaced = "9 8 0:26 / /mnt/two\\040words\\134 rw - cgroup2 none rw\n";
        check("0::/a\n", spaced, Some("/mnt/two words\\/a"));
    }
}
