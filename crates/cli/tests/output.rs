//! Printed output: four formats of the standings, lists, help, and plain text in pipes.

use std::fs;
use std::process::{Command, Stdio};

use crate::support::{CommandOutput, Scratch, hill};
use serde_json::Value;

/// A hill whose names try to break out of a table.
const AWKWARD: &str = r#"
game  = "liars-dice"
games = 30
seed  = "a|b *c*"
[[bot]]
name  = "A|*x*"
house = "pirate"
[[bot]]
name  = "<b>_&amp;[x](y)"
house = "nobody"
[[bot]]
name  = "=1,\"2\""
house = "random"
"#;

/// Runs the hill, which has to succeed with nothing on stderr.
#[track_caller]
fn printed(content: &str, format: &str) -> String {
    let scratch = Scratch::new();
    scratch.write("hill.toml", content);
    let CommandOutput { code, out, err } = scratch.run(&["run", "hill.toml", "--format", format]);
    assert_eq!((code, err.as_str()), (0, ""), "{format}");
    out
}

fn document(content: &str) -> Value {
    serde_json::from_str(&printed(content, "json")).expect("a single JSON document")
}

/// A Yahtzee challenge between two.
fn yahtzee() -> String {
    hill(
        "game = \"yahtzee\"\ngames = 30\nseed = \"s\"\nopen_seed = true",
        &["aces-and-eights", "random"],
    )
}

/// A Liar's Dice challenge in which the first bot has these votes.
fn with_votes(votes: i64) -> String {
    let keys = "game = \"liars-dice\"\ngames = 30\nseed = \"s\"\nopen_seed = true";
    hill(keys, &["pirate", "nobody"]).replacen(
        "\"pirate\"",
        &format!("\"pirate\"\nvotes = {votes}"),
        1,
    )
}

/// Expects these keys in the JSON text, in this order, with any others between them.
#[track_caller]
fn expect_in_order(object: &str, keys: &[&str]) {
    let mut rest = object;
    for key in keys {
        let quoted = format!("\"{key}\":");
        let at = rest.find(&quoted).unwrap_or_else(|| panic!("{key} is not next in {rest}"));
        rest = &rest[at + quoted.len()..];
    }
}

#[test]
fn json_is_one_document_per_line() {
    let head = [
        "schema",
        "program",
        "game",
        "rules",
        "format",
        "memory",
        "seed",
        "games",
        "extra_games",
        "champion",
        "tied",
        "records",
        "standings",
    ];
    let row = ["rank", "bot", "hash", "points", "games", "wins", "win_rate", "win_rate_ci95"];
    let score = ["score", "mean", "sd", "min", "median", "max", "barred"];
    let out = printed(&yahtzee(), "json");
    assert_eq!(out.lines().count(), 1);
    expect_in_order(&out, &[&head[..], &row, &score].concat());
    let row = ["rank", "bot", "hash", "points", "votes", "total", "games", "wins", "win_rate"];
    let sums = ["win_rate_ci95", "turns", "calls", "dice_gained", "barred"];
    expect_in_order(&printed(&with_votes(3), "json"), &[&head[..], &row, &sums].concat());
}

#[test]
fn json_has_the_champion_and_the_points() {
    let document = document(&yahtzee());
    assert_eq!((&document["champion"], &document["extra_games"]), (&"A".into(), &0.into()));
    assert_eq!(document["tied"], Value::Array(Vec::new()));
    let first = &document["standings"][0];
    assert_eq!(
        (&first["rank"], &first["bot"], &first["games"]),
        (&1.into(), &"A".into(), &30.into())
    );
    assert_eq!(
        (&first["hash"], &first["barred"]),
        (&"house:aces-and-eights@1".into(), &Value::Null)
    );
    let points = |row: &Value| row["points"].as_u64();
    assert_eq!(points(first).zip(points(&document["standings"][1])).map(|(a, b)| a + b), Some(30));
}

#[test]
fn csv_has_the_values_of_the_json() {
    for content in [yahtzee(), with_votes(3), with_votes(-3), AWKWARD.to_owned()] {
        let out = printed(&content, "csv");
        let document = document(&content);
        let mut reader = csv::Reader::from_reader(out.as_bytes());
        let headings = reader.headers().expect("headings").clone();
        let rows: Vec<_> = reader.records().map(|row| row.expect("a row")).collect();
        let standings = document["standings"].as_array().expect("standings");
        assert_eq!(rows.len(), standings.len());
        for (row, standing) in rows.iter().zip(standings) {
            for (heading, value) in headings.iter().zip(row) {
                assert_eq!(value, expected_in_csv(&document, standing, heading), "{heading}");
            }
        }
    }
}

/// The expected cell under a heading.
fn expected_in_csv(document: &Value, standing: &Value, heading: &str) -> String {
    let parts: Vec<_> = heading.split('_').collect();
    let value = match (heading, parts.as_slice()) {
        ("game", _) => &document["game"],
        ("win_rate_low", _) => &standing["win_rate_ci95"][0],
        ("win_rate_high", _) => &standing["win_rate_ci95"][1],
        ("rating_low", _) => &standing["rating_ci95"][0],
        ("rating_high", _) => &standing["rating_ci95"][1],
        ("elo_low", _) => &standing["elo_ci95"][0],
        ("elo_high", _) => &standing["elo_ci95"][1],
        ("dependent", _) => &document["dependent"],
        ("loss", _) => &standing["luck"]["loss"],
        ("score_low", _) => &standing["score"]["ci95"][0],
        ("score_high", _) => &standing["score"]["ci95"][1],
        ("loss_low", _) => &standing["luck"]["loss_ci95"][0],
        ("loss_high", _) => &standing["luck"]["loss_ci95"][1],
        ("loss_se", _) => &standing["luck"]["se"],
        ("score_without_luck", _) => &standing["luck"]["score"],
        ("score_variance_ratio", _) => &standing["luck"]["variance_ratio"],
        ("points_a_game", _) => &standing["luck"]["points"]["plain"],
        ("points_a_game_low", _) => &standing["luck"]["points"]["plain_ci95"][0],
        ("points_a_game_high", _) => &standing["luck"]["points"]["plain_ci95"][1],
        ("points_without_luck", _) => &standing["luck"]["points"]["adjusted"],
        ("points_without_luck_low", _) => &standing["luck"]["points"]["adjusted_ci95"][0],
        ("points_without_luck_high", _) => &standing["luck"]["points"]["adjusted_ci95"][1],
        ("points_variance_ratio", _) => &standing["luck"]["points"]["variance_ratio"],
        ("controls", _) => &standing["luck"]["points"]["controls"],
        (_, ["barred", part]) => &standing["barred"][part],
        (_, ["score", part]) => &standing["score"][part],
        (_, _) => &standing[heading],
    };
    match value {
        Value::Null => String::new(),
        // A spreadsheet would take it as a formula.
        Value::String(text) if text.starts_with('=') => format!("'{text}"),
        Value::String(text) => text.clone(),
        Value::Number(number) if number.is_f64() => number.as_f64().expect("it is").to_string(),
        Value::Number(_) | Value::Bool(_) | Value::Array(_) | Value::Object(_) => value.to_string(),
    }
}

#[test]
fn markdown_has_title_intervals_champion_and_hash() {
    let out = printed(&yahtzee(), "markdown");
    let first = out.lines().next().expect("a title");
    assert_eq!(first, "**Yahtzee**, challenge, official rules, 30 games, seed s");
    assert!(
        out.contains("win % (95 % CI)") && out.contains("score ± 95 %") && !out.contains("± se"),
        "{out}"
    );
    assert!(out.contains("Champion: A"), "{out}");
    assert!(out.contains("records blake3:"), "{out}");
}

#[test]
fn markdown_escapes_names_and_seeds() {
    let out = printed(AWKWARD, "markdown");
    assert!(out.contains("seed a\\|b \\*c\\*"), "{out}");
    assert!(out.contains(" A\\|\\*x\\* "), "{out}");
    assert!(out.contains(" &lt;b&gt;\\_&amp;amp;\\[x\\](y) "), "{out}");
    let rows: Vec<_> = out.lines().filter(|line| line.starts_with('|')).collect();
    let cells = |row: &str| row.replace("\\|", "").matches('|').count();
    assert!(rows.len() == 5 && rows.iter().all(|row| cells(row) == cells(rows[0])), "{out}");
}

/// Expects the first line of the table to have some headings and not others.
#[track_caller]
fn headings(content: &str, there: &[&str], not_there: &[&str]) {
    let out = printed(content, "table");
    let headings = out.lines().nth(1).expect("headings");
    for word in there {
        assert!(headings.contains(word), "{word:?} is not in {out}");
    }
    for word in not_there {
        assert!(!headings.contains(word), "{word:?} is in {out}");
    }
}

#[test]
fn a_table_has_the_columns_of_its_game() {
    let everywhere = ["#", "bot", "points", "P(best)", "win % (95 % CI)", "Elo ± 95 %"];
    headings(&yahtzee(), &[&everywhere[..], &["score ± 95 %"]].concat(), &["turns", "votes"]);
    let sums = [&everywhere[..], &["turns", "calls", "gained"]].concat();
    headings(&with_votes(0), &sums, &["votes", "total", "score"]);
    headings(&with_votes(3), &[&sums[..], &["votes", "total"]].concat(), &["score"]);
}

#[test]
fn equal_bots_share_a_letter() {
    let twins = hill(
        "game = \"yahtzee\"\ngames = 9\nseed = \"s\"\nopen_seed = true",
        &["random", "random"],
    );
    let out = printed(&twins, "table");
    assert!(out.contains("\n1  a  ") && out.contains("\n2  a  "), "{out}");
    assert!(out.contains("Bots that share a letter are not significantly different"), "{out}");
    let out = printed(&yahtzee(), "table");
    assert!(out.contains("\n1  a  ") && out.contains("\n2  b  "), "{out}");
    assert!(!out.contains("share a letter"), "{out}");
}

#[test]
fn the_champions_line_has_its_confidence() {
    let out = printed(&yahtzee(), "table");
    assert!(out.contains("\nChampion: A, >99.9 % sure\n"), "{out}");
    let twins = hill(
        "game = \"yahtzee\"\ngames = 10\nseed = \"s\"\nopen_seed = true",
        &["random", "random"],
    );
    let sure = document(&twins)["champion_sure"].as_f64().expect("a bot leads");
    assert!((0.5..0.95).contains(&sure), "{sure}");
    let line = format!(", {:.0} % sure", 100.0 * sure);
    assert!(
        printed(&twins, "table").contains(&line) && printed(&twins, "markdown").contains(&line)
    );
    // One game is not enough for a confidence.
    let one_game =
        hill("game = \"yahtzee\"\ngames = 1\nseed = \"s\"\nopen_seed = true", &["greedy", "dummy"]);
    let out = printed(&one_game, "table");
    assert!(out.contains("\nChampion: A\n") && !out.contains("NaN"), "{out}");
}

#[test]
fn runs_with_memory_warn_of_dependent_games() {
    let set = yahtzee().replace("games = 30", "games = 30\nmemory = \"set\"");
    for format in ["table", "markdown"] {
        assert!(printed(&set, format).contains("only if games are independent"));
        assert!(!printed(&yahtzee(), format).contains("independent"));
    }
    assert!(printed(&set, "csv").lines().nth(1).is_some_and(|row| row.contains(",true,")));
    assert_eq!(document(&set)["dependent"], true);
}

#[test]
fn details_are_shown_on_request() {
    let scratch = Scratch::new();
    let keys =
        "game = \"liars-dice\"\ngames = 30\nseed = \"s\"\nopen_seed = true\nformat = \"duel\"";
    scratch.write("hill.toml", hill(keys, &["pirate", "nobody", "badnomial"]));
    let titles = ["Differences between neighbours", "Head to head", "By seat"];
    for format in ["table", "markdown"] {
        let run = ["run", "hill.toml", "--format", format];
        let short = scratch.run(&run).out;
        let long = scratch.run(&[&run[..], &["--details"]].concat()).out;
        assert!(long.starts_with(&short), "{long}");
        for title in titles {
            assert!(long.contains(title) && !short.contains(title), "{title}: {long}");
        }
        let widest = long.lines().filter(|line| !line.contains("blake3:"));
        assert!(widest.map(|line| line.chars().count()).max() <= Some(110), "{long}");
        assert!(long.contains("points/game (95 % CI)") && long.contains("ahead % (95 % CI)"));
    }
}

#[test]
fn challenges_fit_on_100_columns() {
    let scratch = Scratch::new();
    let bots = ["straight-shooter", "badnomial", "honest", "nobody", "pirate", "random"];
    let liars_dice = [&["run", "liars-dice"], &bots[..]].concat();
    for run in [&liars_dice[..], &["run", "yahtzee", "aces-and-eights", "random"]] {
        let output = scratch.run(&[run, &["--games", "1000", "--seed", "s"]].concat());
        let widest = output.out.lines().map(|line| line.chars().count()).max();
        assert!(widest.is_some_and(|width| width <= 100), "{widest:?}: {}", output.out);
    }
}

#[test]
fn a_pipe_gets_neither_colours_nor_progress() {
    let scratch = Scratch::new();
    scratch.write("hill.toml", yahtzee());
    for arguments in
        [&["run", "hill.toml"][..], &["bots"], &["check", "yahtzee", "dummy", "--seed", "s"]]
    {
        let plain = scratch.run_as_process(arguments, b"");
        assert_eq!((plain.code, plain.err.as_str()), (0, ""), "{arguments:?}");
        assert!(!plain.out.contains('\u{1b}'), "{arguments:?}: {}", plain.out);
        let output = scratch.command(arguments).env("NO_COLOR", "1").output().expect("it runs");
        assert_eq!(CommandOutput::from(output), plain);
    }
}

#[test]
fn colours_can_be_forced() {
    let scratch = Scratch::new();
    let output = scratch.command(&["bots"]).env("CLICOLOR_FORCE", "1").output().expect("it runs");
    assert!(CommandOutput::from(output).out.contains("\u{1b}[1m"));
}

/// A verdict does not depend on who reads the output.
#[test]
fn a_closed_pipe_hides_no_verdict() {
    let scratch = Scratch::new();
    scratch.write("hill.toml", yahtzee());
    scratch.run_ok(&["run", "hill.toml", "--out", "log"]);
    scratch.write("altered", scratch.read("log").replacen("\"game\":2,", "\"game\":3,", 1));
    scratch.write("Silent.py", "pass\n");
    for (arguments, code) in [
        (&["verify", "log"][..], 0),
        (&["verify", "altered"], 1),
        (&["check", "yahtzee", "Silent.py", "--games", "1"], 3),
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = scratch.command(arguments).stdout(writer).output().expect("it runs");
        assert_eq!(CommandOutput::from(output).code, code, "{arguments:?}");
    }
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let scratch = Scratch::new();
    scratch.write("hill.toml", yahtzee());
    scratch.run_ok(&["run", "hill.toml", "--out", "log"]);
    let commands = [
        &["run", "hill.toml"][..],
        &["run", "hill.toml", "--format", "csv"],
        &["run", "hill.toml", "--format", "json"],
        &["run", "hill.toml", "--format", "markdown"],
        &["replay", "log", "1"],
        &["replay", "log", "1", "--format", "json"],
        &["bots"],
        &["check", "yahtzee", "dummy", "random", "--games", "5", "--seed", "s"],
        &["play", "yahtzee", "--seed", "s"],
        &["doctor", "--format", "json"],
        &["completions", "bash"],
    ];
    for arguments in commands {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = scratch.command(arguments).stdout(writer).output().expect("it runs");
        assert_eq!(
            CommandOutput::from(output),
            CommandOutput { code: 0, out: "".into(), err: "".into() },
            "{arguments:?}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let scratch = Scratch::new();
    scratch.write("hill.toml", yahtzee());
    let full = || fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
    let commands = [
        &["run", "hill.toml"][..],
        &["run", "hill.toml", "--format", "csv"],
        &["run", "--games", "5", "--seed", "s"],
        &["bots"],
        &["check", "yahtzee", "dummy", "--games", "5", "--seed", "s"],
        &["completions", "bash"],
    ];
    for arguments in commands {
        let mut command = scratch.command(arguments);
        let output = command.stdout(Stdio::from(full())).output().expect("it runs");
        let output = CommandOutput::from(output);
        assert_eq!(output.code, 1, "{arguments:?}: {}", output.err);
        assert!(output.err.starts_with("error: No space left"), "{arguments:?}: {}", output.err);
    }
    let output = scratch.run(&["run", "hill.toml", "--out", "/dev/full"]);
    assert_eq!((output.code, output.out.as_str()), (1, ""));
    assert!(output.err.starts_with("error: /dev/full: No space left"), "{}", output.err);
}

/// Runs the command with files of at most so many blocks of 512 bytes.
#[cfg(unix)]
fn with_file_limit(scratch: &Scratch, blocks: u64, arguments: &[&str]) -> CommandOutput {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit -f {blocks}; exec \"$@\""), "sh"]);
    command.arg(env!("CARGO_BIN_EXE_dicehill")).args(arguments);
    command.current_dir(scratch.path(".")).output().expect("a shell").into()
}

#[cfg(unix)]
#[test]
fn a_limit_of_the_size_of_files_is_an_error_that_names_the_file() {
    let scratch = Scratch::new();
    let games = ["yahtzee", "greedy", "dummy", "--games", "200", "--seed", "s", "--jobs", "1"];
    scratch.run_ok(&[&["run"], &games[..], &["--out", "whole.jsonl"]].concat());
    let cases: [(&[&str], &str); 3] = [
        (&["export", "whole.jsonl", "--csv", "--out", "tables"], "error: tables: File too large"),
        (&["export", "whole.jsonl", "--html", "pages"], "error: pages/"),
        (&["export", "whole.jsonl", "--jsonl", "--out", "log"], "error: log: File too large"),
    ];
    for (arguments, expected) in cases {
        let CommandOutput { code, err, .. } = with_file_limit(&scratch, 4, arguments);
        assert_eq!(code, 1, "{err}");
        assert!(err.contains(expected) && err.contains("File too large"), "{err}");
    }
    // What fits stays, and the rest is played later.
    let run = [&["run"], &games[..], &["--out", "part.jsonl"]].concat();
    let CommandOutput { code, err, .. } = with_file_limit(&scratch, 100, &run);
    assert_eq!(code, 1, "{err}");
    assert!(err.contains("part.jsonl") && err.contains("File too large"), "{err}");
    scratch.run_ok(&["resume", "part.jsonl"]);
    assert_eq!(scratch.read("part.jsonl"), scratch.read("whole.jsonl"));
}

#[test]
fn house_bots_have_a_line_each() {
    let output = Scratch::new().run(&["bots"]);
    assert_eq!((output.code, output.err.as_str()), (0, ""));
    for name in ["aces-and-eights", "dummy", "badnomial", "nobody", "pirate"] {
        let of_name = |line: &&str| line.starts_with(&format!("  {name} "));
        let lines: Vec<_> = output.out.lines().filter(of_name).collect();
        assert_eq!(lines.len(), 1, "{name}: {}", output.out);
        assert!(lines[0].len() > name.len() + 10, "{name} does nothing: {}", output.out);
    }
    assert!(
        output.out.contains("Yahtzee (yahtzee)\n")
            && output.out.contains("Liar's Dice (liars-dice)\n")
    );
}

#[test]
fn every_command_has_help_with_an_example() {
    let scratch = Scratch::new();
    let commands = ["run", "check", "bots", "play", "replay", "doctor", "completions", "man"];
    let top = scratch.run(&["--help"]);
    assert!(top.out.contains("Exit codes:"), "{}", top.out);
    for command in commands {
        assert!(top.out.contains(&format!("\n  {command} ")), "{command}: {}", top.out);
        for flag in ["-h", "--help"] {
            let output = scratch.run(&[command, flag]);
            assert_eq!((output.code, output.err.as_str()), (0, ""), "{command}");
            let example = output.out.find("Example").expect("an example");
            let part = &output.out[example..];
            assert!(part.contains(&format!("\n  dicehill {command}")), "{command}: {part}");
        }
    }
}

#[test]
fn the_version_is_printed() {
    let output = Scratch::new().run(&["--version"]);
    assert_eq!((output.code, output.err.as_str()), (0, ""));
    assert_eq!(output.out, format!("dicehill {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn each_shell_has_a_completion_script() {
    let scratch = Scratch::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = scratch.run(&["completions", shell]);
        assert_eq!((output.code, output.err.as_str()), (0, ""), "{shell}");
        for word in ["dicehill", "DICEHILL_COMPLETE"] {
            assert!(output.out.contains(word), "{shell}: no {word}");
        }
    }
}

/// Types a command line with its last word incomplete into a real bash that has loaded the script.
#[track_caller]
fn completed(scratch: &Scratch, words: &[&str]) -> Vec<String> {
    let script = scratch.run_ok(&["completions", "bash"]).out;
    scratch.write("completions.bash", script);
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_dicehill"));
    let folder = program.parent().expect("a folder").to_string_lossy();
    let path = format!("{folder}:{}", std::env::var("PATH").expect("a PATH"));
    let ask = r#"
        source completions.bash
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_TYPE=9
        _clap_complete_dicehill dicehill "${@: -1}" "" 2> errors
        printf '%s\n' "${COMPREPLY[@]}"
    "#;
    let output = Command::new("bash")
        .current_dir(scratch.path("."))
        .env("PATH", path)
        .args(["--norc", "-c", ask, "bash", "dicehill"])
        .args(words)
        .output()
        .expect("bash runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().map(|line| line.trim_end().to_owned()).collect()
}

#[test]
fn bash_completes_games_bots_files_and_entrants() {
    let scratch = Scratch::new();
    scratch.write("spring.toml", hill("game = \"yahtzee\"", &["dummy", "random"]));
    scratch.run_ok(&["hill", "init", "spring.db", "yahtzee", "--games", "2"]);
    scratch.run_ok(&["hill", "add", "spring.db", "spring.toml", "--seed", "s"]);
    scratch.run_ok(&["run", "spring.toml", "--out", "run.jsonl", "--games", "2"]);
    let complete = |words: &[&str]| completed(&scratch, words);
    assert_eq!(complete(&["rep"]), ["replay"]);
    assert_eq!(
        complete(&["play", ""]).iter().filter(|word| !word.starts_with('-')).collect::<Vec<_>>(),
        ["yahtzee", "liars-dice"]
    );
    assert_eq!(complete(&["run", "liars-dice", "badn"]), ["badnomial"]);
    assert_eq!(complete(&["run", "spr"]), ["spring.toml"]);
    assert_eq!(complete(&["run", "gre"]), ["greedy"]);
    scratch.write("spring.db-wal", "");
    assert_eq!(complete(&["check", "spring.db"]), ["spring.db"], "no file of SQLite alone");
    fs::remove_file(scratch.path("spring.db-wal")).expect("it is there");
    let advise = |words: &[&str]| complete(&[&["advise", "yahtzee"], words].concat());
    assert_eq!(advise(&["--rules", "pl"]), ["plain"]);
    assert_eq!(advise(&["--free", "ACES,FU"]), ["ACES,FULL_HOUSE"]);
    for command in [&["hill", "show"][..], &["serve"], &["hill", "restore"]] {
        assert_eq!(complete(&[command, &["spr"]].concat()), ["spring.db"], "{command:?}");
    }
    assert_eq!(complete(&["hill", "import", "spring.db", "r"]), ["run.jsonl"]);
    assert_eq!(complete(&["hill", "init", "new.db", "spr"]), ["spring.toml"]);
    assert_eq!(complete(&["replay", "spr"]), ["spring.db"]);
    assert_eq!(complete(&["analyze", "r"]), ["run.jsonl"]);
    assert_eq!(complete(&["run", "yahtzee", "spring.toml#"]), ["spring.toml#A", "spring.toml#B"]);
    assert_eq!(complete(&["run", "--format", "mark"]), ["markdown"]);
    assert_eq!(
        complete(&["hill", "remove", "spring.db", ""])
            .iter()
            .filter(|word| !word.starts_with('-'))
            .collect::<Vec<_>>(),
        ["A", "B"]
    );
    assert_eq!(complete(&["hill", "rename", "spring.db", "B"]), ["B"]);
    assert_eq!(complete(&["hill", "progress", "spring.db", "B"]), ["B"]);
    assert_eq!(complete(&["hill", "set", "spring.db", "game"]), ["game_ms="]);
    assert_eq!(complete(&["run", "--rules", ""]), ["mego-2016", "official", "superjedi-2015"]);
    assert_eq!(complete(&["run", "yahtzee", "--rules", ""]), ["mego-2016", "official"]);
    assert_eq!(complete(&["run", "yahtzee", "ba"]), [""]);
    scratch.run_ok(&["new", "python", "liars-dice", "Mine"]);
    assert_eq!(
        complete(&["check", "./Mine", "--watch", "--against", "ba"]),
        ["badnomial", "bayes"]
    );
    assert_eq!(complete(&["replay", "spring.db#"]), ["spring.db#1"]);
    assert_eq!(complete(&["hill", "show", "spring.db", "--run", ""]), ["1"]);
    assert_eq!(complete(&["analyze", "run.jsonl", "--bot", ""]), ["A", "B"]);
    assert_eq!(complete(&["hill", "remove", "none.db", "A"]), [""]);
}

#[test]
fn every_command_has_a_man_page() {
    let scratch = Scratch::new();
    scratch.run_ok(&["man", "share/man1"]);
    let page = |name: &str| scratch.read(&format!("share/man1/{name}.1"));
    assert!(page("dicehill").contains("dicehill\\-hill(1)"), "{}", page("dicehill"));
    for (name, option) in [("dicehill-run", "games"), ("dicehill-hill-add", "full")] {
        let page = page(name);
        assert!(page.starts_with(".ie") && page.contains(option), "{name}: {page}");
    }
    let add = page("dicehill-hill-add");
    let usage = ".SH SYNOPSIS\n.nf\ndicehill hill add [OPTIONS] <HILL.db> <BOT>...\n.fi\n";
    assert!(add.contains(usage), "{add}");
    let example = ".SH EXAMPLES\n.nf\ndicehill hill add spring.db greedy ./Mine\n";
    assert!(add.contains(example), "{add}");
    // The pages have no date, so that equal programs write equal pages.
    let first = page("dicehill-serve");
    scratch.run_ok(&["man", "share/man1"]);
    assert_eq!(page("dicehill-serve"), first);
    scratch.write("file", "");
    let output = scratch.run(&["man", "file"]);
    assert_eq!((output.code, output.out.as_str()), (2, ""));
    assert!(output.err.starts_with("error: file: "), "{}", output.err);
}

#[test]
fn authors_are_shown() {
    let author = "author = \"Ann*\"\nurl = \"https://example.org/x\"\n";
    let content =
        hill("game = \"yahtzee\"\ngames = 3\nseed = \"s\"\nopen_seed = true", &["dummy", "random"])
            + author;
    assert!(printed(&content, "table").contains("B by Ann*"));
    assert!(printed(&content, "markdown").contains("| [B](https://example.org/x) by Ann\\* "));
    assert!(printed(&content, "csv").contains(",Ann*,https://example.org/x,"));
    let document = document(&content);
    let rows = document["standings"].as_array().expect("standings");
    let row = rows.iter().find(|row| row["bot"] == "B").expect("the row of B");
    assert_eq!((&row["author"], &row["url"]), (&"Ann*".into(), &"https://example.org/x".into()));
    // An unsafe URL is left out of the Markdown.
    let odd = content.replace("https://example.org/x", "https://example.org/(x)");
    assert!(printed(&odd, "markdown").contains("| B by Ann\\* "));
}

#[test]
fn standings_of_long_runs_fit_on_100_columns() {
    let bots = ["bayes", "badnomial", "straight-shooter"];
    let names = hill("game = \"liars-dice\"\ngames = 12000\nseed = \"s\"\nopen_seed = true", &bots)
        .replace("\"C\"", "\"straight-shooter\"");
    for line in printed(&names, "table").lines() {
        assert!(line.chars().count() <= 100, "{line}");
    }
}

/// Failing to write messages does not lose the result.
#[cfg(target_os = "linux")]
#[test]
fn a_full_stderr_does_not_cost_the_result() {
    let scratch = Scratch::new();
    let run = |arguments: &[&str]| {
        let full = fs::File::options().write(true).open("/dev/full").expect("/dev/full");
        scratch.command(arguments).stderr(full).output().expect("the command runs")
    };
    let played = run(&["run", "yahtzee", "dummy", "random", "--games", "3"]);
    assert_eq!(played.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&played.stdout).contains("Champion"));
    assert_eq!(run(&["run", "nofile.toml"]).status.code(), Some(2));
}
