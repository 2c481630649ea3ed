//! The files of earlier versions in the folder `fixtures`: every later version opens them and continues from them.

mod bots;
mod documents;
mod hill_files;
mod logs;
mod stores;
mod strategies;

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use serde_json::Value;

use crate::support::{CommandOutput, Scratch};

/// The versions whose files are kept. Versions are only ever added.
const VERSIONS: [&str; 1] = ["0.1"];
/// This version, as headers and documents name it.
const PROGRAM: &str = concat!("dicehill ", env!("CARGO_PKG_VERSION"));

/// The path of a fixture.
fn fixture(version: &str, path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(version).join(path)
}

#[track_caller]
fn fixture_text(version: &str, path: &str) -> String {
    let path = fixture(version, path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A scratch folder with copies of these files and folders of a version, under the same paths.
#[track_caller]
fn copied(version: &str, paths: &[&str]) -> Scratch {
    let scratch = Scratch::new();
    paths.iter().for_each(|path| copy_all(&fixture(version, path), &scratch.path(path)));
    scratch
}

#[track_caller]
fn copy_all(from: &Path, to: &Path) {
    if from.is_dir() {
        for entry in fs::read_dir(from).expect("the folder can be read") {
            let entry = entry.expect("the folder can be read");
            copy_all(&entry.path(), &to.join(entry.file_name()));
        }
        return;
    }
    fs::create_dir_all(to.parent().expect("it is in a folder")).expect("the folder is made");
    fs::copy(from, to).unwrap_or_else(|error| panic!("{}: {error}", from.display()));
}

/// Runs a command, which has to end with this exit code.
#[track_caller]
fn run_with_code(scratch: &Scratch, code: i32, arguments: &[&str]) -> CommandOutput {
    let output = scratch.run(arguments);
    assert_eq!(output.code, code, "{arguments:?}: {}{}", output.out, output.err);
    output
}

/// Lets external bots play on this hill with its seed as it stands, as the earlier versions did, which had no secrets.
#[track_caller]
fn open_seed(scratch: &Scratch, hill: &str) {
    // Migrates the store.
    run_with_code(scratch, 0, &["hill", "commit", hill]);
    let database = Connection::open(scratch.path(hill)).expect("a database");
    let changed = database.execute("UPDATE hill SET open_seed = 1", []).expect("it is written");
    assert_eq!(changed, 1, "{hill} has settings");
}

/// Whether this version has written a log or a document, so that it has to write the same bytes again.
fn is_by_this_version(text: &str) -> bool {
    text.contains(&format!("\"program\":\"{PROGRAM}\""))
}

/// Expects that this version writes a log or a document as the fixture has it. Only the name of the program may differ,
/// where another version wrote the fixture.
#[track_caller]
fn expect_same_run(found: &str, fixture: &str) {
    if fixture.contains(OLD_REQUEST) {
        let comparable = |text: &str| without_requests(&without_version(text));
        return expect_same_lines(&comparable(found), &comparable(fixture));
    }
    if is_by_this_version(fixture) {
        return expect_same_lines(found, fixture);
    }
    expect_same_lines(&without_version(found), &without_version(fixture));
}

/// How the request of a bar began before it was the message of the bot protocol.
const OLD_REQUEST: &str = "\"request\":\"View {";

/// The text with empty values of its keys `request`.
fn without_requests(text: &str) -> String {
    let mut parts = text.split("\"request\":\"");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_end =
            |(index, _): &(usize, &str)| *index == 0 || part.as_bytes()[index - 1] != b'\\';
        let (end, _) = part.match_indices('"').find(is_end).expect("the value ends");
        kept.push_str("\"request\":\"");
        kept.push_str(&part[end..]);
    }
    kept
}

#[track_caller]
fn expect_same_lines(found: &str, fixture: &str) {
    for (index, (found, fixture)) in found.lines().zip(fixture.lines()).enumerate() {
        let is_same = match (result_of_first_statistics(fixture), fixture) {
            (Some(fixture), _) => result_of_first_statistics(found) == Some(fixture),
            (None, fixture) => found == fixture,
        };
        assert!(is_same, "line {}:\n{found}\ninstead of\n{fixture}", index + 1);
    }
    assert_eq!(found.lines().count(), fixture.lines().count(), "one of them is longer");
}

/// A result document as the first version of its statistics has it, without what later versions correct: the intervals of
/// win rates and of points per game, differences and group letters, and probabilities of being the best; `None` of another line. That results of the first version are recomputed to the last digit is what
/// `verify` tests.
fn result_of_first_statistics(line: &str) -> Option<Value> {
    let is_result = line.starts_with("{\"schema\":\"dicehill.result/1\"");
    let mut document: Value = is_result.then(|| serde_json::from_str(line).expect("JSON"))?;
    let corrected = [
        "win_rate_ci95",
        "rate_ci95",
        "mark",
        "differences",
        "best",
        "champion_sure",
        "plain_ci95",
        "adjusted_ci95",
    ];
    remove(&mut document, &["statistics", "elo", "elo_ci95", "ci95", "loss_ci95"]);
    remove(&mut document, &corrected);
    Some(document)
}

/// Removes these keys, however deep they are.
fn remove(value: &mut Value, keys: &[&str]) {
    match value {
        Value::Object(object) => {
            keys.iter().for_each(|key| drop(object.remove(*key)));
            object.values_mut().for_each(|value| remove(value, keys));
        }
        Value::Array(list) => list.iter_mut().for_each(|value| remove(value, keys)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The same lines without the program's version and the hashes that cover it.
fn without_version(text: &str) -> String {
    let line = |line: &str| {
        if line.starts_with("{\"type\":\"sealed\"") {
            return "sealed\n".to_owned();
        }
        with_value(&with_value(line, "program", "dicehill"), "header_hash", "") + "\n"
    };
    text.lines().map(line).collect()
}

/// The line with another value for its first key of this name.
fn with_value(line: &str, key: &str, value: &str) -> String {
    let key = format!("\"{key}\":\"");
    let parts =
        line.split_once(&key).and_then(|(before, rest)| Some((before, rest.split_once('"')?)));
    parts.map_or_else(
        || line.to_owned(),
        |(before, (_, behind))| format!("{before}{key}{value}\"{behind}"),
    )
}

/// A header as this version would have written it before headers had hashes.
fn header_of_this_version(header: &str) -> String {
    let renamed = with_value(header, "program", PROGRAM);
    let (unhashed, _) = renamed.rsplit_once(",\"header_hash\"").expect("it has a hash");
    format!("{unhashed}}}")
}
