//! The doctor's findings: without isolation its attacks succeed, and with isolation they fail.

#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use dicehill_link::attacks::ATTACKS;
use serde_json::Value;

use crate::support::external::Marker;
use crate::support::machine::{is_complete, missing_mechanisms};
use crate::support::running::{send, wait_for};
use crate::support::terminal::exit_at_terminal;
use crate::support::{CommandOutput, Scratch, project_path};

/// Attacks that succeed without isolation on every machine and under every user.
const OPEN_WITHOUT_ISOLATION: [&str; 46] = [
    "read-passwd",
    "read-file",
    "follow-link",
    "write-file",
    "change-mode",
    "remove-file",
    "write-tmp",
    "write-shm",
    "tcp-connect",
    "tcp-listen",
    "udp-send",
    "unix-socket",
    "abstract-socket",
    "socket-protocols",
    "see-processes",
    "signal",
    "read-environment",
    "memory-file",
    "memory-pages",
    "memory-sockets",
    "memory-epoll",
    "memory-folders",
    "memory-maps",
    "growing-mapping",
    "mappings",
    "processes",
    "threads",
    "fill-disk",
    "fill-folder",
    "reserve-disk",
    "hide-files",
    "hide-descriptors",
    "separate-descriptors",
    "spin",
    "relay",
    "relay-unreaped",
    "load",
    "sysinfo",
    "own-statistics",
    "page-map",
    "file-hint",
    "process-descriptor",
    "socket-cookie",
    "core-dump",
    "filters",
    "new-privileges",
];

/// Attacks that the supervisor contains without any isolation.
const ALWAYS_CONTAINED: [&str; 4] = ["daemon", "inherit", "memory", "memory-processes"];

/// Attacks whose outcome depends on the machine and on the user.
const MACHINE_DEPENDENT: [&str; 18] = [
    "huge-pages",
    "huge-page-pool",
    "terminal",
    "ptrace",
    "read-memory",
    "setuid",
    "capabilities",
    "descriptors",
    "user-namespace",
    "mount",
    "io-uring",
    "landlock",
    "bpf",
    "keyctl",
    "perf-event",
    "userfaultfd",
    "priority",
    "mount-number",
];

/// A doctor that works in a folder whose name is in the command lines of its processes.
struct DoctorRun {
    scratch: Scratch,
    marker: Marker,
}

impl DoctorRun {
    fn new() -> Self {
        let (scratch, marker) = (Scratch::new(), Marker::new());
        fs::create_dir(scratch.path(marker.as_str())).expect("a folder can be made");
        Self { scratch, marker }
    }

    fn command(&self, arguments: &[&str]) -> std::process::Command {
        let mut command = self.scratch.command(arguments);
        command.env("TMPDIR", self.scratch.path(self.marker.as_str()));
        command.env("HOME", self.scratch.path(""));
        command
    }

    /// Runs the doctor and expects that it leaves neither processes nor files.
    fn run(&self, arguments: &[&str]) -> CommandOutput {
        let child = self.command(arguments).spawn().expect("the command starts");
        let number = child.id();
        let output = CommandOutput::from(child.wait_with_output().expect("the command ends"));
        self.marker.expect_no_processes("after the doctor");
        let folder = self.scratch.path(self.marker.as_str());
        let left: Vec<_> = fs::read_dir(folder).expect("it is there").collect();
        assert!(left.is_empty(), "{left:?}");
        for folder in ["/tmp", "/var/tmp", "/dev/shm"] {
            let path = format!("{folder}/dicehill-doctor-{number}");
            assert!(!fs::exists(&path).expect("it can be seen"), "{path} is left");
        }
        output
    }

    /// The exit code, what the machine lacks, and the attacks of the document by name.
    fn attacks(&self, arguments: &[&str]) -> (i32, Vec<String>, BTreeMap<String, Value>) {
        let output = self.run(arguments);
        assert_eq!(output.err, "", "{}", output.out);
        let document = output.json();
        assert_eq!(document["schema"], "dicehill.doctor/1");
        assert!(document["kernel"].as_str().is_some_and(|kernel| kernel.starts_with("Linux ")));
        assert!(document["user"].is_string() && document["mechanisms"].is_array());
        check_counts(&document, output.code);
        let attacks = document["attacks"].as_array().expect("attacks").clone();
        let name = |attack: &Value| attack["name"].as_str().expect("a name").to_owned();
        let attacks = attacks.into_iter().map(|attack| (name(&attack), attack)).collect();
        (output.code, missing_mechanisms(&document), attacks)
    }
}

/// Expects the document to have its exit code, and to count its attacks.
fn check_counts(document: &Value, code: i32) {
    let attacks = document["attacks"].as_array().expect("attacks");
    let count = |outcome: Value| attacks.iter().filter(|one| one["contained"] == outcome).count();
    let counted = [count(true.into()), count(false.into()), count(Value::Null)];
    let [contained, open, unknown] =
        ["contained", "open", "unknown"].map(|key| document[key].as_u64());
    assert_eq!([contained, open, unknown], counted.map(|number| Some(number as u64)));
    assert_eq!(document["exit_code"], code);
    assert_eq!(code, if contained == Some(attacks.len() as u64) { 0 } else { 3 });
}

#[test]
fn without_isolation_the_attacks_succeed() {
    let arguments = ["doctor", "--no-isolation", "--format", "json"];
    let (code, _, attacks) = DoctorRun::new().attacks(&arguments);
    assert_eq!(code, 3);
    let known = OPEN_WITHOUT_ISOLATION.iter().chain(&ALWAYS_CONTAINED).chain(&MACHINE_DEPENDENT);
    let mut known: Vec<_> = known.copied().collect();
    known.sort_unstable();
    assert_eq!(attacks.keys().map(String::as_str).collect::<Vec<_>>(), known);
    for name in OPEN_WITHOUT_ISOLATION {
        assert_eq!(attacks[name]["contained"], false, "{}", attacks[name]);
    }
    for name in ALWAYS_CONTAINED {
        assert_eq!(attacks[name]["contained"], true, "{}", attacks[name]);
    }
    for attack in attacks.values() {
        let is_remedy_wanted = attack["contained"] != true;
        assert_eq!(attack["remedy"] != "", is_remedy_wanted, "{attack}");
        assert_eq!(attack["meaning"] != "", attack["contained"] == false, "{attack}");
        assert!(attack["mechanism"] != "" && attack["detail"] != "", "{attack}");
        assert!(attack["contained"].is_boolean(), "{attack}");
    }
}

#[test]
fn with_isolation_the_attacks_fail() {
    let (code, missing, attacks) = DoctorRun::new().attacks(&["doctor", "--format", "json"]);
    if !is_complete("us", &missing) {
        let are_contained = attacks.values().all(|attack| attack["contained"] == true);
        assert_eq!(code, if are_contained { 0 } else { 3 });
        return;
    }
    for attack in attacks.values() {
        assert_eq!(attack["contained"], true, "{attack}");
    }
    assert_eq!(code, 0);
}

/// What a bot with a network may do is not tried.
#[test]
fn a_sandbox_with_a_network_contains_the_other_attacks() {
    let arguments = ["doctor", "--network", "--format", "json"];
    let (code, missing, attacks) = DoctorRun::new().attacks(&arguments);
    assert!(["tcp-connect", "udp-send"].iter().all(|name| !attacks.contains_key(*name)));
    assert_eq!(attacks.len(), ATTACKS.len() - 2);
    if !is_complete("us", &missing) {
        assert_eq!(code, 3);
        return;
    }
    for attack in attacks.values() {
        assert_eq!(attack["contained"], true, "{attack}");
    }
}

#[test]
fn a_terminal_shows_a_table() {
    let doctor_run = DoctorRun::new();
    let mut doctor = doctor_run.command(&["doctor", "--no-isolation"]);
    let (code, shown) = exit_at_terminal(80, doctor.env("NO_COLOR", "1"));
    assert_eq!(code, Some(3), "{shown}");
    assert!(shown.starts_with("This machine\n  kernel"), "{shown}");
    assert_eq!(attack_cells(&shown, "passwd"), ["OPEN", "mount namespace, Landlock"]);
    assert_eq!(attack_cells(&shown, "process behind")[0], "contained");
    assert!(shown.lines().all(|line| line.len() <= 80), "{shown}");
    assert!(shown.contains("\nNot shown at 80 columns: found; --format json has all\n"), "{shown}");
    let count = format!(" of {} attacks contained; without isolation", ATTACKS.len());
    assert!(shown.contains(&count), "{shown}");
    let meaning = "\nWhat is open here\n  reads /etc/passwd: A bot can read ";
    assert!(shown.contains(meaning), "{shown}");
    assert!(!shown.contains("  leaves a process behind: "), "{shown}");
}

#[test]
fn a_pipe_gets_the_findings() {
    let output = DoctorRun::new().run(&["doctor"]);
    assert_eq!(output.err, "");
    let parts = attack_cells(&output.out, "process behind");
    assert_eq!((parts.len(), parts[0]), (3, "contained"), "{parts:?}");
    assert_eq!(output.out.contains("\nWhat is open here\n"), output.code != 0, "{}", output.out);
}

/// The comparison with other sandboxes has every attack in one row, and no other.
#[test]
fn the_documentation_names_every_attack() {
    let text = fs::read_to_string(project_path("SECURITY.md")).expect("the page is there");
    let rows = text.lines().skip_while(|line| !line.starts_with("| a program cannot |"));
    let rows = rows.skip(2).take_while(|line| line.starts_with('|'));
    let cells = rows.map(|row| row.split('|').nth(2).expect("a cell of attacks"));
    let mut named: Vec<_> = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    let mut known: Vec<_> = ATTACKS.iter().map(|attack| attack.name).collect();
    named.sort_unstable();
    known.sort_unstable();
    assert_eq!(named, known);
}

#[test]
fn the_documentation_names_tests_that_exist() {
    let text = fs::read_to_string(project_path("SECURITY.md")).expect("the page is there");
    let words = text.split('`').skip(1).step_by(2);
    let named: Vec<_> = words.filter(|word| word.starts_with("crates/")).collect();
    assert!(named.len() > 10, "{named:?}");
    for test in named {
        assert!(project_path(test).exists(), "{test}");
    }
}

/// The cells of an attack's line after its name.
fn attack_cells<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
    let line = text.lines().find(|line| line.contains(name)).expect("a line");
    line.split("  ").filter(|part| !part.is_empty()).skip(1).map(str::trim).collect()
}

#[test]
fn a_doctor_that_is_killed_leaves_no_process() {
    for moment in [100, 400, 700, 1000] {
        let doctor_run = DoctorRun::new();
        let command = &mut doctor_run.command(&["doctor", "--no-isolation"]);
        let mut doctor = command.spawn().expect("the command starts");
        std::thread::sleep(Duration::from_millis(moment));
        doctor.kill().and_then(|()| doctor.wait()).expect("it can be killed");
        doctor_run.marker.expect_no_processes(&format!("killed after {moment} ms"));
    }
}

#[test]
fn an_interrupted_doctor_leaves_nothing() {
    let doctor_run = DoctorRun::new();
    let doctor = doctor_run.command(&["doctor", "--no-isolation"]).spawn().expect("it starts");
    wait_for("an attack is tried", || (!doctor_run.marker.processes().is_empty()).then_some(()));
    send("-INT", &doctor);
    let output = CommandOutput::from(doctor.wait_with_output().expect("it ends"));
    assert_eq!((output.code, output.out.as_str(), output.err.as_str()), (130, "", ""));
    doctor_run.marker.expect_no_processes("interrupted");
    let folder = doctor_run.scratch.path(doctor_run.marker.as_str());
    assert_eq!(fs::read_dir(folder).expect("it is there").count(), 0);
}

#[test]
fn only_the_doctor_can_start_attacks() {
    for arguments in [&["--attack"][..], &["--attack", "bpf"], &["--attack", "none", "/", "1"]] {
        let output = Scratch::new().run_as_process(arguments, b"");
        let message = "dicehill --attack is started by dicehill doctor\n";
        assert_eq!((output.code, output.out.as_str(), output.err.as_str()), (2, "", message));
    }
}
