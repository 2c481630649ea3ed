//! Entrants that are barred in a shard, and ties that are played off.

use std::fs;

use super::{check, merge, merged, on_one_machine, plan, play_shards};
use crate::support::external::{bot, python};
use crate::support::{Scratch, hill};

/// Names a box that does not exist if its first roll is low, which qualifications do not see with these seeds.
const OFFENDER: &str = "\
import json, sys
print(json.dumps({'type': 'ready', 'inflight': 8}), flush=True)
for line in sys.stdin:
    turn = json.loads(line)
    if turn['type'] == 'turn':
        low = turn['round'] == 1 and turn['stage'] == 0 and sum(turn['dice']) <= 8
        best = 'NONSENSE' if low else max(turn['legal'], key=turn['legal'].get)
        print(json.dumps({'id': turn['id'], 'category': best}), flush=True)
";

/// Fails in a tenth of its games, by the dice.
const CRASHES: &str = "\
import json, sys
print(json.dumps({'type': 'ready', 'inflight': 8}), flush=True)
for line in sys.stdin:
    turn = json.loads(line)
    if turn['type'] == 'turn':
        answer = {'bid': 'Liar!'} if turn['bids'] else {'bid': '1 6'}
        if len(turn['bids']) == 1 and sum(turn['dice']) % 7 == 0:
            answer = {'error': 'IllegalStateException: seven'}
        print(json.dumps({'id': turn['id'], **answer}), flush=True)
";

/// A folder with a hill in which the offender plays.
fn hill_with_bar(keys: &str, house: &[&str], program: &str) -> Scratch {
    let scratch = Scratch::new();
    let [python, option] = python();
    let external = bot("Offender", &[python, option, "offender.py"]);
    scratch.write("offender.py", program);
    scratch.write("hill.toml", format!("{}{external}", hill(keys, house)));
    scratch
}

/// Expects the same bytes with a bar in the middle of a run.
#[track_caller]
fn check_bar(scratch: &Scratch) -> Vec<String> {
    plan(scratch);
    let single = on_one_machine(scratch);
    let bar = single.1.lines().position(|line| line.starts_with("{\"type\":\"barred\""));
    assert!(bar.is_some_and(|line| line > 1), "games, and then the bar: {bar:?}");
    let parts = play_shards(scratch, 4);
    assert!(merged(scratch, &parts, &[]) == single, "the same log and board");
    parts
}

#[test]
fn a_bar_makes_the_merge_play_what_remains() {
    let keys = "game = \"yahtzee\"\nseed = \"bars 2\"\nopen_seed = true\ngames = 120";
    let scratch = hill_with_bar(keys, &["greedy", "dummy"], OFFENDER);
    let parts = check_bar(&scratch);
    fs::remove_file(scratch.path("whole.jsonl")).expect("it is there");
    let no_play = merge(&parts, &["--no-play", "--out", "whole.jsonl"]);
    let texts = ["Offender is barred in game ", "120 of its 120 games are left to play"];
    scratch.run_refused(&no_play, &texts);
    assert!(!scratch.path("whole.jsonl").exists(), "nothing is written");
}

#[test]
fn games_without_the_barred_entrant_are_taken_from_the_parts() {
    let keys = "game = \"liars-dice\"\nseed = \"bars 2\"\nopen_seed = true\ngames = 200";
    let scratch = hill_with_bar(keys, &["bayes", "nobody", "honest"], CRASHES);
    let parts = check_bar(&scratch);
    let output = scratch.run(&merge(&parts, &["--no-play"]));
    let left = output
        .err
        .split(" of its 200 games are left")
        .next()
        .and_then(|text| text.rsplit(' ').next());
    let left: u64 = left.and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("{output:?}"));
    assert!((1..200).contains(&left), "{}", output.err);
}

#[test]
fn a_tie_is_played_off_by_the_merge() {
    let has_play_off = |seed: usize| {
        let keys = format!("game = \"yahtzee\"\nseed = \"tie {seed}\"\ngames = 2");
        let (scratch, log) = check(&hill(&keys, &["greedy", "greedy"]));
        let is_tie = !log.contains("\"extra_games\":0");
        if is_tie {
            let parts = ["part-1-1.jsonl".to_owned()];
            let texts = ["a tie after 2 games is left to play off"];
            scratch.run_refused(&merge(&parts, &["--no-play"]), &texts);
        }
        is_tie
    };
    assert!((0..20).any(has_play_off), "two games between equal bots often end in a tie");
}
