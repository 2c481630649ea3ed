//! Runs that are ended at any moment, by whatever signal, leave no process of a bot behind.

#![cfg(target_os = "linux")]

use std::fs;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use crate::support::Scratch;
use crate::support::outside::{Marker, bot, offender, python, source};

/// A run that does not outlive its test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It has ended already, if all went well.
        let _ended = self.0.kill().and_then(|()| self.0.wait());
    }
}

/// Milliseconds in which the moments lie: while bots are qualified, and while they play.
const LATEST: u64 = 1500;

/// How much later each further moment is, where bots are slow to start.
const LATER: u64 = 500;
/// Further moments before bots that never start are given up.
const FURTHER: u64 = 20;

/// Pseudorandom moments, the same each time; behind the first `count` of them they are later and later.
fn moments(count: u64) -> impl Iterator<Item = Duration> {
    let mix = |place: u64| place.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29) >> 20;
    let moment = move |place: u64| mix(place) % LATEST + place.saturating_sub(count) * LATER;
    (1..=count + FURTHER).map(move |place| Duration::from_millis(moment(place)))
}

/// Starts a long run between a bot in Python and two in C whose children hide in sessions of their
/// own; each of them is started anew for every game.
fn started(scratch: &Scratch, marker: &Marker) -> Running {
    let [program, option] = python();
    let words = [program, option, &source("offender.py"), "none", marker.as_str()];
    let python = bot("Python", &words);
    let hidden = bot("Hidden", &[offender(), "child-in-session", marker.as_str()]);
    let detached = bot("Detached", &[offender(), "child-detached", marker.as_str()]);
    let keys = "game = \"yahtzee\"\ngames = 1000000\nseed = \"s\"\n";
    scratch.write("hill.toml", format!("{keys}{hidden}{detached}{python}"));
    // Without luck, for which all positions of the game would be solved before the first bot starts.
    let mut command = scratch.command(&["run", "hill.toml", "--jobs", "2", "--no-luck"]);
    // A run that is killed before it has started anybody leaves its folders: they go with the test's.
    command.env("TMPDIR", scratch.path(""));
    Running(command.spawn().expect("the command starts"))
}

fn send(signal: &str, child: &Child) {
    let id = child.id().to_string();
    let status = Command::new("kill").args([signal, &id]).status().expect("there is kill");
    assert!(status.success(), "{signal}");
}

/// Ends a run in this way at so many moments, and at further ones until there was some process to be left behind;
/// expects all of them to go each time.
#[track_caller]
fn check(signal: &str, count: u64) {
    let mut seen = 0;
    for (moment, done) in moments(count).zip(0..) {
        if done >= count && seen > 0 {
            break;
        }
        let (scratch, marker) = (Scratch::new(), Marker::new());
        let mut running = started(&scratch, &marker);
        std::thread::sleep(moment);
        seen += marker.processes().len();
        send(signal, &running.0);
        running.0.wait().expect("the run ends");
        marker.is_gone(&format!("{signal} after {moment:?}"));
        let chmod = Command::new("chmod").args(["-R", "u+w"]).arg(scratch.path("")).status();
        assert!(chmod.expect("there is chmod").success(), "the copies can be removed");
    }
    assert!(seen > 0, "there were processes to be left behind");
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
fn a_run_that_is_asked_to_terminate_leaves_no_process() {
    check("-TERM", 3);
}

/// Whoever keeps a bot clears up after an arena that is gone.
#[test]
fn a_killed_run_leaves_no_folder() {
    let (scratch, marker) = (Scratch::new(), Marker::new());
    let folder = scratch.path("tmp");
    fs::create_dir(&folder).expect("a folder");
    let keys = "game = \"yahtzee\"\ngames = 1000000\nseed = \"s\"\nmemory = \"set\"\n";
    let one = bot("One", &[offender(), "none", marker.as_str()]);
    let other = bot("Other", &[offender(), "child-in-session", marker.as_str()]);
    scratch.write("hill.toml", format!("{keys}{one}{other}"));
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
    marker.is_gone("after the run");
    assert_eq!(folders(), 0);
}
