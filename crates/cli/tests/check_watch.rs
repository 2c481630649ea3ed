//! `check --watch`: a check and games after each save.

#![cfg(unix)]

use std::io::{BufRead, BufReader};
use std::process::ChildStdout;

use crate::support::Scratch;
use crate::support::running::{Running, send};

/// A bot that fills the box that `choose` names, with many games in one process.
fn source(choose: &str) -> String {
    format!(
        "import json, sys\nprint(json.dumps({{'type': 'ready', 'inflight': 8}}), flush=True)\nfor line in sys.stdin:\n    turn = json.loads(line)\n    if turn['type'] == 'turn':\n        \
         print(json.dumps({{'id': turn['id'], 'category': {choose}}}), flush=True)\n"
    )
}

/// The lines until the command waits for a save.
fn report(out: &mut BufReader<ChildStdout>) -> String {
    let mut text = String::new();
    loop {
        let mut line = String::new();
        assert!(out.read_line(&mut line).expect("output is UTF-8") > 0, "it goes on: {text}");
        if line.starts_with("waiting for a save of mine.py") {
            return text;
        }
        text.push_str(&line);
    }
}

#[test]
fn a_save_is_checked_and_compared_with_the_version_before_it() {
    let scratch = Scratch::new();
    scratch.write("mine.py", source("sorted(turn['legal'])[0]"));
    let watch = ["check", "yahtzee", "mine.py", "--watch", "--against", "dummy", "--seed", "s"];
    let mut running = Running(scratch.command(&watch).spawn().expect("the command starts"));
    let mut out = BufReader::new(running.0.stdout.take().expect("a pipe"));
    let first = report(&mut out);
    assert!(first.starts_with("mine: qualified: 3 games, "), "{first}");
    assert!(first.contains("\n  200 games against dummy: win % "), "{first}");
    assert!(!first.contains("since the last save"), "{first}");
    scratch.write("mine.py", source("'NONE'"));
    let broken = report(&mut out);
    assert!(broken.starts_with("mine: not qualified: illegal-move: "), "{broken}");
    assert!(!broken.contains("200 games"), "{broken}");
    scratch.write("mine.py", source("max(turn['legal'], key=turn['legal'].get)"));
    let better = report(&mut out);
    assert!(better.contains("\n  since the last save: win % +"), "{better}");
    assert!(better.contains("\n  since the last save: loss/game -"), "{better}");
    assert!(better.ends_with("): better\n"), "{better}");
    send("-INT", &running.0);
    assert_eq!(running.0.wait().expect("it ends").code(), Some(130));
}

#[test]
fn one_bot_is_watched() {
    let output = Scratch::new().run(&["check", "yahtzee", "dummy", "greedy", "--watch"]);
    assert_eq!(output.code, 2);
    assert!(output.err.contains("--watch: name one bot"), "{}", output.err);
}
