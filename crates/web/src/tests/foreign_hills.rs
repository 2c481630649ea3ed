//! Hills of another user, which the server may read and not write.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use dicehill_arena::HillDraft;
use rustix::fs::Uid;

use super::test_hill::{TestHill, yahtzee};
use crate::hills::Hills;

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).expect("it is ours");
}

/// Takes from this thread and those that it starts the right to write to the folder. A user that is not root closes the
/// folder instead.
fn become_reader(folder: &Path) {
    if fs::metadata("/proc/self").expect("there is /proc").uid() == 0 {
        let other = Uid::from_raw(54_321);
        rustix::thread::set_thread_res_uid(other, other, other).expect("we are root");
    } else {
        set_mode(folder, 0o555);
    }
}

/// The path of the hill to which another process adds a run.
const HILL_TO_WRITE: &str = "DICEHILL_TEST_HILL_TO_WRITE";

/// Adds a run from a process of its own: within one process, SQLite would share the reader's access to the file of shared
/// memory with the writer.
fn play_in_another_process(path: &Path) {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.args(["--exact", "tests::foreign_hills::in_the_writing_process", "--nocapture"]);
    let output = command.env(HILL_TO_WRITE, path).stdin(Stdio::null()).output();
    let output = output.expect("it starts");
    assert!(output.status.success(), "{output:?}");
}

/// The process that writes: it does nothing in a usual run of the tests.
#[test]
fn in_the_writing_process() {
    let Some(path) = std::env::var_os(HILL_TO_WRITE) else { return };
    TestHill::add_run(Path::new(&path), HillDraft { games: 8, ..yahtzee("t") });
}

#[test]
fn later_runs_of_a_hill_that_the_server_may_not_write_are_shown() {
    let hill = TestHill::yahtzee(6);
    let folder = hill.path.parent().expect("a folder");
    set_mode(folder, 0o755);
    set_mode(&hill.path, 0o644);
    let open = || {
        become_reader(folder);
        Hills::open(std::slice::from_ref(&hill.path)).expect("a hill that can be read")
    };
    let hills = thread::scope(|scope| scope.spawn(open).join().expect("it is opened"));
    let served = &hills.all()[0];
    assert_eq!(served.latest().hill.history.len(), 1);
    set_mode(folder, 0o755);
    play_in_another_process(&hill.path);
    let until = Instant::now() + Duration::from_secs(120);
    while served.latest().hill.history.len() < 2 || served.latest().hill.history[0].games < 8 {
        assert!(Instant::now() < until, "the second run is not shown");
        thread::sleep(Duration::from_millis(20));
    }
}
