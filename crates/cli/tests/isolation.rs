//! The most important attacks, with and without isolation: a quick check of what [`crate::attacks`] tests in full.

#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::attacks::check;
use crate::attacks::table::{Language, Run, SELECTION, with_memory, yahtzee};
use crate::support::Scratch;
use crate::support::external::{Marker, bot, offender};
use crate::support::running::{Running, wait_for};
use crate::support::user::{Isolation, User};

/// The memory limit is high, so that the bombs are stopped by the limits on processes and threads.
const RUNS: &[Run] = &[(Language::C, with_memory(8192, yahtzee("set")), SELECTION)];

#[test]
fn the_most_important_attacks_fail() {
    check(Isolation::On, User::Current, RUNS);
}

#[test]
fn the_most_important_attacks_succeed_without_isolation() {
    check(Isolation::Off, User::Current, RUNS);
}

/// The fields of a process's status; empty if it has ended.
fn status(process: u32) -> BTreeMap<String, String> {
    let text = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let fields = text.lines().filter_map(|line| line.split_once(':'));
    fields.map(|(key, value)| (key.to_owned(), value.trim().replace('\t', " "))).collect()
}

/// The process with its ancestors up to the run, innermost first, if it is a bot that runs.
fn processes_of_bot(process: u32, run: u32) -> Option<Vec<u32>> {
    let command = fs::read_to_string(format!("/proc/{process}/cmdline")).ok()?;
    if !command.starts_with(offender()) {
        return None;
    }
    let mut all = vec![process];
    while let Some(parent) = status(*all.last()?).get("PPid") {
        match parent.parse().ok()? {
            0 | 1 => return None,
            parent if parent == run => return Some(all),
            parent => all.push(parent),
        }
    }
    None
}

/// What the system tells of a running bot and of the processes that started it.
struct BotSnapshot {
    bot: BTreeMap<String, String>,
    supervisor: BTreeMap<String, String>,
    /// What the process that started the supervisor has open.
    starter_files: Vec<PathBuf>,
}

impl BotSnapshot {
    /// That of a bot that runs; `None` if the process is none, or has ended since.
    fn of(process: u32, run: u32) -> Option<Self> {
        let found = processes_of_bot(process, run)?;
        let [bot, _init, supervisor, starter] = found[..] else { panic!("{found:?}") };
        let supervisor = status(supervisor);
        let files = fs::read_dir(format!("/proc/{starter}/fd")).ok()?;
        let starter_files =
            files.map(|file| fs::read_link(file.ok()?.path()).ok()).collect::<Option<_>>()?;
        // If the bot is still there, so were the others.
        let bot = status(bot);
        bot.contains_key("Uid").then_some(Self { bot, supervisor, starter_files })
    }
}

/// The processes that start, watch and measure a bot give up their privileges before it runs.
#[test]
fn the_supervisor_of_a_running_bot_is_not_privileged() {
    let user = User::Current;
    if !user.is_root() || !user.can_run(Isolation::On) {
        eprintln!("not run: only where root isolates bots are there privileges to give up");
        return;
    }
    let (scratch, marker) = (Scratch::new(), Marker::new());
    let keys =
        "game = \"yahtzee\"\ngames = 1000000\nseed = \"s\"\nopen_seed = true\nmemory = \"set\"\n";
    let bots = ["A", "B"].map(|name| bot(name, &[offender(), "none", marker.as_str()])).concat();
    scratch.write("hill.toml", format!("{keys}{bots}"));
    let command = scratch.command(&["run", "hill.toml", "--jobs", "1", "--no-luck"]).spawn();
    let running = Running(command.expect("the command starts"));
    let run = running.0.id();
    let snapshot = wait_for("a bot that runs", || {
        let all = fs::read_dir("/proc").ok()?.filter_map(Result::ok);
        let mut all = all.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        all.find_map(|process| BotSnapshot::of(process, run))
    });
    let BotSnapshot { bot, supervisor, starter_files } = snapshot;
    let none = format!("{:016x}", 0);
    for (key, value) in [
        ("CapInh", none.as_str()),
        ("CapPrm", &none),
        ("CapEff", &none),
        ("CapAmb", &none),
        ("NoNewPrivs", "1"),
        ("Seccomp", "2"),
        ("Uid", &bot["Uid"]),
        ("Gid", &bot["Gid"]),
        ("Groups", ""),
    ] {
        assert_eq!(supervisor[key], value, "{key}: {supervisor:?}");
    }
    assert!(!supervisor["Uid"].split(' ').any(|user| user == "0"), "{supervisor:?}");
    // What keeps its privileges reads from nowhere.
    for target in starter_files {
        let is_clock = target.to_string_lossy().starts_with("/memfd:dicehill-move-clock");
        assert!(is_clock || target == Path::new("/dev/null"), "{}", target.display());
    }
}
