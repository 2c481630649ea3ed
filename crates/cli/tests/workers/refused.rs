//! Runs that workers do not play.

use super::Cluster;
use crate::support::{Scratch, hill};

#[test]
fn runs_that_cannot_be_divided_are_refused_with_the_reason() {
    let scratch = Scratch::new();
    let keys = "game = \"yahtzee\"\nseed = \"s\"\ngames = 30";
    scratch.write("hill.toml", hill(keys, &["greedy", "dummy"]));
    let set = format!("{keys}\nmemory = \"set\"");
    scratch.write("set.toml", hill(&set, &["greedy", "dummy"]));
    let address = ["--workers", "nats://127.0.0.1:1"];
    let refused = |arguments: &[&str], texts: &[&str]| {
        scratch.run_refused(&[arguments, &address].concat(), texts);
    };
    refused(&["run", "hill.toml", "--until", "0.9"], &["--workers", "may end early"]);
    refused(&["run", "set.toml"], &["memory = \"set\"", "one machine has to play all games"]);
    scratch.run_ok(&["hill", "init", "hill.db", "hill.toml"]);
    refused(&["hill", "add", "hill.db", "greedy", "--no-moves"], &["--no-moves", "by their moves"]);
}

#[test]
fn addresses_and_files_that_are_none_are_refused() {
    let scratch = Scratch::new();
    for address in ["127.0.0.1:4222", "http://127.0.0.1", "nats://", "nats://a b"] {
        scratch.run_refused(
            &["work", address],
            &["is not an address of NATS", "nats://127.0.0.1:4222"],
        );
    }
    let work = ["work", "nats://127.0.0.1:1", "--nats-creds", "missing.creds"];
    scratch.run_refused(&work, &["missing.creds"]);
    let unreachable = scratch.run(&["work", "nats://user:secret@127.0.0.1:1"]);
    assert_eq!(unreachable.code, 1, "{}", unreachable.err);
    assert!(unreachable.err.contains("nats://127.0.0.1:1: "), "{}", unreachable.err);
    assert!(!unreachable.err.contains("secret"), "{}", unreachable.err);
}

#[test]
fn a_worker_declines_a_run_that_would_read_its_files() {
    let external =
        "[[bot]]\nname = \"Reader\"\ncommand = [\"python3\", \"slow.py\"]\nread = [\"/etc\"]\n";
    let keys = "game = \"yahtzee\"\nseed = \"s\"\nopen_seed = true\ngames = 30";
    let mut cluster = Cluster::new(&format!("{}{external}", hill(keys, &["greedy"])));
    cluster.scratch.write("slow.py", super::SLOW);
    let worker = cluster.start_worker();
    let run = cluster.begin_run();
    crate::support::running::wait_for("the worker declines", || {
        cluster.messages(worker).contains("Reader: needs the files /etc").then_some(())
    });
    cluster.start_worker_with(|command| {
        command.arg("--trust-hill");
    });
    cluster.expect_same(run);
}
