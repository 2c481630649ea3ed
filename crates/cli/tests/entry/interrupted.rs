//! What becomes of entries when a run is interrupted.

use super::*;
use crate::support::running::wait_for;

/// A bot that takes its time for each move.
fn slow_bot() -> String {
    BEST_BOX_BOT
        .replace("    turn = ", "    time.sleep(0.002)\n    turn = ")
        .replace("json, sys", "json, sys, time")
}

/// A program that a killed server has left plays on: each author reads so once.
#[test]
fn an_entry_says_once_that_it_waits_for_another_run() {
    if !can_isolate() {
        return;
    }
    let (scratch, token) = hill_with_token("400");
    let server = Server::start(&scratch);
    let id = server.upload(&token, "slow.py", slow_bot().as_bytes());
    server.wait_for(id, |entry| entry["state"] == "playing");
    server.shut_down();
    let file = std::fs::File::open(scratch.path("h.db")).expect("the hill is there");
    file.lock().expect("no run is in progress");
    let server = Server::start(&scratch);
    let waits = "another run is in progress on this hill; this entry waits until it ends";
    server.wait_for(id, |entry| entry["report"].to_string().contains(waits));
    // Longer than the pause between two attempts.
    std::thread::sleep(Duration::from_secs(7));
    file.unlock().expect("it is ours");
    let (entry, report) = server.final_entry(id);
    assert_eq!((&entry["state"], &entry["run"]), (&"done".into(), &2.into()), "{report}");
    assert_eq!(report.matches(waits).count(), 1, "{report}");
    assert!(!report.contains("another dicehill") && !report.contains("error:"), "{report}");
    server.shut_down();
}

#[test]
fn a_bot_whose_run_the_host_stops_has_not_failed() {
    if !can_isolate() {
        return;
    }
    let (scratch, token) = hill_with_token("200");
    let eve = scratch.run_ok(&["token", "new", "h.db", "--name", "eve", "--host"]).out;
    let server = Server::start(&scratch);
    let id = server.upload(&token, "slow.py", slow_bot().as_bytes());
    server.wait_for(id, |entry| entry["state"] == "playing");
    let (status, text) = server.act(eve.trim_end(), r#"{"action":"stop"}"#);
    let resume = "to continue it, on the machine of the hill: dicehill resume h.db";
    assert!(status == 200 && text.contains(resume), "{text}");
    let stays = "the bot is on the hill, and plays in the next run";
    let entry = server.wait_until(id, |entry| entry["report"].to_string().contains(stays));
    assert_eq!((&entry["state"], &entry["run"]), (&"done".into(), &2.into()), "{entry:#}");
    let page = || server.request(&format!("GET /hills/h/entries/{id}"), b"").1;
    assert!(
        page().contains("plays in the next run, because its run was interrupted"),
        "{}",
        page()
    );
    let log = scratch.run_ok(&["hill", "log", "h.db"]).out;
    assert!(log.lines().count() == 2 && log.contains("not finished"), "{log}");
    let mut resume = scratch.command(&["resume", "h.db#2"]);
    let resumed = resume.env("PATH", path_with_python()).output().expect("it starts");
    assert!(resumed.status.success(), "{}", String::from_utf8_lossy(&resumed.stderr));
    assert!(page().contains("It is on the hill, and has played in a run."), "{}", page());
    assert_eq!(server.entry(id)["state"], "done");
    server.shut_down();
}

/// Whether the server of this hill has started a run.
fn is_running(scratch: &Scratch) -> bool {
    let hill = scratch.path("h.db").to_string_lossy().into_owned();
    let processes = std::fs::read_dir("/proc").expect("processes").flatten();
    processes.map(|process| process.path().join("cmdline")).any(|path| {
        let words = std::fs::read_to_string(path).unwrap_or_default();
        words.contains(&hill) && words.contains("--queued")
    })
}

/// The host bars a bot while the bots of a run are qualified before it.
#[test]
fn a_run_that_a_bar_keeps_from_beginning_is_played_without_the_barred_bot() {
    if !can_isolate() {
        return;
    }
    let (scratch, token) = hill_with_token("4");
    scratch.run_ok(&["hill", "add", "h.db", "greedy"]);
    let server = Server::start(&scratch);
    // It starts slowly, so that the qualification takes a while.
    let slow = format!("import time\ntime.sleep(1.5)\n{BEST_BOX_BOT}");
    let id = server.upload(&token, "slow.py", slow.as_bytes());
    wait_for("the command that plays", || is_running(&scratch).then_some(()));
    // It begins to listen for the host.
    std::thread::sleep(Duration::from_millis(700));
    scratch.run_ok(&["hill", "bar", "h.db", "greedy"]);
    let (entry, report) = server.final_entry(id);
    assert!(report.contains("the run begins again without it"), "{report}");
    assert_eq!((&entry["state"], &entry["run"]), (&"done".into(), &3.into()), "{report}");
    server.shut_down();
    let again = scratch.run_ok(&["hill", "bar", "h.db", "greedy"]).err;
    assert_eq!(
        again,
        "greedy is already barred from later runs until `dicehill hill add` adds it again\n"
    );
    let actions = scratch.run_ok(&["hill", "actions", "h.db"]).out;
    assert_eq!(actions.matches("bar greedy").count(), 1, "{actions}");
}
