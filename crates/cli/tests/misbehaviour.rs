//! Misbehaving external bots: each is barred for the right reason, costs no other bot a game, and leaves no process
//! behind.

#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::external::{Marker, bot, offender, python, python_offender, source};
use crate::support::{CommandOutput, Scratch, hill};

/// Games of each hill.
const GAMES: u64 = 6;
/// Limits under which no clock runs out.
const PATIENT: &str = "[limits]\nstart_ms = 60000\nmove_ms = 60000\nmemory_mb = 64";
/// Limits under which the clock of a move soon runs out, but not for a bot that answers on a busy machine.
const HASTY: &str = "[limits]\nstart_ms = 60000\nmove_ms = 1500\nmemory_mb = 64";
/// The same for the start.
const HASTY_START: &str = "[limits]\nstart_ms = 1500\nmove_ms = 60000\nmemory_mb = 64";

/// A finished run whose processes have all ended.
struct FinishedRun {
    scratch: Scratch,
    output: CommandOutput,
    document: Value,
}

impl FinishedRun {
    /// Plays a hill between this bot and two house bots.
    #[track_caller]
    fn new(scratch: Scratch, marker: &Marker, terms: [&str; 2], bot: &str) -> Self {
        // A new cache, so that builds run again.
        let cache = scratch.path("cache");
        Self::in_cache(scratch, &cache, marker, terms, bot)
    }

    /// The same with an existing cache of builds.
    #[track_caller]
    fn in_cache(
        scratch: Scratch,
        cache: &Path,
        marker: &Marker,
        [memory, limits]: [&str; 2],
        bot: &str,
    ) -> Self {
        let keys = format!(
            "game = \"yahtzee\"\ngames = {GAMES}\nseed = \"s\"\nopen_seed = true\nmemory = \"{memory}\""
        );
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
        let output = CommandOutput::from(command.output().expect("the command starts"));
        marker.expect_no_processes(bot);
        let document = serde_json::from_str(&output.out)
            .unwrap_or_else(|error| panic!("{bot}: {error}: {}", output.err));
        Self { scratch, output, document }
    }

    /// The same with an offender started by this command.
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

    /// Expects only the offender to be barred: before the run, or in its first game for reasons in which the machine
    /// may have had a part.
    #[track_caller]
    fn expect_barred(&self, what: &str, reason: &str, detail: &str) {
        let barred = &self.row("Offender")["barred"];
        let detail_text = barred["detail"].as_str().unwrap_or_default();
        assert_eq!(barred["reason"], reason, "{what}: {detail_text}: {}", self.output.err);
        let is_found_in_run = ["start-timeout", "move-timeout", "memory"].contains(&reason);
        let game = Value::from(u64::from(is_found_in_run));
        assert_eq!((&barred["game"], self.output.code), (&game, 3), "{what}: {detail_text}");
        assert!(detail_text.contains(detail), "{what}: {detail_text}");
        let request = barred["request"].as_str().unwrap_or_default();
        let request: Value = serde_json::from_str(request).expect("a message of the protocol");
        assert_eq!(request["type"], "turn", "{what}: {request}");
        self.expect_others_unaffected(what);
    }

    /// Expects no bot to be barred.
    #[track_caller]
    fn expect_not_barred(&self, what: &str) {
        let offender = self.row("Offender");
        assert_eq!(offender["barred"], Value::Null, "{what}: {}", self.output.err);
        assert_eq!((&offender["games"], self.output.code), (&GAMES.into(), 0), "{what}");
        self.expect_others_unaffected(what);
    }

    #[track_caller]
    fn expect_others_unaffected(&self, what: &str) {
        for other in ["A", "B"] {
            let row = self.row(other);
            assert_eq!((&row["barred"], &row["games"]), (&Value::Null, &GAMES.into()), "{what}");
        }
        assert_ne!(self.document["champion"], "Offender", "{what}");
    }
}

/// The command of the Python bot with this behaviour.
fn in_python(behaviour: &str) -> [String; 4] {
    let [program, option] = python();
    [program.to_owned(), option.to_owned(), python_offender(), behaviour.to_owned()]
}

/// Expects the C bot with this behaviour to be barred, however long its processes live.
#[track_caller]
fn check_barred(behaviour: &str, reason: &str, detail: &str) {
    for memory in ["game", "set"] {
        FinishedRun::with(memory, PATIENT, &[offender(), behaviour])
            .expect_barred(behaviour, reason, detail);
    }
}

/// Expects the C bot with this behaviour to be barred after a clock has run out.
#[track_caller]
fn check_barred_by_clock(limits: &str, behaviour: &str, reason: &str, detail: &str) {
    FinishedRun::with("set", limits, &[offender(), behaviour])
        .expect_barred(behaviour, reason, detail);
}

/// Expects the C bot with this behaviour not to be barred.
#[track_caller]
fn check_harmless(behaviour: &str) {
    for memory in ["game", "set"] {
        FinishedRun::with(memory, PATIENT, &[offender(), behaviour]).expect_not_barred(behaviour);
    }
}

/// The second answer arrives before the next game has begun. It is never read where every game has a process of its
/// own; where one process plays on, it counts as an answer in the next game.
#[test]
fn a_second_answer_at_the_end_counts_for_the_next_game() {
    let behaviour = "twice-at-the-end";
    FinishedRun::with("game", PATIENT, &in_python(behaviour)).expect_not_barred(behaviour);
    let run = FinishedRun::with("set", PATIENT, &in_python(behaviour));
    let barred = &run.row("Offender")["barred"];
    let detail_text = barred["detail"].as_str().unwrap_or_default();
    assert_eq!((&barred["reason"], &barred["game"]), (&"malformed-answer".into(), &0.into()));
    assert!(detail_text.starts_with("game 2, move 1: "), "{detail_text}");
    run.expect_others_unaffected(behaviour);
}

#[test]
fn exiting_is_a_crash() {
    check_barred("exits", "crash", "status 7");
    check_barred("aborts", "crash", "signal 6");
    let run = FinishedRun::with("game", PATIENT, &in_python("leaves"));
    run.expect_barred("leaves", "crash", "status 1");
    let log = fs::read_to_string(run.scratch.path("log")).expect("the log is there");
    assert!(log.contains("no game for me"), "its last words are kept: {log}");
}

#[test]
fn closing_the_output_is_a_crash() {
    check_barred_by_clock(PATIENT, "closes-stdout", "crash", "closed its stdout");
}

#[test]
fn output_without_end_is_a_flood() {
    check_barred("writes-100-mb", "flood", "65536");
    check_barred("floods", "flood", "65536");
    check_barred("floods-blank-lines", "flood", "blank lines");
    check_barred("floods-lines", "malformed-answer", "is unanswered");
}

#[test]
fn exceeding_the_memory_limit_bars() {
    check_barred("uses-memory", "memory", "64 MiB");
    check_barred("uses-memory-of-many", "memory", "64 MiB");
}

/// The bots only sleep, so that they can all run at the same time. Where their processor time is known, they have longer.
#[test]
fn sleeping_bots_time_out() {
    std::thread::scope(|scope| {
        for (limits, behaviour, reason, detail) in [
            (HASTY_START, "sleeps-at-start", "start-timeout", "(start_ms = 1500)"),
            (HASTY, "sleeps-in-a-move", "move-timeout", "(move_ms = 1500)"),
            (HASTY, "ignores-sigterm-in-a-move", "move-timeout", "(move_ms = 1500)"),
            (HASTY, "begins-a-line", "move-timeout", "begun a line"),
            (HASTY, "never-reads", "move-timeout", "(move_ms = 1500)"),
        ] {
            scope.spawn(move || check_barred_by_clock(limits, behaviour, reason, detail));
        }
    });
}

/// Here a late game is played again alone before it counts; one late qualifying game is enough to report it.
#[test]
fn a_timeout_is_confirmed_by_playing_alone() {
    let run = FinishedRun::with("game", HASTY, &[offender(), "sleeps-in-a-move"]);
    run.expect_barred("sleeps", "move-timeout", "(move_ms = 1500)");
    let message_count =
        |what: &str| run.output.err.lines().filter(|line| line.contains(what)).count();
    assert_eq!(message_count("Offender plays; the qualification found"), 1, "{}", run.output.err);
    assert_eq!(message_count("again when the game was replayed alone"), 1, "{}", run.output.err);
}

#[test]
fn an_unflushed_buffer_is_diagnosed() {
    // The limit leaves Python time to start.
    let limits = "[limits]\nstart_ms = 2500\nmove_ms = 60000";
    std::thread::scope(|scope| {
        scope.spawn(|| {
            check_barred_by_clock(HASTY_START, "buffers", "start-timeout", "block-buffered");
        });
        FinishedRun::with("set", limits, &in_python("buffers")).expect_barred(
            "buffers",
            "start-timeout",
            "flushed after each line",
        );
    });
}

#[test]
fn a_process_that_ignores_its_end_is_killed() {
    check_harmless("sleeps-at-the-end");
    check_harmless("ignores-sigterm");
}

#[test]
fn leftover_processes_are_killed() {
    check_harmless("child");
    check_harmless("child-in-session");
    check_harmless("child-detached");
    check_barred("child-of-crash", "crash", "status 7");
}

#[test]
fn a_flood_of_log_output_is_truncated() {
    let run = FinishedRun::with("game", PATIENT, &[offender(), "floods-its-log"]);
    run.expect_not_barred("floods-its-log");
    let kept = fs::read_dir(run.scratch.path("logs")).expect("the logs are there");
    let lengths: Vec<_> =
        kept.map(|file| file.unwrap().metadata().expect("a file").len()).collect();
    assert!(lengths.iter().any(|length| *length > 1 << 20), "{lengths:?}");
    assert!(lengths.iter().all(|length| *length < (1 << 20) + 100), "{lengths:?}");
}

/// Only where its folder is writable do its open files count.
#[test]
fn a_bot_that_hides_its_open_files_is_told_so() {
    const HIDES: &str = "\
import ctypes, sys, time
ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)
sys.stdin.readline()
time.sleep(60)
";
    let (scratch, marker) = (Scratch::new(), Marker::new());
    scratch.write("hides.py", HIDES);
    let [program, option] = python();
    let bot = bot("Offender", &[program, option, "hides.py", marker.as_str()]);
    let run = FinishedRun::new(scratch, &marker, ["set", PATIENT], &bot);
    run.expect_barred("hides", "flood", "it hides its open files");
}

#[test]
fn a_built_bot_is_judged_like_any_other() {
    let (scratch, marker) = (Scratch::new(), Marker::new());
    fs::create_dir(scratch.path("c")).expect("a folder for the source");
    scratch.write("c/offender.c", fs::read(source("offender.c")).expect("the source is there"));
    let keys = "[[bot]]\nname = \"Offender\"\ndir = \"c\"\n";
    let build = "build = [\"cc\", \"-o\", \"offender\", \"offender.c\"]\n";
    let command = format!("command = [\"./offender\", \"exits\", \"{}\"]\n", marker.as_str());
    let run =
        FinishedRun::new(scratch, &marker, ["game", PATIENT], &format!("{keys}{build}{command}"));
    run.expect_barred("built", "crash", "status 7");
}

/// The run of a Java player with this behaviour.
#[track_caller]
fn run_java_player(behaviour: &str, cache: &Scratch, move_ms: u64) -> FinishedRun {
    let (scratch, marker) = (Scratch::new(), Marker::new());
    let class = marker.as_str();
    let java = fs::read_to_string(source("Offender.java")).expect("the source is there");
    let java = java.replace("Offender", class).replace("\"HOW\"", &format!("{behaviour:?}"));
    scratch.write(&format!("{class}.java"), java);
    let bot = format!("[[bot]]\nname = \"Offender\"\njava = \"{class}.java\"\n");
    let limits = format!("[limits]\nstart_ms = 60000\nmove_ms = {move_ms}");
    FinishedRun::in_cache(scratch, &cache.path(""), &marker, ["set", &limits], &bot)
}

#[test]
fn java_players_are_judged_like_any_other() {
    // The shared cache holds the compiled bridge.
    let cache = Scratch::new();
    for behaviour in ["prints", "leaves-a-thread", "closes-the-output"] {
        run_java_player(behaviour, &cache, 60_000).expect_not_barred(behaviour);
    }
    for (behaviour, reason, detail, last_words) in [
        ("throws", "crash", "IllegalStateException: a five scares me at mego.yahtzee.", ".java:"),
        (
            "throws-when-made",
            "crash",
            "IllegalStateException: not today at mego.yahtzee.",
            ".java:",
        ),
        (
            "recurses",
            "crash",
            "java.lang.StackOverflowError in mego.yahtzee.",
            "StackOverflowError",
        ),
        ("hoards", "memory", "MiB on the heap", "OutOfMemoryError"),
        ("hoards-outside-the-heap", "memory", "MiB outside the heap", "OutOfMemoryError"),
        ("exits", "crash", "it ended the JVM at mego.yahtzee.", "System.exit"),
        ("halts", "crash", "status 8", ""),
        ("loops", "move-timeout", "within 3000 ms", ""),
    ] {
        let move_ms = if behaviour == "loops" { 3000 } else { 60_000 };
        let run = run_java_player(behaviour, &cache, move_ms);
        run.expect_barred(behaviour, reason, detail);
        let log = fs::read_to_string(run.scratch.path("log")).expect("the log is there");
        assert!(log.contains(last_words), "{behaviour}: {log}");
        assert!(!log.contains("system call socket"), "the bridge needs no network: {log}");
    }
}
