//! What bots say is shown, and no more.

use std::fs;

use super::checks::{cells, harmless, harmless_files, harmless_run, seen};
use super::{CONTROLS, SPEAKER, answers, hill_of_speakers};
use crate::support::Scratch;

#[test]
fn what_bots_say_is_shown_and_no_more() {
    let scratch = Scratch::new();
    let answers = answers();
    hill_of_speakers(&scratch, &answers);
    for format in ["table", "json", "csv", "markdown"] {
        let (log, logs) = (format!("{format}.log"), format!("{format}-logs"));
        let out = ["--format", format, "--out", &log, "--logs", &logs];
        let ran = scratch.run(&[&["run", "hill.toml"], &out[..]].concat());
        assert_eq!(ran.code, 3, "{}", ran.err);
        harmless_run(format, &ran);
        harmless(&log, &scratch.read(&log));
        assert_eq!(harmless_files(&scratch.path(&logs)).len(), answers.len());
        match format {
            "csv" => drop(cells(&ran.out)),
            "markdown" => assert_eq!(seen(&ran.out).links, Vec::<String>::new()),
            _ => {}
        }
    }
}

#[test]
fn what_bots_say_is_reported_and_no_more() {
    let scratch = Scratch::new();
    let answers = answers();
    hill_of_speakers(&scratch, &answers);
    let bots: Vec<_> = (0..answers.len()).map(|index| format!("hill.toml#S{index}")).collect();
    let bots: Vec<_> = bots.iter().map(String::as_str).collect();
    let options = ["check", "yahtzee", "--games", "1", "--report", "report", "--logs", "logs"];
    let ran = scratch.run(&[&options[..], &bots].concat());
    assert_eq!((ran.code, ran.err.as_str()), (3, ""), "{}", ran.out);
    harmless_run("check", &ran);
    harmless_files(&scratch.path("logs"));
    let mut pages = 0;
    for (name, text) in harmless_files(&scratch.path("report")) {
        if name.ends_with(".md") {
            pages += 1;
            assert_eq!(seen(&text).links, Vec::<String>::new(), "{text}");
        } else {
            cells(&text);
        }
    }
    assert_eq!(pages, answers.len());
}

#[test]
fn an_opponent_that_gives_up_says_no_more() {
    let scratch = Scratch::new();
    scratch.write("speaker.py", SPEAKER);
    for text in answers() {
        scratch.write("answer.txt", &text);
        let typed = format!("{}\n1 1\nliar\nquit\n", text.replace('\r', " "));
        let arguments =
            ["play", "liars-dice", "--seed", "s", "--against", "python3 speaker.py answer.txt"];
        let ran = scratch.run_with_input(&arguments, typed.as_bytes());
        assert!(ran.code == 0 && ran.out.contains("gives up"), "{ran:?}");
        harmless_run("play", &ran);
    }
}

#[test]
fn what_java_throws_is_told_and_no_more() {
    let scratch = Scratch::new();
    let text = "\\u001b[2J\\u009b2J\\u202e\\u2028 <img src=x onerror=y> [x](http://evil.example)";
    scratch.write(
        "Thrower.java",
        format!(
            "package mego.yahtzee;
            public class Thrower extends Player {{
                public Thrower(ControllerInterface game) {{ super(game); }}
                static int r\u{e9}\u{65e5}\\u200d = 1;
                static class \u{c4}rger extends RuntimeException {{
                    \u{c4}rger(String text) {{ super(text); }}
                }}
                public TurnChoice turn(int[] dice, int stage) {{
                    throw new \u{c4}rger(\"{text}\");
                }}
            }}"
        ),
    );
    let options = ["--games", "1", "--report", "report", "--logs", "logs"];
    let ran = scratch.run(&[&["check", "yahtzee", "Thrower.java"], &options[..]].concat());
    assert_eq!((ran.code, ran.err.as_str()), (3, ""), "{}", ran.out);
    assert!(ran.out.contains("onerror=y"), "{}", ran.out);
    harmless_run("check", &ran);
    harmless_files(&scratch.path("logs"));
    for (name, text) in harmless_files(&scratch.path("report")) {
        if name.ends_with(".md") {
            assert_eq!(seen(&text).links, Vec::<String>::new());
        }
    }
}

#[test]
fn a_build_that_fails_says_no_more() {
    let scratch = Scratch::new();
    fs::create_dir(scratch.path("Mine")).expect("a folder");
    scratch.write("Mine/text", CONTROLS.concat());
    let bot = "name = \"Mine\"\ncommand = [\"sh\"]\nbuild = [\"sh\", \"-c\", \"cat text; exit 1\"]";
    scratch.write("Mine/bot.toml", bot);
    let ran = scratch.run(&["check", "yahtzee", "./Mine"]);
    assert!(ran.code == 2 && ran.err.contains("status 1"), "{ran:?}");
    harmless_run("build", &ran);
}
