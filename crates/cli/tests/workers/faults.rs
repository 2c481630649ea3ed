//! Workers and servers that fail in the middle of a run.

use super::external_cluster;
use crate::support::running::{send, wait_for};

#[test]
fn a_killed_worker_and_a_server_that_lost_everything_change_nothing() {
    // More than the workers have taken when the server is replaced.
    let mut cluster = external_cluster(1500);
    for _ in 0..3 {
        cluster.start_worker();
    }
    let run = cluster.begin_run();
    cluster.wait_for_games(40);
    cluster.kill_worker(0);
    cluster.wait_for_games(150);
    cluster.replace_server();
    let reported = cluster.expect_same(run);
    assert!(reported.contains("had lost the games"), "{reported}");
}

#[test]
fn a_worker_that_stands_still_is_replaced_and_may_go_on() {
    let mut cluster = external_cluster(300);
    let frozen = cluster.start_worker();
    cluster.start_worker();
    let run = cluster.begin_run();
    cluster.wait_for_games(40);
    send("-STOP", cluster.worker(frozen));
    cluster.expect_same(run);
    send("-CONT", cluster.worker(frozen));
    cluster.scratch.run_ok(&["verify", "workers.jsonl"]);
}

#[test]
fn a_killed_host_resumes_by_itself_and_with_workers() {
    let mut cluster = external_cluster(150);
    let worker = cluster.start_worker();
    let mut run = cluster.begin_run();
    cluster.wait_for_games(40);
    run.0.kill().and_then(|()| run.0.wait()).expect("it is there");
    let single = ["run", "hill.toml", "--no-luck", "--format", "json", "--out", "single.jsonl"];
    let expected = cluster.scratch.run_ok(&single).out;
    let begun = cluster.scratch.read("workers.jsonl");
    let address = cluster.address();
    for workers in [&[][..], &["--workers", &address]] {
        cluster.scratch.write("workers.jsonl", &begun);
        let resume = ["resume", "workers.jsonl", "hill.toml", "--format", "json"];
        let board = cluster.scratch.run_ok(&[&resume[..], workers].concat()).out;
        assert_eq!(board, expected, "the same board");
        assert!(cluster.scratch.read("workers.jsonl") == cluster.scratch.read("single.jsonl"));
    }
    // It has played for two hosts.
    wait_for("the second run", || {
        (cluster.messages(worker).matches("playing ").count() == 2).then_some(())
    });
}
