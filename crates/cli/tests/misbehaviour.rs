//! Bots outside that misbehave: each is barred for the right reason, costs nobody else a game, and
//! leaves no process behind.

#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::external::{Marker, bot, offender, python, python_offender, source};
use crate::support::{Ran, Scratch, hill};

/// Games of each hill.
const GAMES: u64 = 6;
/// Terms under which no clock runs out.
const PATIENT: &str = "[limits]\nstart_ms = 60000\nmove_ms = 60000\nmemory_mb = 64";
/// Terms under which the clock of a move soon runs out, but not for a bot that answers on a busy machine.
const HASTY: &str = "[limits]\nstart_ms = 60000\nmove_ms = 1500\nmemory_mb = 64";
/// The same for the start.
const HASTY_START: &str = "[limits]\nstart_ms = 1500\nmove_ms = 60000\nmemory_mb = 64";

/// A finished run, none of whose processes is left.
struct Held {
    scratch: Scratch,
    ran: Ran,
    document: Value,
}

impl Held {
    /// Plays a hill between this bot and two of the house.
    #[track_caller]
    fn new(scratch: Scratch, marker: &Marker, terms: [&str; 2], bot: &str) -> Self {
        // What is built is built anew.
        let cache = scratch.path("cache");
        Self::in_cache(scratch, &cache, marker, terms, bot)
    }

    /// The same with what has been built before.
    #[track_caller]
    fn in_cache(
        scratch: Scratch,
        cache: &Path,
        marker: &Marker,
        [memory, limits]: [&str; 2],
        bot: &str,
    ) -> Self {
        let keys =
            format!("game = \"yahtzee\"\ngames = {GAMES}\nseed = \"s\"\nmemory = \"{memory}\"");
        let file = hill(&format!("{keys}\n{limits}"), &["aces-and-eights", "greedy"]);
        scratch.write("hill.toml", format!("{file}{bot}"));
        let arguments = [
            "run",
            "hill.toml",
            "--jobs",
            "2",
            "--format",
            "json",
            "--logs",
            "logs",
            "--out",
            "log",
        ];
        let mut command = scratch.command(&arguments);
        command.env("XDG_CACHE_HOME", cache);
        let ran = Ran::from(command.output().expect("the command starts"));
        marker.is_gone(bot);
        let document = serde_json::from_str(&ran.out)
            .unwrap_or_else(|error| panic!("{bot}: {error}: {}", ran.err));
        Self { scratch, ran, document }
    }

    /// The same with an offender that these words start.
    #[track_caller]
    fn with(memory: &str, limits: &str, command: &[impl AsRef<str>]) -> Self {
        let marker = Marker::new();
        let words = command.iter().map(AsRef::as_ref);
        let command: Vec<_> = words.chain([marker.as_str()]).collect();
        Self::new(Scratch::new(), &marker, [memory, limits], &bot("Offender", &command))
    }

    fn row(&self, bot: &str) -> &Value {
        let rows = self.document["standings"].as_array().expect("standings");
        rows.iter().find(|row| row["bot"] == bot).expect("everybody has a row")
    }

    /// Expects the offender, and nobody else, to be barred: before the run, or in its first game
    /// where the machine may have had a part in it.
    #[track_caller]
    fn bars(&self, what: &str, reason: &str, detail: &str) {
        let barred = &self.row("Offender")["barred"];
        let told = barred["detail"].as_str().unwrap_or_default();
        assert_eq!(barred["reason"], reason, "{what}: {told}: {}", self.ran.err);
        let in_run = ["start-timeout", "move-timeout", "memory"].contains(&reason);
        let game = Value::from(u64::from(in_run));
        assert_eq!((&barred["game"], self.ran.code), (&game, 3), "{what}: {told}");
        assert!(told.contains(detail), "{what}: {told}");
        self.lets_the_others_play(what);
    }

    /// Expects nobody to be barred.
    #[track_caller]
    fn forgives(&self, what: &str) {
        let offender = self.row("Offender");
        assert_eq!(offender["barred"], Value::Null, "{what}: {}", self.ran.err);
        assert_eq!((&offender["games"], self.ran.code), (&GAMES.into(), 0), "{what}");
        self.lets_the_others_play(what);
    }

    #[track_caller]
    fn lets_the_others_play(&self, what: &str) {
        for other in ["A", "B"] {
            let row = self.row(other);
            assert_eq!((&row["barred"], &row["games"]), (&Value::Null, &GAMES.into()), "{what}");
        }
        assert_ne!(self.document["champion"], "Offender", "{what}");
    }
}

/// The Python bot that offends in this way.
fn in_python(how: &str) -> [String; 4] {
    let [program, option] = python();
    [program.to_owned(), option.to_owned(), python_offender(), how.to_owned()]
}

/// Expects an offence of the C bot to bar it, however long its processes live.
#[track_caller]
fn check_process(how: &str, reason: &str, detail: &str) {
    for memory in ["game", "set"] {
        Held::with(memory, PATIENT, &[offender(), how]).bars(how, reason, detail);
    }
}

/// Expects an offence of the C bot to bar it after some time has been waited for.
#[track_caller]
fn check_clock(limits: &str, how: &str, reason: &str, detail: &str) {
    Held::with("set", limits, &[offender(), how]).bars(how, reason, detail);
}

/// Expects what the C bot does to be nobody's business.
#[track_caller]
fn check_harmless(how: &str) {
    for memory in ["game", "set"] {
        Held::with(memory, PATIENT, &[offender(), how]).forgives(how);
    }
}

/// The second answer is there before the next game has begun. Nobody waits for it where every game
/// has a process of its own; where one process plays on, it is the next game's.
#[test]
fn a_second_answer_at_the_end_is_the_next_game_s() {
    let how = "twice-at-the-end";
    Held::with("game", PATIENT, &in_python(how)).forgives(how);
    let held = Held::with("set", PATIENT, &in_python(how));
    let barred = &held.row("Offender")["barred"];
    let told = barred["detail"].as_str().unwrap_or_default();
    assert_eq!((&barred["reason"], &barred["game"]), (&"malformed-answer".into(), &0.into()));
    assert!(told.starts_with("rare position: "), "{told}");
    held.lets_the_others_play(how);
}

#[test]
fn processes_that_end_have_crashed() {
    check_process("exits", "crash", "status 7");
    check_process("aborts", "crash", "signal 6");
    let held = Held::with("game", PATIENT, &in_python("leaves"));
    held.bars("leaves", "crash", "status 1");
    let log = fs::read_to_string(held.scratch.path("log")).expect("the log is there");
    assert!(log.contains("no game for me"), "its last words are kept: {log}");
}

#[test]
fn closing_the_output_is_a_crash() {
    check_clock(PATIENT, "closes-stdout", "crash", "closed its stdout");
}

#[test]
fn output_without_end_is_a_flood() {
    check_process("writes-100-mb", "flood", "65536");
    check_process("floods", "flood", "65536");
    check_process("floods-blank-lines", "flood", "blank lines");
    check_process("floods-lines", "malformed-answer", "is unanswered");
}

#[test]
fn using_too_much_memory_ends_processes() {
    check_process("uses-memory", "memory", "64 MiB");
    check_process("uses-memory-of-many", "memory", "64 MiB");
}

/// They do nothing but sleep: all of them can at the same time.
#[test]
fn sleepers_are_too_late() {
    std::thread::scope(|scope| {
        for (limits, how, reason, detail) in [
            (HASTY_START, "sleeps-at-start", "start-timeout", "within 1500 ms"),
            (HASTY, "sleeps-in-a-move", "move-timeout", "within 1500 ms"),
            (HASTY, "ignores-sigterm-in-a-move", "move-timeout", "within 1500 ms"),
            (HASTY, "begins-a-line", "move-timeout", "begun a line"),
            (HASTY, "never-reads", "move-timeout", "within 1500 ms"),
        ] {
            scope.spawn(move || check_clock(limits, how, reason, detail));
        }
    });
}

/// Here a game that was late is played again, alone, before it counts; and one qualifying game that
/// is late is enough to say so.
#[test]
fn a_sleeper_is_too_late_again_when_it_plays_alone() {
    let held = Held::with("game", HASTY, &[offender(), "sleeps-in-a-move"]);
    held.bars("sleeps", "move-timeout", "within 1500 ms");
    let told = |what: &str| held.ran.err.lines().filter(|line| line.contains(what)).count();
    assert_eq!(told("Offender plays, but"), 1, "{}", held.ran.err);
    assert_eq!(told("again when it was played alone"), 1, "{}", held.ran.err);
}

#[test]
fn a_buffer_that_is_not_flushed_is_named() {
    check_clock(HASTY_START, "buffers", "start-timeout", "block-buffered");
    // Python has to be up by then.
    let limits = "[limits]\nstart_ms = 4000\nmove_ms = 60000";
    let held = Held::with("set", limits, &in_python("buffers"));
    held.bars("buffers", "start-timeout", "flushed after each line");
}

#[test]
fn a_process_that_does_not_want_to_end_is_ended() {
    check_harmless("sleeps-at-the-end");
    check_harmless("ignores-sigterm");
}

#[test]
fn what_a_process_leaves_behind_is_ended() {
    check_harmless("child");
    check_harmless("child-in-session");
    check_harmless("child-detached");
    check_process("child-of-crash", "crash", "status 7");
}

#[test]
fn a_flood_of_log_is_harmless_and_kept_in_part() {
    let held = Held::with("game", PATIENT, &[offender(), "floods-its-log"]);
    held.forgives("floods-its-log");
    let kept = fs::read_dir(held.scratch.path("logs")).expect("the logs are there");
    let lengths: Vec<_> =
        kept.map(|file| file.unwrap().metadata().expect("a file").len()).collect();
    assert!(lengths.iter().any(|length| *length > 1 << 20), "{lengths:?}");
    assert!(lengths.iter().all(|length| *length < (1 << 20) + 100), "{lengths:?}");
}

#[test]
fn a_bot_that_is_built_is_judged_like_any_other() {
    let (scratch, marker) = (Scratch::new(), Marker::new());
    fs::create_dir(scratch.path("c")).expect("a folder for the source");
    scratch.write("c/offender.c", fs::read(source("offender.c")).expect("the source is there"));
    let keys = "[[bot]]\nname = \"Offender\"\ndir = \"c\"\n";
    let build = "build = [\"cc\", \"-o\", \"offender\", \"offender.c\"]\n";
    let command = format!("command = [\"./offender\", \"exits\", \"{}\"]\n", marker.as_str());
    let held = Held::new(scratch, &marker, ["game", PATIENT], &format!("{keys}{build}{command}"));
    held.bars("built", "crash", "status 7");
}

/// A player for the published interface that offends in this way.
#[track_caller]
fn in_java(how: &str, cache: &Scratch, move_ms: u64) -> Held {
    let (scratch, marker) = (Scratch::new(), Marker::new());
    let class = marker.as_str();
    let java = fs::read_to_string(source("Offender.java")).expect("the source is there");
    let java = java.replace("Offender", class).replace("\"HOW\"", &format!("{how:?}"));
    scratch.write(&format!("{class}.java"), java);
    let bot = format!("[[bot]]\nname = \"Offender\"\njava = \"{class}.java\"\n");
    let limits = format!("[limits]\nstart_ms = 60000\nmove_ms = {move_ms}");
    Held::in_cache(scratch, &cache.path(""), &marker, ["set", &limits], &bot)
}

#[test]
fn players_in_java_are_judged_like_any_other() {
    // The bridge is compiled once.
    let cache = Scratch::new();
    for how in ["prints", "leaves-a-thread", "closes-the-output"] {
        in_java(how, &cache, 60_000).forgives(how);
    }
    for (how, reason, detail, last_words) in [
        ("throws", "crash", "status 1", "a five scares me"),
        ("throws-when-made", "crash", "status 1", "not today"),
        ("recurses", "crash", "status 1", "StackOverflowError"),
        ("exits", "crash", "status 1", "System.exit"),
        ("halts", "crash", "status 8", ""),
        ("loops", "move-timeout", "within 3000 ms", ""),
    ] {
        let move_ms = if how == "loops" { 3000 } else { 60_000 };
        let held = in_java(how, &cache, move_ms);
        held.bars(how, reason, detail);
        let log = fs::read_to_string(held.scratch.path("log")).expect("the log is there");
        assert!(log.contains(last_words), "{how}: {log}");
    }
}
