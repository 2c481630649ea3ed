//! The files of earlier versions, kept in the folder `fixtures`: every later version opens them and continues from them.

mod bots;
mod documents;
mod hill_files;
mod logs;
mod stores;
mod strategies;

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{Ran, Scratch};

/// The versions whose files are kept. None of them ever goes.
const VERSIONS: [&str; 1] = ["0.1"];
/// This version, as headers and documents name it.
const PROGRAM: &str = concat!("dicehill ", env!("CARGO_PKG_VERSION"));

/// The path of a kept file.
fn kept(version: &str, path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(version).join(path)
}

#[track_caller]
fn kept_text(version: &str, path: &str) -> String {
    let path = kept(version, path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A scratch folder with copies of these files and folders of a version, under the same paths.
#[track_caller]
fn copied(version: &str, paths: &[&str]) -> Scratch {
    let scratch = Scratch::new();
    paths.iter().for_each(|path| copy_all(&kept(version, path), &scratch.path(path)));
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

/// Runs a command, which ends with this exit code.
#[track_caller]
fn ends(scratch: &Scratch, code: i32, arguments: &[&str]) -> Ran {
    let ran = scratch.run(arguments);
    assert_eq!(ran.code, code, "{arguments:?}: {}{}", ran.out, ran.err);
    ran
}

#[track_caller]
fn text(scratch: &Scratch, path: &str) -> String {
    fs::read_to_string(scratch.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Whether a log or a document was written by this version, which writes the same bytes again.
fn is_by_this_version(text: &str) -> bool {
    text.contains(&format!("\"program\":\"{PROGRAM}\""))
}

/// Expects that this version writes a log or a document as it was written then. Only what names the program may
/// differ, where it was another version.
#[track_caller]
fn same_run(found: &str, kept: &str) {
    if is_by_this_version(kept) {
        return same_lines(found, kept);
    }
    same_lines(&unnamed(found), &unnamed(kept));
}

#[track_caller]
fn same_lines(found: &str, kept: &str) {
    for (index, (found, kept)) in found.lines().zip(kept.lines()).enumerate() {
        assert!(found == kept, "line {}:\n{found}\ninstead of\n{kept}", index + 1);
    }
    assert_eq!(found.len(), kept.len(), "one of them is longer");
}

/// The same lines without the program's version and the hashes over it.
fn unnamed(text: &str) -> String {
    let line = |line: &str| {
        if line.starts_with("{\"type\":\"sealed\"") {
            return "sealed\n".to_owned();
        }
        with_value(&with_value(line, "program", "dicehill"), "header_hash", "") + "\n"
    };
    text.lines().map(line).collect()
}

/// The line with another text under its first key of this name.
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
