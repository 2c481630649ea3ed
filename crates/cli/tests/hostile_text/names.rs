//! Names and seeds are shown literally.

use serde_json::Value;

use super::checks::{
    cells, expect_harmless, expect_harmless_output, read_harmless_files, read_markdown,
};
use super::{CONTROLS, NAMES, hill_of_names, toml_string};
use crate::support::Scratch;

#[test]
fn standings_show_names_literally() {
    let scratch = Scratch::new();
    scratch.write("hill.toml", hill_of_names());
    let printed = |format: &str| {
        let output = scratch.run(&["run", "hill.toml", "--format", format]);
        assert_eq!((output.code, output.err.as_str()), (0, ""), "{format}");
        expect_harmless_output(format, &output);
        output.out
    };
    let by_author = |name: &&str| format!("{name} by {name}");
    let table = printed("table");
    for name in NAMES.iter().map(by_author) {
        assert!(table.contains(&name), "{name} is not in {table}");
    }
    let document: Value = serde_json::from_str(&printed("json")).expect("a document");
    assert_eq!(document["seed"], format!("{}|<b>*x*", CONTROLS.concat()));
    let content = read_markdown(&printed("markdown"));
    for name in NAMES.iter().map(by_author) {
        assert!(content.texts.contains(&name), "{name} is not in {content:?}");
    }
    assert_eq!(content.links, vec!["https://example.org/a?b=c&d"; NAMES.len()]);
    let rows = cells(&printed("csv"));
    for name in NAMES {
        let is_cell = |cell: &String| cell == name || cell.strip_prefix('\'') == Some(name);
        assert!(rows.iter().any(|row| row.iter().filter(|cell| is_cell(cell)).count() == 2));
    }
}

#[test]
fn pairings_show_names_literally() {
    let scratch = Scratch::new();
    for some in NAMES.chunks(6) {
        let bot =
            |name: &&str| format!("[[bot]]\nname = {}\nhouse = \"random\"\n", toml_string(name));
        let bots: String = some.iter().map(bot).collect();
        let keys =
            "game = \"yahtzee\"\nformat = \"duel\"\ngames = 2\nseed = \"s\"\nopen_seed = true";
        scratch.write("hill.toml", format!("{keys}\n{bots}"));
        let output = scratch.run_ok(&["run", "hill.toml", "--format", "markdown"]);
        let content = read_markdown(&output.out);
        let pairings = content.texts.iter().find(|text| text.contains("Pairings")).expect("them");
        let lines_with =
            |name: &&&str| pairings.lines().filter(|line| line.contains(**name)).count();
        assert!(some.iter().all(|name| lines_with(&name) >= some.len() - 1), "{pairings}");
    }
}

#[test]
fn logs_and_replays_show_names_and_seeds_literally() {
    let scratch = Scratch::new();
    scratch.write("hill.toml", hill_of_names());
    scratch.run_ok(&["run", "hill.toml", "--out", "log"]);
    expect_harmless("log", &scratch.read("log"));
    let arguments = [
        &["replay", "log", "1"][..],
        &["replay", "log", "1", "--format", "json"],
        &["replay", "log", "1", "--save", "game"],
        &["replay", "game"],
    ];
    for arguments in arguments {
        let output = scratch.run_ok(arguments);
        expect_harmless_output(&format!("{arguments:?}"), &output);
    }
    expect_harmless("game", &scratch.read("game"));
}

#[test]
fn reports_show_names_literally() {
    let scratch = Scratch::new();
    scratch.write("hill.toml", hill_of_names());
    let bots: Vec<_> = NAMES.iter().map(|name| format!("hill.toml#{name}")).collect();
    let bots: Vec<_> = bots.iter().map(String::as_str).collect();
    let options = ["check", "liars-dice", "--games", "1", "--seed", "s", "--report", "report"];
    let output = scratch.run(&[&options[..], &bots].concat());
    assert_eq!((output.code, output.err.as_str()), (0, ""), "{}", output.out);
    expect_harmless_output("check", &output);
    let files = read_harmless_files(&scratch.path("report"));
    assert_eq!(files.len(), NAMES.len() + 1);
    let (_, table) = files.iter().find(|(name, _)| name == "check.csv").expect("the table");
    assert_eq!(cells(table).len(), NAMES.len() + 1);
    let pages = files.iter().filter(|(name, _)| name.ends_with(".md"));
    let mut titles: Vec<_> = pages.map(|(_, page)| read_markdown(page).texts.remove(0)).collect();
    titles.sort();
    let mut names = NAMES.map(str::to_owned);
    names.sort();
    assert_eq!(titles, names);
}
