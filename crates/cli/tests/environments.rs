//! Environments: files of the host that uploaded bots ask for by a name.

use std::fs;
use std::process::Command;

use rusqlite::Connection;

use crate::support::external::{path_with_python, python};
use crate::support::machine::can_isolate;
use crate::support::{BEST_BOX_BOT, PATIENT, Scratch};

/// A hill with an environment that has a module for Python, and a bot that imports it.
fn hill_with_environment() -> Scratch {
    let scratch = Scratch::new();
    fs::create_dir(scratch.path("science")).expect("a folder");
    scratch.write("science/luck.py", "NAME = 'luck'\n");
    let place = fs::canonicalize(scratch.path("science")).expect("it is there");
    let place = place.display();
    scratch.write(
        "h.toml",
        format!("game = \"yahtzee\"\ngames = 5\n{PATIENT}\n[environment.science]\nread = [\"{place}\"]\n"),
    );
    scratch.run_ok(&["hill", "init", "h.db", "h.toml"]);
    scratch.run_ok(&["hill", "add", "h.db", "dummy", "--next-run"]);
    fs::create_dir(scratch.path("Mine")).expect("a folder");
    scratch.write(
        "Mine/bot.toml",
        "name = \"Mine\"\ncommand = [\"python3\", \"main.py\"]\nenvironment = \"science\"\n",
    );
    let import = format!("import sys\nsys.path.append({:?})\nimport luck\n", place.to_string());
    scratch.write("Mine/main.py", format!("{import}{BEST_BOX_BOT}"));
    scratch
}

fn run(scratch: &Scratch, words: &[&str]) -> (Option<i32>, String) {
    let output =
        scratch.command(words).env("PATH", path_with_python()).output().expect("it starts");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn a_bot_reads_the_environment_that_it_asks_for() {
    if !can_isolate() {
        return;
    }
    let scratch = hill_with_environment();
    let settings = scratch.run_ok(&["hill", "set", "h.db"]);
    assert!(settings.out.contains("= science=/"), "{}", settings.out);
    let (code, err) = run(&scratch, &["hill", "add", "h.db", "./Mine"]);
    assert_eq!(code, Some(0), "{err}");
    // The files belong to the host of the hill, which a later command may not be.
    let (code, err) = run(&scratch, &["hill", "run", "h.db"]);
    assert!(
        code == Some(2) && err.contains("Mine the files /") && err.contains("add --trust-env"),
        "{err}"
    );
    let (code, err) = run(&scratch, &["hill", "run", "h.db", "--trust-environments"]);
    assert_eq!(code, Some(0), "{err}");
    let verify = ["verify", "h.db", "--trust-environments"];
    let (code, err) = run(&scratch, &verify);
    assert_eq!(code, Some(0), "{err}");
    let again = ["replay", "h.db", "1", "--rerun", "--trust-environments"];
    let (code, err) = run(&scratch, &again);
    assert_eq!(code, Some(0), "{err}");
    // The host's own bot is named; an uploaded bot whose environment has changed keeps no other from playing.
    scratch.run_ok(&["hill", "add", "h.db", "greedy", "--next-run"]);
    let set = scratch.run_ok(&["hill", "set", "h.db", "environments=other=/opt/other"]);
    assert!(set.err.contains("other: /opt/other does not exist on this machine"), "{}", set.err);
    let (code, err) = run(&scratch, &["hill", "run", "h.db", "--trust-environments"]);
    assert!(code == Some(2) && err.contains("Mine the files /"), "{err}");
    let database = Connection::open(scratch.path("h.db")).expect("a database");
    let upload = "INSERT INTO token (id, hash, made) VALUES (1, 'x', 0);
                  INSERT INTO entry (id, token, bot, received, state, report) VALUES (1, 1, 'Mine', 0, 'done', '')";
    database.execute_batch(upload).expect("it is written");
    let (code, err) = run(&scratch, &["hill", "run", "h.db", "--trust-environments"]);
    assert_eq!(code, Some(0), "{err}");
    let line = "Mine is left out of this run: no environment of the hill has the files /";
    assert!(err.contains(line), "{err}");
}

/// The same `bot.toml` runs where the environment is not.
#[test]
fn a_program_of_an_environment_comes_before_that_of_the_system() {
    if !can_isolate() {
        return;
    }
    let scratch = hill_with_environment();
    let [program, _] = python();
    let mut make = Command::new(program);
    make.args(["-m", "venv", "--without-pip"]).arg(scratch.path("science"));
    assert!(make.status().expect("it starts").success());
    let environ = "import sys\nassert sys.prefix.endswith('science'), sys.prefix\nimport luck\n";
    let libraries = fs::read_dir(scratch.path("science/lib")).expect("it is there");
    for python in libraries {
        let packages = python.expect("a folder").path().join("site-packages");
        fs::write(packages.join("luck.py"), "NAME = 'luck'\n").expect("it is ours");
    }
    scratch.write("Mine/main.py", format!("{environ}{BEST_BOX_BOT}"));
    let (code, err) = run(&scratch, &["check", "./Mine", "--games", "2", "--hill", "h.db"]);
    assert_eq!(code, Some(0), "{err}");
    let (code, err) = run(&scratch, &["check", "yahtzee", "./Mine", "--games", "2"]);
    assert!(code == Some(3) && err.contains("here the bot reads what is installed"), "{err}");
    scratch.write(
        "Mine/bot.toml",
        "name = \"Mine\"\ncommand = [\"/opt/science/bin/python3\", \"main.py\"]\nenvironment = \"science\"\n",
    );
    scratch.run_refused(
        &["hill", "add", "h.db", "./Mine"],
        &["name a program of an environment without its folder: \"python3\""],
    );
}

#[test]
fn an_unknown_environment_is_refused() {
    let scratch = hill_with_environment();
    scratch.write(
        "Mine/bot.toml",
        "name = \"Mine\"\ncommand = [\"python3\", \"main.py\"]\nenvironment = \"magic\"\n",
    );
    scratch.run_refused(
        &["hill", "add", "h.db", "./Mine"],
        &["./Mine: the hill has no environment \"magic\"; it has science"],
    );
    scratch.run_refused(&["hill", "set", "h.db", "environments=science=opt"], &["absolute paths"]);
    let around = format!("environments=all={}", scratch.path("").display());
    let refused = ["environment all: ", " has ", "h.db, which its bots could read"];
    scratch.run_refused(&["hill", "set", "h.db", &around], &refused);
    scratch.write("around.toml", "game = \"yahtzee\"\n[environment.all]\nread = [\"/\"]\n");
    scratch
        .run_refused(&["hill", "init", "around.db", "around.toml"], &["environment all: / has "]);
    scratch.write("bad.toml", "game = \"yahtzee\"\n[environment.Science]\nread = [\"/opt\"]\n");
    scratch.run_refused(&["hill", "init", "bad.db", "bad.toml"], &["bad.toml", "lower-case"]);
}
