//! What the doctor finds: without isolation its attacks succeed, and with it they do not.

#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::fs;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::external::Marker;
use crate::support::machine::{is_complete, missing_mechanisms};
use crate::support::running::send;
use crate::support::terminal::ended_at_terminal;
use crate::support::{Ran, Scratch};

/// The longest that the doctor may take, on a machine that is busy with other things.
const LONGEST: Duration = Duration::from_secs(150);

/// Attacks that succeed on every machine where nothing contains them, whoever runs them.
const OPEN_WITHOUT_ISOLATION: [&str; 24] = [
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
    "see-processes",
    "signal",
    "read-environment",
    "memory-file",
    "processes",
    "threads",
    "fill-disk",
    "spin",
    "load",
    "sysinfo",
    "new-privileges",
];

/// Attacks that the keeper contains without any isolation.
const CONTAINED_BY_THE_KEEPER: [&str; 4] = ["daemon", "inherit", "memory", "memory-processes"];

/// Attacks that depend on the machine, on who runs them and where.
const DEPENDING: [&str; 13] = [
    "terminal",
    "ptrace",
    "read-memory",
    "setuid",
    "capabilities",
    "descriptors",
    "user-namespace",
    "mount",
    "io-uring",
    "bpf",
    "keyctl",
    "perf-event",
    "userfaultfd",
];

/// A doctor that works in a folder whose name its processes carry in their command lines.
struct Practice {
    scratch: Scratch,
    marker: Marker,
}

impl Practice {
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

    /// Runs the doctor and expects that nothing of it stays.
    fn run(&self, arguments: &[&str]) -> Ran {
        let began = Instant::now();
        let child = self.command(arguments).spawn().expect("the command starts");
        let number = child.id();
        let ran = Ran::from(child.wait_with_output().expect("the command ends"));
        assert!(began.elapsed() < LONGEST, "it took {:?}", began.elapsed());
        self.marker.is_gone("after the doctor");
        let folder = self.scratch.path(self.marker.as_str());
        let left: Vec<_> = fs::read_dir(folder).expect("it is there").collect();
        assert!(left.is_empty(), "{left:?}");
        for folder in ["/tmp", "/var/tmp", "/dev/shm"] {
            let path = format!("{folder}/dicehill-doctor-{number}");
            assert!(!fs::exists(&path).expect("it can be seen"), "{path} is left");
        }
        ran
    }

    /// The exit code, what the machine lacks, and the attacks of the document by their names.
    fn attacks(&self, arguments: &[&str]) -> (i32, Vec<String>, BTreeMap<String, Value>) {
        let ran = self.run(arguments);
        assert_eq!(ran.err, "", "{}", ran.out);
        let document = ran.json();
        assert_eq!(document["schema"], "dicehill.doctor/1");
        assert!(document["kernel"].as_str().is_some_and(|kernel| kernel.starts_with("Linux ")));
        assert!(document["user"].is_string() && document["mechanisms"].is_array());
        let attacks = document["attacks"].as_array().expect("attacks").clone();
        let name = |attack: &Value| attack["name"].as_str().expect("a name").to_owned();
        let attacks = attacks.into_iter().map(|attack| (name(&attack), attack)).collect();
        (ran.code, missing_mechanisms(&document), attacks)
    }
}

#[test]
fn without_isolation_the_attacks_succeed() {
    let arguments = ["doctor", "--no-isolation", "--format", "json"];
    let (code, _, attacks) = Practice::new().attacks(&arguments);
    assert_eq!(code, 3);
    let known = OPEN_WITHOUT_ISOLATION.iter().chain(&CONTAINED_BY_THE_KEEPER).chain(&DEPENDING);
    let mut known: Vec<_> = known.copied().collect();
    known.sort_unstable();
    assert_eq!(attacks.keys().map(String::as_str).collect::<Vec<_>>(), known);
    for name in OPEN_WITHOUT_ISOLATION {
        assert_eq!(attacks[name]["contained"], false, "{}", attacks[name]);
    }
    for name in CONTAINED_BY_THE_KEEPER {
        assert_eq!(attacks[name]["contained"], true, "{}", attacks[name]);
    }
    for attack in attacks.values() {
        let is_remedy_wanted = attack["contained"] != true;
        assert_eq!(attack["remedy"] != "", is_remedy_wanted, "{attack}");
        assert!(attack["mechanism"] != "" && attack["detail"] != "", "{attack}");
        assert!(attack["contained"].is_boolean(), "{attack}");
    }
}

#[test]
fn with_isolation_they_do_not() {
    let (code, missing, attacks) = Practice::new().attacks(&["doctor", "--format", "json"]);
    if !is_complete("us", &missing) {
        assert_eq!(code, 3);
        return;
    }
    for attack in attacks.values() {
        assert_eq!(attack["contained"], true, "{attack}");
    }
    assert_eq!(code, 0);
}

#[test]
fn a_person_is_shown_a_table() {
    let practice = Practice::new();
    let mut doctor = practice.command(&["doctor", "--no-isolation"]);
    let (code, shown) = ended_at_terminal(80, doctor.env("NO_COLOR", "1"));
    assert_eq!(code, Some(3), "{shown}");
    assert!(shown.starts_with("This machine\n  kernel"), "{shown}");
    assert_eq!(attack(&shown, "passwd"), ["OPEN", "mount namespace, Landlock"]);
    assert_eq!(attack(&shown, "process behind")[0], "contained");
    assert!(shown.lines().all(|line| line.len() <= 80), "{shown}");
    assert!(shown.contains("\nNot shown at 80 columns: found; --format json has all\n"), "{shown}");
    assert!(shown.contains(" of 41 attacks contained; without isolation"), "{shown}");
}

#[test]
fn a_pipe_gets_what_was_found() {
    let ran = Practice::new().run(&["doctor", "--no-isolation"]);
    assert_eq!((ran.code, ran.err.as_str()), (3, ""));
    let parts = attack(&ran.out, "passwd");
    assert_eq!(parts[..2], ["OPEN", "mount namespace, Landlock"]);
    assert!(parts[2].ends_with(" bytes were read"), "{parts:?}");
}

/// The cells of the line of an attack, behind its name.
fn attack<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
    let line = text.lines().find(|line| line.contains(name)).expect("a line");
    line.split("  ").filter(|part| !part.is_empty()).skip(1).map(str::trim).collect()
}

#[test]
fn a_doctor_that_is_killed_leaves_no_process() {
    for moment in [100, 400, 700, 1000] {
        let practice = Practice::new();
        let command = &mut practice.command(&["doctor", "--no-isolation"]);
        let mut doctor = command.spawn().expect("the command starts");
        std::thread::sleep(Duration::from_millis(moment));
        doctor.kill().and_then(|()| doctor.wait()).expect("it can be killed");
        practice.marker.is_gone(&format!("killed after {moment} ms"));
    }
}

#[test]
fn an_interrupted_doctor_leaves_nothing() {
    let practice = Practice::new();
    let doctor = practice.command(&["doctor", "--no-isolation"]).spawn().expect("it starts");
    let until = Instant::now() + LONGEST;
    while practice.marker.processes().is_empty() {
        assert!(Instant::now() < until, "nothing is tried");
        std::thread::sleep(Duration::from_millis(5));
    }
    send("-INT", &doctor);
    let ran = Ran::from(doctor.wait_with_output().expect("it ends"));
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (130, "", ""));
    practice.marker.is_gone("interrupted");
    let folder = practice.scratch.path(practice.marker.as_str());
    assert_eq!(fs::read_dir(folder).expect("it is there").count(), 0);
}

#[test]
fn attacks_are_started_by_the_doctor_alone() {
    for arguments in [&["--attack"][..], &["--attack", "bpf"], &["--attack", "none", "/", "1"]] {
        let ran = Scratch::new().run_as_process(arguments, b"");
        let message = "dicehill --attack is started by dicehill doctor\n";
        assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (2, "", message));
    }
}
