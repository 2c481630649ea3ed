//! Runs of a server's queue that workers play.

use super::{Cluster, SLOW};
use crate::entry::{Server, hill_with_token};
use crate::support::machine::can_isolate;
use crate::support::running::wait_for;

#[test]
fn workers_play_the_runs_of_a_server() {
    if !can_isolate() {
        return;
    }
    let (scratch, token) = hill_with_token("120");
    let host = scratch.run_ok(&["token", "new", "h.db", "--name", "eve", "--host"]).out;
    let mut cluster = Cluster::around(scratch);
    let worker = cluster.start_worker();
    let server = Server::start_with(&cluster.scratch, &["--workers", &cluster.address()], &[]);
    let entry = server.upload(&token, "slow.py", SLOW.as_bytes());
    let shown = wait_for("the host sees a worker", || {
        let workers = server.account(host.trim_end())["workers"].clone();
        (!workers.is_null()).then_some(workers)
    });
    assert_eq!(shown, serde_json::json!({ "workers": 1, "threads": 1 }));
    let (entry, report) = server.final_entry(entry);
    assert_eq!(entry["state"], "done", "{report}");
    // The names of the machines are the host's.
    assert!(!report.contains("worker"), "{report}");
    assert!(cluster.messages(worker).contains("playing h for "), "{}", cluster.messages(worker));
    assert!(server.account(host.trim_end())["workers"].is_null());
    server.shut_down();
    cluster.scratch.run_ok(&["verify", "h.db"]);
}

#[test]
fn a_server_refuses_workers_for_runs_that_cannot_be_divided() {
    let scratch = crate::support::Scratch::new();
    scratch.write("set.toml", "game = \"yahtzee\"\nmemory = \"set\"\n");
    scratch.run_ok(&["hill", "init", "set.db", "set.toml"]);
    let serve = ["serve", "set.db", "--accept", "--workers", "nats://127.0.0.1:1"];
    scratch.run_refused(&serve, &["--workers", "set.db: memory = \"set\""]);
    scratch.run_refused(&["serve", "set.db", "--workers", "nats://127.0.0.1:1"], &["--accept"]);
}
