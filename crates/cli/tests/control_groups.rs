//! A command that has a control group of its own: its bots are bounded by groups in it, and none of these is left.

#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::external::{Marker, bot, copy, offender};
use crate::support::machine::{can_isolate, is_complete, missing_mechanisms};
use crate::support::running::wait_for;
use crate::support::user::UNNAMED_USER;
use crate::support::{Ran, Scratch, hill};

/// Mebibytes that bots may use here, and that the kernel may use for each of them.
const MEMORY_MB: u64 = 64;
const KERNEL_MB: u64 = 16;
/// How long groups may take to go once the command has ended, on a busy machine.
const GONE_WITHIN: Duration = Duration::from_secs(30);

/// Moves a process to a group and lets it become the command.
const ENTER: &str = "echo 0 > \"$0/cgroup.procs\" && exec \"$@\"";
/// The same, but that there is another process beside the command.
const STAY: &str = "echo 0 > \"$0/cgroup.procs\" && \"$@\"; exit $?";

/// The root of cgroup v2, if we may make groups there that bound memory and processes; says why not.
fn root() -> Option<PathBuf> {
    let mounts = fs::read_to_string("/proc/self/mounts").unwrap_or_default();
    let mut mounts = mounts.lines().map(|line| line.split(' ').collect::<Vec<_>>());
    let mount = mounts.find(|fields| fields.get(2) == Some(&"cgroup2"));
    let root = mount.map(|fields| PathBuf::from(fields[1])).unwrap_or_default();
    let handed_on = fs::read_to_string(root.join("cgroup.subtree_control")).unwrap_or_default();
    let has = |name| handed_on.split_whitespace().any(|there| there == name);
    let is_root = fs::metadata("/proc/self").expect("there is /proc").uid() == 0;
    // A container's root is not the root of all.
    let is_real = !root.join("cgroup.type").exists();
    if has("memory") && has("pids") && is_root && is_real {
        return Some(root);
    }
    eprintln!(
        "not run: only root can delegate control groups, where cgroup v2 has memory and pids"
    );
    None
}

/// A group that is one test's own, and is gone after it.
struct Delegated {
    group: PathBuf,
    scratch: Scratch,
    /// Who starts the command, if not root.
    user: Option<u32>,
}

impl Delegated {
    /// Nothing if there can be none here.
    fn new(user: Option<u32>) -> Option<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let next = NEXT.fetch_add(1, Ordering::Relaxed);
        let group = root()?.join(format!("test-of-dicehill-{}-{next}", std::process::id()));
        fs::create_dir(&group).expect("root can make a group");
        let scratch = Scratch::new();
        let everybody = fs::Permissions::from_mode(0o755);
        fs::set_permissions(scratch.path(""), everybody).expect("it is ours");
        copy(env!("CARGO_BIN_EXE_dicehill"), &scratch.path("dicehill"));
        copy(offender(), &scratch.path("offender"));
        if user.is_some() {
            let files = ["cgroup.procs", "cgroup.subtree_control", "cgroup.threads"];
            let group = files.map(|file| group.join(file)).into_iter().chain([group.clone()]);
            for path in group.chain([scratch.path("")]) {
                std::os::unix::fs::chown(path, user, user).expect("we are root");
            }
        }
        Some(Self { group, scratch, user })
    }

    /// The command, not started yet, in this group.
    fn command_in(&self, group: &Path, script: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]).arg(group);
        if let Some(user) = self.user {
            let user = [format!("--reuid={user}"), format!("--regid={user}")];
            command.arg("setpriv").args(user).arg("--clear-groups");
        }
        command.arg(self.scratch.path("dicehill")).args(arguments);
        let folder = self.scratch.path("");
        command.current_dir(&folder).env("TMPDIR", &folder).env("HOME", &folder);
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn command(&self, arguments: &[&str]) -> Command {
        self.command_in(&self.group, ENTER, arguments)
    }

    /// Runs the command and expects nothing of its groups to stay.
    #[track_caller]
    fn run(&self, arguments: &[&str]) -> Ran {
        let ran = Ran::from(self.command(arguments).output().expect("the command starts"));
        assert_eq!(groups_in(&self.group), Vec::<PathBuf>::new(), "{ran:?}");
        ran
    }

    /// Starts a run of this many games between two house bots and one that does this.
    fn start(&self, how: &str, marker: &Marker, games: u64) -> Child {
        self.write_hill(how, marker, games);
        let command = ["run", "hill.toml", "--jobs", "1", "--format", "json"];
        self.command(&command).spawn().expect("the command starts")
    }

    fn write_hill(&self, how: &str, marker: &Marker, games: u64) {
        let keys = format!(
            "game = \"yahtzee\"\ngames = {games}\nseed = \"s\"\n[limits]\nstart_ms = 60000\n\
             move_ms = 60000\nmemory_mb = {MEMORY_MB}"
        );
        let offender = bot("Offender", &["./offender", how, marker.as_str()]);
        self.scratch.write("hill.toml", hill(&keys, &["aces-and-eights", "greedy"]) + &offender);
    }
}

impl Drop for Delegated {
    /// A test that has failed leaves nothing either.
    fn drop(&mut self) {
        let _gone = fs::write(self.group.join("cgroup.kill"), "1");
        for group in groups_in(&self.group).iter().rev().chain([&self.group]) {
            let until = Instant::now() + GONE_WITHIN;
            while fs::remove_dir(group).is_err() && group.exists() && Instant::now() < until {
                std::thread::sleep(Duration::from_millis(10));
            }
        }
    }
}

/// All groups below this one, outer ones first.
fn groups_in(group: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    let mut waiting = vec![group.to_owned()];
    while let Some(group) = waiting.pop() {
        let entries = fs::read_dir(&group).into_iter().flatten().filter_map(Result::ok);
        let inner = entries.map(|entry| entry.path()).filter(|path| path.is_dir());
        let inner: Vec<_> = inner.collect();
        all.extend(inner.clone());
        waiting.extend(inner);
    }
    all
}

/// The bounds of the first group in these that has any: bytes of memory, and processes.
fn bounds(group: &Path) -> Option<[u64; 2]> {
    groups_in(group).iter().find_map(|group| {
        let bound = |name| fs::read_to_string(group.join(name)).ok()?.trim().parse::<u64>().ok();
        Some([bound("memory.max")?, bound("pids.max")?])
    })
}

/// Does this for root and for another user.
fn for_each_user(check: impl Fn(Delegated)) {
    for user in [None, Some(UNNAMED_USER)] {
        let Some(delegated) = Delegated::new(user) else { return };
        check(delegated);
    }
}

fn document(ran: &Ran) -> Value {
    ran.json()
}

/// What the doctor says of control groups.
fn told(document: &Value) -> Value {
    let mechanisms = document["mechanisms"].as_array().expect("mechanisms");
    let one = mechanisms.iter().find(|one| one["name"] == "control groups");
    one.expect("it is among them").clone()
}

#[test]
fn the_doctor_uses_them() {
    for_each_user(|delegated| {
        let ran = delegated.run(&["doctor", "--format", "json"]);
        let document = document(&ran);
        assert_eq!(told(&document)["present"], true, "{document}");
        if is_complete("somebody with a control group", &missing_mechanisms(&document)) {
            assert_eq!(ran.code, 0, "{document}");
        }
    });
}

#[test]
fn a_bot_is_bounded_with_all_its_processes() {
    for_each_user(|delegated| {
        let marker = Marker::new();
        let running = delegated.start("uses-memory-of-many", &marker, 6);
        let found = wait_for("there are no bounds", || bounds(&delegated.group));
        assert_eq!(found, [(MEMORY_MB + KERNEL_MB) << 20, 65]);
        let ran = Ran::from(running.wait_with_output().expect("it ends"));
        marker.is_gone("after the run");
        assert_eq!(groups_in(&delegated.group), Vec::<PathBuf>::new());
        let document = document(&ran);
        let rows = document["standings"].as_array().expect("standings");
        let row = rows.iter().find(|row| row["bot"] == "Offender").expect("a row");
        assert_eq!(row["barred"]["reason"], "memory", "{document}");
    });
}

#[test]
fn a_killed_run_leaves_no_group() {
    for_each_user(|delegated| {
        let marker = Marker::new();
        let mut running = delegated.start("child-in-session", &marker, 1_000_000);
        wait_for("there are no bounds", || bounds(&delegated.group));
        running.kill().and_then(|()| running.wait()).expect("it can be killed");
        marker.is_gone("killed");
        wait_for("groups are left", || groups_in(&delegated.group).is_empty().then_some(()));
    });
}

/// Where nobody is left to remove anything, the next run does.
#[test]
fn what_a_killed_keeper_leaves_is_removed_by_the_next() {
    let Some(delegated) = Delegated::new(None) else { return };
    let root = delegated.group.parent().expect("it lies in the root").to_owned();
    let marker = Marker::new();
    delegated.write_hill("none", &marker, 1_000_000);
    let run = ["run", "hill.toml", "--jobs", "1"];
    let mut running = delegated.command_in(&root, ENTER, &run).spawn().expect("it starts");
    let number = running.id();
    let own = root.join(format!("dicehill-{number}"));
    wait_for("there are no bounds", || bounds(&own));
    let kill = |signal: &str, number: &str| {
        let _gone = Command::new("kill").args([signal, number]).status();
    };
    kill("-STOP", &number.to_string());
    for thread in fs::read_dir(format!("/proc/{number}/task")).expect("it lives") {
        let children = thread.expect("a thread").path().join("children");
        let children = fs::read_to_string(children).unwrap_or_default();
        children.split_whitespace().for_each(|keeper| kill("-KILL", keeper));
    }
    running.kill().and_then(|()| running.wait()).expect("it can be killed");
    marker.is_gone("killed with its keepers");
    assert!(own.is_dir(), "there is something to be left behind");
    let mut doctor = delegated.command_in(&root, ENTER, &["doctor", "--format", "json"]);
    let ran = Ran::from(doctor.output().expect("it starts"));
    assert_eq!(told(&document(&ran))["present"], true, "{ran:?}");
    assert!(!own.exists(), "{} is left", own.display());
}

#[test]
fn where_others_are_there_are_none_and_all_else_holds() {
    if !can_isolate() {
        return;
    }
    let Some(delegated) = Delegated::new(None) else { return };
    let with_others = |arguments: &[&str]| {
        let mut command = delegated.command_in(&delegated.group, STAY, arguments);
        Ran::from(command.output().expect("it starts"))
    };
    let ran = with_others(&["doctor", "--format", "json"]);
    let told = told(&document(&ran));
    assert_eq!((ran.code, &told["present"], &told["needed"]), (0, &false.into(), &false.into()));
    assert!(told["detail"].as_str().is_some_and(|why| why.contains("other processes")), "{told}");
    assert!(told["remedy"].as_str().is_some_and(|how| how.contains("systemd-run")), "{told}");
    let marker = Marker::new();
    delegated.write_hill("none", &marker, 2);
    let ran = with_others(&["run", "hill.toml", "--require-isolation"]);
    assert_eq!(ran.code, 0, "{ran:?}");
}
