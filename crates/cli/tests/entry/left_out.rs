//! Bots that cannot be prepared for a run.

use super::*;
use crate::support::CommandOutput;

/// An archive with a bot whose build runs this script.
fn built(name: &str, build: &str) -> Vec<u8> {
    let manifest = format!(
        "name = \"{name}\"\ncommand = [\"python3\", \"main.py\"]\nbuild = [\"python3\", \"build.py\"]\n"
    );
    let files = [
        archived("bot.toml", manifest.as_bytes()),
        archived("main.py", BEST_BOX_BOT.as_bytes()),
        archived("build.py", build.as_bytes()),
    ];
    [files.concat(), vec![0; 1024]].concat()
}

/// A build that works in the qualification of an upload, but not in the runs of the hill.
const FICKLE: &str =
    "import os, sys\nprint('WORDS-OF-THE-BUILD')\nsys.exit('/cache/dicehill/' in os.getcwd())\n";

#[test]
fn a_build_that_fails_in_runs_stops_none() {
    if !can_isolate() {
        return;
    }
    let (scratch, token) = hill_with_token("6");
    let second = scratch.run_ok(&["token", "new", "h.db", "--name", "second"]).out;
    let server = Server::start(&scratch);
    let fickle = server.upload(&token, "bot.tar", &built("Fickle", FICKLE));
    let steady = server.upload(second.trim_end(), "bot.tar", &built("Steady", ""));
    let (entry, report) = server.final_entry(fickle);
    assert_eq!((&entry["state"], &entry["run"]), (&"done".into(), &Value::Null), "{report}");
    assert!(report.contains("Fickle is left out of this run: it cannot be prepared"), "{report}");
    assert!(report.contains("plays in the next run for which it can be prepared"), "{report}");
    assert!(report.contains("WORDS-OF-THE-BUILD"), "its author reads why: {report}");
    let (entry, report) = server.final_entry(steady);
    assert!(entry["state"] == "done" && entry["run"].is_u64(), "{entry:#}: {report}");
    assert!(!report.contains("WORDS-OF-THE-BUILD"), "{report}");
    server.shut_down();
    // The host sees why, and may play, too.
    let run = |arguments: &[&str], cache: &str| {
        let mut command = scratch.command(arguments);
        command.env("PATH", path_with_python()).env("XDG_CACHE_HOME", scratch.path(cache));
        CommandOutput::from(command.output().expect("the command starts"))
    };
    let output = run(&["hill", "run", "h.db"], "cache");
    assert_eq!(output.code, 0, "{output:?}");
    for part in ["Fickle is left out of this run: python3 build.py failed", "WORDS-OF-THE-BUILD"] {
        assert!(output.err.contains(part), "{output:?}");
    }
    let shown = scratch.run_ok(&["hill", "show", "h.db"]).out;
    assert!(shown.contains("Steady") && !shown.contains("Fickle"), "{shown}");
    // Where its build works, it plays; elsewhere the games of the others can still be played again.
    let output = run(&["hill", "run", "h.db"], "other");
    assert!(output.code == 0 && output.out.contains("Fickle"), "{output:?}");
    let output = run(&["verify", "h.db", "--sample", "6"], "cache");
    assert_eq!(output.code, 0, "{output:?}");
    let skipped = "skipped  bots: Fickle cannot be prepared: python3 build.py failed: status 1\n";
    assert!(output.out.contains(skipped), "{output:?}");
}

/// A house bot that another version of the program had.
#[test]
fn a_house_bot_that_is_gone_stops_none() {
    if !can_isolate() {
        return;
    }
    let (scratch, token) = hill_with_token("6");
    scratch.run_ok(&["hill", "add", "h.db", "greedy", "--next-run"]);
    let database = rusqlite::Connection::open(scratch.path("h.db")).expect("a database");
    let gone = "UPDATE version SET source = replace(source, 'greedy', 'gone') WHERE source LIKE '%greedy%'";
    assert_eq!(database.execute(gone, []).expect("it is written"), 1);
    let output = scratch.run(&["hill", "run", "h.db"]);
    assert_eq!(output.code, 0, "{output:?}");
    let line = "greedy is left out of this run: \"gone\": no such house bot";
    assert!(output.err.contains(line), "{output:?}");
    let server = Server::start(&scratch);
    let id = server.upload(&token, "bot.tar", &built("Steady", ""));
    let (entry, report) = server.final_entry(id);
    assert!(entry["state"] == "done" && entry["run"].is_u64(), "{entry:#}: {report}");
    assert!(report.contains("greedy is left out of this run"), "{report}");
    server.shut_down();
}
