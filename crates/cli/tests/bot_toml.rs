//! The `bot.toml` of a bot in its own folder: the game that it names, and scripts next to it.

use std::fs;

use crate::support::Scratch;

/// A bot that plays the first legal action. It is started by `bot.py` and its `bot.toml` ends with `more`.
fn write_bot(scratch: &Scratch, folder: &str, more: &str) {
    fs::create_dir(scratch.path(folder)).expect("a folder");
    let source = "import json, sys\n\
        print(json.dumps({'type': 'ready', 'inflight': 1}), flush=True)\n\
        for line in sys.stdin:\n    turn = json.loads(line)\n    if turn['type'] == 'turn':\n        \
        print(json.dumps({'id': turn['id'], 'category': sorted(turn['legal'])[0]}), flush=True)\n";
    scratch.write(&format!("{folder}/bot.py"), source);
    let manifest = format!("name = \"{folder}\"\ncommand = [\"python3\", \"bot.py\"]\n{more}\n");
    scratch.write(&format!("{folder}/bot.toml"), manifest);
}

#[test]
fn new_records_the_game_and_commands_need_not_be_told_it() {
    let scratch = Scratch::new();
    for (language, game) in [("python", "yahtzee"), ("javascript", "liars-dice")] {
        let output = scratch.run_ok(&["new", language, game, "Mine"]);
        assert!(output.out.contains("  dicehill check ./Mine  "), "{}", output.out);
        let line = format!("game = \"{game}\"\n");
        assert!(scratch.read("Mine/bot.toml").contains(&line));
        fs::remove_dir_all(scratch.path("Mine")).expect("the folder can be removed");
    }
}

#[test]
fn the_game_of_a_bot_toml_is_that_of_the_command() {
    let scratch = Scratch::new();
    write_bot(&scratch, "A", "game = \"yahtzee\"");
    write_bot(&scratch, "B", "");
    let checked = scratch.run_ok(&["check", "./A", "--games", "1", "--seed", "s"]);
    assert!(checked.out.starts_with("A: qualified: 1 game"), "{}", checked.out);
    let games = ["--games", "2", "--seed", "s", "--format", "json"];
    let played = scratch.run_ok(&[&["run", "./A", "greedy"][..], &games].concat()).json();
    assert_eq!(played["game"], "yahtzee");
    // The other bot's game follows from that of the first.
    let duel = ["duel", "./B", "./A", "--max-games", "2", "--seed", "s", "--format", "json"];
    assert_eq!(scratch.run_ok(&duel).json()["game"], "yahtzee");
    // So it does from that of a house bot.
    let house = scratch.run_ok(&["check", "honest", "--games", "1", "--seed", "s"]);
    assert!(house.out.starts_with("honest: qualified"), "{}", house.out);
}

#[test]
fn a_script_is_started_as_the_bot_toml_next_to_it_says() {
    let scratch = Scratch::new();
    write_bot(&scratch, "A", "game = \"yahtzee\"");
    let checked = scratch.run_ok(&["check", "A/bot.py", "--games", "1", "--seed", "s"]);
    assert!(checked.out.starts_with("A: qualified"), "{}", checked.out);
    // A script that its bot.toml does not name is a bot of its own.
    fs::copy(scratch.path("A/bot.py"), scratch.path("A/other.py")).expect("a copy");
    let checked =
        scratch.run_ok(&["check", "yahtzee", "A/other.py", "--games", "1", "--seed", "s"]);
    assert!(checked.out.starts_with("other: qualified"), "{}", checked.out);
}

#[test]
fn contradictions_and_gaps_are_named_with_the_remedy() {
    let scratch = Scratch::new();
    write_bot(&scratch, "A", "game = \"yahtzee\"");
    write_bot(&scratch, "B", "");
    write_bot(&scratch, "C", "game = \"chess\"");
    let plays = "./A: plays yahtzee, as its bot.toml says, not liars-dice";
    scratch.run_refused(&["check", "liars-dice", "./A"], &[plays]);
    scratch.run_refused(&["run", "liars-dice", "./A", "honest"], &[plays]);
    scratch.run_refused(&["run", "./A", "honest"], &["honest plays liars-dice, and ./A yahtzee"]);
    let remedy = "name the game first, or put game = \"yahtzee\" into the bot.toml of one";
    scratch.run_refused(&["check", "./B"], &[remedy]);
    scratch.run_refused(&["run", "./B", "./B"], &[remedy]);
    scratch
        .run_refused(&["duel", "./B", "./B"], &["add --game yahtzee or --game liars-dice, or put"]);
    scratch.run_refused(&["check", "./C"], &["bot.toml:3: game: unknown game \"chess\""]);
    write_bot(&scratch, "D", "game = \"yatzee\"");
    scratch.run_refused(&["check", "./D"], &["unknown game", "did you mean \"yahtzee\"?"]);
    scratch.run_refused(&["check", "yahtzee"], &["name the bots of yahtzee, such as ./Mine"]);
    scratch.write(
        "hill.toml",
        "game = \"yahtzee\"\n[[bot]]\nname = \"a\"\nhouse = \"dummy\"\ngame = \"yahtzee\"\n",
    );
    scratch.run_refused(
        &["run", "hill.toml"],
        &["hill.toml:5: game: all bots of a hill play its game"],
    );
}

#[test]
fn a_hill_file_names_the_folder_of_a_bot() {
    let scratch = Scratch::new();
    write_bot(&scratch, "Mine", "game = \"yahtzee\"\nauthor = \"Ada\"");
    let hill = |folder: &str, more: &str| {
        let bot = format!("[[bot]]\nname = \"Ann\"\ndir = {folder:?}\n{more}");
        scratch.write("h.toml", format!("game = \"yahtzee\"\ngames = 2\nseed = \"s\"\n[[bot]]\nname = \"G\"\nhouse = \"greedy\"\n{bot}"));
    };
    hill("Mine", "");
    let played = scratch.run_ok(&["run", "h.toml", "--format", "json"]).json();
    let ann =
        played["standings"].as_array().and_then(|rows| rows.iter().find(|row| row["bot"] == "Ann"));
    assert_eq!(ann.expect("the bot plays")["author"], "Ada");
    for (folder, more, expected) in [
        ("None", "", "h.toml:9: dir = \"None\": no such folder"),
        ("Mien", "", "no such folder; did you mean "),
        (".", "", "h.toml:9: dir = \".\": has no bot.toml"),
        (
            "Mine",
            "build = [\"make\"]\n",
            "h.toml:10: build: write it in the bot.toml of the folder",
        ),
    ] {
        hill(folder, more);
        let refused = scratch.run(&["run", "h.toml"]);
        assert_eq!(refused.code, 2);
        assert!(refused.err.contains(expected), "{}", refused.err);
    }
    write_bot(&scratch, "Other", "game = \"liars-dice\"");
    hill("Other", "");
    let refused = scratch.run(&["run", "h.toml"]);
    assert!(
        refused.err.contains("plays liars-dice, as its bot.toml says, not yahtzee"),
        "{}",
        refused.err
    );
}

#[test]
fn a_missing_interpreter_is_to_be_installed() {
    let scratch = Scratch::new();
    write_bot(&scratch, "A", "game = \"yahtzee\"");
    let mut command = scratch.command(&["check", "./A"]);
    let output = command.env("PATH", scratch.path("A")).output().expect("it starts");
    let err = String::from_utf8_lossy(&output.stderr);
    let expected =
        "\"python3\": no such program in the PATH; install it, or put its folder into the PATH\n";
    assert!(output.status.code() == Some(2) && err.ends_with(expected), "{err}");
}
