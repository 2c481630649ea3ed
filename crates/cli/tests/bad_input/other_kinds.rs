//! Files of one kind in place of another.

use std::fs;

use super::{refused, with_keys};
use crate::support::Scratch;

#[test]
fn a_file_of_another_kind_is_recognised() {
    let scratch = Scratch::new();
    scratch.write("spring.toml", with_keys(""));
    scratch.run_ok(&["run", "spring.toml", "--games", "2", "--seed", "s", "--out", "spring.jsonl"]);
    scratch.run_ok(&["hill", "init", "spring.db", "spring.toml"]);
    scratch.write("Mine.py", "print()\n");
    let hill = "spring.db: not a hill file; this is a hill: `dicehill hill show spring.db`";
    let log = "this is a run log: `dicehill open spring.jsonl` shows it";
    let file = "this is a hill file: `dicehill run spring.toml` plays it";
    refused(&scratch, &["run", "spring.db"], &[hill]);
    refused(
        &scratch,
        &["hill", "add", "spring.db", "spring.jsonl"],
        &[&format!("not a bot; {log}")],
    );
    fs::create_dir(scratch.path("Mine")).expect("a folder");
    scratch.write("Mine/bot.toml", "name = \"Mine\"\ncommand = [\"true\"]\n");
    let folder = "is a file: name a folder";
    refused(&scratch, &["export", "spring.jsonl", "--html", "spring.toml"], &[folder]);
    refused(&scratch, &["run", "yahtzee", "--logs", "spring.toml"], &[folder]);
    refused(&scratch, &["hill", "show", "Mine"], &["Mine: is a folder, not a file"]);
    refused(&scratch, &["serve", "--listen", "8017"], &["such as 127.0.0.1:8017"]);
    let manifest = "Mine/bot.toml: not a hill file; it describes a bot, which is named by its folder: `dicehill check Mine`";
    refused(&scratch, &["run", "Mine/bot.toml", "greedy"], &[manifest]);
    for command in [&["run", "Mine/bot.toml"][..], &["hill", "add", "spring.db", "Mine/bot.toml"]] {
        refused(&scratch, command, &[manifest]);
    }
    for (path, what) in [
        (
            "Mine/bot.toml",
            "Mine/bot.toml:1: is no position: `dicehill analyze RUN --bot BOT --save-positions FILE`",
        ),
        (
            "spring.db",
            "spring.db: holds runs: `dicehill analyze spring.db --bot BOT --save-positions FILE`",
        ),
    ] {
        refused(&scratch, &["check", "dummy", "--positions", path], &[what]);
    }
    refused(&scratch, &["run", "spring.jsonl"], &[log]);
    refused(
        &scratch,
        &["run", "yahtzee", "./spring.jsonl", "greedy"],
        &["./spring.jsonl: not a bot; this is a run log: "],
    );
    refused(
        &scratch,
        &["run", "yahtzee", "./spring.db", "greedy"],
        &["./spring.db: not a bot; this is a hill: "],
    );
    scratch.write("packed.gz", [0x1f, 0x8b, 8, 0, 0, 0, 0, 0]);
    for command in
        [&["analyze", "packed.gz"][..], &["replay", "packed.gz", "1"], &["resume", "packed.gz"]]
    {
        refused(
            &scratch,
            command,
            &["packed.gz:1: not a run log of dicehill; this is an archive: unpack it"],
        );
    }
    scratch.write("Mine.zip", "PK\u{3}\u{4}");
    let mut tar = vec![0; 512];
    tar[257..262].copy_from_slice(b"ustar");
    scratch.write("Mine.tar", tar);
    for archive in ["./Mine.zip", "Mine.tar"] {
        let unpack = format!("{archive}: is an archive: unpack it");
        refused(&scratch, &["check", "yahtzee", archive], &[&unpack]);
        refused(&scratch, &["replay", archive, "1"], &["this is an archive: unpack it first"]);
    }
    refused(&scratch, &["check", "/dev/null"], &["/dev/null: not a bot: neither a file nor"]);
    scratch.run_ok(&["run", "spring.toml", "--plan", "plan.json"]);
    let part = ["run", "--plan", "plan.json", "--shard", "1/1", "--out", "part"];
    scratch.run_ok(&part);
    let plan = "this is the plan of a run: `dicehill run --plan plan.json --shard 1/2";
    refused(&scratch, &["analyze", "plan.json"], &[plan]);
    refused(&scratch, &["run", "plan.json"], &[plan]);
    refused(
        &scratch,
        &["merge", "part", "plan.json"],
        &["part: not the plan of a run; this is a part"],
    );
    refused(
        &scratch,
        &["replay", "part", "1"],
        &["this is a part of a run: `dicehill merge PLAN part"],
    );
    let hill = "spring.db:1: not the part of a run; this is a hill: ";
    refused(&scratch, &["merge", "plan.json", "spring.db"], &[hill]);
    let plans = "not the plan of a run; `dicehill run HILL.toml --plan PLAN` writes plans";
    refused(&scratch, &["merge", "Mine.py", "spring.jsonl"], &[plans]);
    let packed = "this is an archive: unpack it first";
    for command in [
        &["merge", "packed.gz", "part"][..],
        &["merge", "plan.json", "packed.gz"],
        &["run", "packed.gz"],
        &["check", "dummy", "--positions", "packed.gz"],
        &["hill", "show", "packed.gz"],
    ] {
        refused(&scratch, command, &[packed]);
    }
    refused(&scratch, &["merge", "plan.json", "Mine.py"], &["Mine.py:1: not the part of a run\n"]);
    let not_a_log =
        "spring.db:1: not a run log of dicehill; this is a hill: `dicehill hill show spring.db`";
    refused(&scratch, &["hill", "import", "spring.db", "spring.db"], &[not_a_log]);
    refused(&scratch, &["merge", "spring.jsonl", "spring.jsonl"], &["not the plan of a run", log]);
    refused(
        &scratch,
        &["merge", "spring.db", "spring.jsonl"],
        &["not the plan of a run", "this is a hill: "],
    );
    scratch.write("mistakes.jsonl", "{\"schema\":\"dicehill.position/1\",\"game\":\"yahtzee\"}\n");
    let positions = "this is a file of positions: `dicehill check BOT --positions mistakes.jsonl`";
    for command in [
        &["run", "mistakes.jsonl"][..],
        &["replay", "mistakes.jsonl", "1"],
        &["hill", "import", "spring.db", "mistakes.jsonl"],
    ] {
        refused(&scratch, command, &[positions]);
    }
    refused(&scratch, &["hill", "show", "spring.jsonl"], &["not an SQLite database", log]);
    refused(&scratch, &["hill", "show", "spring.toml"], &["not an SQLite database", file]);
    refused(&scratch, &["replay", "spring.toml", "1"], &["not a run log of dicehill", file]);
    // What messages suggest can be pasted into a shell.
    scratch.write("my hill.toml", with_keys(""));
    refused(
        &scratch,
        &["replay", "my hill.toml", "1"],
        &["`dicehill run 'my hill.toml'` plays it"],
    );
    scratch.write("prog", "#!/bin/sh\n");
    refused(
        &scratch,
        &["run", "prog", "greedy"],
        &["prog: not a hill file; to use it as a bot, write ./prog\n"],
    );
    // Names without an extension, and arguments in the wrong order.
    refused(&scratch, &["hill", "show", "spring"], &["did you mean \"spring.db\" or "]);
    refused(&scratch, &["run", "spring"], &["\"spring.jsonl\" or \"spring.toml\"?"]);
    let order = "yahtzee: the hill's file comes first: dicehill hill init new.db yahtzee";
    refused(&scratch, &["hill", "init", "yahtzee", "new.db"], &[order]);
    refused(&scratch, &["hill", "init", "new.toml", "yahtzee"], &["name should end with .db"]);
    refused(
        &scratch,
        &["hill", "init", "none/new.db", "yahtzee"],
        &["none/new.db: there is no folder \"none\": create it, or write elsewhere\n"],
    );
    refused(
        &scratch,
        &["run", "yahtzee", "--games", "2", "--out", "none/run.jsonl"],
        &["none/run.jsonl: there is no folder \"none\""],
    );
    refused(&scratch, &["replay", "17", "spring.jsonl"], &["the run comes before it"]);
    refused(&scratch, &["replay", "spring.jsonl", "0"], &["games of a run are numbered from 1"]);
    refused(&scratch, &["token", "revoke", "spring.db", "Ada"], &["`dicehill token list` prints"]);
}
