//! Parts that are incomplete, doubled, foreign or forged.

use std::fs;

use super::{merge, merged, on_one_machine, plan, play_shards};
use crate::support::{Scratch, hill};

/// A folder with a plan, its three parts, and the run on one machine.
fn planned() -> (Scratch, Vec<String>) {
    let scratch = Scratch::new();
    let keys = "game = \"yahtzee\"\nseed = \"s\"\ngames = 30";
    scratch.write("hill.toml", hill(keys, &["greedy", "dummy"]));
    plan(&scratch);
    let parts = play_shards(&scratch, 3);
    (scratch, parts)
}

/// Expects the merge to fail with this exit code and these texts, and to write nothing.
#[track_caller]
fn check_refused(scratch: &Scratch, parts: &[String], code: i32, texts: &[&str]) {
    let output = scratch.run(&merge(parts, &["--out", "whole.jsonl"]));
    assert_eq!((output.code, output.out.as_str()), (code, ""), "{output:?}");
    for text in texts {
        assert!(output.err.contains(text), "{text:?} is not in {}", output.err);
    }
    assert!(!scratch.path("whole.jsonl").exists(), "nothing is written");
}

#[test]
fn missing_games_are_named() {
    let (scratch, parts) = planned();
    let without = |index: usize| {
        let mut parts = parts.clone();
        parts.remove(index);
        parts
    };
    check_refused(&scratch, &without(0), 2, &["no part has games 1 to 10; pass the parts"]);
    check_refused(&scratch, &without(1), 2, &["no part has games 11 to 20;"]);
    check_refused(&scratch, &without(2), 2, &["no part has games 21 to 30;"]);
    check_refused(&scratch, &parts[1..2], 2, &["no part has games 1 to 10, games 21 to 30;"]);
    let part = scratch.read(&parts[1]);
    let lines: Vec<_> = part.split_inclusive('\n').collect();
    let torn = [&lines[..4].concat(), "{\"type\":\"game\",\"ga"].concat();
    scratch.write(&parts[1], torn);
    let texts = [
        "no part has games 14 to 20; play the shards of these unfinished parts again: part-2-3.jsonl",
    ];
    check_refused(&scratch, &parts, 2, &texts);
    scratch.write(&parts[1], "");
    check_refused(&scratch, &parts, 2, &["part-2-3.jsonl: is empty or incomplete"]);
}

#[test]
fn equal_games_are_taken_once_and_different_ones_are_refused() {
    let (scratch, parts) = planned();
    let single = on_one_machine(&scratch);
    fs::copy(scratch.path(&parts[1]), scratch.path("copy.jsonl")).expect("it can be copied");
    let mut doubled = [&parts[..], &["copy.jsonl".to_owned()], &play_shards(&scratch, 2)].concat();
    assert!(merged(&scratch, &doubled, &[]) == single);
    fs::remove_file(scratch.path("whole.jsonl")).expect("it is there");
    let part = scratch.read("copy.jsonl").replacen(
        "\"game\":14,\"table\":14",
        "\"game\":14,\"table\":15",
        1,
    );
    scratch.write("copy.jsonl", part);
    check_refused(&scratch, &doubled, 1, &["game 14 is another in "]);
    doubled.reverse();
    check_refused(&scratch, &doubled, 1, &["game 14 is another in "]);
}

#[test]
fn parts_of_another_plan_are_refused() {
    let (scratch, parts) = planned();
    fs::rename(scratch.path("plan.json"), scratch.path("first.json")).expect("it is there");
    scratch.run_ok(&["run", "hill.toml", "--no-luck", "--seed", "t", "--plan", "plan.json"]);
    check_refused(&scratch, &parts, 1, &["part-1-3.jsonl: belongs to another plan, blake3:"]);
    scratch.write("log.jsonl", "{\"type\":\"header\",\"schema\":\"dicehill.log/1\"}\n");
    check_refused(&scratch, &["log.jsonl".to_owned()], 2, &["log.jsonl:1: not the part of a run"]);
}

#[test]
fn a_plan_that_was_altered_is_refused() {
    let (scratch, parts) = planned();
    let plan = scratch.read("plan.json");
    for (from, to) in [
        ("\"seed\":\"s\"", "\"seed\":\"t\""),
        ("\"bars\":[]", "\"bars\": []"),
        ("house:greedy@1", "house:greedy@2"),
    ] {
        scratch.write("plan.json", plan.replacen(from, to, 1));
        check_refused(&scratch, &parts, 2, &["the plan was altered"]);
    }
    scratch.write("plan.json", plan.replacen("plan/1", "plan/2", 1));
    check_refused(
        &scratch,
        &parts,
        2,
        &["\"dicehill.plan/2\"; this dicehill supports \"dicehill.plan/1\""],
    );
}

/// Replaces a text in the second part and renews its seal, as a forger would who knows the format.
#[track_caller]
fn forge(scratch: &Scratch, part: &str, from: &str, to: &str) {
    let text = scratch.read(part);
    assert!(text.contains(from), "{from}");
    let forged = text.replacen(from, to, 1);
    let (lines, _seal) = forged.trim_end().rsplit_once('\n').expect("several lines");
    let lines = format!("{lines}\n");
    let hash = blake3::hash(lines.as_bytes());
    scratch.write(part, format!("{lines}{{\"type\":\"sealed\",\"hash\":\"blake3:{hash}\"}}\n"));
}

#[test]
fn altered_points_tables_and_seeds_are_found_under_a_renewed_seal() {
    for (from, to, texts) in [
        ("\"points\":1", "\"points\":0", "points = 0, but its moves lead to 1"),
        ("\"score\":", "\"score\":1", "but its moves lead to "),
        ("\"table\":13", "\"table\":12", "game 13"),
        ("\"table\":13", "\"table\":13,\"seed\":\"s#00000000000000000000000000000000\"", "game 13"),
        (
            "\"results\":",
            "\"failures\":[{\"seat\":0,\"reason\":\"crash\",\"detail\":\"\"}],\"results\":",
            "game 11",
        ),
    ] {
        let (scratch, parts) = planned();
        forge(&scratch, &parts[1], from, to);
        check_refused(&scratch, &parts, 1, &["part-2-3.jsonl:", texts]);
    }
}

#[test]
fn a_line_that_was_altered_without_a_new_seal_is_found() {
    let (scratch, parts) = planned();
    let part = scratch.read(&parts[0]).replacen("\"last\":10", "\"last\":11", 1);
    scratch.write(&parts[0], part);
    check_refused(&scratch, &parts, 1, &["part-1-3.jsonl:12: seal: "]);
}

#[test]
fn a_part_that_pretends_a_bar_is_refused() {
    let (scratch, parts) = planned();
    let part = scratch.read(&parts[1]);
    let kept: String = part.split_inclusive('\n').take(4).collect();
    scratch.write(&parts[1], format!("{kept}{{\"type\":\"sealed\",\"hash\":\"\"}}\n"));
    forge(&scratch, &parts[1], "{\"type\":\"part\"", "{\"type\":\"part\"");
    let texts =
        ["part-2-3.jsonl: ends with game 13, as if an entrant were barred there, but none is"];
    check_refused(&scratch, &parts, 1, &texts);
}

/// A part with moves that are legal but not those of its bots, whose points fit and whose seal is renewed.
fn with_moves_of_other_bots() -> (Scratch, Vec<String>) {
    let (scratch, parts) = planned();
    // A plan of another bot with the same names has the same dice and seats.
    let other = hill("game = \"yahtzee\"\nseed = \"s\"\ngames = 30", &["random", "dummy"]);
    scratch.write("other.toml", other);
    scratch.run_ok(&["run", "other.toml", "--no-luck", "--plan", "other.json"]);
    scratch.run_ok(&["run", "--plan", "other.json", "--shard", "2/3", "--out", "other.jsonl"]);
    let own = scratch.read(&parts[1]);
    let (header, _) = own.split_once('\n').expect("a header");
    let other = scratch.read("other.jsonl");
    let (_, games) = other.split_once('\n').expect("a header");
    scratch.write(&parts[1], format!("{header}\n{games}"));
    forge(&scratch, &parts[1], "{\"type\":\"part\"", "{\"type\":\"part\"");
    (scratch, parts)
}

#[test]
fn altered_moves_of_house_bots_are_found() {
    let (scratch, parts) = with_moves_of_other_bots();
    check_refused(
        &scratch,
        &parts,
        1,
        &["part-2-3.jsonl:2: game 11, move 1: recorded is ", ", but A plays "],
    );
    // Of ten altered games among 30 a sample of 25 has five at least.
    let output = scratch.run(&merge(&parts, &["--out", "whole.jsonl", "--sample", "25"]));
    assert_eq!(output.code, 1, "{output:?}");
    assert!(output.err.contains(", but A plays "), "{output:?}");
}

#[test]
fn moves_that_the_merge_does_not_check_are_named_and_found_by_playing_again() {
    let (scratch, parts) = with_moves_of_other_bots();
    let output = scratch.run(&merge(&parts, &["--out", "whole.jsonl", "--sample", "0"]));
    let unchecked =
        "not checked: the moves of A, B; `dicehill verify LOG BOT --sample N` plays games again\n";
    assert_eq!((output.code, output.err.as_str()), (0, unchecked));
    let verified = scratch.run(&["verify", "whole.jsonl", "--sample", "30"]);
    assert_eq!(verified.code, 1, "{verified:?}");
    assert!(verified.out.contains("game 11"), "{verified:?}");
}

#[test]
fn bytes_behind_the_seal_are_refused() {
    for more in ["x", "{\"type\":\"game\"}\n", "\n"] {
        let (scratch, parts) = planned();
        scratch.write(&parts[1], scratch.read(&parts[1]) + more);
        let texts = ["part-2-3.jsonl:13: follows the seal, which must be the last line"];
        check_refused(&scratch, &parts, 1, &texts);
    }
}

#[test]
fn a_part_with_converted_line_ends_is_not_called_altered() {
    let (scratch, parts) = planned();
    scratch.write(&parts[1], scratch.read(&parts[1]).replace('\n', "\r\n"));
    let texts = ["part-2-3.jsonl:1: ends with CR LF: a program has converted the line ends"];
    check_refused(&scratch, &parts, 2, &texts);
}

#[test]
fn an_error_names_its_file_once() {
    let (scratch, parts) = planned();
    let offences = "{\"type\":\"offences\",\"game\":11,\"offences\":[{\"request\":\"{}\"}]}\n{\"type\":\"game\",\"game\":11,";
    forge(&scratch, &parts[1], "{\"type\":\"game\",\"game\":11,", offences);
    let output = scratch.run(&merge(&parts, &[]));
    let error = "error: part-2-3.jsonl:3: game 11: the game has 0 failures, but 1 offences\n";
    assert_eq!((output.code, output.err.as_str()), (1, error));
}

#[cfg(unix)]
#[test]
fn a_file_that_is_no_log_is_neither_overwritten_nor_made_private() {
    use std::os::unix::fs::PermissionsExt;

    let (scratch, parts) = planned();
    let mode = || fs::metadata(scratch.path("notes")).expect("it is there").permissions().mode();
    let shard = ["run", "--plan", "plan.json", "--shard", "1/3", "--out", "notes"];
    for (command, text) in [
        (&merge(&parts, &["--out", "notes"])[..], "it is not a run log: choose another name"),
        (&shard, "notes: exists already, and is not the part of a run"),
    ] {
        scratch.write("notes", "one line without an end");
        fs::set_permissions(scratch.path("notes"), fs::Permissions::from_mode(0o644))
            .expect("ours");
        scratch.run_refused(command, &[text]);
        assert_eq!(scratch.read("notes"), "one line without an end");
        assert_eq!(mode() & 0o777, 0o644);
    }
}
