//! Hill files, names of files and command lines.

use std::fs;

use super::checks::{harmless, harmless_files, harmless_run};
use super::{CONTROLS, SPEAKER, toml};
use crate::support::Scratch;

#[test]
fn hill_files_that_are_refused_show_no_more() {
    let scratch = Scratch::new();
    let good = "name = \"N\"\ngame = \"yahtzee\"\nrules = \"official\"\nformat = \"challenge\"\n\
                memory = \"game\"\n[[bot]]\nname = \"A\"\nhouse = \"dummy\"\nauthor = \"B\"\n\
                url = \"https://x.org/\"\n[[bot]]\nname = \"C\"\ncommand = [\"none\"]\n";
    for text in CONTROLS {
        let quoted = toml(text);
        for from in [
            "\"N\"",
            "\"yahtzee\"",
            "\"official\"",
            "\"challenge\"",
            "\"game\"",
            "\"A\"",
            "\"dummy\"",
            "\"B\"",
            "\"https://x.org/\"",
            "\"none\"",
            "author",
        ] {
            scratch.write("hill.toml", good.replacen(from, &quoted, 1));
            let ran = scratch.run(&["run", "hill.toml", "--games", "1"]);
            assert_eq!(ran.code, 2, "{from}, {text:?}: {ran:?}");
            harmless_run(from, &ran);
        }
        // As it is, which TOML allows for some.
        scratch.write("hill.toml", good.replacen("\"N\"", &format!("\"{text}\" x"), 1));
        let ran = scratch.run(&["run", "hill.toml"]);
        assert_eq!(ran.code, 2, "{ran:?}");
        harmless_run("no TOML", &ran);
    }
}

#[test]
fn names_of_files_show_no_more() {
    let scratch = Scratch::new();
    let hill = "game = \"yahtzee\"\ngames = 1\nseed = \"s\"\n[[bot]]\nname = \"A\"\nhouse = \"dummy\"\n\
                [[bot]]\nname = \"B\"\nhouse = \"random\"\n";
    for text in CONTROLS {
        let file = |end: &str| format!("{text}{end}");
        scratch.write(&file(".toml"), hill);
        let log = file(".log");
        let ran = scratch.run(&["run", &file(".toml"), "--format", "json", "--out", &log]);
        assert_eq!(ran.code, 0, "{text:?}: {}", ran.err);
        harmless_run("run", &ran);
        harmless("log", &scratch.read(&log));
        scratch.write(&file(".py"), "");
        scratch.write(&file("bad.toml"), "x");
        fs::create_dir(scratch.path(&file(".bot"))).expect("a folder");
        for arguments in [
            &["run", &file("bad.toml")][..],
            &["run", &file("none.toml")],
            &["run", text],
            &["run", &file(".toml"), "--out", &log],
            &["replay", &file(".toml")],
            &["replay", &log, "9"],
            &["replay", &log, "--input", text],
            &["check", "yahtzee", &file(".py")],
            &["check", "yahtzee", &file("none.py")],
            &["check", "yahtzee", &file("none.jar")],
            &["check", "yahtzee", &file(".bot")],
            &["check", "yahtzee", &file(".toml#Z")],
            &["check", "yahtzee", "dummy", "--rules", text],
            &["check", "yahtzee", "dummy", "--report", &log],
            &["check", "yahtzee", "dummy", "--logs", &log],
            &["play", "yahtzee", "--against", text],
        ] {
            let ran = scratch.run(arguments);
            assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.err);
            harmless_run(&format!("{arguments:?}"), &ran);
        }
    }
}

#[test]
fn what_the_command_line_says_is_repeated_and_no_more() {
    for arguments in [
        &["run", "--ga\u{1b}[31mmes"][..],
        &["run", "--format", "\u{1b}]0;title\u{7}"],
        &["run", "--games", "1\u{9b}2J"],
        &["\u{202e}nur"],
    ] {
        let ran = Scratch::new().run(arguments);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{ran:?}");
        assert!(ran.err.contains("\\u{"), "{ran:?}");
        harmless("an error", &ran.err);
    }
}

#[test]
fn pages_and_logs_are_never_written_through_links() {
    use std::os::unix::fs::symlink;

    let scratch = Scratch::new();
    scratch.write("theirs", "theirs");
    for folder in ["report", "logs"] {
        fs::create_dir(scratch.path(folder)).expect("a folder");
    }
    scratch.write("bot.py", SPEAKER);
    for link in ["report/bot.md", "report/check.csv", "logs/bot.log"] {
        symlink(scratch.path("theirs"), scratch.path(link)).expect("a link");
    }
    let options = ["--games", "1", "--report", "report", "--logs", "logs"];
    let ran = scratch.run(&[&["check", "yahtzee", "python3 bot.py theirs"], &options[..]].concat());
    assert_eq!(ran.code, 3, "{ran:?}");
    assert_eq!(scratch.read("theirs"), "theirs");
    for folder in ["report", "logs"] {
        assert!(!harmless_files(&scratch.path(folder)).is_empty());
    }
}
