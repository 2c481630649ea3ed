//! The versions in `protocol/formats.md` are those that the program writes.

use std::collections::BTreeMap;
use std::fs;

use dicehill_arena::ProgressLine;
use dicehill_link::PROTOCOL;
use rusqlite::Connection;

use crate::support::{Scratch, parse_json, project_path};

fn formats() -> String {
    fs::read_to_string(project_path("protocol/formats.md")).expect("the page is there")
}

/// The versions in the table, by the names of the forms.
fn promised() -> BTreeMap<String, i64> {
    let page = formats();
    let table = page.split("\n## ").find(|part| part.starts_with("Versions\n")).expect("a table");
    let rows = table.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| ")?.split(" | ");
        Some((cells.next()?, cells.next()?.parse().ok()?))
    });
    let each = |(names, version): (&str, i64)| {
        let names: Vec<_> =
            names.split(", ").map(|name| name.trim_matches('`').to_owned()).collect();
        names.into_iter().map(move |name| (name, version))
    };
    rows.flat_map(each).collect()
}

/// The name and the version of a form, from a text such as `dicehill.log/1`.
#[track_caller]
fn split(schema: &str) -> (String, i64) {
    let (name, version) = schema.split_once('/').expect("a name and a version");
    (name.to_owned(), version.parse().expect("a number"))
}

#[test]
fn every_documented_form_has_its_version_in_the_table() {
    let page = formats();
    let headings =
        page.lines().filter(|line| line.starts_with("## ") && line.contains("`dicehill."));
    let headings: BTreeMap<_, _> =
        headings.map(|line| split(line.split('`').nth(1).expect("a form"))).collect();
    assert!(headings.len() > 5, "{headings:?}");
    let mut promised = promised();
    promised.retain(|name, _| name.starts_with("dicehill."));
    assert_eq!(headings, promised);
}

#[test]
fn written_forms_have_the_versions_of_the_table() {
    let scratch = Scratch::new();
    let promised = promised();
    let run = "run liars-dice honest random --games 2 --seed s --format json --out log";
    let result = parse_json(&scratch.run_ok(&run.split(' ').collect::<Vec<_>>()).out);
    let header = scratch.read("log");
    let header = parse_json(header.lines().next().expect("a header"));
    let replay = scratch.run_ok(&["replay", "log", "1", "--format", "json"]);
    let analysis = scratch.run_ok(&["analyze", "log", "--format", "json"]);
    let documents = [result.clone(), header, parse_json(&replay.out), parse_json(&analysis.out)];
    let schemas = documents.iter().map(|document| document["schema"].as_str().expect("a schema"));
    for schema in schemas.chain([ProgressLine::SCHEMA]) {
        let (name, version) = split(schema);
        assert_eq!(promised.get(&name), Some(&version), "{name}");
    }
    assert_eq!(result["statistics"], promised["statistics of a result document"]);
    assert_eq!(i64::from(PROTOCOL), promised["bot protocol"]);
    scratch.run_ok(&["hill", "init", "hill.db", "yahtzee"]);
    let store = Connection::open(scratch.path("hill.db")).expect("a database");
    let version = store.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0));
    assert_eq!(version.expect("a version"), promised["hill store"]);
}
