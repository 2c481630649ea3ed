//! Runs bots as the arena does: as programs, with lines on stdin.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// The output of a program.
pub(crate) struct Played {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) code: Option<i32>,
}

impl Played {
    /// The lines of stdout as JSON values. Panics if a line is not JSON.
    pub(crate) fn answers(&self) -> Vec<Value> {
        values(&self.stdout)
    }
}

/// Lines of JSON as values.
pub(crate) fn values(lines: &str) -> Vec<Value> {
    lines.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

/// A program of `examples/`, which `cargo test` builds if it runs all tests of the crate.
pub(crate) fn example(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("the test's own path");
    let folder = test.ancestors().nth(2).expect("the folder of the profile");
    let program = folder.join("examples").join(name);
    assert!(program.exists(), "cargo test -p dicehill-bot builds {}", program.display());
    program
}

/// Runs a program with `input` on stdin.
pub(crate) fn run(name: &str, words: &[&str], input: &[u8]) -> Played {
    let mut command = Command::new(example(name));
    command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the bot starts");
    let mut stdin = child.stdin.take().expect("stdin is a pipe");
    let input = input.to_vec();
    // A bot that has ended does not read the rest.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("the bot ends");
    writer.join().expect("the writer ends");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Played { stdout: text(output.stdout), stderr: text(output.stderr), code: output.status.code() }
}

/// Messages as lines of bytes.
pub(crate) fn lines(messages: &[Value]) -> Vec<u8> {
    messages.iter().flat_map(|message| format!("{message}\n").into_bytes()).collect()
}

/// Reads one line from a bot that is still running.
pub(crate) fn read_line(from: &mut impl Read) -> String {
    let mut line = Vec::new();
    let mut byte = [0];
    while from.read(&mut byte).expect("the bot answers") == 1 && byte[0] != b'\n' {
        line.push(byte[0]);
    }
    String::from_utf8(line).expect("UTF-8")
}

pub(crate) fn hello(game: &str) -> Value {
    json!({"type": "hello", "protocol": 1, "game": game, "rules": "official", "memory": "game", "name": "Mine",
        "limits": {"start_ms": 10000, "move_ms": 1000, "memory_mb": 512}})
}

pub(crate) fn ready() -> Value {
    json!({"type": "ready", "inflight": 64})
}

pub(crate) fn yahtzee_turn(id: u64, game: u64) -> Value {
    json!({"type": "turn", "id": id, "game": game, "round": 11, "stage": 1, "dice": [1, 1, 4, 6, 6],
        "card": {"TWOS": 6, "THREES": 9, "FOURS": 12, "FIVES": 15, "THREE_OF_A_KIND": 22, "FOUR_OF_A_KIND": 0,
            "FULL_HOUSE": 25, "SMALL_STRAIGHT": 30, "LARGE_STRAIGHT": 0, "YAHTZEE": 0},
        "legal": {"ACES": 2, "SIXES": 12, "CHANCE": 18}, "upper": 42, "upper_bonus": 0, "yahtzee_bonus": 0,
        "score": 119, "scores": [88, 119, 131]})
}

pub(crate) fn liars_dice_turn(id: u64, game: u64) -> Value {
    json!({"type": "turn", "id": id, "game": game, "you": 1, "counts": [6, 4, 5], "dice": [1, 2, 2, 3],
        "bids": ["3 6", "4 2"], "names": ["A", "B", "Çelik \"7\""], "points": [120, 1345, 88]})
}
