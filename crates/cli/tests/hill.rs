//! Permanent hills: entrants are added and removed, tournaments are played, and no record is lost.

use std::fs;
use std::io::{BufRead, BufReader};

use rusqlite::Connection;

use crate::support::external::python;
use crate::support::running::{Running, wait_for};
use crate::support::store::stored_games;
use crate::support::{CommandOutput, PATIENT, Scratch};

/// Answers at random, so that a replayed game would differ.
const RANDOM_BOT: &str = "\
import json, os, sys
for line in sys.stdin:
    message = json.loads(line)
    if message['type'] == 'turn':
        if 'bids' in message:
            bids = message['bids']
            answer = {'bid': 'Liar!'} if bids else {'bid': '1 %d' % (2 + os.urandom(1)[0] % 5)}
        else:
            legal = list(message['legal'])
            answer = {'category': legal[os.urandom(1)[0] % len(legal)]}
        print(json.dumps({'id': message['id'], **answer}), flush=True)
";

#[test]
fn entrants_and_runs_of_a_hill_are_kept() {
    let scratch = Scratch::new();
    scratch.run_ok(&["hill", "init", "h.db", "yahtzee", "--games", "100", "--name", "spring"]);
    let first = scratch.run_ok(&["hill", "add", "h.db", "dummy"]);
    assert!(first.err.contains("the first run is played once there are enough"));
    let json = ["--format", "json"];
    let second = scratch.run_ok(&[&["hill", "add", "h.db", "greedy"], &json[..]].concat()).json();
    assert_eq!((&second["champion"], &second["name"]), (&"greedy".into(), &"spring".into()));
    let third = scratch.run_ok(&["hill", "add", "h.db", "aces-and-eights", "--format", "json"]);
    assert_eq!(third.json()["standings"].as_array().map(Vec::len), Some(3));
    let shown =
        |run: &str| scratch.run_ok(&["hill", "show", "h.db", "--run", run, "--format", "json"]);
    assert_eq!(shown("1").json(), second, "an earlier board stays");
    assert_eq!(shown("2").out, third.out);
    assert_eq!(scratch.run_ok(&["hill", "show", "h.db", "--format", "json"]).out, third.out);
    scratch.run_ok(&["hill", "remove", "h.db", "greedy"]);
    let fourth = scratch.run_ok(&["hill", "run", "h.db", "--format", "json"]).json();
    assert_eq!(fourth["champion"], "aces-and-eights");
    let log = scratch.run_ok(&["hill", "log", "h.db"]).out;
    let champions: Vec<_> =
        log.lines().map(|line| line.rsplit(' ').next().unwrap_or_default()).collect();
    assert_eq!(champions, ["greedy", "greedy", "aces-and-eights"], "{log}");
    let list = scratch.run_ok(&["hill", "list", "h.db"]).out;
    assert!(!list.contains("greedy") && list.contains("dummy  version 1  house"), "{list}");
    let replay = scratch.run_ok(&["replay", "h.db#1", "17"]).out;
    assert!(replay.starts_with("Yahtzee, game 17"), "{replay}");
}

#[test]
fn the_files_of_entrants_are_stored() {
    let scratch = Scratch::new();
    fs::create_dir(scratch.path("bots")).expect("a folder");
    scratch.write("bots/mine.py", RANDOM_BOT.replace("os.urandom(1)[0]", "0"));
    scratch.write(
        "bots/bot.toml",
        "name = \"Mine\"\ncommand = [\"python3\", \"mine.py\"]\nauthor = \"me\"\n",
    );
    scratch.write(
        "h.toml",
        format!("game = \"yahtzee\"\ngames = 20\nseed = \"s\"\nopen_seed = true\n{PATIENT}\n"),
    );
    scratch.run_ok(&["hill", "init", "h.db", "h.toml"]);
    let first = scratch.run_ok(&["hill", "add", "h.db", "./bots", "dummy", "--format", "json"]);
    fs::remove_dir_all(scratch.path("bots")).expect("it is ours");
    let repeated = scratch.run_ok(&["hill", "run", "h.db", "--seed", "s", "--format", "json"]);
    assert_eq!(repeated.out, first.out, "the same bots from their copies");
    let hash = &first.json()["standings"][0]["hash"];
    assert!(hash.as_str().is_some_and(|hash| hash.starts_with("blake3:")), "{hash}");
    let list = scratch.run_ok(&["hill", "list", "h.db"]).out;
    assert!(
        list.contains("Mine  version 1  command  blake3:") && list.contains("  by me"),
        "{list}"
    );
}

#[test]
fn a_new_version_replaces_the_old_one() {
    let scratch = Scratch::new();
    let [program, option] = python();
    let line = format!("{program} {option} mine.py");
    scratch.write("mine.py", RANDOM_BOT);
    scratch.write("h.toml", format!("game = \"yahtzee\"\ngames = 10\n{PATIENT}\n"));
    scratch.run_ok(&["hill", "init", "h.db", "h.toml"]);
    scratch.run_ok(&["hill", "add", "h.db", &line, "dummy"]);
    let same = scratch.run(&["hill", "add", "h.db", &line]);
    assert_eq!(same.code, 2);
    assert!(same.err.contains("mine is already on the hill, unchanged"), "{}", same.err);
    scratch.write("mine.py", format!("{RANDOM_BOT}\n"));
    let new = scratch.run_ok(&["hill", "add", "h.db", &line]);
    assert!(new.err.contains("mine: version 2"), "{}", new.err);
    assert_eq!(scratch.run_ok(&["hill", "list", "h.db"]).out.matches("mine  version 2").count(), 1);
}

/// Adds a new entrant to a hill with a bot that never plays the same game twice; returns the game lines of both runs.
fn games_before_and_after_joining(
    format: &str,
    game: &str,
    house: [&str; 3],
) -> (Vec<String>, Vec<String>) {
    let scratch = Scratch::new();
    let [program, option] = python();
    let line = format!("{program} {option} mine.py");
    scratch.write("mine.py", RANDOM_BOT);
    scratch.write(
        "h.toml",
        format!("game = \"{game}\"\nformat = \"{format}\"\ngames = 12\nseed = \"s\"\nopen_seed = true\n{PATIENT}\n"),
    );
    scratch.run_ok(&["hill", "init", "h.db", "h.toml"]);
    let [first, second, new_entrant] = house;
    scratch.run_ok(&["hill", "add", "h.db", &line, first, second]);
    scratch.run_ok(&["hill", "add", "h.db", new_entrant, "--full"]);
    (stored_games(&scratch.path("h.db"), 1), stored_games(&scratch.path("h.db"), 2))
}

fn has_seat(name: &str) -> impl Fn(&&String) -> bool {
    let name = format!("\"{name}\"");
    move |line| line.contains(&name)
}

#[test]
fn a_new_entrant_of_a_duel_changes_no_other_game() {
    let (before, after) =
        games_before_and_after_joining("duel", "yahtzee", ["dummy", "greedy", "aces-and-eights"]);
    assert_eq!((before.len(), after.len()), (36, 72));
    assert_eq!(before, after[..36], "the games of the others are not played again");
    assert!(after[36..].iter().all(|line| has_seat("aces-and-eights")(&line)));
}

#[test]
fn a_new_entrant_of_a_duel_is_placed() {
    let scratch = Scratch::new();
    scratch.write(
        "h.toml",
        "game = \"yahtzee\"\nformat = \"duel\"\ngames = 40\nseed = \"s\"\nopen_seed = true\n",
    );
    scratch.run_ok(&["hill", "init", "h.db", "h.toml"]);
    scratch.run_ok(&["hill", "add", "h.db", "dummy", "random", "aces-and-eights"]);
    let output = scratch.run_ok(&["hill", "add", "h.db", "greedy", "--format", "json"]);
    let placing = &output.json()["placing"];
    assert_eq!((&placing["bot"], &placing["rank"]), (&"greedy".into(), &1.into()), "{placing}");
    let games = placing["games"].as_u64().expect("a number");
    assert!((2..=32).contains(&games), "{placing}");
    assert_eq!(stored_games(&scratch.path("h.db"), 2).len() as u64, games);
    let shown = scratch.run_ok(&["hill", "show", "h.db"]).out;
    assert!(shown.contains("Placed: greedy is number 1 of 4 (1 to "), "{shown}");
    // The league is shown first; the placement is a run of its own.
    assert!(shown.contains("duel") && shown.contains("Champion: greedy"), "{shown}");
    let rows: Vec<_> = ["greedy", "aces-and-eights", "random", "dummy"].into();
    assert!(rows.iter().all(|bot| shown.contains(bot)), "{shown}");
    let league = scratch.run_ok(&["hill", "show", "h.db", "--format", "json"]).json();
    assert_eq!((&league["format"], &league["champion"]), (&"duel".into(), &"greedy".into()));
    assert_eq!(&league["standings"][0]["placed"], placing);
    let placement = scratch.run_ok(&["hill", "show", "h.db", "--run", "2"]).out;
    assert!(placement.contains("gauntlet") && !placement.contains("Champion"), "{placement}");
    let log = scratch.run_ok(&["hill", "log", "h.db"]).out;
    assert!(log.contains("placed greedy as number 1 of 4"), "{log}");
    // A placed entrant is one of those that later entrants are compared with.
    scratch
        .write("more.toml", "game = \"yahtzee\"\n[[bot]]\nname = \"Second\"\nhouse = \"dummy\"\n");
    let add = ["hill", "add", "h.db", "more.toml#Second", "--format", "json"];
    let repeated = scratch.run_ok(&add);
    let placing = &repeated.json()["placing"];
    assert_eq!((&placing["bot"], &placing["among"]), (&"Second".into(), &5.into()), "{placing}");
}

#[test]
fn a_new_entrant_of_a_set_changes_only_its_own_games() {
    let names = ["nobody", "badnomial", "pirate"];
    let (before, after) = games_before_and_after_joining("challenge", "liars-dice", names);
    let others: Vec<_> = after.iter().filter(|line| !has_seat("pirate")(line)).collect();
    let is_unchanged = |line: &&&String| before.contains(line);
    assert_eq!(others.iter().filter(|line| is_unchanged(line)).count(), others.len());
    assert!(others.len() < after.len(), "the new entrant has played");
}

#[test]
fn two_simultaneous_runs_on_one_hill_are_refused() {
    let scratch = Scratch::new();
    scratch.run_ok(&["hill", "init", "h.db", "yahtzee", "--games", "100000000", "--seed", "s"]);
    let mut first =
        scratch.command(&["hill", "add", "h.db", "greedy", "dummy"]).spawn().expect("it starts");
    let wait_for = |sql: &str| {
        let games = || {
            let database = Connection::open(scratch.path("h.db"))?;
            database.query_row(sql, [], |row| row.get::<_, i64>(0))
        };
        while games().unwrap_or(0) == 0 {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    };
    wait_for("SELECT count(*) FROM page");
    for second in [
        &["hill", "add", "h.db", "aces-and-eights"][..],
        &["hill", "run", "h.db"],
        &["hill", "remove", "h.db", "dummy"],
        &["resume", "h.db#1"],
    ] {
        let output = scratch.run(second);
        assert_eq!((output.code, output.out.as_str()), (2, ""), "{second:?}");
        assert!(
            output.err.contains("h.db: another dicehill is playing on this hill"),
            "{}",
            output.err
        );
    }
    let shown = scratch.run_ok(&["hill", "show", "h.db"]);
    assert!(shown.err.contains("run 1 has not ended"), "one may look: {}", shown.err);
    first.kill().expect("it can be killed");
    first.wait().expect("it ends");
}

/// Expects a command to fail with this message and to change nothing.
fn refused(scratch: &Scratch, arguments: &[&str], message: &str) {
    let output = scratch.run(arguments);
    assert_eq!((output.code, output.out.as_str()), (2, ""), "{arguments:?}: {}", output.err);
    assert!(output.err.contains(message), "{arguments:?}: {}", output.err);
    assert!(!output.err.contains("panicked"), "{}", output.err);
}

#[test]
fn invalid_stores_have_clear_errors() {
    let scratch = Scratch::new();
    scratch.run_ok(&["hill", "init", "h.db", "yahtzee", "--games", "10"]);
    refused(&scratch, &["hill", "init", "h.db", "yahtzee"], "h.db: already exists");
    refused(&scratch, &["hill", "show", "none.db"], "none.db: no such file");
    refused(&scratch, &["hill", "show", "h.db"], "h.db: has no run yet");
    refused(&scratch, &["hill", "run", "h.db"], "0 bots on this hill are too few");
    refused(&scratch, &["hill", "remove", "h.db", "Nobody"], "has no entrant \"Nobody\"");
    refused(&scratch, &["hill", "add", "h.db", "nobody"], "this house bot plays liars-dice");
    scratch.run_ok(&["hill", "add", "h.db", "greedy", "dummy"]);
    refused(&scratch, &["replay", "h.db#7", "1"], "h.db: has no run 7: it has 1 run");
    refused(&scratch, &["replay", "h.db#x", "1"], "#x: a run has a number");
    refused(&scratch, &["replay", "h.db#1", "11"], "run 1: has no game 11: it has 10 games");
    refused(&scratch, &["hill", "show", "h.db", "--run", "2"], "has no run 2");

    scratch.write("text.db", "what is this\n".repeat(200));
    refused(
        &scratch,
        &["hill", "show", "text.db"],
        "text.db: is not a hill: not an SQLite database",
    );
    Connection::open(scratch.path("foreign.db"))
        .and_then(|database| database.execute_batch("CREATE TABLE t (x)"))
        .expect("a foreign database");
    refused(&scratch, &["hill", "show", "foreign.db"], "a database of another program");
    refused(&scratch, &["resume", "foreign.db"], "a database of another program");
    fs::copy(scratch.path("h.db"), scratch.path("newer.db")).expect("a copy");
    Connection::open(scratch.path("newer.db"))
        .and_then(|database| database.pragma_update(None, "user_version", 99))
        .expect("a newer one");
    refused(
        &scratch,
        &["hill", "show", "newer.db"],
        "a hill of a newer dicehill: its version is 99",
    );
    let original = fs::read(scratch.path("h.db")).expect("the file");
    scratch.write("short.db", &original[..original.len() / 2]);
    let output = scratch.run(&["replay", "short.db#1", "3"]);
    assert!(output.code == 2 && output.err.contains("damaged"), "{}", output.err);
}

#[test]
fn a_run_with_altered_games_is_not_resumed() {
    let scratch = Scratch::new();
    scratch.run_ok(&["hill", "init", "h.db", "yahtzee", "--games", "10", "--seed", "s"]);
    scratch.run_ok(&["hill", "add", "h.db", "greedy", "dummy"]);
    let database = Connection::open(scratch.path("h.db")).expect("the store");
    database
        .execute_batch(
            "UPDATE run SET result = NULL, ended = NULL, seal = NULL;
             UPDATE page SET games = replace(games, '\"game\":4,', '\"game\":4 ,');",
        )
        .expect("it can be altered");
    drop(database);
    let output = scratch.run(&["resume", "h.db#1"]);
    assert_eq!((output.code, output.out.as_str()), (1, ""), "{}", output.err);
    let message =
        "h.db: run 1: table page: game 4: its record, its times or their checksum was altered";
    assert!(output.err.contains(message), "{}", output.err);
}

/// Runs a script in a mount namespace of its own. Returns none, with a message, where that is not possible.
#[cfg(target_os = "linux")]
fn with_mounts(scratch: &Scratch, script: &str) -> Option<CommandOutput> {
    let script =
        format!("set -e; mkdir small; mount -t tmpfs -o size=2m tmpfs small; cd small\n{script}");
    let output = std::process::Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", &script, "sh"])
        .arg(env!("CARGO_BIN_EXE_dicehill"))
        .current_dir(scratch.path(""))
        .output()
        .expect("there is unshare");
    let output = CommandOutput::from(output);
    if output.code != 0 {
        eprintln!("not run: no file system can be mounted here: {}", output.err);
        return None;
    }
    Some(output)
}

#[cfg(target_os = "linux")]
#[test]
fn a_read_only_hill_can_be_shown() {
    let scratch = Scratch::new();
    let script = r#"
        "$1" hill init h.db yahtzee --games 20 --seed s
        "$1" hill add h.db greedy dummy > first
        mount -o remount,ro,size=2m tmpfs .
        "$1" hill show h.db
        "$1" replay h.db#1 7 > /dev/null
        "$1" hill add h.db aces-and-eights || echo "code $?""#;
    let Some(output) = with_mounts(&scratch, script) else { return };
    assert!(output.out.contains("greedy") && output.out.ends_with("code 2\n"), "{}", output.out);
    assert!(
        output.err.contains("h.db: cannot be written: the file or its folder"),
        "{}",
        output.err
    );
}

/// The latest games of a killed run are in the write-ahead log alone, and SQLite cannot create its shared memory there.
#[cfg(target_os = "linux")]
#[test]
fn a_write_ahead_log_on_a_read_only_medium_is_read() {
    let scratch = Scratch::new();
    let script = r#"
        mkdir played copy
        mount -t tmpfs -o size=64m tmpfs played
        "$1" hill init played/h.db yahtzee --games 100000000 --seed s
        "$1" hill add played/h.db dummy random --no-luck 2> /dev/null &
        run=$!
        until [ "$(stat -c %s played/h.db-wal 2> /dev/null || echo 0)" -gt 200000 ]; do sleep 0.02; done
        kill -9 $run
        wait $run || true
        mount -t tmpfs -o size=64m tmpfs copy
        cp played/h.db played/h.db-wal copy
        mount -o remount,ro,size=64m tmpfs copy
        "$1" hill log copy/h.db
        "$1" replay copy/h.db#1 1 > /dev/null
        "$1" hill log played/h.db
        ls copy played"#;
    let Some(output) = with_mounts(&scratch, script) else { return };
    let lines: Vec<_> = output.out.lines().collect();
    assert!(lines[0].contains("not finished") && !lines[0].contains(" 0 games"), "{lines:?}");
    assert_eq!(lines[0], lines[1], "as many games as in the original");
    let files = ["copy:", "h.db", "h.db-wal", "", "played:", "h.db"];
    assert_eq!(lines[2..], files, "readers leave no files of their own: {}", output.err);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_no_partial_hill() {
    let scratch = Scratch::new();
    let script = r#"
        mkdir tiny
        for size in 16k 64k 160k 320k; do
            mount -t tmpfs -o size=$size tmpfs tiny
            "$1" hill init tiny/h.db yahtzee || ls -A tiny
            umount tiny
        done
        "$1" hill init h.db yahtzee
        "$1" hill list h.db"#;
    let Some(output) = with_mounts(&scratch, script) else { return };
    assert_eq!(output.out, "", "nothing is left: {}", output.err);
    assert!(output.err.contains("tiny/h.db: the disk is full"), "{}", output.err);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_loses_nothing_that_was_stored() {
    let scratch = Scratch::new();
    let games = ["--games", "20000", "--seed", "s"];
    let bots = ["greedy", "dummy"];
    let original = [&["run", "yahtzee"], &bots[..], &games, &["--format", "json"]].concat();
    let original = scratch.run_ok(&original).out;
    let script = r#"
        "$1" hill init h.db yahtzee --games 20000 --seed s --name yahtzee
        "$1" hill add h.db greedy dummy || echo "code $?"
        cp h.db* .."#;
    let Some(output) = with_mounts(&scratch, script) else { return };
    assert_eq!(output.out, "code 1\n", "{}", output.err);
    assert!(output.err.contains("h.db: the disk is full"), "{}", output.err);
    assert!(
        output.err.contains("progress is saved; to continue: dicehill resume"),
        "{}",
        output.err
    );
    assert!(!stored_games(&scratch.path("h.db"), 1).is_empty(), "much was stored");
    let output = scratch.run_ok(&["resume", "h.db#1", "--format", "json"]);
    assert_eq!(output.out, original);
}

/// There is nothing to resume where not even the header could be stored.
#[cfg(target_os = "linux")]
#[test]
fn a_run_of_which_nothing_is_stored_is_not_to_be_resumed() {
    let scratch = Scratch::new();
    let script = r#"
        mkdir tiny
        mount -t tmpfs -o size=4k tmpfs tiny
        echo full > tiny/other
        "$1" run yahtzee dummy random --games 20 --seed s --out tiny/log || echo "code $?""#;
    let Some(output) = with_mounts(&scratch, script) else { return };
    assert_eq!(output.out, "code 1\n", "{}", output.err);
    assert!(output.err.contains("no part of the run is stored"), "{}", output.err);
    assert!(!output.err.contains("to continue"), "{}", output.err);
}

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
    refused(&scratch, &["hill", "backup", "h.db", "a.db"], "a.db: already exists");
    refused(&scratch, &["hill", "restore", "a.db", "h.db"], "h.db: already exists: --overwrite");
    let busy = "another dicehill is playing on this hill";
    refused(&scratch, &["hill", "restore", "a.db", "h.db", "--overwrite"], busy);
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
    // A request that comes before the command listens has no effect.
    let status = wait_for("the end", || {
        scratch.run_ok(&["hill", "stop", "h.db"]);
        running.0.try_wait().expect("it is ours")
    });
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
    refused(&scratch, &["resume", "h.db#1"], "the host has barred \"dummy\"");
    assert_eq!(stored_games(&scratch.path("h.db"), 1), games, "it plays no game");
    refused(&scratch, &["hill", "bar", "h.db", "nobody"], "h.db: has no entrant \"nobody\"");
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
    Connection::open(scratch.path("h.db"))
        .and_then(|database| database.execute("UPDATE hill SET run_ms = NULL", []))
        .expect("a run without an end");
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
