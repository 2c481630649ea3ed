//! Hill files, file names and command lines.

use std::fs;

use super::checks::{expect_harmless, expect_harmless_output, read_harmless_files};
use super::{CONTROLS, ECHO_BOT, toml_string};
use crate::support::Scratch;

#[test]
fn errors_about_hill_files_are_inert() {
    let scratch = Scratch::new();
    let good = "name = \"N\"\ngame = \"yahtzee\"\nrules = \"official\"\nformat = \"challenge\"\n\
                memory = \"game\"\n[[bot]]\nname = \"A\"\nhouse = \"dummy\"\nauthor = \"B\"\n\
                url = \"https://x.org/\"\n[[bot]]\nname = \"C\"\ncommand = [\"none\"]\n";
    for text in CONTROLS {
        let quoted = toml_string(text);
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
            let output = scratch.run(&["run", "hill.toml", "--games", "1"]);
            assert_eq!(output.code, 2, "{from}, {text:?}: {output:?}");
            expect_harmless_output(from, &output);
        }
        // Unescaped, which TOML allows for some characters.
        scratch.write("hill.toml", good.replacen("\"N\"", &format!("\"{text}\" x"), 1));
        let output = scratch.run(&["run", "hill.toml"]);
        assert_eq!(output.code, 2, "{output:?}");
        expect_harmless_output("no TOML", &output);
    }
}

#[test]
fn file_names_are_inert() {
    let scratch = Scratch::new();
    let hill = "game = \"yahtzee\"\ngames = 1\nseed = \"s\"\nopen_seed = true\n[[bot]]\nname = \"A\"\nhouse = \"dummy\"\n\
                [[bot]]\nname = \"B\"\nhouse = \"random\"\n";
    for text in CONTROLS {
        let file = |end: &str| format!("{text}{end}");
        scratch.write(&file(".toml"), hill);
        let log = file(".log");
        let output = scratch.run(&["run", &file(".toml"), "--format", "json", "--out", &log]);
        assert_eq!(output.code, 0, "{text:?}: {}", output.err);
        expect_harmless_output("run", &output);
        expect_harmless("log", &scratch.read(&log));
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
            let output = scratch.run(arguments);
            assert_eq!(output.code, 2, "{arguments:?}: {}", output.err);
            expect_harmless_output(&format!("{arguments:?}"), &output);
        }
    }
}

#[test]
fn errors_about_the_command_line_are_inert() {
    for arguments in [
        &["run", "--ga\u{1b}[31mmes"][..],
        &["run", "--format", "\u{1b}]0;title\u{7}"],
        &["run", "--games", "1\u{9b}2J"],
        &["\u{202e}nur"],
    ] {
        let output = Scratch::new().run(arguments);
        assert_eq!((output.code, output.out.as_str()), (2, ""), "{output:?}");
        assert!(output.err.contains("\\u{"), "{output:?}");
        expect_harmless("an error", &output.err);
    }
}

#[test]
fn reports_and_logs_are_never_written_through_links() {
    use std::os::unix::fs::symlink;

    let scratch = Scratch::new();
    scratch.write("theirs", "theirs");
    for folder in ["report", "logs"] {
        fs::create_dir(scratch.path(folder)).expect("a folder");
    }
    scratch.write("bot.py", ECHO_BOT);
    for link in ["report/bot.md", "report/check.csv", "logs/bot.log"] {
        symlink(scratch.path("theirs"), scratch.path(link)).expect("a link");
    }
    let options = ["--games", "1", "--report", "report", "--logs", "logs"];
    let output =
        scratch.run(&[&["check", "yahtzee", "python3 bot.py theirs"], &options[..]].concat());
    assert_eq!(output.code, 3, "{output:?}");
    assert_eq!(scratch.read("theirs"), "theirs");
    for folder in ["report", "logs"] {
        assert!(!read_harmless_files(&scratch.path(folder)).is_empty());
    }
}
