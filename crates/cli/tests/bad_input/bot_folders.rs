//! Folders of bots whose `bot.toml` leads out of them.

use std::fs;
use std::os::unix::fs::symlink;

use super::refused;
use crate::support::{CommandOutput, Scratch};

/// A folder `Mine` whose `bot.toml` has these keys, and a file outside of it.
fn with_bot_file(keys: &str) -> Scratch {
    let scratch = Scratch::new();
    fs::create_dir_all(scratch.path("Mine/sub")).expect("the folder can be made");
    scratch.write("secret.py", "secret");
    scratch.write("Mine/bot.py", "import sys\nsys.stdin.read()\n");
    scratch.write("Mine/bot.toml", format!("name = \"Mine\"\n{keys}\n"));
    scratch
}

#[test]
fn bot_files_cannot_lead_out_of_their_folder() {
    let python = "command = [\"python3\", \"bot.py\"]";
    for (keys, message) in [
        (format!("{python}\nread = [\"/etc\"]"), "bot.toml:3: read: only the host's hill file"),
        (format!("{python}\nread = []"), "bot.toml:3: read: only the host's hill file"),
        (format!("{python}\nnetwork = true"), "bot.toml:3: network: only the host's hill file"),
        (format!("{python}\nsecrets = []"), "bot.toml:3: secrets: only the host's hill file"),
        (
            format!("{python}\ndeterministic = true"),
            "bot.toml:3: deterministic: only the host's hill file",
        ),
        (
            format!("{python}\n[limits]\nmove_ms = 1"),
            "bot.toml:3: limits: only the host's hill file",
        ),
        (format!("{python}\ndir = \"..\""), "bot.toml:3: dir = \"..\": leads out"),
        (format!("{python}\ndir = \"/etc\""), "bot.toml:3: dir = \"/etc\": leads out"),
        (format!("{python}\ndir = \"sub/../..\""), "bot.toml:3: dir = \"sub/../..\": leads"),
        (format!("{python}\ndir = \"up\""), "bot.toml:3: dir = \"up\": leads out"),
        (format!("{python}\nbuild = [\"../x\"]"), "bot.toml:3: build = \"../x\": leads out"),
        ("command = [\"../x\"]".to_owned(), "bot.toml:2: command = \"../x\": leads out"),
        ("command = [\"/bin/sh\"]".to_owned(), "bot.toml:2: command = \"/bin/sh\": leads out"),
        (
            "command = [\"python3\", \"../secret.py\"]".to_owned(),
            "bot.toml:2: command = \"../secret.py\": leads out",
        ),
        ("java = \"../X.java\"".to_owned(), "bot.toml:2: java = \"../X.java\": leads out"),
        ("java = \"up\"".to_owned(), "bot.toml:2: java = \"up\": leads out"),
    ] {
        let scratch = with_bot_file(&keys);
        symlink("..", scratch.path("Mine/up")).expect("a link");
        refused(&scratch, &["check", "yahtzee", "./Mine"], &["Mine/", message]);
        refused(&scratch, &["run", "yahtzee", "dummy", "./Mine"], &["Mine/", message]);
    }
    // From inside the folder the result is the same.
    let scratch = with_bot_file("command = [\"python3\", \"bot.py\"]\ndir = \"..\"");
    let mut command = scratch.command(&["check", "yahtzee", "."]);
    let output =
        CommandOutput::from(command.current_dir(scratch.path("Mine")).output().expect("it runs"));
    assert!(output.code == 2 && output.err.contains("leads out"), "{output:?}");
}

#[test]
fn links_cannot_lead_out_of_a_bots_folder() {
    let python = "command = [\"python3\", \"bot.py\"]";
    let why = "is a link that does not lead to a file in the same folder";
    for target in ["../secret.py", "/etc/passwd", "nowhere", "sub"] {
        let scratch = with_bot_file(python);
        symlink(target, scratch.path("Mine/link")).expect("a link");
        refused(&scratch, &["check", "yahtzee", "./Mine"], &["Mine/link: ", why]);
    }
    let scratch = with_bot_file(python);
    symlink("../secret.py", scratch.path("Mine/mine.py")).expect("a link");
    refused(&scratch, &["check", "yahtzee", "Mine/mine.py"], &["Mine/mine.py: ", why]);
    symlink("/etc/passwd", scratch.path("X.java")).expect("a link");
    refused(&scratch, &["check", "yahtzee", "X.java"], &["X.java: ", why]);
    fs::remove_file(scratch.path("Mine/bot.toml")).expect("it is there");
    symlink("../secret.py", scratch.path("Mine/bot.toml")).expect("a link");
    refused(
        &scratch,
        &["check", "yahtzee", "./Mine"],
        &["bot.toml: is a link or not a regular file"],
    );
}
