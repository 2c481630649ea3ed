//! A command in a delegated control group bounds its bots by groups of its own and removes all of them.

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
use crate::support::running::poll;
use crate::support::user::UNNAMED_USER;
use crate::support::{CommandOutput, Scratch, hill};

/// Mebibytes of memory for a bot, and for what the kernel allocates on its behalf.
const MEMORY_MB: u64 = 64;
const KERNEL_MB: u64 = 16;
/// How long the removal of groups may take after the command has ended, on a busy machine.
const REMOVED_WITHIN: Duration = Duration::from_secs(30);

/// The pause between looks at groups that may exist only briefly.
const PAUSE: Duration = Duration::from_millis(2);

/// Moves a process into a group and replaces it with the command.
const RUN_IN_GROUP: &str = "echo 0 > \"$0/cgroup.procs\" && exec \"$@\"";
/// The same, but the shell stays in the group next to the command.
const RUN_IN_SHARED_GROUP: &str = "echo 0 > \"$0/cgroup.procs\" && \"$@\"; exit $?";

/// Where cgroup v2 is mounted.
fn cgroup_mount() -> Option<PathBuf> {
    let mounts = fs::read_to_string("/proc/self/mounts").unwrap_or_default();
    let mut mounts = mounts.lines().map(|line| line.split(' ').collect::<Vec<_>>());
    let mount = mounts.find(|fields| fields.get(2) == Some(&"cgroup2"));
    mount.map(|fields| PathBuf::from(fields[1]))
}

/// The root of cgroup v2, if this user can make groups there; prints why not otherwise.
fn writable_root() -> Option<PathBuf> {
    let root = cgroup_mount()
        .filter(|root| rustix::fs::access(root, rustix::fs::Access::WRITE_OK).is_ok());
    if root.is_none() {
        eprintln!("not run: there is no cgroup v2 in which this user can make groups");
    }
    root
}

/// The root of cgroup v2, if groups that bound memory and processes can be made there; prints why not otherwise.
fn delegable_root() -> Option<PathBuf> {
    let root = cgroup_mount().unwrap_or_default();
    let enabled = fs::read_to_string(root.join("cgroup.subtree_control")).unwrap_or_default();
    let has = |name| enabled.split_whitespace().any(|there| there == name);
    let is_root = fs::metadata("/proc/self").expect("there is /proc").uid() == 0;
    // A container's root is not the root of the hierarchy.
    let is_outermost = !root.join("cgroup.type").exists();
    if has("memory") && has("pids") && is_root && is_outermost {
        return Some(root);
    }
    eprintln!(
        "not run: only root can delegate control groups, where cgroup v2 has memory and pids"
    );
    None
}

/// A control group of one test, removed at its end.
struct DelegatedGroup {
    group: PathBuf,
    scratch: Scratch,
    /// The user that starts the command, if not root.
    user: Option<u32>,
}

impl DelegatedGroup {
    /// None if no group can be delegated here.
    fn new(user: Option<u32>) -> Option<Self> {
        Some(Self::below(&delegable_root()?, user))
    }

    fn below(root: &Path, user: Option<u32>) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let next = NEXT.fetch_add(1, Ordering::Relaxed);
        let group = root.join(format!("test-of-dicehill-{}-{next}", std::process::id()));
        fs::create_dir(&group).expect("root can make a group");
        let scratch = Scratch::new();
        let permissions = fs::Permissions::from_mode(0o755);
        fs::set_permissions(scratch.path(""), permissions).expect("it is ours");
        copy(env!("CARGO_BIN_EXE_dicehill"), &scratch.path("dicehill"));
        copy(offender(), &scratch.path("offender"));
        let delegated = Self { group, scratch, user };
        delegated.hand_over(&delegated.group);
        std::os::unix::fs::chown(delegated.scratch.path(""), user, user).expect("it is ours");
        delegated
    }

    /// Gives the group to the user that starts the command.
    fn hand_over(&self, group: &Path) {
        let files = ["cgroup.procs", "cgroup.subtree_control", "cgroup.threads"];
        for path in files.map(|file| group.join(file)).into_iter().chain([group.to_owned()]) {
            std::os::unix::fs::chown(path, self.user, self.user).expect("we are root");
        }
    }

    /// The group of an arena with this pid that was started in `group` and has moved to its folder, as a server does.
    fn group_of_arena(&self, group: &Path, pid: u32) -> PathBuf {
        let folder = group.join(format!("dicehill-{pid}"));
        let arena = folder.join("arena");
        for group in [&folder, &arena] {
            fs::create_dir(group).expect("root can make a group");
            self.hand_over(group);
        }
        for group in [group, &folder] {
            fs::write(group.join("cgroup.subtree_control"), "+memory +pids").expect("they exist");
        }
        arena
    }

    /// The command in this group, not started yet.
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
        self.command_in(&self.group, RUN_IN_GROUP, arguments)
    }

    /// Runs the command and expects none of its groups to be left.
    #[track_caller]
    fn run(&self, arguments: &[&str]) -> CommandOutput {
        let output =
            CommandOutput::from(self.command(arguments).output().expect("the command starts"));
        assert_eq!(groups_below(&self.group), Vec::<PathBuf>::new(), "{output:?}");
        output
    }

    /// Starts a run of this many games between two house bots and a bot with this behaviour.
    fn start(&self, behaviour: &str, marker: &Marker, games: u64) -> Child {
        self.write_hill(behaviour, marker, games);
        let command = ["run", "hill.toml", "--jobs", "1", "--format", "json"];
        self.command(&command).spawn().expect("the command starts")
    }

    fn write_hill(&self, behaviour: &str, marker: &Marker, games: u64) {
        let keys = format!(
            "game = \"yahtzee\"\ngames = {games}\nseed = \"s\"\nopen_seed = true\n[limits]\nstart_ms = 60000\n\
             move_ms = 60000\nmemory_mb = {MEMORY_MB}"
        );
        let offender = bot("Offender", &["./offender", behaviour, marker.as_str()]);
        self.scratch.write("hill.toml", hill(&keys, &["aces-and-eights", "greedy"]) + &offender);
    }
}

impl Drop for DelegatedGroup {
    /// Also cleans up after a failed test.
    fn drop(&mut self) {
        let _gone = fs::write(self.group.join("cgroup.kill"), "1");
        for group in groups_below(&self.group).iter().rev().chain([&self.group]) {
            let until = Instant::now() + REMOVED_WITHIN;
            while fs::remove_dir(group).is_err() && group.exists() && Instant::now() < until {
                std::thread::sleep(Duration::from_millis(10));
            }
        }
    }
}

/// All groups below this one, outer ones first.
fn groups_below(group: &Path) -> Vec<PathBuf> {
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

/// The limits of the first group in these that has any: bytes of memory, and processes.
fn limits(group: &Path) -> Option<[u64; 2]> {
    groups_below(group).iter().find_map(|group| {
        let bound = |name| fs::read_to_string(group.join(name)).ok()?.trim().parse::<u64>().ok();
        Some([bound("memory.max")?, bound("pids.max")?])
    })
}

/// Calls `check` for root and for another user.
fn for_each_user(check: impl Fn(DelegatedGroup)) {
    for user in [None, Some(UNNAMED_USER)] {
        let Some(delegated) = DelegatedGroup::new(user) else { return };
        check(delegated);
    }
}

/// The doctor's entry on control groups.
fn control_groups_entry(document: &Value) -> Value {
    mechanism(document, "control groups")
}

/// The doctor's entry on this mechanism.
fn mechanism(document: &Value, name: &str) -> Value {
    let mechanisms = document["mechanisms"].as_array().expect("mechanisms");
    let one = mechanisms.iter().find(|one| one["name"] == name);
    one.expect("it is among them").clone()
}

#[test]
fn the_doctor_uses_control_groups() {
    for_each_user(|delegated| {
        let output = delegated.run(&["doctor", "--format", "json"]);
        let document = output.json();
        assert_eq!(control_groups_entry(&document)["present"], true, "{document}");
        if is_complete("a user with a control group", &missing_mechanisms(&document)) {
            assert_eq!(output.code, 0, "{document}");
        }
    });
}

/// Without controllers a group still measures processor time and pauses processes.
#[test]
fn groups_without_controllers_measure_processor_time() {
    let Some(root) = writable_root() else { return };
    let delegated = DelegatedGroup::below(&root, None);
    fs::create_dir(delegated.group.join("inner")).expect("root can make a group");
    let inner = delegated.group.join("inner");
    let mut doctor = delegated.command_in(&inner, RUN_IN_GROUP, &["doctor", "--format", "json"]);
    let output = CommandOutput::from(doctor.output().expect("it starts"));
    let document = output.json();
    assert_eq!(mechanism(&document, "control groups")["present"], false, "{document}");
    let account = mechanism(&document, "control groups: processor time");
    assert_eq!((&account["present"], &account["needed"]), (&true.into(), &false.into()));
    let attacks = document["attacks"].as_array().expect("attacks");
    for name in ["spin", "relay", "relay-unreaped"] {
        let attack = attacks.iter().find(|one| one["name"] == name).expect("it is one of them");
        assert_eq!(attack["contained"], true, "{attack}");
    }
    assert_eq!(groups_below(&inner), Vec::<PathBuf>::new());
}

#[test]
fn a_bot_and_all_its_processes_are_limited() {
    for_each_user(|delegated| {
        let marker = Marker::new();
        let running = delegated.start("uses-memory-of-many", &marker, 6);
        let found = poll("there are no bounds", PAUSE, || limits(&delegated.group));
        assert_eq!(found, [(MEMORY_MB + KERNEL_MB) << 20, 65]);
        let output = CommandOutput::from(running.wait_with_output().expect("it ends"));
        marker.expect_no_processes("after the run");
        assert_eq!(groups_below(&delegated.group), Vec::<PathBuf>::new());
        let document = output.json();
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
        poll("there are no bounds", PAUSE, || limits(&delegated.group));
        running.kill().and_then(|()| running.wait()).expect("it can be killed");
        marker.expect_no_processes("killed");
        poll("groups are left", PAUSE, || groups_below(&delegated.group).is_empty().then_some(()));
    });
}

/// After its supervisors were killed as well, the next run removes the groups.
#[test]
fn groups_of_a_killed_supervisor_are_removed_by_the_next_run() {
    let Some(delegated) = DelegatedGroup::new(None) else { return };
    let root = delegated.group.parent().expect("it lies in the root").to_owned();
    let marker = Marker::new();
    delegated.write_hill("none", &marker, 1_000_000);
    let run = ["run", "hill.toml", "--jobs", "1"];
    let mut running = delegated.command_in(&root, RUN_IN_GROUP, &run).spawn().expect("it starts");
    let number = running.id();
    let own = root.join(format!("dicehill-{number}"));
    poll("there are no bounds", PAUSE, || limits(&own));
    let kill = |signal: &str, number: &str| {
        let _gone = Command::new("kill").args([signal, number]).status();
    };
    kill("-STOP", &number.to_string());
    for thread in fs::read_dir(format!("/proc/{number}/task")).expect("it lives") {
        let children = thread.expect("a thread").path().join("children");
        let children = fs::read_to_string(children).unwrap_or_default();
        children.split_whitespace().for_each(|supervisor| kill("-KILL", supervisor));
    }
    running.kill().and_then(|()| running.wait()).expect("it can be killed");
    marker.expect_no_processes("killed with its supervisors");
    assert!(own.is_dir(), "there is something to be left behind");
    let mut doctor = delegated.command_in(&root, RUN_IN_GROUP, &["doctor", "--format", "json"]);
    let output = CommandOutput::from(doctor.output().expect("it starts"));
    assert_eq!(control_groups_entry(&output.json())["present"], true, "{output:?}");
    assert!(!own.exists(), "{} is left", own.display());
}

/// A server's commands begin in the group of the server, which lives on.
#[test]
fn commands_of_a_server_have_groups_next_to_its_own() {
    for_each_user(|delegated| {
        let arena = delegated.group_of_arena(&delegated.group, std::process::id());
        let folder = arena.parent().expect("it has one");
        let doctor = ["doctor", "--format", "json"];
        let mut command = delegated.command_in(&arena, RUN_IN_SHARED_GROUP, &doctor);
        let output = CommandOutput::from(command.output().expect("it starts"));
        assert_eq!(control_groups_entry(&output.json())["present"], true, "{output:?}");
        assert_eq!(groups_below(&delegated.group), [folder.to_owned(), arena.clone()]);
    });
}

#[test]
fn groups_of_a_killed_server_and_its_command_are_removed_by_the_next_run() {
    for_each_user(|delegated| {
        // No process can have these numbers.
        let server = delegated.group_of_arena(&delegated.group, u32::MAX);
        delegated.group_of_arena(server.parent().expect("it has one"), u32::MAX - 1);
        let output = delegated.run(&["doctor", "--format", "json"]);
        assert_eq!(control_groups_entry(&output.json())["present"], true, "{output:?}");
    });
}

#[test]
fn a_shared_group_is_not_used_and_isolation_still_works() {
    if !can_isolate() {
        return;
    }
    let Some(delegated) = DelegatedGroup::new(None) else { return };
    let in_shared_group = |arguments: &[&str]| {
        let mut command = delegated.command_in(&delegated.group, RUN_IN_SHARED_GROUP, arguments);
        CommandOutput::from(command.output().expect("it starts"))
    };
    let output = in_shared_group(&["doctor", "--format", "json"]);
    let entry = control_groups_entry(&output.json());
    assert_eq!(
        (output.code, &entry["present"], &entry["needed"]),
        (0, &false.into(), &false.into())
    );
    assert!(entry["detail"].as_str().is_some_and(|why| why.contains("other processes")), "{entry}");
    assert!(
        entry["remedy"].as_str().is_some_and(|remedy| remedy.contains("systemd-run")),
        "{entry}"
    );
    let marker = Marker::new();
    delegated.write_hill("none", &marker, 2);
    let output = in_shared_group(&["run", "hill.toml", "--require-isolation"]);
    assert_eq!(output.code, 0, "{output:?}");
}
