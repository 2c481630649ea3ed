//! Recorded runs checked and replayed: `verify`, `replay --rerun`, and commitments.

mod alterations;

use std::process::Command;
use std::sync::OnceLock;

use rusqlite::Connection;
use serde_json::Value;

use crate::support::external::{bot, python, source};
use crate::support::{Scratch, hill};

/// An external bot whose name selects its behaviour.
fn behaviour_bot(name: &str) -> String {
    let [program, option] = python();
    bot(name, &[program, option, &source("late.py")])
}

/// A folder with the hill `h.db` and one finished run of `hill.toml`.
#[track_caller]
fn hill_with_run(keys: &str, house: &[&str], external: &str, options: &[&str]) -> Scratch {
    let scratch = Scratch::new();
    scratch.write("hill.toml", hill(keys, house) + external);
    for arguments in [&["hill", "init", "h.db", "hill.toml"][..], &add_arguments(options)] {
        let output = scratch.run(arguments);
        assert!([0, 3].contains(&output.code), "{}", output.err);
    }
    scratch
}

fn add_arguments<'a>(options: &[&'a str]) -> Vec<&'a str> {
    [&["hill", "add", "h.db", "hill.toml"], options].concat()
}

/// Expects a run to be verified, with these words in the report.
#[track_caller]
fn check_verified(scratch: &Scratch, arguments: &[&str], words: &[&str]) {
    let output = scratch.run_ok(&[&["verify"], arguments].concat());
    let missing: Vec<_> = words.iter().filter(|word| !output.out.contains(**word)).collect();
    assert!(
        missing.is_empty() && output.out.contains("\nverified: "),
        "{missing:?}: {}",
        output.out
    );
}

fn open(scratch: &Scratch) -> Connection {
    Connection::open(scratch.path("h.db")).expect("the hill is a database")
}

const YAHTZEE: &str = "game = \"yahtzee\"\ngames = 40\nseed = \"s\"\nopen_seed = true";
const LIARS_DICE: &str = "game = \"liars-dice\"\ngames = 40\nseed = \"s\"\nopen_seed = true";

#[test]
fn an_unaltered_run_is_verified() {
    let house = ["greedy", "dummy"];
    let words =
        ["holds    pages: ", "40 games replayed", "20 games played again", "records blake3:"];
    check_verified(
        &hill_with_run(YAHTZEE, &house, &behaviour_bot("Plain"), &[]),
        &["h.db"],
        &words,
    );
    let failing = hill_with_run(LIARS_DICE, &["pirate", "bayes"], &behaviour_bot("Guilty"), &[]);
    check_verified(&failing, &["h.db#1"], &["40 games replayed", "failures: "]);
    let words = ["40 games: order, tables and seats", "20 games played again"];
    check_verified(&hill_with_run(YAHTZEE, &house, "", &["--no-moves"]), &["h.db"], &words);
    let with_memory = hill_with_run(
        &format!("{LIARS_DICE}\nmemory = \"set\""),
        &["pirate"],
        &behaviour_bot("Plain"),
        &[],
    );
    check_verified(&with_memory, &["h.db"], &["40 games played again, with the same moves"]);
}

#[test]
fn a_run_that_was_removed_from_a_hill_is_missed() {
    let scratch = hill_with_run(YAHTZEE, &["greedy", "dummy"], "", &["--no-moves"]);
    for _ in 0..3 {
        scratch.run_ok(&["hill", "run", "h.db"]);
    }
    check_verified(&scratch, &["h.db#4"], &[]);
    let remove = |run| {
        let hill = open(&scratch);
        hill.pragma_update(None, "foreign_keys", false).expect("a setting");
        hill.execute("DELETE FROM run WHERE id = ?1", [run]).expect("it is ours");
    };
    remove(2);
    let output = scratch.run(&["verify", "h.db#4"]);
    let expected = "altered  runs\n         run 2 is missing, but the hill has later ones";
    assert!(output.code == 1 && output.out.contains(expected), "{}", output.out);
    remove(1);
    let output = scratch.run(&["verify", "h.db#4"]);
    assert!(output.out.contains("runs 1 to 2 are missing"), "{}", output.out);
}

/// A hill in whose run a bot was barred.
fn hill_with_bar() -> &'static Scratch {
    static HILL: OnceLock<Scratch> = OnceLock::new();
    HILL.get_or_init(|| hill_with_run(YAHTZEE, &["greedy", "dummy"], &behaviour_bot("Guilty"), &[]))
}

#[test]
fn a_run_with_a_bar_is_verified() {
    let barred = hill_with_bar();
    let bars: i64 =
        open(barred).query_row("SELECT count(*) FROM bar", [], |row| row.get(0)).unwrap();
    assert_eq!(bars, 1);
    check_verified(barred, &["h.db"], &["games replayed", "board: recomputed"]);
    let output = barred.run(&["run", "hill.toml", "--out", "log"]);
    assert_eq!(output.code, 3, "{}", output.err);
    check_verified(barred, &["log", "hill.toml"], &["games replayed", "20 games played again"]);
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
            let keys =
                format!("game = \"{game}\"\ngames = 30\nseed = \"s\"\nopen_seed = true\n{format}");
            scratch.write("hill.toml", hill(&keys, &house));
            scratch.run_ok(&["run", "hill.toml", "--out", "log"]);
            check_verified(&scratch, &["log"], &["holds    seal", "board: recomputed"]);
        }
    }
}

#[test]
fn an_unfinished_run_is_verified() {
    let scratch = hill_with_run(YAHTZEE, &["greedy", "dummy"], "", &[]);
    scratch.run_ok(&["run", "hill.toml", "--out", "log"]);
    let log = scratch.read("log");
    let part: String = log.lines().take(21).flat_map(|line| [line, "\n"]).collect();
    scratch.write("part", part);
    let words = ["skipped  seal: the run is not finished", "20 games replayed"];
    check_verified(&scratch, &["part"], &words);
}

/// A log of house bots in which the first `from` of a game's moves is replaced with `to`, and the index of its line.
fn log_with_altered_move(from: &str, to: &str) -> (Scratch, usize) {
    let scratch = Scratch::new();
    let keys = "game = \"liars-dice\"\ngames = 30\nseed = \"s\"\nopen_seed = true";
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
fn a_plausible_altered_move_is_found_by_replaying() {
    // A higher bid can lead to the same result.
    let (scratch, game) = log_with_altered_move("\"moves\":\"1 ", "\"moves\":\"2 ");
    let output = scratch.run(&["verify", "altered", "--sample", "0"]);
    assert_eq!(output.code, 1, "{}", output.err);
    let place_words = format!("game {game}");
    assert!(
        output.out.contains(&place_words) && output.out.contains("altered  seal"),
        "{}",
        output.out
    );
}

#[test]
fn a_nondeterministic_bot_is_noted_and_not_an_alteration() {
    let scratch = hill_with_run(LIARS_DICE, &["pirate"], &behaviour_bot("Fickle"), &[]);
    check_verified(&scratch, &["h.db"], &["note     bots: Fickle is not deterministic: in game "]);
}

#[test]
fn a_store_is_replayed_like_a_log() {
    for keys in [YAHTZEE, LIARS_DICE] {
        let scratch = hill_with_run(keys, &["random", "random"], "", &[]);
        scratch.run_ok(&["run", "hill.toml", "--out", "log"]);
        for options in [&[][..], &["--format", "json"]] {
            let log = scratch.run_ok(&[&["replay", "log", "7"], options].concat());
            assert_eq!(scratch.run_ok(&[&["replay", "h.db#1", "7"], options].concat()), log);
        }
        let bare = hill_with_run(keys, &["random", "random"], "", &["--no-moves"]);
        let output = bare.run(&["replay", "h.db", "7"]);
        assert_eq!((output.code, output.out.as_str()), (2, ""));
        assert!(output.err.contains("the moves of this game were not kept"), "{}", output.err);
        let replayed = bare.run_ok(&["replay", "h.db", "7", "--rerun"]);
        assert!(replayed.out.contains("its outcome is the same"), "{}", replayed.out);
    }
}

#[test]
fn a_rerun_confirms_the_recorded_moves() {
    let stored = hill_with_run(YAHTZEE, &["greedy", "dummy"], &behaviour_bot("Plain"), &[]);
    let replayed = stored.run_ok(&["replay", "h.db#1", "7", "--rerun"]);
    assert!(
        replayed.out.starts_with("game 7 replayed: all ")
            && replayed.out.contains(" moves are the same")
    );
    stored.run_ok(&["run", "hill.toml", "--out", "log"]);
    assert_eq!(stored.run_ok(&["replay", "log", "7", "--rerun", "hill.toml"]), replayed);
    let unnamed = stored.run(&["replay", "log", "7", "--rerun"]);
    assert!(unnamed.code == 2 && unnamed.err.contains("does not say where Plain is"));
    let with_memory = hill_with_run(
        &format!("{YAHTZEE}\nmemory = \"set\""),
        &["greedy"],
        &behaviour_bot("Plain"),
        &[],
    );
    let replayed = with_memory.run_ok(&["replay", "h.db", "3", "--rerun"]);
    assert_eq!(replayed.out, "3 games replayed: all moves are the same\n");
}

#[test]
fn a_rerun_names_the_first_different_move() {
    let (scratch, game) = log_with_altered_move("\"moves\":\"1 ", "\"moves\":\"2 ");
    let output = scratch.run(&["replay", "altered", &game.to_string(), "--rerun"]);
    let begins = format!("game {game} replayed: move 1 differs: recorded is 2 ");
    assert_eq!(
        (output.code, output.out.starts_with(&begins)),
        (1, true),
        "{}{}",
        output.out,
        output.err
    );
}

/// A hill that no test changes, whose second run was committed, and the published commitment.
fn shared_committed_run() -> &'static (Scratch, String) {
    static HILL: OnceLock<(Scratch, String)> = OnceLock::new();
    HILL.get_or_init(hill_with_committed_run)
}

/// A hill `h.db` whose second run was committed, and the published commitment.
fn hill_with_committed_run() -> (Scratch, String) {
    let scratch = hill_with_run(LIARS_DICE, &["pirate", "bayes"], &behaviour_bot("Guilty"), &[]);
    let published = scratch.run_ok(&["hill", "commit", "h.db"]).out;
    let log = scratch.run_ok(&["hill", "log", "h.db"]).out;
    assert!(log.lines().last().is_some_and(|line| line.contains(published.trim())), "{log}");
    let output = scratch.run_ok(&["hill", "run", "h.db", "--committed", "--public-text", "Ärger"]);
    assert!(!output.err.contains("secret"), "{}", output.err);
    let note = "The seed follows from a commitment, the public text \"Ärger\" and the entrants";
    assert!(output.out.contains(note), "{}", output.out);
    (scratch, published.trim().to_owned())
}

#[test]
fn a_seed_follows_from_its_commitment() {
    let (scratch, published) = shared_committed_run();
    let (header, result): (String, String) = open(scratch)
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
    check_verified(scratch, &["h.db#2"], &["commitment: the seed follows from sha256:"]);
    let repeated = scratch.run(&["hill", "run", "h.db", "--committed"]);
    assert!(
        repeated.code == 2 && repeated.err.contains("has no open commitment"),
        "{}",
        repeated.err
    );
    scratch.run_ok(&["hill", "commit", "h.db"]);
    let forgotten = scratch.run_ok(&["hill", "run", "h.db"]).err;
    assert!(forgotten.contains("this run does not use the commitment of "), "{forgotten}");
}

#[test]
fn a_committed_run_is_resumed_with_its_secret() {
    let (scratch, _) = hill_with_committed_run();
    let result = |hill: &Connection| -> String {
        hill.query_row("SELECT result FROM run WHERE id = 2", [], |row| row.get(0)).unwrap()
    };
    let before = result(&open(&scratch));
    open(&scratch)
        .execute_batch(
            "UPDATE run SET result = NULL, ended = NULL, seal = NULL, highlights = NULL WHERE id = 2;
             DELETE FROM page WHERE run = 2 AND first > 1;
             DELETE FROM failure WHERE run = 2 AND game > (SELECT max(last) FROM page WHERE run = 2);",
        )
        .unwrap();
    check_verified(&scratch, &["h.db#2"], &["commitment: the seed follows", "skipped  board"]);
    scratch.run_ok(&["resume", "h.db#2"]);
    assert_eq!(result(&open(&scratch)), before);
    check_verified(&scratch, &["h.db#2"], &["40 games replayed"]);
}
