//! What a bot writes of a secret, in whatever form, is in no log, document, page or hill.

#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;

use crate::support::external::{bot, python, source};
use crate::support::{CommandOutput, Scratch, hill};

/// Each part between its special characters would show it.
const KEY: &str = r#"sk-c2Vj/cmV0\a2V5"LTEy="#;
const PARTS: [&str; 4] = ["c2Vj", "cmV0", "a2V5", "LTEy"];

const REPLACEMENT: &str = "[secret LEAKY_TEST_KEY]";

/// The forms of the answers of `leaky.py`.
const FORMS: [&str; 5] = ["gson", "php", "repr", "illegal", "field"];

/// More answers than the qualification of a bot with a network requests, and fewer than a run.
const LEGAL_ANSWERS: &str = "30";

/// The keys of a bot that qualifies in two games.
const KEYS: &str = "secrets = [\"LEAKY_TEST_KEY\"]\nnetwork = true\ndeterministic = false\n";

/// A hill file of a leaky bot for each form, which begins after this number of answers.
fn leaky_bots(legal_answers: &str) -> String {
    let [program, option] = python();
    let leaky = |form| bot(form, &[program, option, "leaky.py", form, legal_answers]) + KEYS;
    let keys = "game = \"yahtzee\"\ngames = 4\nseed = \"s\"";
    hill(keys, &["greedy", "dummy"]) + &FORMS.map(leaky).concat()
}

/// Runs the command, whose output has no part of the key.
#[track_caller]
fn run(scratch: &Scratch, expected: i32, arguments: &[&str]) -> CommandOutput {
    let mut command = scratch.command(arguments);
    let output = command.env("LEAKY_TEST_KEY", KEY).output().expect("the command starts");
    let output = CommandOutput::from(output);
    assert_eq!(output.code, expected, "{arguments:?}: {}{}", output.out, output.err);
    for text in [&output.out, &output.err] {
        expect_no_part(text.as_bytes(), &format!("{arguments:?}"));
    }
    output
}

#[track_caller]
fn expect_no_part(content: &[u8], place: &str) {
    let escaped = |part: &str| -> String {
        part.chars().map(|character| format!("\\u{:04X}", u32::from(character))).collect()
    };
    for part in PARTS.iter().flat_map(|part| [(*part).to_owned(), escaped(part)]) {
        let is_there = content.windows(part.len()).any(|bytes| bytes == part.as_bytes());
        assert!(!is_there, "{part} in {place}: {}", String::from_utf8_lossy(content));
    }
}

/// Expects no part of the key in any file of the folder.
#[track_caller]
fn expect_no_part_below(folder: &Path) {
    for entry in fs::read_dir(folder).expect("the folder is there").map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            expect_no_part_below(&path);
        } else {
            expect_no_part(&fs::read(&path).expect("a file"), &path.display().to_string());
        }
    }
}

#[test]
fn a_secret_is_replaced_in_every_form() {
    let scratch = Scratch::new();
    scratch.write("leaky.py", fs::read(source("leaky.py")).expect("the source is there"));
    scratch.write("barred.toml", leaky_bots("0"));
    scratch.write("hill.toml", leaky_bots(LEGAL_ANSWERS));
    let barred = run(&scratch, 3, &["run", "barred.toml", "--logs", "logs"]);
    run(&scratch, 0, &["hill", "init", "h.db", "hill.toml"]);
    let added = run(&scratch, 3, &["hill", "add", "h.db", "hill.toml", "--jobs", "1"]);
    run(&scratch, 0, &["export", "h.db#1", "--html", "pages"]);
    run(&scratch, 0, &["export", "h.db#1", "--jsonl", "--out", "run.jsonl"]);
    expect_no_part_below(&scratch.path(""));

    for form in FORMS {
        for output in [&barred, &added] {
            let is_replaced = |line: &str| line.starts_with(form) && line.contains(REPLACEMENT);
            let text = output.out.clone() + &output.err;
            assert!(text.lines().any(is_replaced), "{form}: {text}");
        }
        let log = scratch.read(&format!("logs/{form}.log"));
        // Eight forms, each in one write and in one for each character.
        let lines = log.lines().filter(|line| line.contains(REPLACEMENT)).count();
        assert!(lines >= 16 && lines % 16 == 0, "{form}: {log}");
    }
    let record = scratch.read("run.jsonl");
    assert!(record.matches(REPLACEMENT).count() >= FORMS.len(), "{record}");
    assert!(scratch.read("pages/index.html").contains(REPLACEMENT));
}
