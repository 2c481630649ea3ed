//! Runs of a server's queue that workers play.

use rusqlite::Connection;

use super::{Cluster, SLOW};
use crate::entry::{Server, hill_with_token};
use crate::support::Scratch;
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
    assert_eq!((&shown["workers"], &shown["threads"]), (&1.into(), &1.into()));
    let machine = &shown["machines"][0];
    assert_eq!((&machine["threads"], &machine["failures"]), (&1.into(), &0.into()));
    assert!(machine["program"].as_str().is_some_and(|program| program.starts_with("dicehill ")));
    let played = wait_for("the host sees how fast the worker plays", || {
        let workers = server.account(host.trim_end())["workers"].clone();
        let machine = &workers["machines"][0];
        let plays = machine["rate"].as_f64()? > 0.0 && machine["range"].is_array();
        plays.then(|| workers["seconds_left"].clone())
    });
    assert!(played.is_number(), "{played}");
    let (entry, report) = server.final_entry(entry);
    assert_eq!(entry["state"], "done", "{report}");
    // The names of the machines are the host's.
    assert!(!report.contains("worker"), "{report}");
    assert!(cluster.messages(worker).contains("playing h for "), "{}", cluster.messages(worker));
    wait_for("the host sees no worker", || {
        server.account(host.trim_end())["workers"].is_null().then_some(())
    });
    server.shut_down();
    cluster.scratch.run_ok(&["verify", "h.db"]);
    let played = machines_of_last_run(&cluster.scratch);
    let by_worker = played.iter().find(|(name, _)| name.as_deref() == machine["machine"].as_str());
    assert!(by_worker.is_some_and(|(_, games)| *games > 60), "{played:?}");
}

/// Who played how many games of the last run, by the example in the documentation.
fn machines_of_last_run(scratch: &Scratch) -> Vec<(Option<String>, u64)> {
    let example = include_str!("../../../../protocol/store.md").rsplit("```sql\n").next();
    let query = example.and_then(|text| text.split("```").next()).expect("an example");
    let database = Connection::open(scratch.path("h.db")).expect("a database");
    let mut statement = database.prepare(query).expect("a query");
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).expect("an answer");
    rows.collect::<Result<_, _>>().expect("rows")
}

#[test]
fn a_server_refuses_workers_for_runs_that_cannot_be_divided() {
    let scratch = Scratch::new();
    scratch.write("set.toml", "game = \"yahtzee\"\nmemory = \"set\"\n");
    scratch.run_ok(&["hill", "init", "set.db", "set.toml"]);
    let serve = ["serve", "set.db", "--accept", "--workers", "nats://127.0.0.1:1"];
    scratch.run_refused(&serve, &["--workers", "set.db: memory = \"set\""]);
    scratch.run_refused(&["serve", "set.db", "--workers", "nats://127.0.0.1:1"], &["--accept"]);
}
