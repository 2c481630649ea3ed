//! The output of bots is shown as inert text.

use std::fs;

use super::checks::{
    cells, expect_harmless, expect_harmless_output, read_harmless_files, read_markdown,
};
use super::{CONTROLS, ECHO_BOT, answers, hill_of_echo_bots};
use crate::support::Scratch;

#[test]
fn answers_of_bots_are_shown_as_inert_text() {
    let scratch = Scratch::new();
    let answers = answers();
    hill_of_echo_bots(&scratch, &answers);
    for format in ["table", "json", "csv", "markdown"] {
        let (log, logs) = (format!("{format}.log"), format!("{format}-logs"));
        let out = ["--format", format, "--out", &log, "--logs", &logs];
        let output = scratch.run(&[&["run", "hill.toml"], &out[..]].concat());
        assert_eq!(output.code, 3, "{}", output.err);
        expect_harmless_output(format, &output);
        expect_harmless(&log, &scratch.read(&log));
        assert_eq!(read_harmless_files(&scratch.path(&logs)).len(), answers.len());
        match format {
            "csv" => drop(cells(&output.out)),
            "markdown" => assert_eq!(read_markdown(&output.out).links, Vec::<String>::new()),
            _ => {}
        }
    }
}

#[test]
fn answers_of_bots_are_inert_in_reports() {
    let scratch = Scratch::new();
    let answers = answers();
    hill_of_echo_bots(&scratch, &answers);
    let bots: Vec<_> = (0..answers.len()).map(|index| format!("hill.toml#S{index}")).collect();
    let bots: Vec<_> = bots.iter().map(String::as_str).collect();
    let options = ["check", "yahtzee", "--games", "1", "--seed", "s", "--report", "report"];
    let options = [&options[..], &["--logs", "logs"]].concat();
    let output = scratch.run(&[&options[..], &bots].concat());
    assert_eq!((output.code, output.err.as_str()), (3, ""), "{}", output.out);
    expect_harmless_output("check", &output);
    read_harmless_files(&scratch.path("logs"));
    let mut pages = 0;
    for (name, text) in read_harmless_files(&scratch.path("report")) {
        if name.ends_with(".md") {
            pages += 1;
            assert_eq!(read_markdown(&text).links, Vec::<String>::new(), "{text}");
        } else {
            cells(&text);
        }
    }
    assert_eq!(pages, answers.len());
}

#[test]
fn answers_of_an_opponent_are_inert_at_the_terminal() {
    let scratch = Scratch::new();
    scratch.write("speaker.py", ECHO_BOT);
    for text in answers() {
        scratch.write("answer.txt", &text);
        let typed = format!("{}\n1 1\nliar\nquit\n", text.replace('\r', " "));
        let arguments =
            ["play", "liars-dice", "--seed", "s", "--against", "python3 speaker.py answer.txt"];
        let output = scratch.run_with_input(&arguments, typed.as_bytes());
        assert!(output.code == 0 && output.out.contains("gives up"), "{output:?}");
        expect_harmless_output("play", &output);
    }
}

#[test]
fn java_exceptions_are_inert() {
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
    let options = ["--games", "1", "--seed", "s", "--report", "report", "--logs", "logs"];
    let output = scratch.run(&[&["check", "yahtzee", "Thrower.java"], &options[..]].concat());
    assert_eq!((output.code, output.err.as_str()), (3, ""), "{}", output.out);
    assert!(output.out.contains("onerror=y"), "{}", output.out);
    expect_harmless_output("check", &output);
    read_harmless_files(&scratch.path("logs"));
    for (name, text) in read_harmless_files(&scratch.path("report")) {
        if name.ends_with(".md") {
            assert_eq!(read_markdown(&text).links, Vec::<String>::new());
        }
    }
}

#[test]
fn output_of_a_failed_build_is_inert() {
    let scratch = Scratch::new();
    fs::create_dir(scratch.path("Mine")).expect("a folder");
    scratch.write("Mine/text", CONTROLS.concat());
    let bot = "name = \"Mine\"\ncommand = [\"sh\"]\nbuild = [\"sh\", \"-c\", \"cat text; exit 1\"]";
    scratch.write("Mine/bot.toml", bot);
    let output = scratch.run(&["check", "yahtzee", "./Mine"]);
    assert!(output.code == 2 && output.err.contains("status 1"), "{output:?}");
    expect_harmless_output("build", &output);
}
