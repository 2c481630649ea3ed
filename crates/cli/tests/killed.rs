//! Runs that are ended at any moment by any signal leave no process of a bot behind.

#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::Scratch;
use crate::support::external::{Marker, bot, offender, python, python_offender};
use crate::support::running::{Running, send};

/// The range of the random moments in milliseconds: it covers the qualification of the bots and their games.
const MOMENT_RANGE: u64 = 1500;

/// How much later each additional moment is, for machines on which bots start slowly.
const DELAY_STEP: u64 = 500;
/// Additional moments before the test gives up on bots that never start.
const MORE_MOMENTS: u64 = 20;

/// Pseudorandom moments, the same each time; after the first `count` they get later and later.
fn moments(count: u64) -> impl Iterator<Item = Duration> {
    let mix = |place: u64| place.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29) >> 20;
    let moment =
        move |place: u64| mix(place) % MOMENT_RANGE + place.saturating_sub(count) * DELAY_STEP;
    (1..=count + MORE_MOMENTS).map(move |place| Duration::from_millis(moment(place)))
}

/// Starts a long run between a bot in Python and two in C whose children escape into their own sessions; each bot is
/// restarted for every game.
fn start_run(scratch: &Scratch, marker: &Marker) -> Running {
    let [program, option] = python();
    let words = [program, option, &python_offender(), "none", marker.as_str()];
    let python = bot("Python", &words);
    let hidden = bot("Hidden", &[offender(), "child-in-session", marker.as_str()]);
    let detached = bot("Detached", &[offender(), "child-detached", marker.as_str()]);
    let keys = "game = \"yahtzee\"\ngames = 1000000\nseed = \"s\"\nopen_seed = true\n";
    scratch.write("hill.toml", format!("{keys}{hidden}{detached}{python}"));
    // Without the luck adjustment, which would solve the game before the first bot starts.
    let mut command = scratch.command(&["run", "hill.toml", "--jobs", "2", "--no-luck"]);
    // A run that is killed before it has started a bot leaves its folders; here they are removed with the test's
    // folder.
    command.env("TMPDIR", scratch.path(""));
    Running(command.spawn().expect("the command starts"))
}

/// Ends a run with this signal at `count` moments, and at additional ones until some processes could have been left;
/// expects all processes to end each time.
#[track_caller]
fn check(signal: &str, count: u64) {
    let mut processes_seen = 0;
    for (moment, completed) in moments(count).zip(0..) {
        if completed >= count && processes_seen > 0 {
            break;
        }
        let (scratch, marker) = (Scratch::new(), Marker::new());
        let mut running = start_run(&scratch, &marker);
        std::thread::sleep(moment);
        processes_seen += marker.processes().len();
        send(signal, &running.0);
        running.0.wait().expect("the run ends");
        marker.expect_no_processes(&format!("{signal} after {moment:?}"));
        let chmod = Command::new("chmod").args(["-R", "u+w"]).arg(scratch.path("")).status();
        assert!(chmod.expect("there is chmod").success(), "the copies can be removed");
    }
    assert!(processes_seen > 0, "there were processes to be left behind");
}

#[test]
fn a_killed_run_leaves_no_process() {
    check("-KILL", 10);
}

#[test]
fn an_interrupted_run_leaves_no_process() {
    check("-INT", 3);
}

#[test]
fn a_terminated_run_leaves_no_process() {
    check("-TERM", 3);
}

/// A hill whose run with an external bot has begun, in a process that uses `folder` for temporary files.
fn begun_hill(scratch: &Scratch, marker: &Marker, folder: &Path) -> Running {
    fs::create_dir(folder).expect("a folder");
    let keys = "game = \"yahtzee\"\ngames = 1000000\nseed = \"s\"\nopen_seed = true\n";
    let external = bot("One", &[offender(), "none", marker.as_str()]);
    let house = "[[bot]]\nname = \"A\"\nhouse = \"dummy\"\n";
    scratch.write("hill.toml", format!("{keys}{external}{house}"));
    scratch.run_ok(&["hill", "init", "h.db", "hill.toml"]);
    let has_games = |running: &mut Running| {
        let ended = running.0.try_wait().expect("it is our child");
        assert!(ended.is_none(), "it plays on");
        let log = scratch.run(&["hill", "log", "h.db"]).out;
        log.contains(" games") && !log.contains(" 0 games")
    };
    // The first command stores the bots in the hill's file; the second extracts them into folders.
    for command in [
        &["hill", "add", "h.db", "hill.toml", "--no-luck"][..],
        &["resume", "h.db#1", "--trust-hill"],
    ] {
        let mut command = scratch.command(command);
        command.env("TMPDIR", folder).stdout(Stdio::null()).stderr(Stdio::null());
        let mut running = Running(command.spawn().expect("it starts"));
        let until = Instant::now() + Duration::from_secs(60);
        while !has_games(&mut running) || marker.processes().is_empty() {
            assert!(Instant::now() < until, "no game is played");
            std::thread::sleep(Duration::from_millis(20));
        }
        if command.get_args().next().is_some_and(|first| first == "resume") {
            return running;
        }
        send("-KILL", &running.0);
        running.0.wait().expect("the run ends");
        marker.expect_no_processes("after the first");
    }
    unreachable!("the second is returned")
}

#[test]
fn the_next_start_removes_folders_of_killed_runs_only() {
    let (scratch, marker) = (Scratch::new(), Marker::new());
    let folder = scratch.path("tmp");
    let mut running = begun_hill(&scratch, &marker, &folder);
    let folders = || -> BTreeSet<OsString> {
        let entries = fs::read_dir(&folder).expect("it is there");
        entries.map(|entry| entry.expect("an entry").file_name()).collect()
    };
    let start_another = || {
        let mut command = scratch.command(&["bots"]);
        assert!(command.env("TMPDIR", &folder).status().expect("it starts").success());
    };
    start_another();
    let before = folders();
    assert!(!before.is_empty(), "the run has folders");
    start_another();
    assert!(before.is_subset(&folders()), "a live run keeps its folders");
    assert_eq!(running.0.try_wait().expect("it can be asked"), None, "and continues the run");
    send("-KILL", &running.0);
    running.0.wait().expect("the run ends");
    marker.expect_no_processes("after the run");
    assert!(!folders().is_empty(), "the copies of the hill's bots are left");
    start_another();
    assert_eq!(folders(), BTreeSet::new());
}

/// A new hill exists completely or not at all, whenever its process is killed.
#[test]
fn a_killed_hill_init_leaves_a_hill_or_nothing() {
    let scratch = Scratch::new();
    let mut absent = 0;
    for moment in 0..40 {
        let name = format!("h{moment}.db");
        let mut child =
            scratch.command(&["hill", "init", &name, "yahtzee"]).spawn().expect("starts");
        std::thread::sleep(Duration::from_micros(500 * moment));
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        if scratch.path(&name).exists() {
            let listed = scratch.run(&["hill", "list", &name]);
            assert_eq!(listed.code, 0, "after {moment} half milliseconds: {}", listed.err);
        } else {
            absent += 1;
            scratch.run_ok(&["hill", "init", &name, "yahtzee"]);
        }
    }
    assert!(absent > 0, "some were killed before the hill was there");
    let names = fs::read_dir(scratch.path("")).expect("it is there");
    let names =
        names.map(|entry| entry.expect("an entry").file_name().into_string().expect("text"));
    let leftovers: Vec<_> = names.filter(|name| !name.ends_with(".db")).collect();
    assert!(leftovers.is_empty(), "drafts or SQLite's files are left: {leftovers:?}");
}

/// The supervisors of bots remove the folders of a killed arena.
#[test]
fn a_killed_run_leaves_no_folder() {
    let (scratch, marker) = (Scratch::new(), Marker::new());
    let folder = scratch.path("tmp");
    fs::create_dir(&folder).expect("a folder");
    let keys =
        "game = \"yahtzee\"\ngames = 1000000\nseed = \"s\"\nopen_seed = true\nmemory = \"set\"\n";
    let external = bot("One", &[offender(), "none", marker.as_str()]);
    let other = bot("Other", &[offender(), "child-in-session", marker.as_str()]);
    scratch.write("hill.toml", format!("{keys}{external}{other}"));
    let mut command = scratch.command(&["run", "hill.toml", "--out", "log"]);
    let mut running = Running(command.env("TMPDIR", &folder).spawn().expect("it starts"));
    let until = Instant::now() + Duration::from_secs(60);
    let has_begun = || {
        let log = fs::read_to_string(scratch.path("log")).unwrap_or_default();
        log.contains("\"type\":\"game\"")
    };
    while !has_begun() {
        assert!(Instant::now() < until, "no game is played");
        std::thread::sleep(Duration::from_millis(20));
    }
    let folders = || fs::read_dir(&folder).expect("it is there").count();
    assert!(folders() > 0, "there are folders to be left behind");
    send("-KILL", &running.0);
    running.0.wait().expect("the run ends");
    marker.expect_no_processes("after the run");
    assert_eq!(folders(), 0);
}
