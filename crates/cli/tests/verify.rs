//! Recorded runs checked and played again: `verify`, `replay --rerun`, and commitments.

mod alterations;

use std::process::Command;

use rusqlite::Connection;
use serde_json::Value;

use crate::support::external::{bot, python, source};
use crate::support::{Scratch, hill};

/// A bot outside, whose name says how it plays.
fn late(name: &str) -> String {
    let [program, option] = python();
    bot(name, &[program, option, &source("late.py")])
}

/// A folder with the hill `h.db`, on which one tournament was played, that of `hill.toml`.
#[track_caller]
fn played(keys: &str, house: &[&str], outside: &str, options: &[&str]) -> Scratch {
    let scratch = Scratch::new();
    scratch.write("hill.toml", hill(keys, house) + outside);
    for arguments in [&["hill", "init", "h.db", "hill.toml"][..], &added(options)] {
        let ran = scratch.run(arguments);
        assert!([0, 3].contains(&ran.code), "{}", ran.err);
    }
    scratch
}

fn added<'a>(options: &[&'a str]) -> Vec<&'a str> {
    [&["hill", "add", "h.db", "hill.toml"], options].concat()
}

/// Expects a run to hold, with these words in what is said of it.
#[track_caller]
fn holds(scratch: &Scratch, arguments: &[&str], words: &[&str]) {
    let ran = scratch.run_ok(&[&["verify"], arguments].concat());
    let missing: Vec<_> = words.iter().filter(|word| !ran.out.contains(**word)).collect();
    assert!(missing.is_empty() && ran.out.contains("\nverified: "), "{missing:?}: {}", ran.out);
}

fn open(scratch: &Scratch) -> Connection {
    Connection::open(scratch.path("h.db")).expect("the hill is a database")
}

const YAHTZEE: &str = "game = \"yahtzee\"\ngames = 40\nseed = \"s\"";
const LIARS_DICE: &str = "game = \"liars-dice\"\ngames = 40\nseed = \"s\"";

#[test]
fn a_run_that_was_not_altered_is_verified() {
    let house = ["greedy", "dummy"];
    let words =
        ["holds    pages: ", "40 games replayed", "20 games played again", "records blake3:"];
    holds(&played(YAHTZEE, &house, &late("Plain"), &[]), &["h.db"], &words);
    let failing = played(LIARS_DICE, &["pirate", "bayes"], &late("Guilty"), &[]);
    holds(&failing, &["h.db#1"], &["40 games replayed", "failures: "]);
    let words = ["40 games: order, tables and seats", "20 games played again"];
    holds(&played(YAHTZEE, &house, "", &["--no-moves"]), &["h.db"], &words);
    let lived =
        played(&format!("{LIARS_DICE}\nmemory = \"set\""), &["pirate"], &late("Plain"), &[]);
    holds(&lived, &["h.db"], &["40 games lived through again"]);
}

#[test]
fn a_run_with_a_bar_is_verified() {
    let barred = played(YAHTZEE, &["greedy", "dummy"], &late("Guilty"), &[]);
    let bars: i64 =
        open(&barred).query_row("SELECT count(*) FROM bar", [], |row| row.get(0)).unwrap();
    assert_eq!(bars, 1);
    holds(&barred, &["h.db"], &["games replayed", "board: recomputed"]);
    let ran = barred.run(&["run", "hill.toml", "--out", "log"]);
    assert_eq!(ran.code, 3, "{}", ran.err);
    holds(&barred, &["log", "hill.toml"], &["games replayed", "20 games played again"]);
}

#[test]
fn logs_of_all_formats_are_verified() {
    for (game, house) in
        [("yahtzee", ["greedy", "dummy", "random"]), ("liars-dice", ["pirate", "bayes", "random"])]
    {
        for format in
            ["", "memory = \"set\"", "format = \"duel\"\nseats = 3", "format = \"gauntlet\""]
        {
            let scratch = Scratch::new();
            let keys = format!("game = \"{game}\"\ngames = 30\nseed = \"s\"\n{format}");
            scratch.write("hill.toml", hill(&keys, &house));
            scratch.run_ok(&["run", "hill.toml", "--out", "log"]);
            holds(&scratch, &["log"], &["holds    seal", "board: recomputed"]);
        }
    }
}

#[test]
fn what_a_run_has_so_far_is_verified() {
    let scratch = played(YAHTZEE, &["greedy", "dummy"], "", &[]);
    scratch.run_ok(&["run", "hill.toml", "--out", "log"]);
    let log = scratch.read("log");
    let part: String = log.lines().take(21).flat_map(|line| [line, "\n"]).collect();
    scratch.write("part", part);
    let words = ["skipped  seal: the run has not come to its end", "20 games replayed"];
    holds(&scratch, &["part"], &words);
}

/// A log of house bots in which the first `from` of a game's moves stands as `to`, everything else as it was.
fn with_another_move(from: &str, to: &str) -> (Scratch, usize) {
    let scratch = Scratch::new();
    let keys = "game = \"liars-dice\"\ngames = 30\nseed = \"s\"";
    scratch.write("hill.toml", hill(keys, &["pirate", "bayes"]));
    scratch.run_ok(&["run", "hill.toml", "--out", "log"]);
    let log = scratch.read("log");
    let place = log.lines().position(|line| line.contains(from)).expect("such a move is made");
    let altered = log.lines().enumerate().map(|(index, line)| {
        if index == place { line.replacen(from, to, 1) + "\n" } else { format!("{line}\n") }
    });
    scratch.write("altered", altered.collect::<String>());
    (scratch, place)
}

#[test]
fn a_move_that_might_have_been_made_is_named_by_playing_again() {
    // A bid may be higher without anything else coming of it.
    let (scratch, game) = with_another_move("\"moves\":\"1 ", "\"moves\":\"2 ");
    let ran = scratch.run(&["verify", "altered", "--sample", "0"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let named = format!("game {game}");
    assert!(ran.out.contains(&named) && ran.out.contains("altered  seal"), "{}", ran.out);
}

#[test]
fn a_bot_that_is_not_deterministic_is_no_altered_record() {
    let scratch = played(LIARS_DICE, &["pirate"], &late("Fickle"), &[]);
    holds(&scratch, &["h.db"], &["note     bots: Fickle is not deterministic: in game "]);
}

#[test]
fn a_store_replays_as_a_log_does() {
    for keys in [YAHTZEE, LIARS_DICE] {
        let scratch = played(keys, &["random", "random"], "", &[]);
        scratch.run_ok(&["run", "hill.toml", "--out", "log"]);
        for options in [&[][..], &["--format", "json"]] {
            let log = scratch.run_ok(&[&["replay", "log", "7"], options].concat());
            assert_eq!(scratch.run_ok(&[&["replay", "h.db#1", "7"], options].concat()), log);
        }
        let bare = played(keys, &["random", "random"], "", &["--no-moves"]);
        let ran = bare.run(&["replay", "h.db", "7"]);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""));
        assert!(ran.err.contains("the moves of this game were not kept"), "{}", ran.err);
        let again = bare.run_ok(&["replay", "h.db", "7", "--rerun"]);
        assert!(again.out.contains("what came of it is the same"), "{}", again.out);
    }
}

#[test]
fn a_game_is_played_again() {
    let stored = played(YAHTZEE, &["greedy", "dummy"], &late("Plain"), &[]);
    let again = stored.run_ok(&["replay", "h.db#1", "7", "--rerun"]);
    assert!(
        again.out.starts_with("game 7 played again: all ")
            && again.out.contains(" moves are the same")
    );
    stored.run_ok(&["run", "hill.toml", "--out", "log"]);
    assert_eq!(stored.run_ok(&["replay", "log", "7", "--rerun", "hill.toml"]), again);
    let unnamed = stored.run(&["replay", "log", "7", "--rerun"]);
    assert!(unnamed.code == 2 && unnamed.err.contains("says what Plain is, and not where"));
    let lived = played(&format!("{YAHTZEE}\nmemory = \"set\""), &["greedy"], &late("Plain"), &[]);
    let again = lived.run_ok(&["replay", "h.db", "3", "--rerun"]);
    assert_eq!(again.out, "3 games played again: all moves are the same\n");
}

#[test]
fn a_game_that_goes_otherwise_differs() {
    let (scratch, game) = with_another_move("\"moves\":\"1 ", "\"moves\":\"2 ");
    let ran = scratch.run(&["replay", "altered", &game.to_string(), "--rerun"]);
    let begins = format!("game {game} played again: move 1 differs: recorded is 2 ");
    assert_eq!((ran.code, ran.out.starts_with(&begins)), (1, true), "{}{}", ran.out, ran.err);
}

/// A committed tournament in `h.db`, its second run; what was published for it.
fn committed() -> (Scratch, String) {
    let scratch = played(LIARS_DICE, &["pirate", "bayes"], &late("Guilty"), &[]);
    let published = scratch.run_ok(&["hill", "commit", "h.db"]).out;
    let log = scratch.run_ok(&["hill", "log", "h.db"]).out;
    assert!(log.lines().last().is_some_and(|line| line.contains(published.trim())), "{log}");
    let ran = scratch.run_ok(&["hill", "run", "h.db", "--committed", "--public-text", "Ärger"]);
    assert!(!ran.err.contains("secret"), "{}", ran.err);
    (scratch, published.trim().to_owned())
}

#[test]
fn a_seed_follows_from_its_commitment() {
    let (scratch, published) = committed();
    let (header, result): (String, String) = open(&scratch)
        .query_row("SELECT header, result FROM run WHERE id = 2", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .unwrap();
    scratch.write("log", format!("{header}\n{result}\n"));
    let check = format!("{}/../../protocol/commitment.py", env!("CARGO_MANIFEST_DIR"));
    let python = Command::new("python3").arg(check).arg(scratch.path("log")).status();
    assert!(python.expect("there is Python").success());
    let header: Value = serde_json::from_str(&header).unwrap();
    assert_eq!(header["commitment"], *published);
    assert!(header.get("secret").is_none() && result.contains("\"public_text\":\"Ärger\""));
    holds(&scratch, &["h.db#2"], &["commitment: the seed follows from sha256:"]);
    let again = scratch.run(&["hill", "run", "h.db", "--committed"]);
    assert!(again.code == 2 && again.err.contains("has no open commitment"), "{}", again.err);
}

#[test]
fn a_committed_run_goes_on_with_its_secret() {
    let (scratch, _) = committed();
    let result = |hill: &Connection| -> String {
        hill.query_row("SELECT result FROM run WHERE id = 2", [], |row| row.get(0)).unwrap()
    };
    let before = result(&open(&scratch));
    open(&scratch)
        .execute_batch(
            "UPDATE run SET result = NULL, ended = NULL, seal = NULL WHERE id = 2;
             DELETE FROM page WHERE run = 2 AND first > 1;
             DELETE FROM failure WHERE run = 2 AND game > (SELECT max(last) FROM page WHERE run = 2);",
        )
        .unwrap();
    holds(&scratch, &["h.db#2"], &["commitment: the seed follows", "skipped  board"]);
    scratch.run_ok(&["resume", "h.db#2"]);
    assert_eq!(result(&open(&scratch)), before);
    holds(&scratch, &["h.db#2"], &["40 games replayed"]);
}
