//! Hills and logs on full disks and read-only media.

#![cfg(target_os = "linux")]

use crate::support::store::stored_games;
use crate::support::user::{User, make_accessible};
use crate::support::{CommandOutput, Scratch};

/// Runs a script in a mount namespace of its own. Returns none, with a message, where that is not possible.
fn with_mounts(scratch: &Scratch, script: &str) -> Option<CommandOutput> {
    let script =
        format!("set -e; mkdir small; mount -t tmpfs -o size=2m tmpfs small; cd small\n{script}");
    let output = std::process::Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", &script, "sh"])
        .arg(env!("CARGO_BIN_EXE_dicehill"))
        .current_dir(scratch.path(""))
        .output()
        .expect("there is unshare");
    let output = CommandOutput::from(output);
    if output.code != 0 {
        eprintln!("not run: no file system can be mounted here: {}", output.err);
        return None;
    }
    Some(output)
}

#[test]
fn a_read_only_hill_can_be_shown() {
    let scratch = Scratch::new();
    let script = r#"
        "$1" hill init h.db yahtzee --games 20 --seed s
        "$1" hill add h.db greedy dummy > first
        mount -o remount,ro,size=2m tmpfs .
        "$1" hill show h.db
        "$1" replay h.db#1 7 > /dev/null
        "$1" hill add h.db aces-and-eights || echo "code $?""#;
    let Some(output) = with_mounts(&scratch, script) else { return };
    assert!(output.out.contains("greedy") && output.out.ends_with("code 2\n"), "{}", output.out);
    assert!(
        output.err.contains("h.db: cannot be written: the file or its folder"),
        "{}",
        output.err
    );
}

/// The latest games of a killed run are in the write-ahead log alone, and SQLite cannot create its shared memory there.
#[test]
fn a_write_ahead_log_on_a_read_only_medium_is_read() {
    let scratch = Scratch::new();
    let script = r#"
        mkdir played copy
        mount -t tmpfs -o size=64m tmpfs played
        "$1" hill init played/h.db yahtzee --games 100000000 --seed s
        "$1" hill add played/h.db dummy random --no-luck 2> /dev/null &
        run=$!
        until [ "$(stat -c %s played/h.db-wal 2> /dev/null || echo 0)" -gt 200000 ]; do sleep 0.02; done
        kill -9 $run
        wait $run || true
        mount -t tmpfs -o size=64m tmpfs copy
        cp played/h.db played/h.db-wal copy
        mount -o remount,ro,size=64m tmpfs copy
        "$1" hill log copy/h.db
        "$1" replay copy/h.db#1 1 > /dev/null
        "$1" hill log played/h.db
        ls copy played"#;
    let Some(output) = with_mounts(&scratch, script) else { return };
    let lines: Vec<_> = output.out.lines().collect();
    assert!(lines[0].contains("not finished") && !lines[0].contains(" 0 games"), "{lines:?}");
    assert_eq!(lines[0], lines[1], "as many games as in the original");
    let files = ["copy:", "h.db", "h.db-wal", "", "played:", "h.db"];
    assert_eq!(lines[2..], files, "readers leave no files of their own: {}", output.err);
}

/// SQLite says that it cannot open the hill, which this user may read.
#[test]
fn a_write_ahead_log_that_another_user_may_not_read_is_named() {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt;

    if !User::Current.is_root() {
        eprintln!("not run as another user: only root can become one");
        return;
    }
    let scratch = Scratch::new();
    make_accessible(&scratch);
    scratch.run_ok(&["hill", "init", "h.db", "yahtzee", "--games", "20"]);
    scratch.run_ok(&["hill", "add", "h.db", "greedy", "dummy"]);
    scratch.write("h.db-wal", "a log");
    for (file, mode) in [("h.db", 0o644), ("h.db-wal", 0o600)] {
        set_permissions(scratch.path(file), Permissions::from_mode(mode)).expect("it is ours");
    }
    let mut command = std::process::Command::new(scratch.path("dicehill"));
    command.args(["hill", "list", "h.db"]).current_dir(scratch.path(""));
    User::Unprivileged.apply_to(&mut command);
    let output = CommandOutput::from(command.output().expect("the command starts"));
    assert_eq!((output.code, output.out.as_str()), (2, ""), "{}", output.err);
    assert!(output.err.contains("h.db-wal: Permission denied"), "{}", output.err);
}

#[test]
fn a_full_disk_leaves_no_partial_hill() {
    let scratch = Scratch::new();
    let script = r#"
        mkdir tiny
        for size in 16k 64k 160k 320k; do
            mount -t tmpfs -o size=$size tmpfs tiny
            "$1" hill init tiny/h.db yahtzee || ls -A tiny
            umount tiny
        done
        "$1" hill init h.db yahtzee
        "$1" hill list h.db"#;
    let Some(output) = with_mounts(&scratch, script) else { return };
    assert_eq!(output.out, "", "nothing is left: {}", output.err);
    assert!(output.err.contains("tiny/h.db: the disk is full"), "{}", output.err);
}

#[test]
fn a_full_disk_loses_nothing_that_was_stored() {
    let scratch = Scratch::new();
    let games = ["--games", "60000", "--seed", "s", "--no-luck"];
    let bots = ["greedy", "dummy"];
    let original = [&["run", "yahtzee"], &bots[..], &games, &["--format", "json"]].concat();
    let original = scratch.run_ok(&original).out;
    // The disk holds several times what is stored at once, and a part of the run.
    let script = r#"
        mkdir larger
        mount -t tmpfs -o size=6m tmpfs larger
        cd larger
        "$1" hill init h.db yahtzee --games 60000 --seed s --name yahtzee
        "$1" hill add h.db greedy dummy --no-luck || echo "code $?"
        cp h.db* ../.."#;
    let Some(output) = with_mounts(&scratch, script) else { return };
    assert_eq!(output.out, "code 1\n", "{}", output.err);
    assert!(output.err.contains("h.db: the disk is full"), "{}", output.err);
    assert!(
        output.err.contains("progress is saved; to continue: dicehill resume"),
        "{}",
        output.err
    );
    assert!(!stored_games(&scratch.path("h.db"), 1).is_empty(), "much was stored");
    let output = scratch.run_ok(&["resume", "h.db#1", "--format", "json"]);
    assert_eq!(output.out, original);
}

/// There is nothing to resume where not even the header could be stored.
#[test]
fn a_run_of_which_nothing_is_stored_is_not_to_be_resumed() {
    let scratch = Scratch::new();
    let script = r#"
        mkdir tiny
        mount -t tmpfs -o size=4k tmpfs tiny
        echo full > tiny/other
        "$1" run yahtzee dummy random --games 20 --seed s --out tiny/log || echo "code $?""#;
    let Some(output) = with_mounts(&scratch, script) else { return };
    assert_eq!(output.out, "code 1\n", "{}", output.err);
    assert!(output.err.contains("no part of the run is stored"), "{}", output.err);
    assert!(!output.err.contains("to continue"), "{}", output.err);
}
