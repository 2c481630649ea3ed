//! Run logs.

use std::fs;
use std::path::Path;

use dicehill_rules::with_game;
use dicehill_store::{FileError, GameLine, LogReader, RecordedRun, TruncatedTail};

use super::{outcome, scratch, target, verified};

const FIXTURES: [&str; 7] = [
    "logs/decided.jsonl",
    "logs/duel.part",
    "logs/game.jsonl",
    "logs/mego.jsonl",
    "logs/outside.part",
    "logs/undecided.jsonl",
    "logs/until.part",
];

#[test]
fn run_logs() {
    let folder = scratch();
    let path = folder.path().join("run.jsonl");
    target("run-log", &FIXTURES, 250).check(|input| {
        fs::write(&path, input).expect("it can be written");
        let opened = LogReader::open(&path, TruncatedTail::Refuse).map(|_| ());
        format!("{}; {}", outcome(&path, opened), outcome(&path, read(&path, input)))
    });
}

/// Reads a log with all that hangs on it, and ignores an end that a crash may have left.
fn read(path: &Path, input: &[u8]) -> Result<String, FileError> {
    let run = RecordedRun::open(path, TruncatedTail::Discard)?;
    let mut written = Vec::new();
    run.each_log_line(|line| {
        written.extend_from_slice(line.as_bytes());
        written.push(b'\n');
        Ok::<_, FileError>(())
    })?;
    assert!(input.starts_with(&written), "the lines are those of the log");
    let mut games = String::new();
    run.each_game(|game| {
        games = match GameLine::read(&game.line) {
            Ok(line) => format!("{:?} {:?}", line.length(), line.figure(0, "score")),
            Err(why) => why,
        };
        Ok::<_, FileError>(())
    })?;
    let result = run.result_text().map(|text| text.is_some());
    let result = outcome(path, result);
    let verified = with_game!(run.header().hill.game(), G => verified::<G>(&run));
    Ok(format!("{games} {result} {}", outcome(path, verified)))
}
