//! Builds see the host's tools, but not their configuration, which may hold tokens.

#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use crate::support::external::{bot, python, source};
use crate::support::machine::can_isolate;
use crate::support::{CommandOutput, Scratch, hill};

const TOKEN: &str = "secret-token-of-the-host";

/// Puts the token wherever the host's tools keep configuration: that of the user, of a registry with a local copy, and
/// of an installation in the PATH.
fn write_tokens(scratch: &Scratch) {
    let files = [
        "home/.cargo/config.toml",
        "home/.cargo/config",
        "home/.cargo/credentials.toml",
        "home/.cargo/registry/index/private.example-0123/config.json",
        "home/.cargo/registry/src/private.example-0123/own-1.0.0/src/lib.rs",
        "home/.cargo/git/db/own-0123/config",
        "home/.cargo/git/checkouts/own-0123/abc/lib.rs",
        "home/.npmrc",
        "home/.netrc",
        "home/.gitconfig",
        "home/.git-credentials",
        "home/.config/git/config",
        "home/.config/pip/pip.conf",
        "home/.pip/pip.conf",
        "home/.gradle/gradle.properties",
        "home/.gradle/init.gradle",
        "home/.m2/settings.xml",
        "home/.docker/config.json",
        "tools/etc/npmrc",
        "tools/lib/node_modules/npm/npmrc",
        "tools/etc/gitconfig",
        "tools/etc/pip.conf",
        "tools/pip.conf",
        "tools/conf/settings.xml",
        "tools/gradle.properties",
        "tools/init.gradle",
        "tools/versions/3.0/pip.conf",
        "tools/versions/3.0/etc/npmrc",
    ];
    for file in files {
        let path = scratch.path(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("it is ours");
        scratch.write(file, format!("token = {TOKEN}\n"));
    }
    fs::create_dir_all(scratch.path("tools/bin")).expect("it is ours");
    fs::create_dir_all(scratch.path("home/.cargo/registry/index/index.crates.io-0123"))
        .expect("it is ours");
    scratch
        .write("home/.cargo/registry/index/index.crates.io-0123/public", "a copy of crates.io\n");
    scratch.write("tools/bin/a-tool", "#!/bin/sh\necho a tool of the host\n");
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(scratch.path("tools/bin/a-tool"), mode).expect("it is ours");
    fs::set_permissions(scratch.path(""), fs::Permissions::from_mode(0o755)).expect("it is ours");
}

/// A build that prints all readable files with the token, and fails, so that its output is shown. It searches for a
/// pattern, because its own command line is shown too.
fn build(scratch: &Scratch) -> String {
    let (home, tools) = (scratch.path("home"), scratch.path("tools"));
    let (home, tools) = (home.display(), tools.display());
    let script = format!(
        "a-tool; cat $CARGO_HOME/registry/index/*/public $CARGO_HOME/config.toml; \
         grep -R 'secret-[t]oken' {home} {tools} $CARGO_HOME/ $HOME/ 2>/dev/null; \
         env | grep 'secret-[t]oken'; exit 1"
    );
    let [program, option] = python();
    let player = bot("Player", &[program, option, "bot.py", "."]);
    format!("{player}dir = \"player\"\nbuild = [\"sh\", \"-c\", {script:?}]\n")
}

#[test]
fn a_build_sees_no_configuration_of_the_hosts_tools() {
    if !can_isolate() {
        return;
    }
    let scratch = Scratch::new();
    write_tokens(&scratch);
    fs::create_dir(scratch.path("player")).expect("it is ours");
    fs::copy(source("plain.py"), scratch.path("player/bot.py")).expect("it is ours");
    let keys = "game = \"yahtzee\"\ngames = 2";
    scratch.write("hill.toml", hill(keys, &["greedy"]) + &build(&scratch));
    let path = std::env::var("PATH").expect("there is a PATH");
    let mut command = scratch.command(&["check", "yahtzee", "hill.toml#Player"]);
    command.env("HOME", scratch.path("home")).env("CARGO_HOME", scratch.path("home/.cargo"));
    command.env("PATH", format!("{}:{path}", scratch.path("tools/bin").display()));
    for (name, value) in ["NPM_TOKEN", "PIP_INDEX_URL", "CARGO_REGISTRY_TOKEN", "GITHUB_TOKEN"]
        .map(|name| (name, TOKEN))
    {
        command.env(name, value);
    }
    let output = CommandOutput::from(command.output().expect("the command starts"));
    assert_eq!(output.code, 2, "{output:?}");
    // The tools and public data are available.
    for seen in ["a tool of the host", "a copy of crates.io", "offline = true"] {
        assert!(output.err.contains(seen), "{seen}: {output:?}");
    }
    assert!(!output.err.contains(TOKEN) && !output.out.contains(TOKEN), "{output:?}");
}

/// Linkers reserve space, and do without where the file system cannot, but not where the system cannot.
#[test]
fn a_build_learns_that_files_cannot_be_reserved() {
    if !can_isolate() {
        return;
    }
    let scratch = Scratch::new();
    fs::create_dir(scratch.path("player")).expect("it is ours");
    fs::copy(source("plain.py"), scratch.path("player/bot.py")).expect("it is ours");
    let script = "import errno, os\nfile = os.open('reserved', os.O_RDWR | os.O_CREAT)\ntry: os.posix_fallocate(file, 0, \
                  8192)\nexcept OSError as error: assert error.errno == errno.EOPNOTSUPP, error\nelse: assert False";
    let [program, option] = python();
    let player = bot("Player", &[program, option, "bot.py", "."]);
    let build = format!("dir = \"player\"\nbuild = [{program:?}, \"-c\", {script:?}]\n");
    let keys = "game = \"yahtzee\"\ngames = 2";
    scratch.write("hill.toml", hill(keys, &["greedy"]) + &player + &build);
    let output = scratch.run(&["check", "yahtzee", "hill.toml#Player", "--games", "1"]);
    assert_eq!(output.code, 0, "{output:?}");
}

/// Units of systemd and hardened accounts have such masks. The bot is built, so that what it runs was made under one.
#[test]
fn bots_run_whatever_the_mask_of_new_files() {
    if !can_isolate() {
        return;
    }
    for mask in ["027", "077"] {
        let scratch = Scratch::new();
        fs::create_dir(scratch.path("player")).expect("it is ours");
        fs::copy(source("plain.py"), scratch.path("player/bot.py")).expect("it is ours");
        let [program, option] = python();
        let player = bot("Player", &[program, option, "made/here/bot.py", "."]);
        let build = "dir = \"player\"\nbuild = [\"sh\", \"-c\", \"mkdir -p made/here && cp bot.py made/here\"]\n";
        scratch.write(
            "hill.toml",
            hill("game = \"yahtzee\"\ngames = 2", &["greedy"]) + &player + build,
        );
        let script = format!("umask {mask} && exec \"$@\"");
        let check = ["check", "yahtzee", "hill.toml#Player", "--games", "1"];
        // What is built in one way is used in the other.
        for (cache, option) in
            [("a", &[][..]), ("a", &["--no-isolation"]), ("b", &["--no-isolation"]), ("b", &[])]
        {
            let command = scratch.command(&check);
            let mut shell = Command::new("sh");
            shell.args(["-c", &script, "sh"]).arg(command.get_program());
            shell.args(command.get_args()).args(option).current_dir(scratch.path(""));
            let shell = shell.env("XDG_CACHE_HOME", scratch.path(cache));
            let output = CommandOutput::from(shell.output().expect("the shell starts"));
            assert_eq!(output.code, 0, "umask {mask}, {cache}, {option:?}: {output:?}");
        }
    }
}
