//! Tampered records: no command shows them or continues from them as if they were intact.

#![cfg(unix)]

use std::fs;
use std::path::Path;

use rusqlite::Connection;

use crate::support::{CommandOutput, Scratch, hill};

const KEYS: &str = "game = \"yahtzee\"\ngames = 12\nseed = \"s\"\nopen_seed = true";
const BOTS: [&str; 3] = ["greedy", "dummy", "random"];

/// A folder with the log `log` of a run, and the hill `h.db` with the same run.
fn folder_with_run() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("hill.toml", hill(KEYS, &BOTS));
    for arguments in [
        &["run", "hill.toml", "--out", "log"][..],
        &["hill", "init", "h.db", "hill.toml"],
        &["hill", "add", "h.db", "hill.toml"],
    ] {
        scratch.run_ok(arguments);
    }
    scratch
}

fn lines(scratch: &Scratch, log: &str) -> Vec<String> {
    let text = scratch.read(log);
    text.lines().map(str::to_owned).collect()
}

fn write(scratch: &Scratch, log: &str, lines: &[String]) {
    scratch.write(log, lines.join("\n") + "\n");
}

fn swapped(text: &str, one: &str, other: &str) -> String {
    text.replace(one, "\0").replace(other, one).replace('\0', other)
}

/// Expects a command to refuse the altered record and to name the place of the alteration.
#[track_caller]
fn refused(scratch: &Scratch, arguments: &[&str], words: &[&str]) {
    let CommandOutput { code, out, err } = scratch.run(arguments);
    assert_eq!((code, out.as_str()), (1, ""), "{arguments:?}: {err}");
    assert!(words.iter().all(|word| err.contains(word)), "{arguments:?}: {words:?}: {err}");
}

fn alter(path: &Path, sql: &str) {
    let database = Connection::open(path).expect("a database");
    let altered = database.execute(&format!("UPDATE {sql}"), []).expect("it can be altered");
    assert!(altered > 0, "{sql}");
}

#[test]
fn an_altered_hill_is_refused_by_every_command() {
    let scratch = folder_with_run();
    let original = fs::read(scratch.path("h.db")).expect("the hill");
    let alterations = [
        ("run SET result = replace(result, '\"champion\":\"A\"', '\"champion\":\"B\"')", "result"),
        ("run SET result = replace(result, '\"points\":0', '\"points\":9')", "result"),
        ("run_bot SET name = 'Z' WHERE name = 'A'", "run_bot"),
        ("page SET games = replace(games, '\"game\":7,', '\"game\":7 ,')", "game 7"),
    ];
    for (alteration, place) in alterations {
        scratch.write("h.db", &original);
        alter(&scratch.path("h.db"), alteration);
        let words = ["h.db: run 1: ", place, "`dicehill verify h.db#1`"];
        for arguments in [
            &["hill", "show", "h.db"][..],
            &["hill", "show", "h.db", "--format", "json"],
            &["export", "h.db", "--csv"],
            &["export", "h.db", "--jsonl"],
            &["replay", "h.db", "3"],
            &["analyze", "h.db"],
            &["resume", "h.db#1"],
        ] {
            refused(&scratch, arguments, &words);
        }
        let log = scratch.run(&["hill", "log", "h.db"]);
        assert_eq!(log.code, 1, "{}", log.err);
        assert!(log.out.ends_with(", altered\n") && !log.out.contains("champion"), "{}", log.out);
        assert!(words.iter().all(|word| log.err.contains(word)), "{words:?}: {}", log.err);
        let verified = scratch.run(&["verify", "h.db#1", "--sample", "0"]);
        assert!(verified.code == 1 && verified.out.contains("altered  "), "{}", verified.out);
        let _before = fs::remove_file(scratch.path("copy.db"));
        let copied = scratch.run(&["hill", "backup", "h.db", "copy.db"]);
        assert_eq!(copied.code, 1, "{}", copied.err);
        assert!(
            copied.err.contains("`dicehill hill restore` refuses this backup"),
            "{}",
            copied.err
        );
    }
}

#[test]
fn a_forged_log_is_not_imported() {
    let scratch = folder_with_run();
    let mut forged = lines(&scratch, "log");
    let last = forged.len() - 1;
    forged[last] = swapped(&forged[last], "\"A\"", "\"B\"");
    write(&scratch, "forged", &forged);
    scratch.run_ok(&["hill", "init", "new.db", "hill.toml"]);
    let words = [
        "forged:15: result.champion: recorded \"B\", recomputed \"A\"",
        "`dicehill verify forged`",
    ];
    refused(&scratch, &["hill", "import", "new.db", "forged"], &words);
    refused(&scratch, &["export", "forged", "--markdown"], &words);
    refused(&scratch, &["resume", "forged"], &words);
    assert_eq!(scratch.run(&["hill", "log", "new.db"]).out, "", "nothing was taken in");
    let imported = scratch.run(&["hill", "import", "new.db", "log"]);
    assert_eq!(imported.code, 0, "{}", imported.err);
    let shown = scratch.run(&["hill", "show", "new.db", "--format", "json"]);
    assert_eq!(shown.out.trim_end(), lines(&scratch, "log")[last]);
}

#[test]
fn a_log_with_a_broken_seal_is_not_shown() {
    let scratch = folder_with_run();
    let mut broken = lines(&scratch, "log");
    broken[4] = broken[4].replacen("\"won\":false", "\"won\": false", 1);
    write(&scratch, "broken", &broken);
    broken[4] = lines(&scratch, "log")[4].clone();
    broken.remove(13);
    write(&scratch, "unsealed", &broken);
    scratch.run_ok(&["hill", "init", "new.db", "hill.toml"]);
    for (log, place) in [("broken", "broken:5: game 4: "), ("unsealed", "unsealed:14: seal: ")] {
        for arguments in [
            &["replay", log, "3"][..],
            &["analyze", log],
            &["export", log, "--csv"],
            &["resume", log],
        ] {
            refused(&scratch, arguments, &[place]);
        }
    }
    refused(&scratch, &["hill", "import", "new.db", "unsealed"], &["unsealed:14: seal: "]);
    refused(&scratch, &["hill", "import", "new.db", "broken"], &["broken:5: game 4: "]);
}

#[test]
fn games_that_are_missing_are_one_problem() {
    let scratch = folder_with_run();
    for (first, last, found) in [
        (5, 5, "line 6, game 6: game 5 before it is missing"),
        (5, 8, "line 6, game 9: games 5 to 8 before it are missing"),
    ] {
        let mut lines = lines(&scratch, "log");
        lines.drain(first..=last);
        write(&scratch, "part", &lines);
        let verified = scratch.run(&["verify", "part"]);
        assert_eq!(verified.code, 1, "{}", verified.out);
        let games = verified.out.split_once("altered  games\n").expect("they are").1;
        let problems: Vec<_> = games.lines().take_while(|line| line.starts_with("  ")).collect();
        assert_eq!(problems, [format!("         {found}")], "{}", verified.out);
    }
}

#[test]
fn an_altered_unfinished_log_is_not_resumed() {
    let scratch = folder_with_run();
    let part = lines(&scratch, "log")[..8].to_vec();
    let with = |index: usize, from: &str, to: &str| {
        let mut lines = part.clone();
        assert!(lines[index].contains(from), "{from}");
        lines[index] = lines[index].replacen(from, to, 1);
        lines
    };
    let mut names = part.clone();
    names[3] = swapped(&names[3], "\"A\"", "\"B\"");
    let (mut dropped, mut doubled) = (part.clone(), part.clone());
    dropped.remove(5);
    doubled.insert(5, part[4].clone());
    let forgeries = [
        (with(3, "\"score\":", "\"score\":1"), "part:4: game 3: "),
        (with(3, "\"won\":false", "\"won\":true"), "part:4: game 3: "),
        (with(3, "\"table\":3", "\"table\":4"), "part:4: game 3: "),
        (names, "part:4: game 3: "),
        (dropped, "part:6: game 6: game 5 before it is missing"),
        (doubled, "part:6: game 4 is repeated"),
        (with(0, "\"games\":12", "\"games\":13"), "part:1: "),
    ];
    for (forged, place) in forgeries {
        write(&scratch, "part", &forged);
        let before = fs::read(scratch.path("part")).expect("the log");
        for arguments in
            [&["resume", "part"][..], &["export", "part", "--csv"], &["replay", "part", "2"]]
        {
            refused(&scratch, arguments, &[place]);
        }
        assert_eq!(fs::read(scratch.path("part")).expect("the log"), before, "nothing is written");
    }
    write(&scratch, "part", &with(0, "\"seed\":\"s\"", "\"seed\":\"t\""));
    refused(&scratch, &["resume", "part"], &["part:1: header: header_hash: recorded "]);
    refused(&scratch, &["export", "part", "--csv"], &["part:2: game 1: "]);
    refused(&scratch, &["replay", "part", "2"], &["part:3: "]);
    write(&scratch, "part", &part);
    let resumed = scratch.run(&["resume", "part"]);
    assert_eq!(resumed.code, 0, "{}", resumed.err);
    assert_eq!(lines(&scratch, "part"), lines(&scratch, "log"));
}

#[test]
fn values_of_another_kind_are_called_altered() {
    let scratch = folder_with_run();
    let original = fs::read(scratch.path("h.db")).expect("the hill");
    let broken = |column: &str| format!("{column} = cast(x'ff' || cast({column} AS blob) AS text)");
    for (table, change, place) in [
        ("page", broken("games"), "the page with the games from 1 on: no text: invalid utf-8"),
        ("page", "hash = x'00'".to_owned(), ""),
        ("run", broken("header"), "no text"),
        ("run", broken("result"), "no text"),
        ("entrant", broken("name"), "no text"),
    ] {
        scratch.write("h.db", &original);
        alter(&scratch.path("h.db"), &format!("{table} SET {change}"));
        let words = ["h.db: ", "altered", place, "restore a backup with `dicehill hill restore`"];
        let command =
            if table == "entrant" { ["hill", "list", "h.db"] } else { ["hill", "show", "h.db"] };
        refused(&scratch, &command, &words);
        let verified = scratch.run(&["verify", "h.db#1"]);
        assert_eq!(verified.code, 1, "{table} {change}: {verified:?}");
    }
}
