//! Runs of a hill that the host stops, bars a bot from, or gives a time limit; backups during a run.

use std::io::{BufRead, BufReader};

use rusqlite::Connection;

use crate::support::Scratch;
use crate::support::running::{Running, wait_for};
use crate::support::store::stored_games;

/// Starts a run of a new hill that would take minutes, and waits until it has stored games.
fn start_long_run(scratch: &Scratch) -> Running {
    scratch.run_ok(&["hill", "init", "h.db", "yahtzee", "--games", "100000000", "--seed", "s"]);
    let add = ["hill", "add", "h.db", "dummy", "random", "--no-luck"];
    let running = Running(scratch.command(&add).spawn().expect("the command starts"));
    let database = Connection::open(scratch.path("h.db")).expect("a database");
    wait_for("stored games", || {
        let pages = database.query_row("SELECT count(*) FROM page", [], |row| row.get::<_, i64>(0));
        pages.is_ok_and(|pages| pages > 0).then_some(())
    });
    running
}

/// The messages of a run that has to end as interrupted.
#[track_caller]
fn interrupted(mut running: Running) -> String {
    assert_eq!(running.0.wait().expect("the run ends").code(), Some(130));
    let mut err = String::new();
    let mut stderr = running.0.stderr.take().expect("a pipe");
    std::io::Read::read_to_string(&mut stderr, &mut err).expect("messages are UTF-8");
    assert!(
        err.contains("interrupted after ") && !err.contains("the time limit of the run"),
        "{err}"
    );
    err
}

#[test]
fn a_hill_is_backed_up_during_a_run_and_restored() {
    let scratch = Scratch::new();
    let running = start_long_run(&scratch);
    let games = |hill: &str| stored_games(&scratch.path(hill), 1).len();
    for backup in ["a.db", "b.db"] {
        let before = games("h.db");
        let made = scratch.run_ok(&["hill", "backup", "h.db", backup]);
        assert_eq!(made.err, format!("{backup}: the backup of h.db\n"));
        assert!(games(backup) >= before, "nothing is lost");
        let log = scratch.run_ok(&["hill", "log", backup]).out;
        assert!(log.contains("not finished"), "{log}");
    }
    scratch.run_refused(&["hill", "backup", "h.db", "a.db"], &["a.db: already exists"]);
    scratch
        .run_refused(&["hill", "restore", "a.db", "h.db"], &["h.db: already exists: --overwrite"]);
    let busy = "another dicehill is playing on this hill";
    scratch.run_refused(&["hill", "restore", "a.db", "h.db", "--overwrite"], &[busy]);
    scratch.run_ok(&["hill", "stop", "h.db"]);
    interrupted(running);
    scratch.run_ok(&["hill", "restore", "a.db", "h.db", "--overwrite"]);
    assert_eq!(stored_games(&scratch.path("h.db"), 1), stored_games(&scratch.path("a.db"), 1));
    scratch.run_ok(&["replay", "h.db#1", &games("a.db").to_string()]);
}

#[test]
fn the_host_interrupts_a_run() {
    let scratch = Scratch::new();
    let running = start_long_run(&scratch);
    let stop = scratch.run_ok(&["hill", "stop", "h.db"]);
    assert!(stop.err.contains("is being interrupted"), "{}", stop.err);
    let err = interrupted(running);
    assert!(err.ends_with("to continue: dicehill resume 'h.db#1'\n"), "{err}");
    let log = scratch.run_ok(&["hill", "log", "h.db"]).out;
    assert!(log.contains("not finished"), "{log}");
    let none = scratch.run_ok(&["hill", "stop", "h.db"]).err;
    assert_eq!(none, "h.db: no run is being played on this hill\n");
    // What was asked of one run is not asked of the next.
    scratch.run_ok(&["hill", "init", "i.db", "yahtzee", "--games", "4"]);
    scratch.run_ok(&["hill", "add", "i.db", "dummy", "random"]);
}

/// A bot that never answers again after some games of a process. Its clocks would wait for ten minutes.
const STALLING: &str = r#"
import json, sys, time
starts = 0
print('{"type": "ready", "inflight": 64}', flush=True)
for line in sys.stdin:
    message = json.loads(line)
    starts += message["type"] == "start"
    if message["type"] == "turn":
        if starts > AFTER:
            time.sleep(600)
        best = max(message["legal"], key=message["legal"].get)
        print(json.dumps({"id": message["id"], "category": best}), flush=True)
"#;

/// Starts to add a bot that stalls after so many games of a process, and has the command stopped, in its qualification or
/// once it reports `run 1`.
#[track_caller]
fn check_stop_of_a_stalled_run(after: u32, memory: &str, reported: Option<&str>) {
    let scratch = Scratch::new();
    scratch.write("stalling.py", STALLING.replace("AFTER", &after.to_string()));
    let hill = format!(
        "game = \"yahtzee\"\ngames = 1000\nmemory = \"{memory}\"\n\
         [limits]\nstart_ms = 600000\nmove_ms = 600000\ngame_ms = 600000\n\
         [[bot]]\nname = \"dummy\"\nhouse = \"dummy\"\n\
         [[bot]]\nname = \"stalling\"\ncommand = [\"python3\", \"stalling.py\"]\n"
    );
    scratch.write("h.toml", hill);
    scratch.run_ok(&["hill", "init", "h.db", "h.toml"]);
    let add = ["hill", "add", "h.db", "h.toml", "--no-luck"];
    let mut running = Running(scratch.command(&add).spawn().expect("the command starts"));
    let stderr = running.0.stderr.take().expect("a pipe");
    let mut lines = BufReader::new(stderr).lines().map(|line| line.expect("messages are UTF-8"));
    if let Some(message) = reported {
        assert!(lines.any(|line| line == message), "{message} is reported");
    }
    // Before the first game is stored nothing can be continued.
    let expected = if reported.is_some() { "to continue it: " } else { "no game of it is stored" };
    // A request that comes before the command listens has no effect.
    let mut is_told = false;
    let status = wait_for("the end", || {
        let said = scratch.run_ok(&["hill", "stop", "h.db"]).err;
        if said.contains("is being interrupted") {
            assert!(said.contains(expected), "{said}");
            is_told = true;
        }
        running.0.try_wait().expect("it is ours")
    });
    assert!(is_told);
    assert_eq!(status.code(), Some(130));
    let rest: Vec<_> = lines.collect();
    assert!(rest.iter().any(|line| line.starts_with("interrupted ")), "{rest:?}");
}

#[test]
fn a_bot_that_stalls_does_not_delay_a_stop() {
    check_stop_of_a_stalled_run(0, "game", None);
    check_stop_of_a_stalled_run(100, "game", Some("run 1"));
    check_stop_of_a_stalled_run(100, "set", Some("run 1"));
}

#[test]
fn a_bot_that_the_host_has_barred_stays_out_until_it_is_added() {
    let scratch = Scratch::new();
    let running = start_long_run(&scratch);
    let bar = scratch.run_ok(&["hill", "bar", "h.db", "dummy"]);
    assert!(bar.err.contains("dummy is barred from later runs"), "{}", bar.err);
    interrupted(running);
    let list = || scratch.run_ok(&["hill", "list", "h.db"]).out;
    assert!(!list().contains("dummy") && list().contains("random"), "{}", list());
    let alone = scratch.run(&["hill", "run", "h.db"]);
    assert!(alone.code == 2 && alone.err.contains("too few to play"), "{}", alone.err);
    let games = stored_games(&scratch.path("h.db"), 1);
    scratch.run_refused(&["resume", "h.db#1"], &["the host has barred \"dummy\""]);
    assert_eq!(stored_games(&scratch.path("h.db"), 1), games, "it plays no game");
    scratch.run_refused(&["hill", "bar", "h.db", "nobody"], &["h.db: has no entrant \"nobody\""]);
    Connection::open(scratch.path("h.db"))
        .and_then(|database| database.execute("UPDATE hill SET games = 4", []))
        .expect("a short run");
    let again = scratch.run_ok(&["hill", "add", "h.db", "dummy", "--format", "json"]).json();
    assert_eq!(again["standings"].as_array().map(Vec::len), Some(2));
}

/// The budget is too short for any run; without it the same hill has the same result.
#[test]
fn a_run_whose_time_is_over_is_interrupted() {
    let scratch = Scratch::new();
    let keys = "name = \"h\"\ngame = \"yahtzee\"\ngames = 100\nseed = \"s\"\n";
    let bots =
        "[[bot]]\nname = \"A\"\nhouse = \"dummy\"\n[[bot]]\nname = \"B\"\nhouse = \"random\"\n";
    scratch.write("h.toml", format!("{keys}{bots}"));
    scratch.write("short.toml", format!("{keys}[limits]\nrun_ms = 1\ngame_ms = 30000\n{bots}"));
    let whole = scratch.run_ok(&["run", "h.toml", "--format", "json", "--out", "whole"]);
    let run = scratch.run(&["run", "short.toml", "--jobs", "1", "--out", "log"]);
    assert_eq!((run.code, run.out.as_str()), (130, ""));
    assert!(
        run.err.contains("the time limit of the run is reached: run_ms = 1\ninterrupted after "),
        "{run:?}"
    );
    assert!(run.err.ends_with("to continue: dicehill resume log\n"), "{run:?}");
    let limits = r#""limits":{"start_ms":10000,"move_ms":1000,"memory_mb":512"#;
    let [whole_log, log] = ["whole", "log"].map(|log| scratch.read(log));
    assert!(whole_log.contains(&format!("{limits}}}")), "defaults are not recorded");
    assert!(log.contains(&format!("{limits},\"run_ms\":1}}")), "the default is like no key");
    assert_eq!(scratch.run(&["resume", "log"]).code, 130, "each start has the whole time again");

    scratch.run_ok(&["hill", "init", "h.db", "short.toml"]);
    assert_eq!(scratch.run(&["hill", "add", "h.db", "short.toml"]).code, 130);
    scratch.run_ok(&["hill", "set", "h.db", "run_ms=default"]);
    assert_eq!(scratch.run(&["resume", "h.db#1"]).code, 130, "a run keeps its limits");
    assert_eq!(scratch.run_ok(&["hill", "run", "h.db", "--format", "json"]).out, whole.out);
    scratch.run_ok(&["verify", "h.db#2"]);
}

#[test]
fn a_log_with_a_limit_of_games_is_resumed_and_verified() {
    let scratch = Scratch::new();
    let keys = "game = \"yahtzee\"\ngames = 9\nseed = \"s\"\n[limits]\ngame_ms = 77000\n";
    let bots =
        "[[bot]]\nname = \"A\"\nhouse = \"dummy\"\n[[bot]]\nname = \"B\"\nhouse = \"random\"\n";
    scratch.write("h.toml", format!("{keys}{bots}"));
    scratch.run_ok(&["run", "h.toml", "--out", "log"]);
    let log = scratch.read("log");
    assert!(log.lines().next().is_some_and(|header| header.contains("\"game_ms\":77000}")));
    scratch.run_ok(&["verify", "log"]);
    let part: String = log.lines().take(4).map(|line| format!("{line}\n")).collect();
    scratch.write("part", part);
    scratch.run_ok(&["resume", "part"]);
    assert_eq!(scratch.read("part"), log);
}
