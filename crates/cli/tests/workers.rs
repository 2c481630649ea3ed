//! Runs that workers play, with a NATS server.

mod cluster;
mod faults;
mod refused;
mod secured;
mod served;

use cluster::Cluster;

use crate::support::external::bot;
use crate::support::hill;
use crate::support::running::{send, wait_for};

/// A Yahtzee bot that takes the best box, and waits for 20 ms in each game.
const SLOW: &str = "\
import json, sys, time
print(json.dumps({'type': 'ready', 'inflight': 1}), flush=True)
for line in sys.stdin:
    turn = json.loads(line)
    if turn['type'] == 'turn':
        if turn['round'] == 1:
            time.sleep(0.02)
        best = max(turn['legal'], key=turn['legal'].get)
        print(json.dumps({'id': turn['id'], 'category': best}), flush=True)
";

/// A hill between a house bot and an external one, which is in `slow.py`.
fn external_hill(games: u32) -> String {
    let keys = format!("game = \"yahtzee\"\nseed = \"s\"\nopen_seed = true\ngames = {games}");
    format!("{}{}", hill(&keys, &["greedy"]), bot("Slow", &["python3", "slow.py"]))
}

/// A cluster in which the external bot plays.
fn external_cluster(games: u32) -> Cluster {
    let cluster = Cluster::new(&external_hill(games));
    cluster.scratch.write("slow.py", SLOW);
    cluster
}

#[test]
fn one_and_three_workers_play_the_run_of_one_machine() {
    for (game, format, bots) in [
        ("yahtzee", "challenge", &["greedy", "dummy", "aces-and-eights"][..]),
        ("liars-dice", "challenge", &["bayes", "nobody", "badnomial", "honest"]),
        ("yahtzee", "duel", &["greedy", "dummy", "aces-and-eights"]),
    ] {
        let keys = format!("game = \"{game}\"\nformat = \"{format}\"\nseed = \"s\"\ngames = 200");
        let mut cluster = Cluster::new(&hill(&keys, bots));
        for workers in [1, 3] {
            while cluster.workers() < workers {
                cluster.start_worker();
            }
            let _none_yet = std::fs::remove_file(cluster.scratch.path("workers.jsonl"));
            cluster.expect_same(cluster.begin_run());
        }
    }
}

#[test]
fn external_bots_travel_to_workers() {
    let mut cluster = external_cluster(60);
    cluster.start_worker();
    let run = cluster.begin_run();
    // The worker has its own copy.
    cluster.wait_for_games(20);
    let reported = cluster.expect_same(run);
    assert!(reported.contains(" plays, with 1 thread"), "{reported}");
}

#[test]
fn a_bar_lets_workers_play_the_run_again() {
    let offender = "\
import json, sys
print(json.dumps({'type': 'ready', 'inflight': 8}), flush=True)
for line in sys.stdin:
    turn = json.loads(line)
    if turn['type'] == 'turn':
        low = turn['round'] == 1 and turn['stage'] == 0 and sum(turn['dice']) <= 8
        best = 'NONSENSE' if low else max(turn['legal'], key=turn['legal'].get)
        print(json.dumps({'id': turn['id'], 'category': best}), flush=True)
";
    let keys = "game = \"yahtzee\"\nseed = \"bars 2\"\nopen_seed = true\ngames = 120";
    let external = bot("Offender", &["python3", "offender.py"]);
    let mut cluster = Cluster::new(&format!("{}{external}", hill(keys, &["greedy", "dummy"])));
    cluster.scratch.write("offender.py", offender);
    cluster.start_worker();
    cluster.start_worker();
    cluster.expect_same(cluster.begin_run());
    let log = cluster.scratch.read("workers.jsonl");
    let bar = log.lines().position(|line| line.starts_with("{\"type\":\"barred\""));
    assert!(bar.is_some_and(|line| line > 1), "games, and then the bar: {bar:?}");
}

#[test]
fn a_worker_ends_after_its_range_on_sigterm() {
    let mut cluster = external_cluster(150);
    let first = cluster.start_worker();
    let run = cluster.begin_run();
    cluster.wait_for_games(10);
    cluster.start_worker();
    send("-TERM", cluster.worker(first));
    assert_eq!(cluster.worker(first).wait().expect("it ends").code(), Some(0));
    cluster.expect_same(run);
}

#[test]
fn an_overview_shows_runs_and_workers() {
    let mut cluster = external_cluster(600);
    let address = cluster.address();
    let empty = cluster.scratch.run_ok(&["workers", &address]);
    assert_eq!(empty.out, "No run is played by workers here.\n\nNo worker is connected.\n");
    cluster.start_worker();
    let run = cluster.begin_run();
    cluster.wait_for_games(10);
    let overview = cluster.scratch.run_ok(&["workers", &address, "--format", "json"]).json();
    assert_eq!(overview["runs"][0]["games"], 600, "{overview}");
    assert_eq!(overview["runs"][0]["run"], overview["workers"][0]["run"], "{overview}");
    // Between two ranges it plays none.
    loop {
        let table = cluster.scratch.run_ok(&["workers", &address]).out;
        assert!(table.contains("in play"), "{table}");
        if table.contains("plays game") {
            break;
        }
    }
    cluster.expect_same(run);
}

#[test]
fn a_hill_keeps_runs_of_workers_as_its_own() {
    let mut cluster = external_cluster(60);
    cluster.start_worker();
    let address = cluster.address();
    let Cluster { scratch, .. } = &cluster;
    scratch.run_ok(&["hill", "init", "by-workers.db", "hill.toml", "--name", "spring"]);
    scratch.run_ok(&["hill", "init", "here.db", "hill.toml", "--name", "spring"]);
    let bots = ["hill.toml", "--no-luck"];
    let workers = ["--workers", &address];
    scratch.run_ok(&[&["hill", "add", "by-workers.db"], &bots[..], &workers].concat());
    scratch.run_ok(&[&["hill", "add", "here.db"], &bots[..]].concat());
    // The second run takes what the first one has.
    let again = ["dummy", "--no-luck"];
    scratch.run_ok(&[&["hill", "add", "by-workers.db"], &again[..], &workers].concat());
    scratch.run_ok(&[&["hill", "add", "here.db"], &again[..]].concat());
    for run in ["#1", "#2"] {
        let rows = |hill: &str| scratch.run_ok(&["export", &format!("{hill}{run}"), "--jsonl"]).out;
        assert_eq!(rows("by-workers.db"), rows("here.db"), "run {run}");
        let board = |hill: &str| {
            let number = run.trim_start_matches('#');
            scratch.run_ok(&["hill", "show", hill, "--run", number, "--format", "json"]).out
        };
        assert_eq!(board("by-workers.db"), board("here.db"), "run {run}");
        scratch.run_ok(&["verify", &format!("by-workers.db{run}")]);
    }
}

#[test]
fn the_host_says_that_no_worker_plays_and_stops_at_once() {
    let cluster = external_cluster(20);
    let run = cluster.begin_run();
    cluster.wait_for_games(0);
    send("-INT", &run.0);
    let output = cluster::finished(run);
    assert_eq!(output.code, 130, "{}", output.err);
    wait_for("its log", || cluster.scratch.path("workers.jsonl").exists().then_some(()));
}
