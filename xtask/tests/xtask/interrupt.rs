//! Ctrl-C ends `cargo xtask test` and its children.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// A `python3` that runs for a long time and records that Ctrl-C has reached it. A shell cannot catch a signal that was
/// ignored when it started.
fn write_python(folder: &Path) {
    let path = folder.join("python3");
    let text = format!(
        "#!/bin/sh\ncase \"$1\" in --version | -c) exit 0;; esac\n\
         trap 'echo > {0}/caught; exit 1' INT\necho > {0}/begun\n/bin/sleep 600 &\nwait\n",
        folder.display()
    );
    fs::write(&path, text).expect("a file");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("it is ours");
}

/// Starts the command as a shell starts a command with `&`: Ctrl-C is ignored.
fn start(folder: &Path) -> Child {
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", "trap '' INT; exec \"$0\" test protocol --no-install"]);
    shell.arg(env!("CARGO_BIN_EXE_xtask")).env("PATH", folder);
    shell.stdout(Stdio::null()).spawn().expect("there is a shell")
}

#[track_caller]
fn wait_for(what: impl Fn() -> bool) {
    let until = Instant::now() + PATIENCE;
    while !what() {
        assert!(Instant::now() < until, "waited in vain");
        sleep(Duration::from_millis(10));
    }
}

#[test]
fn ctrl_c_reaches_the_children_even_if_it_was_ignored() {
    let folder = tempfile::tempdir().expect("a folder");
    write_python(folder.path());
    let mut child = start(folder.path());
    wait_for(|| folder.path().join("begun").exists());
    kill_process(Pid::from_child(&child), Signal::INT).expect("it runs");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert!(folder.path().join("caught").exists());
}
