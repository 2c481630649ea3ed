//! The protocol, as a bot's process implements it.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::json;

use crate::program::{example, hello, lines, read_line, run, values, yahtzee_turn};

#[test]
fn null_and_unknown_categories_are_ignored() {
    let mut turn = yahtzee_turn(8, 1);
    turn["legal"]["BOAT"] = json!(["x"]);
    let played = run("steady", &[], &lines(&[json!(null), turn]));
    assert_eq!(played.answers(), [json!({"id": 8, "keep": [3, 4]})]);
    assert_eq!((played.stderr.as_str(), played.code), ("", Some(0)));
}

#[test]
fn invalid_lines_are_logged_and_skipped() {
    let mut input = b"hello\n{\"type\":\"turn\",\"id\":\"x\",\"legal\":{}}\n\xff\xfe\n".to_vec();
    input.extend(lines(&[yahtzee_turn(9, 1)]));
    let played = run("steady", &[], &input);
    assert_eq!(played.answers(), [json!({"id": 9, "keep": [3, 4]})]);
    assert_eq!(
        played.stderr.matches("dicehill: not a line of the protocol: ").count(),
        3,
        "{}",
        played.stderr
    );
}

#[test]
fn a_new_object_gets_the_hello() {
    let played = run("stumbling", &["memory"], &lines(&[hello("yahtzee"), yahtzee_turn(1, 7)]));
    assert_eq!(played.stderr, "Game\n");
}

#[test]
fn answers_are_sent_while_stdin_is_open_and_with_non_blocking_pipes() {
    let (stdin, mut requests) = std::io::pipe().expect("a pipe");
    let (mut answers, stdout) = std::io::pipe().expect("a pipe");
    rustix::io::ioctl_fionbio(&stdin, true).expect("stdin does not block");
    rustix::io::ioctl_fionbio(&stdout, true).expect("stdout does not block");
    let mut command = Command::new(example("steady"));
    let mut child = command
        .stdin(stdin)
        .stdout(stdout)
        .stderr(Stdio::inherit())
        .spawn()
        .expect("the bot starts");
    drop(command);
    // A line in two pieces, with a pause in which the bot reads all that is available.
    let line = lines(&[yahtzee_turn(1, 1)]);
    for piece in line.chunks(line.len().div_ceil(2)) {
        requests.write_all(piece).expect("the bot reads");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_eq!(values(&read_line(&mut answers)), [json!({"id": 1, "keep": [3, 4]})]);
    // More answers than the pipe can buffer, before any of them is read.
    let turns = 6000;
    let all = lines(&(0..turns).map(|id| yahtzee_turn(id, 1)).collect::<Vec<_>>());
    let writer = std::thread::spawn(move || requests.write_all(&all));
    std::thread::sleep(std::time::Duration::from_millis(200));
    let ids: Vec<_> =
        (0..turns).map(|_| values(&read_line(&mut answers))[0]["id"].as_u64()).collect();
    assert_eq!(ids, (0..turns).map(Some).collect::<Vec<_>>());
    writer.join().expect("the writer ends").expect("the bot reads all");
    assert_eq!(child.wait().expect("the bot ends").code(), Some(0));
}
