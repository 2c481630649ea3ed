//! Runs that several machines play: plans, shards, and the parts put together.

mod altered;
mod bars;
mod examples;
mod refused;

use std::fs;

use serde_json::Value;

use crate::support::external::{bot, python};
use crate::support::{BEST_BOX_BOT, Scratch, hill, hill_as_is};

/// Writes the plan of `hill.toml`, which all shards of a test share.
fn plan(scratch: &Scratch) {
    scratch.run_ok(&["run", "hill.toml", "--no-luck", "--plan", "plan.json"]);
}

/// Plays all shards of the plan; returns the names of the parts.
fn play_shards(scratch: &Scratch, of: usize) -> Vec<String> {
    let part = |shard: usize| {
        let (shard, out) = (format!("{shard}/{of}"), format!("part-{shard}-{of}.jsonl"));
        let output =
            scratch.run_ok(&["run", "--plan", "plan.json", "--shard", &shard, "--out", &out]);
        assert_eq!(output.out, "", "the standings are those of the whole run alone");
        out
    };
    (1..=of).map(part).collect()
}

/// The command that puts these parts together.
fn merge<'a>(parts: &'a [String], options: &[&'a str]) -> Vec<&'a str> {
    let parts = parts.iter().map(String::as_str);
    ["merge", "plan.json"].into_iter().chain(parts).chain(options.iter().copied()).collect()
}

/// Merges these parts; returns the board and the log.
#[track_caller]
fn merged(scratch: &Scratch, parts: &[String], options: &[&str]) -> (String, String) {
    let _none_yet = fs::remove_file(scratch.path("whole.jsonl"));
    let options = [&["--out", "whole.jsonl", "--format", "json"], options].concat();
    let output = scratch.run(&merge(parts, &options));
    assert!([0, 3].contains(&output.code), "{output:?}");
    (output.out, scratch.read("whole.jsonl"))
}

/// The board and the log of the run on one machine. Its seed is typed with the secret that the plan has drawn.
fn on_one_machine(scratch: &Scratch) -> (String, String) {
    let plan: Value = serde_json::from_str(&scratch.read("plan.json")).expect("JSON");
    let seed = plan["header"]["seed"].as_str().expect("a seed");
    let run = ["run", "hill.toml", "--no-luck", "--seed", seed, "--out", "single.jsonl"];
    let output = scratch.run(&[&run[..], &["--format", "json"]].concat());
    assert!([0, 3].contains(&output.code), "{output:?}");
    (output.out, scratch.read("single.jsonl"))
}

/// Expects the same bytes of any number of shards as of one machine.
#[track_caller]
fn check(hill: &str) -> (Scratch, String) {
    let scratch = Scratch::new();
    scratch.write("hill.toml", hill);
    plan(&scratch);
    let (board, log) = on_one_machine(&scratch);
    for of in [1, 3, 8] {
        let mut parts = play_shards(&scratch, of);
        parts.reverse();
        let (merged_board, merged_log) = merged(&scratch, &parts, &[]);
        assert_eq!(merged_board, board, "{of} shards of {hill}");
        assert!(merged_log == log, "{of} shards: the same log");
    }
    (scratch, log)
}

#[test]
fn every_format_of_both_games_has_the_same_bytes() {
    let yahtzee = ["greedy", "dummy", "aces-and-eights"];
    let liars_dice = ["bayes", "nobody", "badnomial", "honest"];
    for (game, bots) in [("yahtzee", &yahtzee[..]), ("liars-dice", &liars_dice[..])] {
        for format in ["challenge", "duel", "gauntlet"] {
            let keys =
                format!("game = \"{game}\"\nformat = \"{format}\"\nseed = \"s\"\ngames = 20");
            check(&hill(&keys, bots));
        }
    }
    let tables = "game = \"liars-dice\"\nformat = \"duel\"\nseats = 3\nseed = \"s\"\ngames = 9";
    check(&hill(tables, &liars_dice));
}

#[test]
fn more_shards_than_games_leave_some_without_any() {
    let scratch = Scratch::new();
    scratch.write(
        "hill.toml",
        hill("game = \"yahtzee\"\nseed = \"s\"\ngames = 3", &["greedy", "dummy"]),
    );
    plan(&scratch);
    let (board, log) = on_one_machine(&scratch);
    assert!(merged(&scratch, &play_shards(&scratch, 5), &[]) == (board, log));
}

#[test]
fn losses_and_luck_are_computed_by_the_shards() {
    let scratch = Scratch::new();
    scratch.write(
        "hill.toml",
        hill("game = \"yahtzee\"\nseed = \"s\"\ngames = 8", &["greedy", "dummy"]),
    );
    scratch.run_ok(&["run", "hill.toml", "--plan", "plan.json"]);
    let parts = play_shards(&scratch, 3);
    let single = ["run", "hill.toml", "--out", "single.jsonl", "--seed", "s"];
    scratch.run_ok(&single);
    let (_, log) = merged(&scratch, &parts, &[]);
    assert!(log == scratch.read("single.jsonl") && log.contains("\"loss\":"), "the same log");
}

#[cfg(unix)]
#[test]
fn external_bots_play_with_the_secret_of_the_plan() {
    use std::os::unix::fs::PermissionsExt;

    let [program, option] = python();
    let external = bot("Best", &[program, option, "best.py"]);
    let file = hill("game = \"yahtzee\"\nseed = \"s\"\ngames = 12", &["greedy", "dummy"]);
    let scratch = Scratch::new();
    scratch.write("best.py", BEST_BOX_BOT);
    scratch.write("hill.toml", format!("{file}{external}"));
    plan(&scratch);
    let text = scratch.read("plan.json");
    assert!(text.contains("\"seed\":\"s#") && text.contains("\"seed_hash\":"), "{text}");
    let mode = fs::metadata(scratch.path("plan.json")).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let secret =
        text.split("\"seed\":\"s#").nth(1).and_then(|rest| rest.get(..32)).expect("a secret");
    let parts = play_shards(&scratch, 3);
    for part in &parts {
        assert!(!scratch.read(part).contains(secret), "a part does not show the secret");
    }
    let (board, log) = merged(&scratch, &parts, &[]);
    assert_eq!((board, log), on_one_machine(&scratch));
    // Nothing is left to play, so that the bots are not needed.
    fs::remove_file(scratch.path("best.py")).expect("it is there");
    let output = scratch.run_ok(&merge(&parts, &["--no-play"]));
    let checked = "; not checked: the moves of Best; `dicehill verify LOG BOT --sample N` plays games again\n";
    assert!(
        output.err.starts_with("checked: the moves of ") && output.err.ends_with(checked),
        "{}",
        output.err
    );
    #[cfg(unix)]
    check_exposed_plan(&scratch, &parts);
}

/// Expects a warning of a plan with a secret that other users can read.
#[cfg(unix)]
fn check_exposed_plan(scratch: &Scratch, parts: &[String]) {
    use std::os::unix::fs::PermissionsExt;

    let warning = "plan.json: other users of this machine can read the secret of the run, from which all dice follow: chmod 600 plan.json\n";
    for (mode, is_exposed) in [(0o600, false), (0o640, true), (0o604, true)] {
        let plan = scratch.path("plan.json");
        fs::set_permissions(plan, fs::Permissions::from_mode(mode)).expect("it is ours");
        let output = scratch.run_ok(&merge(parts, &["--no-play"]));
        assert_eq!(output.err.contains(warning), is_exposed, "{mode:o}: {}", output.err);
    }
}

#[test]
fn the_same_command_continues_an_interrupted_shard() {
    let scratch = Scratch::new();
    scratch.write(
        "hill.toml",
        hill("game = \"yahtzee\"\nseed = \"s\"\ngames = 30", &["greedy", "dummy"]),
    );
    plan(&scratch);
    let parts = play_shards(&scratch, 2);
    let whole = scratch.read(&parts[1]);
    let play = ["run", "--plan", "plan.json", "--shard", "2/2", "--out", &parts[1]];
    for kept in [0, 20, 160, 161, 700, 3000, whole.len() - 1, whole.len()] {
        scratch.write(&parts[1], &whole[..kept]);
        scratch.run_ok(&play);
        assert!(scratch.read(&parts[1]) == whole, "cut after {kept} bytes");
    }
    let again = scratch.run_ok(&play);
    assert!(again.err.contains("shard 2/2 is finished already"), "{}", again.err);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_shard_in_order() {
    use crate::support::running::{Running, send, wait_for};

    let scratch = Scratch::new();
    let keys = "game = \"yahtzee\"\nseed = \"s\"\ngames = 100000000";
    scratch.write("hill.toml", hill_as_is(keys, &["greedy", "dummy"]));
    plan(&scratch);
    let play = ["run", "--plan", "plan.json", "--shard", "2/3", "--out", "part.jsonl"];
    let mut running = Running(scratch.command(&play).spawn().expect("the command starts"));
    wait_for("games of the part", || {
        let part = fs::metadata(scratch.path("part.jsonl")).ok()?;
        (part.len() > 100_000).then_some(())
    });
    send("-INT", &running.0);
    assert_eq!(running.0.wait().expect("it ends").code(), Some(130));
    let part = scratch.read("part.jsonl");
    assert!(part.ends_with("]}\n"), "the last line is a whole game");
    assert!(part.lines().nth(1).expect("a game").contains("\"game\":33333334,"));
}
