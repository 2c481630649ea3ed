//! Environments: files of the host that uploaded bots ask for by a name.

use std::fs;

use crate::support::external::path_with_python;
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
        code == Some(2) && err.contains("Mine the files /") && err.contains("--trust-hill"),
        "{err}"
    );
    let (code, err) = run(&scratch, &["hill", "run", "h.db", "--trust-environments"]);
    assert_eq!(code, Some(0), "{err}");
    scratch.run_ok(&["hill", "set", "h.db", "environments=other=/opt/other"]);
    let (code, err) = run(&scratch, &["hill", "run", "h.db", "--trust-environments"]);
    assert_eq!(code, Some(2), "only what the hill names now: {err}");
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
    scratch.write("bad.toml", "game = \"yahtzee\"\n[environment.Science]\nread = [\"/opt\"]\n");
    scratch.run_refused(&["hill", "init", "bad.db", "bad.toml"], &["bad.toml", "lower-case"]);
}
