//! The protocol, as a bot's process implements it.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::json;

use crate::program::{
    example, hello, liars_dice_turn, lines, read_line, ready, run, start, values, yahtzee_end,
    yahtzee_turn,
};

#[test]
fn a_game_of_each_kind_is_answered() {
    let bye = json!({"type": "bye"});
    let played = run(
        "steady",
        &[],
        &lines(&[hello("yahtzee", "game"), start(7), yahtzee_turn(901, 7), yahtzee_end(7), bye]),
    );
    assert_eq!(played.answers(), [ready(), json!({"id": 901, "keep": [3, 4]})]);
    assert_eq!((played.stderr.as_str(), played.code), ("", Some(0)));

    let played = run(
        "steady",
        &[],
        &lines(&[hello("liars-dice", "game"), start(3), liars_dice_turn(12, 3)]),
    );
    assert_eq!(played.answers(), [ready(), json!({"id": 12, "bid": "5 2"})]);
    assert_eq!((played.stderr.as_str(), played.code), ("", Some(0)));
}

#[test]
fn under_memory_set_one_request_is_in_flight() {
    let played = run("steady", &[], &lines(&[hello("yahtzee", "set")]));
    assert_eq!(played.answers(), [json!({"type": "ready", "inflight": 1})]);
}

#[test]
fn requests_of_several_games_in_one_write_are_all_answered() {
    let ids: Vec<u64> = (0..64).map(|index| (1 << 53) - 1 - 977 * index).collect();
    let turns = ids.iter().enumerate().map(|(index, &id)| {
        let mut turn = yahtzee_turn(id, (1 << 40) + index as u64 % 5);
        turn["stage"] = json!(index % 3);
        turn
    });
    let played = run("steady", &[], &lines(&turns.collect::<Vec<_>>()));
    let answers = played.answers();
    assert_eq!(answers.iter().filter_map(|answer| answer["id"].as_u64()).collect::<Vec<_>>(), ids);
    assert_eq!(answers[1]["keep"], json!([3, 4]));
    assert_eq!(answers[2]["category"], "CHANCE");
    assert_eq!(played.code, Some(0));
}

#[test]
fn carriage_returns_blank_lines_unknown_fields_and_a_missing_last_newline_are_accepted() {
    let mut turn = yahtzee_turn(8, 1);
    turn["mood"] = json!({"good": [true, null, -1.5e3], "\"quoted\"": "}"});
    turn["legal"]["BOAT"] = json!(["x"]);
    let mut input = format!("{}\r\n\n\r\n  \n", hello("yahtzee", "game")).into_bytes();
    input.extend(lines(&[
        json!({"type": "weather", "id": 5}),
        json!({"id": 6}),
        json!(null),
        turn,
    ]));
    input.extend(yahtzee_turn(9, 1).to_string().into_bytes());
    let played = run("steady", &[], &input);
    let kept = |id| json!({"id": id, "keep": [3, 4]});
    assert_eq!(played.answers(), [ready(), kept(8), kept(9)]);
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
fn a_turn_without_a_hello_or_a_start_is_answered() {
    let answer = |turn| run("steady", &[], &lines(&[turn])).answers();
    assert_eq!(answer(yahtzee_turn(1, 1)), [json!({"id": 1, "keep": [3, 4]})]);
    assert_eq!(answer(liars_dice_turn(2, 1)), [json!({"id": 2, "bid": "5 2"})]);
}

#[test]
fn the_end_of_stdin_and_bye_end_the_bot_with_exit_code_0() {
    let nothing = run("steady", &[], b"");
    assert_eq!((nothing.stdout.as_str(), nothing.stderr.as_str(), nothing.code), ("", "", Some(0)));
    let after = run("steady", &[], &lines(&[json!({"type": "bye"}), yahtzee_turn(1, 1)]));
    assert_eq!((after.stdout.as_str(), after.code), ("", Some(0)));
}

#[test]
fn each_game_has_its_own_object_from_its_start_to_its_end() {
    let messages = [
        hello("yahtzee", "set"),
        start(7),
        start(9),
        yahtzee_turn(1, 7),
        yahtzee_turn(2, 9),
        yahtzee_turn(3, 7),
        yahtzee_end(7),
        yahtzee_turn(4, 7),
    ];
    let played = run("stumbling", &["count"], &lines(&messages));
    let counts: Vec<_> = played
        .answers()
        .iter()
        .filter_map(|answer| Some(answer["keep"].as_array()?.len()))
        .collect();
    assert_eq!(counts, [1, 1, 2, 1]);
    let hooks = "start 7 3 9f3c00a1b2c3d4e5 Set\nstart 9 3 9f3c00a1b2c3d4e5 Set\nend 7 210 false [198, 210, 245]\n";
    assert_eq!(played.stderr, hooks);
}

#[test]
fn a_bot_with_rounds_receives_what_calls_revealed() {
    let round = json!({"type": "round", "game": 3, "bids": ["3 6", "4 2"], "hands": [[1, 2], [6]], "caller": 0,
        "bidder": 1, "held": true});
    let end =
        json!({"type": "end", "game": 3, "winner": null, "points": [1, 20], "names": ["A", "B"]});
    let messages = [hello("liars-dice", "game"), start(3), round, liars_dice_turn(1, 3), end];
    let played = run("stumbling", &[], &lines(&messages));
    let ready = json!({"type": "ready", "inflight": 64, "events": ["round"]});
    assert_eq!(played.answers(), [ready, json!({"id": 1, "bid": "10 6"})]);
    assert_eq!(
        played.stderr,
        "round [Bid { count: 3, face: 6 }, Bid { count: 4, face: 2 }] [[1, 2], [6]] 0 1\nend None [1, 20] [\"A\", \"B\"]\n"
    );
}

#[test]
fn error_messages_of_the_arena_are_written_to_stderr() {
    let error = json!({"type": "error", "id": 901, "why": "keep index 5 is not 0-4"});
    let played =
        run("steady", &[], &lines(&[error, json!({"type": "error", "why": "out of memory"})]));
    let shown = "dicehill: the arena says: keep index 5 is not 0-4 (request 901)\ndicehill: the arena says: out of memory\n";
    assert_eq!((played.stderr.as_str(), played.code), (shown, Some(0)));
}

#[test]
fn a_line_longer_than_any_buffer_is_read() {
    let mut long = yahtzee_turn(1, 1);
    long["filling"] = json!("é".repeat(700_000));
    let played = run("steady", &[], &lines(&[long, yahtzee_turn(2, 1)]));
    assert_eq!(played.answers().len(), 2);
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
