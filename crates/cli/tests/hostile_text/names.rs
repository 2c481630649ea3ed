//! Names and seeds are shown as they are written.

use serde_json::Value;

use super::checks::{cells, harmless, harmless_files, harmless_run, seen};
use super::{CONTROLS, NAMES, hill_of_names, toml};
use crate::support::Scratch;

#[test]
fn names_are_shown_as_they_are_written() {
    let scratch = Scratch::new();
    scratch.write("hill.toml", hill_of_names());
    let printed = |format: &str| {
        let ran = scratch.run(&["run", "hill.toml", "--format", format]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{format}");
        harmless_run(format, &ran);
        ran.out
    };
    let by_author = |name: &&str| format!("{name} by {name}");
    let table = printed("table");
    for name in NAMES.iter().map(by_author) {
        assert!(table.contains(&name), "{name} is not in {table}");
    }
    let document: Value = serde_json::from_str(&printed("json")).expect("a document");
    assert_eq!(document["seed"], format!("{}|<b>*x*", CONTROLS.concat()));
    let seen = seen(&printed("markdown"));
    for name in NAMES.iter().map(by_author) {
        assert!(seen.texts.contains(&name), "{name} is not in {seen:?}");
    }
    assert_eq!(seen.links, vec!["https://example.org/a?b=c&d"; NAMES.len()]);
    let rows = cells(&printed("csv"));
    for name in NAMES {
        let is_cell = |cell: &String| cell == name || cell.strip_prefix('\'') == Some(name);
        assert!(rows.iter().any(|row| row.iter().filter(|cell| is_cell(cell)).count() == 2));
    }
}

#[test]
fn pairings_show_names_as_they_are_written() {
    let scratch = Scratch::new();
    for some in NAMES.chunks(6) {
        let bot = |name: &&str| format!("[[bot]]\nname = {}\nhouse = \"random\"\n", toml(name));
        let bots: String = some.iter().map(bot).collect();
        let keys = "game = \"yahtzee\"\nformat = \"duel\"\ngames = 2\nseed = \"s\"";
        scratch.write("hill.toml", format!("{keys}\n{bots}"));
        let ran = scratch.run_ok(&["run", "hill.toml", "--format", "markdown"]);
        let seen = seen(&ran.out);
        let pairings = seen.texts.iter().find(|text| text.contains("Pairings")).expect("them");
        let named = |name: &&&str| pairings.lines().filter(|line| line.contains(**name)).count();
        assert!(some.iter().all(|name| named(&name) >= some.len() - 1), "{pairings}");
    }
}

#[test]
fn names_and_seeds_in_logs_and_replays() {
    let scratch = Scratch::new();
    scratch.write("hill.toml", hill_of_names());
    scratch.run_ok(&["run", "hill.toml", "--out", "log"]);
    harmless("log", &scratch.read("log"));
    let arguments = [
        &["replay", "log", "1"][..],
        &["replay", "log", "1", "--format", "json"],
        &["replay", "log", "1", "--save", "game"],
        &["replay", "game"],
    ];
    for arguments in arguments {
        let ran = scratch.run_ok(arguments);
        harmless_run(&format!("{arguments:?}"), &ran);
    }
    harmless("game", &scratch.read("game"));
}

#[test]
fn reports_show_names_as_they_are_written() {
    let scratch = Scratch::new();
    scratch.write("hill.toml", hill_of_names());
    let bots: Vec<_> = NAMES.iter().map(|name| format!("hill.toml#{name}")).collect();
    let bots: Vec<_> = bots.iter().map(String::as_str).collect();
    let options = ["check", "liars-dice", "--games", "1", "--report", "report"];
    let ran = scratch.run(&[&options[..], &bots].concat());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    harmless_run("check", &ran);
    let files = harmless_files(&scratch.path("report"));
    assert_eq!(files.len(), NAMES.len() + 1);
    let (_, table) = files.iter().find(|(name, _)| name == "check.csv").expect("the table");
    assert_eq!(cells(table).len(), NAMES.len() + 1);
    let pages = files.iter().filter(|(name, _)| name.ends_with(".md"));
    let mut titles: Vec<_> = pages.map(|(_, page)| seen(page).texts.remove(0)).collect();
    titles.sort();
    let mut names = NAMES.map(str::to_owned);
    names.sort();
    assert_eq!(titles, names);
}
