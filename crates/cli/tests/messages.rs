//! Messages that say what happened and what to do.

use crate::support::{Scratch, hill};

#[test]
fn boards_of_two_games_are_not_one_csv() {
    let texts = ["columns", "`dicehill run yahtzee --format csv`"];
    Scratch::new().run_refused(&["run", "--format", "csv"], &texts);
}

#[test]
fn missing_files_are_named_without_numbers_of_the_system() {
    let scratch = Scratch::new();
    for command in [
        &["verify", "none"][..],
        &["replay", "none", "1"],
        &["analyze", "none"],
        &["resume", "none"],
        &["export", "none", "--csv"],
        &["open", "none", "--no-browser"],
        &["run", "none.toml"],
    ] {
        scratch.run_refused(command, &["none", "no such file"]);
    }
    scratch.run_refused(&["serve", "none.db"], &["none.db: no such file"]);
    scratch.run_refused(&["hill", "show", "none.db"], &["none.db: no such file"]);
}

#[test]
fn standard_input_is_refused_where_files_are_read_again() {
    let scratch = Scratch::new();
    for command in [
        &["verify", "-"][..],
        &["replay", "-", "1"],
        &["analyze", "-"],
        &["resume", "-"],
        &["export", "-", "--csv"],
        &["run", "-"],
    ] {
        scratch.run_refused(command, &["-: standard input cannot be read here"]);
    }
    let run = ["run", "yahtzee", "dummy", "random", "--games", "2", "--out", "-"];
    scratch.run_refused(&run, &["--out -: standard output has the board"]);
}

#[test]
fn a_dash_is_standard_output_of_an_export() {
    let scratch = Scratch::new();
    let run = ["run", "yahtzee", "dummy", "random", "--games", "2", "--seed", "s", "--out", "log"];
    scratch.run_ok(&run);
    for form in ["--csv", "--jsonl", "--markdown"] {
        let shown = scratch.run_ok(&["export", "log", form]).out;
        assert_eq!(scratch.run_ok(&["export", "log", form, "--out", "-"]).out, shown);
    }
    assert!(!scratch.path("-").exists());
}

#[test]
fn a_truncated_log_is_called_that() {
    let scratch = Scratch::new();
    let run = ["run", "yahtzee", "dummy", "random", "--games", "9", "--seed", "s", "--out", "log"];
    scratch.run_ok(&run);
    let log = scratch.read("log");
    scratch.write("part", &log[..log.len() / 2]);
    let texts = ["the log is truncated", "`dicehill resume part`"];
    scratch.run_refused(&["replay", "part"], &texts);
    // The lines before are checked all the same.
    let verified = scratch.run(&["verify", "part"]);
    let is_named = texts.iter().all(|text| verified.err.contains(text));
    assert!(verified.code == 2 && is_named, "{verified:?}");
    assert!(verified.out.contains("holds    games: "), "{verified:?}");
    scratch.run_ok(&["resume", "part"]);
    assert_eq!(scratch.read("part"), log);
}

#[test]
fn an_existing_log_can_be_continued_or_replaced() {
    let scratch = Scratch::new();
    let run = ["run", "yahtzee", "dummy", "random", "--games", "2", "--seed", "s", "--out", "log"];
    scratch.run_ok(&run);
    let texts = ["log: exists already", "`dicehill resume log`", "to overwrite it"];
    scratch.run_refused(&run, &texts);
}

#[test]
fn a_house_bot_wins_over_a_folder_of_its_name() {
    let scratch = Scratch::new();
    std::fs::create_dir(scratch.path("greedy")).expect("a folder");
    let manifest = "name = \"Own\"\ncommand = [\"python3\", \"bot.py\"]\n";
    scratch.write("greedy/bot.toml", manifest);
    let run = ["run", "yahtzee", "greedy", "dummy", "--games", "2", "--seed", "s"];
    let output = scratch.run_ok(&run);
    let note = "greedy is the house bot; ./greedy is the bot in the folder";
    assert!(output.err.contains(note) && output.out.contains(" greedy "), "{output:?}");
    scratch.write("dummy.toml", "");
    assert_eq!(scratch.run_ok(&["run", "yahtzee", "random", "dummy", "--games", "2"]).code, 0);
}

#[test]
fn a_finished_run_is_shown_as_it_ended() {
    let scratch = Scratch::new();
    let bots = ["greedy", "random"];
    scratch.write("hill.toml", hill("game = \"yahtzee\"\ngames = 9\nseed = \"s\"", &bots));
    let board = scratch.run_ok(&["run", "hill.toml", "--out", "log"]).out;
    for format in ["table", "csv", "markdown", "json"] {
        let shown = scratch.run_ok(&["resume", "log", "--format", format]);
        let expected = scratch.run_ok(&["run", "hill.toml", "--format", format]).out;
        assert_eq!(shown.out, expected, "{format}");
        assert!(shown.err.contains("log: this run has ended already"), "{}", shown.err);
    }
    assert_eq!(scratch.run_ok(&["resume", "log"]).out, board);
}

#[test]
fn seats_are_counted_from_one() {
    let scratch = Scratch::new();
    let run = ["run", "yahtzee", "dummy", "random", "--games", "4", "--seed", "s", "--out", "log"];
    let details = scratch.run_ok(&[&run[..], &["--details"]].concat()).out;
    let by_seat = details.split("By seat").nth(1).expect("a table by seat");
    let seat = |line: &str| line.split_whitespace().nth(1).map(str::to_owned);
    let seats: Vec<_> = by_seat.lines().skip(2).filter_map(seat).collect();
    assert_eq!(seats, ["1", "2", "1", "2"], "{details}");
    let replay = scratch.run_ok(&["replay", "log", "1"]).out;
    assert!(replay.contains(" (seat 1), ") && replay.contains(" (seat 2)\n"), "{replay}");
}

#[test]
fn the_name_of_a_hill_is_that_of_its_file() {
    let scratch = Scratch::new();
    scratch.run_ok(&["hill", "init", "autumn.db", "yahtzee"]);
    scratch.run_ok(&["hill", "add", "autumn.db", "dummy", "random"]);
    let name = |hill: &str| {
        scratch.run_ok(&["hill", "show", hill, "--format", "json"]).json()["name"].clone()
    };
    assert_eq!(name("autumn.db"), "autumn");
    scratch.run_ok(&["hill", "init", "named.db", "yahtzee", "--name", "Winter"]);
    scratch.run_ok(&["hill", "add", "named.db", "dummy", "random"]);
    assert_eq!(name("named.db"), "Winter");
}

#[test]
fn an_imported_run_does_not_replace_the_board() {
    let scratch = Scratch::new();
    let run = ["run", "yahtzee", "greedy", "dummy", "--games", "4", "--seed", "s", "--out", "log"];
    scratch.run_ok(&run);
    scratch.run_ok(&["hill", "init", "h.db", "yahtzee", "--games", "4"]);
    scratch.run_ok(&["hill", "import", "h.db", "log"]);
    let show = |run: &[&str]| scratch.run_ok(&[&["hill", "show", "h.db"], run].concat()).out;
    assert!(show(&[]).contains("greedy"), "the only board");
    scratch.run_ok(&["hill", "add", "h.db", "random", "dummy"]);
    let own = show(&[]);
    assert!(own.contains("random") && !own.contains("greedy"), "{own}");
    scratch.run_ok(&[
        "run",
        "yahtzee",
        "greedy",
        "aces-and-eights",
        "--games",
        "4",
        "--out",
        "other",
    ]);
    let imported = scratch.run_ok(&["hill", "import", "h.db", "other"]);
    assert!(imported.err.contains("`dicehill hill show h.db --run 3`"), "{}", imported.err);
    assert_eq!(show(&[]), own);
    let log = scratch.run_ok(&["export", "h.db", "--jsonl"]).out;
    assert!(log.contains("random") && !log.contains("aces-and-eights"), "the last own run: {log}");
    assert!(show(&["--run", "3"]).contains("aces-and-eights"));
    let part: String = scratch.read("other").split_inclusive('\n').take(3).collect();
    scratch.write("part", part);
    scratch.run_ok(&["hill", "import", "h.db", "part"]);
    let shown = scratch.run_ok(&["hill", "show", "h.db"]);
    assert_eq!(shown.out, own);
    let unfinished = "run 4 has not ended: 2 games stored; it was imported: resume its log";
    assert!(shown.err.contains(unfinished), "{}", shown.err);
}

#[test]
fn the_markdown_of_an_export_is_a_post() {
    let scratch = Scratch::new();
    let bots = ["greedy", "random"];
    scratch.write("spring.toml", hill("game = \"yahtzee\"\ngames = 9\nseed = \"s\"", &bots));
    let markdown =
        scratch.run_ok(&["run", "spring.toml", "--format", "markdown", "--out", "log"]).out;
    assert_eq!(
        scratch.run_ok(&["export", "log", "--markdown"]).out,
        format!("## spring\n\n{markdown}")
    );
    let log = scratch.read("log");
    let begin: String = log.lines().take(4).map(|line| format!("{line}\n")).collect();
    scratch.write("part", begin);
    let unfinished = scratch.run_ok(&["export", "part", "--markdown"]).out;
    assert!(
        unfinished.contains("## spring") && unfinished.contains("has not ended: 3 games"),
        "{unfinished}"
    );
}

#[test]
fn similar_games_and_bots_are_suggested() {
    let scratch = Scratch::new();
    let game = "unknown game \"yatzee\": yahtzee or liars-dice; did you mean \"yahtzee\"?";
    for command in [
        &["play", "yatzee"][..],
        &["new", "python", "yatzee", "Mine"],
        &["duel", "greedy", "dummy", "--game", "yatzee"],
    ] {
        scratch.run_refused(command, &[game]);
    }
    let run = ["run", "yahtzee", "greedy", "dummy", "--games", "1", "--seed", "s", "--out", "log"];
    scratch.run_ok(&run);
    let input = ["replay", "log", "1", "--input", "gredy"];
    scratch.run_refused(
        &input,
        &["--input \"gredy\": the bots in game 1 are ", "did you mean \"greedy\"?"],
    );
}
