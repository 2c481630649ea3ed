//! Machines without full isolation: missing guarantees are reported, and the available mechanisms are used.

#![cfg(target_os = "linux")]

use std::fs;
use std::process::{Command, Stdio};

use crate::support::external::{bot, compile_test_program, copy, offender, python, source};
use crate::support::machine::can_isolate;
use crate::support::running::wait_for;
use crate::support::{CommandOutput, Scratch, hill};

/// Before the script runs the command, it forbids further namespaces and drops all capabilities.
const DROP_NAMESPACES: &str = "echo 0 > /proc/sys/user/max_user_namespaces && \
                       exec setpriv --inh-caps=-all --bounding-set=-all \"$@\"";

/// The command where it cannot create namespaces; none if that cannot be arranged here.
fn without_namespaces(scratch: &Scratch, arguments: &[&str]) -> Option<Command> {
    let program = env!("CARGO_BIN_EXE_dicehill");
    let start = ["-Ur", "sh", "-c", DROP_NAMESPACES, "sh", program];
    let mut command = Command::new("unshare");
    command.args(start).args(arguments).current_dir(scratch.path(""));
    command.env("TMPDIR", scratch.path("")).env_remove("NO_COLOR").stdin(Stdio::null());
    let works =
        Command::new("unshare").args(["-Ur", "sh", "-c", DROP_NAMESPACES, "sh", "true"]).output();
    if !works.is_ok_and(|output| output.status.success()) {
        eprintln!("not run: without `unshare` and `setpriv` nothing can be taken from a machine");
        return None;
    }
    Some(command)
}

/// Runs that command to its end.
fn run_without_namespaces(scratch: &Scratch, arguments: &[&str]) -> Option<CommandOutput> {
    let mut command = without_namespaces(scratch, arguments)?;
    Some(CommandOutput::from(command.output().expect("the command starts")))
}

#[test]
fn the_log_of_a_server_says_why_it_takes_no_bots() {
    if !can_isolate() {
        return;
    }
    let scratch = Scratch::new();
    scratch.write("hill.toml", hill("game = \"yahtzee\"", &["greedy"]));
    scratch.run_ok(&["hill", "init", "h.db", "hill.toml"]);
    let arguments = ["serve", "h.db", "--accept", "--listen", "127.0.0.1:0"];
    let Some(mut command) = without_namespaces(&scratch, &arguments) else { return };
    let log = scratch.path("log");
    let mut server =
        command.stderr(fs::File::create(&log).expect("a file")).spawn().expect("it starts");
    let text = || fs::read_to_string(&log).unwrap_or_default();
    let why = "because this machine cannot sandbox them: ";
    wait_for("the reason", || text().contains(why).then_some(()));
    server.kill().expect("it is ours");
    server.wait().expect("it is ours");
    let begins = text().find("the server has started").expect("it has");
    assert!(text().find(why).is_some_and(|found| found > begins), "{}", text());
}

#[test]
fn missing_guarantees_are_reported_and_the_others_hold() {
    if !can_isolate() {
        return;
    }
    let scratch = Scratch::new();
    let plain = fs::read_to_string(source("plain.py")).expect("the source is there");
    let attacks = "import sys\nfor path in ['/etc/passwd', '/proc/loadavg', HIDDEN]:\n    try:\n        \
                 open(path).read()\n        print('got', path, file=sys.stderr)\n    except OSError \
                 as error:\n        print('refused', error, file=sys.stderr)\n";
    let hidden = scratch.path("hidden");
    fs::write(&hidden, "secret").expect("it is ours");
    let attacks = attacks.replace("HIDDEN", &format!("{:?}", hidden.to_string_lossy()));
    scratch.write("player.py", format!("{attacks}{plain}"));
    let [program, option] = python();
    let player = bot("Player", &[program, option, "player.py", "."]);
    scratch.write(
        "hill.toml",
        hill("game = \"yahtzee\"\ngames = 2\nseed = \"s\"\nopen_seed = true", &["greedy"])
            + &player,
    );

    let Some(output) = run_without_namespaces(&scratch, &["run", "hill.toml", "--logs", "logs"])
    else {
        return;
    };
    assert_eq!(output.code, 0, "{output:?}");
    let warnings: Vec<_> =
        output.err.lines().filter(|line| line.starts_with("not guaranteed here: ")).collect();
    let survivors_warning =
        warnings.iter().find(|line| line.contains("nothing that bots start outlives"));
    let line = survivors_warning.expect("the warning is printed");
    assert!(line.contains("(no pid namespace: ") && line.contains("; to get it: "), "{line}");
    let log = scratch.read("logs/Player.log");
    assert!(log.contains("refused") && !log.contains("got "), "{log}");

    let refused = run_without_namespaces(&scratch, &["run", "hill.toml", "--require-isolation"]);
    let refused = refused.expect("it could be arranged before");
    assert_eq!((refused.code, refused.out.as_str()), (2, ""), "{refused:?}");
    assert!(refused.err.contains("cannot guarantee: "), "{}", refused.err);

    let doctor =
        run_without_namespaces(&scratch, &["doctor"]).expect("it could be arranged before");
    assert_eq!(doctor.code, 3, "{doctor:?}");
    assert!(doctor.out.contains("OPEN"), "{}", doctor.out);
}

/// As root without the capability for namespaces, as in containers. What is built of bots is cached below a home that is closed to
/// other users.
#[test]
fn bots_that_are_built_run_as_root_without_its_capabilities() {
    const WITHOUT_NAMESPACES: &str = "echo 0 > /proc/sys/user/max_user_namespaces && exec \"$@\"";
    const DROP: [&str; 3] = ["setpriv", "--inh-caps=-sys_admin", "--bounding-set=-sys_admin"];
    let is_root = rustix::process::geteuid().is_root();
    let works = Command::new(DROP[0]).args(&DROP[1..]).arg("true").output();
    if !can_isolate() || !is_root || !works.is_ok_and(|output| output.status.success()) {
        eprintln!("not run: only root can drop its capabilities, by `setpriv`");
        return;
    }
    let all_users = compile_test_program("all_users.c", "all-users", &[]);
    let shell = [&*all_users, "sh", "-c", WITHOUT_NAMESPACES, "sh"];
    for before in [&[][..], &shell] {
        let scratch = Scratch::new();
        fs::create_dir(scratch.path("player")).expect("it is ours");
        copy(offender(), &scratch.path("player/plain"));
        let player = bot("Player", &["./made", "none"]);
        let build = "dir = \"player\"\nbuild = [\"sh\", \"-c\", \"cp plain made\"]\n";
        let keys = "game = \"yahtzee\"\ngames = 2";
        scratch.write("hill.toml", hill(keys, &["greedy"]) + &player + build);
        fs::create_dir(scratch.path("home")).expect("it is ours");
        let closed = std::os::unix::fs::PermissionsExt::from_mode(0o700);
        fs::set_permissions(scratch.path("home"), closed).expect("it is ours");
        let words = [before, &DROP, &[env!("CARGO_BIN_EXE_dicehill"), "run", "hill.toml"]].concat();
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).current_dir(scratch.path(""));
        command.env("HOME", scratch.path("home")).env_remove("XDG_CACHE_HOME");
        let output = CommandOutput::from(command.stdin(Stdio::null()).output().expect("it starts"));
        assert_eq!(output.code, 0, "{before:?}: {output:?}");
        assert!(!output.out.contains("barred"), "{before:?}: {output:?}");
    }
}

/// As in a chroot or a container without `/sys/fs/cgroup`: the supervisor then reads processor times from `/proc`.
#[test]
fn bots_play_where_no_control_groups_are_mounted() {
    const HIDE_GROUPS: &str = "mount -t tmpfs none /sys/fs/cgroup && exec \"$@\"";
    let start = ["--mount", "sh", "-c", HIDE_GROUPS, "sh"];
    let works = Command::new("unshare").args(start).arg("true").output();
    if !can_isolate() || !works.is_ok_and(|output| output.status.success()) {
        eprintln!("not run: only root can hide the control groups of a machine");
        return;
    }
    let scratch = Scratch::new();
    let [program, option] = python();
    let player = bot("Player", &[program, option, "player.py", "."]);
    scratch.write("player.py", fs::read_to_string(source("plain.py")).expect("it is there"));
    scratch.write("hill.toml", hill("game = \"yahtzee\"\ngames = 2", &["greedy"]) + &player);
    let mut command = Command::new("unshare");
    command.args(start).arg(env!("CARGO_BIN_EXE_dicehill")).args(["run", "hill.toml"]);
    command.current_dir(scratch.path("")).env("TMPDIR", scratch.path(""));
    let output = CommandOutput::from(command.stdin(Stdio::null()).output().expect("it starts"));
    assert_eq!(output.code, 0, "{output:?}");
    assert!(!output.out.contains("barred"), "{output:?}");
}

/// Such a kernel does not report some facts about the system to processes whose user has changed, which the supervisor of
/// an arena that is root must therefore ask for before.
#[test]
fn bots_play_on_kernels_before_linux_6_4() {
    if !can_isolate() {
        return;
    }
    let scratch = Scratch::new();
    let [program, option] = python();
    let player = bot("Player", &[program, option, "player.py", "."]);
    scratch.write("player.py", fs::read_to_string(source("plain.py")).expect("it is there"));
    scratch.write("hill.toml", hill("game = \"yahtzee\"\ngames = 2", &["greedy"]) + &player);
    let mut command = Command::new(compile_test_program("older_kernel.c", "older-kernel", &[]));
    command.arg(env!("CARGO_BIN_EXE_dicehill")).args(["run", "hill.toml"]);
    command.current_dir(scratch.path("")).env("TMPDIR", scratch.path(""));
    let output = CommandOutput::from(command.stdin(Stdio::null()).output().expect("it starts"));
    assert_eq!(output.code, 0, "{output:?}");
    assert!(!output.out.contains("barred"), "{output:?}");
}
