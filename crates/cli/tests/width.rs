//! Output fits the width of the terminal, and files and pipes get all of it.

#![cfg(unix)]

use std::collections::BTreeSet;
use std::process::Command;

use anstream::adapter::strip_str;
use unicode_width::UnicodeWidthStr;

use crate::support::terminal::at_terminal;
use crate::support::{Scratch, hill};

/// The width that the default set tests.
const USUAL_WIDTH: u16 = 80;

/// The other widths that are tested with every command. The first is also tested with colours.
const OTHER_WIDTHS: [u16; 2] = [60, 120];

/// The output of a command at a terminal; every line has to fit, except for a hash, which is one word.
#[track_caller]
fn output_that_fits(scratch: &Scratch, columns: u16, arguments: &[&str]) -> String {
    let mut command: Command = scratch.command(arguments);
    let text = at_terminal(columns, command.env("NO_COLOR", "1"));
    assert!(!text.contains('\u{1b}'), "{text}");
    for line in text.lines() {
        let fits = line.width() <= columns.into() || line.trim_start().starts_with("blake3:");
        assert!(fits, "{columns}: {} for {line}\n{text}", line.width());
    }
    text
}

/// The lines of entrants, which begin with a rank and a letter.
fn entrant_lines(text: &str) -> Vec<&str> {
    let is_rank =
        |line: &&str| line.split(' ').next().is_some_and(|word| word.parse::<u32>().is_ok());
    text.lines().filter(is_rank).collect()
}

#[test]
fn the_main_command_fits_on_80_columns() {
    let text = output_that_fits(&Scratch::new(), 80, &["run", "--games", "200", "--seed", "s"]);
    let rows = entrant_lines(&text);
    // Each entrant has one line, which ends with its last number.
    let entrants = dicehill_bots::yahtzee_bots().len() + dicehill_bots::liars_dice_bots().len();
    assert_eq!(rows.len(), entrants, "{text}");
    assert!(rows.iter().all(|row| row.contains('(') && row.contains(['±', '<'])), "{text}");
    assert_eq!(text.matches("Not shown at 80 columns: ").count(), 2, "{text}");
    assert!(text.contains("; --format json has all\n"), "{text}");
}

#[test]
fn the_usage_of_a_command_fits() {
    let scratch = Scratch::new();
    for command in
        [&["export"][..], &["connect"], &["hill", "init"], &["hill", "rename"], &["merge"]]
    {
        let text = output_that_fits(&scratch, 60, &[command, &["--help"]].concat());
        assert!(text.contains("Usage: dicehill "), "{text}");
    }
}

#[test]
fn columns_omitted_at_a_terminal_are_in_a_pipe() {
    let scratch = Scratch::new();
    let run = ["run", "liars-dice", "bayes", "badnomial", "--games", "50", "--seed", "s"];
    let narrow = output_that_fits(&scratch, 60, &run);
    let omitted = narrow.split("Not shown at 60 columns: ").nth(1).expect("a line of them");
    let omitted = omitted.split(';').next().unwrap_or_default().replace("\n  ", " ");
    let piped = scratch.run(&run).out;
    assert!(omitted.contains("turns") && !piped.contains("Not shown"), "{narrow}");
    for heading in omitted.split(", ") {
        assert!(piped.lines().nth(1).is_some_and(|line| line.contains(heading)), "{heading}");
    }
}

#[test]
fn all_commands_fit_at_80_columns() {
    check_commands_fit(&[USUAL_WIDTH]);
}

#[test]
fn all_commands_fit_at_any_width() {
    check_commands_fit(&OTHER_WIDTHS);
}

/// Checks all commands at these widths, and with colours at the first of them.
#[track_caller]
fn check_commands_fit(widths: &[u16]) {
    let scratch = Scratch::new();
    let long = "a bot with the longest name that an author gives to one, 骰子骰子";
    let bots = ["greedy", "aces-and-eights", "random"];
    let file = hill("game = \"yahtzee\"\nformat = \"duel\"\ngames = 20\nseed = \"s\"", &bots);
    scratch.write("hill.toml", file.replace("\"A\"", &format!("\"{long}\"")));
    for arguments in [
        &["run", "hill.toml", "--out", "run.jsonl"][..],
        &["hill", "init", "hill.db", "hill.toml"],
        &["hill", "add", "hill.db", "greedy", "dummy"],
    ] {
        scratch.run_ok(arguments);
    }
    let commands = [
        &["run", "hill.toml", "--details"][..],
        &["hill", "show", "hill.db", "--details"],
        &["hill", "log", "hill.db"],
        &["hill", "list", "hill.db"],
        &["hill", "progress", "hill.db"],
        &["analyze", "run.jsonl"],
        &["replay", "run.jsonl", "1"],
        &["verify", "run.jsonl"],
        &["check", "yahtzee", "dummy", "--games", "5", "--seed", "s"],
        &["advise", "liars-dice", "--counts", "4,7,4", "--dice", "2256", "--bids", "2 6"],
        &["advise", "yahtzee", "--dice", "1,1,4,6,6"],
        &["bots"],
        &["run", "--help"],
        &["duel", "--help"],
        &["--help"],
        &["duel", "greedy", "dummy", "--seed", "s"],
        &["duel", "greedy", "dummy", "--seed", "s", "--not-worse-than", "5"],
        &["run", "liars-dice", "--games", "20", "--seed", "s", "--details"],
        &["resume", "run.jsonl"],
        &["hill", "show", "hill.db", "--run", "1"],
        &["advise", "liars-dice", "--counts", "5,5", "--dice", "11234"],
    ];
    for arguments in commands {
        let whole = scratch.run(arguments).out;
        for &columns in widths {
            let text = output_that_fits(&scratch, columns, arguments);
            assert_words_are_whole(&whole, &text, arguments);
            if columns != widths[0] {
                continue;
            }
            let mut command: Command = scratch.command(arguments);
            command.env_remove("NO_COLOR").env("TERM", "xterm-256color").env("CLICOLOR_FORCE", "1");
            let coloured = strip_str(&at_terminal(columns, &mut command)).to_string();
            assert_eq!(coloured, text, "{columns}: colours move nothing in {arguments:?}");
        }
    }
}

/// Expects every word and number at a terminal to be one of the output in a pipe, where no line is broken. A name may be cut
/// off with an ellipsis, and the remark on columns that are left out has words of its own. `analyze` has another table by round at
/// narrow terminals, with other numbers of digits.
#[track_caller]
fn assert_words_are_whole(whole: &str, text: &str, arguments: &[&str]) {
    let known: BTreeSet<&str> = whole.split_whitespace().collect();
    let begins_remark = |line: &str| line.starts_with("Not shown at ");
    let mut is_remark = false;
    for line in text.lines() {
        is_remark = begins_remark(line) || (is_remark && line.starts_with(' '));
        if is_remark {
            continue;
        }
        for word in line.split_whitespace().filter(|word| !word.contains('…')) {
            let is_free = arguments[0] == "analyze" && !word.contains(char::is_alphabetic);
            assert!(
                is_free || known.contains(word),
                "{word:?} of {line:?} in {arguments:?}\n{whole}"
            );
        }
    }
}

#[test]
fn a_histogram_fits_on_60_columns() {
    let text = output_that_fits(&Scratch::new(), 60, &["solve", "yahtzee"]);
    let bars = text.lines().filter(|line| line.contains('█'));
    assert!(bars.clone().count() > 5 && bars.clone().all(|line| line.contains(" %  ")), "{text}");
}

#[test]
fn documents_are_not_broken_into_lines() {
    let scratch = Scratch::new();
    for format in ["json", "csv", "markdown"] {
        let run = ["run", "yahtzee", "dummy", "random", "--games", "9", "--seed", "s"];
        let run = [&run[..], &["--format", format]].concat();
        let shown = at_terminal(60, &mut scratch.command(&run));
        assert_eq!(shown, scratch.run(&run).out, "{format}");
    }
}
