//! README.md and docs/ show the real output of the commands, and their commands work in order. `cargo xtask picture`
//! regenerates the output.

#![cfg(unix)]

use std::fs;
use std::process::Command;

use crate::support::terminal::at_terminal;
use crate::support::{Scratch, project_path};

/// Set by `cargo xtask picture`, to regenerate the output.
const REGENERATE: &str = "DICEHILL_REGENERATE";
/// Columns of the terminal.
const COLUMNS: u16 = 100;
/// The pages whose commands are run, in this order.
const PAGES: [&str; 2] = ["README.md", "docs/data.md"];
/// The picture of the main command.
const PICTURE: &str = "docs/run.svg";
/// The Python bot that the pages begin, which plays fewer games here because each needs processes.
const EXAMPLE_BOT: &str = "./Mine";
const FEW_GAMES: [&str; 2] = ["--games", "3"];
/// A line in place of omitted lines.
const ELIDED: &str = "...";

fn read(path: &str) -> String {
    fs::read_to_string(project_path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Compares a file with its expected content, or regenerates it.
#[track_caller]
fn check_or_regenerate(path: &str, expected: &str) {
    if std::env::var_os(REGENERATE).is_some() {
        fs::write(project_path(path), expected).expect("the project can be written");
    }
    let first_difference = || {
        read(path)
            .lines()
            .zip(expected.lines())
            .find(|(a, b)| a != b)
            .map(|(shown, printed)| format!("shown:   {shown}\nprinted: {printed}"))
    };
    assert!(
        read(path) == expected,
        "{path} is out of date; `cargo xtask picture` regenerates it\n{}",
        first_difference().unwrap_or_default()
    );
}

/// A part of a page.
enum Part<'a> {
    /// A line of text.
    Line(&'a str),
    /// A file that the reader has to write.
    File { name: &'a str, content: String },
    /// A line that holds a command.
    Command(&'a str),
    /// The output lines below a command.
    Output(Vec<&'a str>),
}

/// The parts of a page in order. The first line of a hill file is its name; a command with output begins with a dollar
/// sign.
fn parts(page: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        parts.push(Part::Line(line));
        let Some(language) = line.strip_prefix("```") else { continue };
        let mut block = Vec::new();
        while let Some(line) = lines.next_if(|line| !line.starts_with("```")) {
            block.push(line);
        }
        match language {
            "" | "sh" => parts.extend(commands(&block)),
            "toml" => parts.extend(file(&block)),
            _ => parts.extend(block.into_iter().map(Part::Line)),
        }
        parts.extend(lines.next().map(Part::Line));
    }
    parts
}

fn commands<'a>(block: &[&'a str]) -> Vec<Part<'a>> {
    let mut parts = Vec::new();
    for line in block {
        let is_command = line.starts_with("dicehill ") || line.starts_with("$ dicehill ");
        match parts.last_mut() {
            _ if is_command => {
                parts.push(Part::Command(line));
                parts.extend(line.starts_with('$').then(|| Part::Output(Vec::new())));
            }
            Some(Part::Output(lines)) => lines.push(line),
            _ => parts.push(Part::Line(line)),
        }
    }
    parts
}

fn file<'a>(block: &[&'a str]) -> Vec<Part<'a>> {
    let name = block.first().and_then(|line| line.strip_prefix("# "));
    match name.filter(|name| name.ends_with(".toml")) {
        Some(name) => vec![Part::File { name, content: block.join("\n") + "\n" }],
        None => block.iter().map(|line| Part::Line(line)).collect(),
    }
}

/// The page with the current output of its commands, each of which has to succeed.
fn with_current_output(page: &str, scratch: &Scratch) -> String {
    let mut printed = String::new();
    let mut text = Vec::new();
    for part in parts(page) {
        match part {
            Part::Line(line) => text.push(line.to_owned()),
            Part::File { name, content } => {
                scratch.write(name, &content);
                text.push(content.trim_end().to_owned());
            }
            Part::Command(line) => {
                printed = run_command(line, scratch);
                text.push(line.to_owned());
            }
            Part::Output(shown) => text.extend(current_lines(&shown, &printed)),
        }
    }
    text.join("\n") + "\n"
}

/// The output of the command on this line.
fn run_command(line: &str, scratch: &Scratch) -> String {
    let line = line.trim_start_matches("$ ").split("  #").next().unwrap_or_default();
    let words = shell_words::split(line).expect("a command");
    let mut words: Vec<_> = words.iter().map(String::as_str).collect();
    if words[1] == "serve" {
        // It would not end.
        let hills = words.iter().filter(|word| word.ends_with(".db"));
        hills.for_each(|hill| assert!(scratch.path(hill).exists(), "{line}: there is no {hill}"));
        return String::new();
    }
    if words.contains(&EXAMPLE_BOT) {
        words.extend(FEW_GAMES);
    }
    at_terminal(COLUMNS, scratch.command(&words[1..]).env("NO_COLOR", "1"))
}

/// The shown lines with their current content: the first block from the beginning of the output, and each block after
/// dots from the line that equals its first line.
fn current_lines(shown: &[&str], printed: &str) -> Vec<String> {
    let printed: Vec<_> = printed.lines().collect();
    let mut lines: Vec<String> = Vec::new();
    for (number, part) in shown.split(|line| *line == ELIDED).enumerate() {
        if number > 0 {
            lines.push(ELIDED.to_owned());
        }
        let Some(title) = part.first() else { continue };
        let begin = if number == 0 { Some(0) } else { printed.iter().position(|one| one == title) };
        let begin =
            begin.unwrap_or_else(|| panic!("{title:?} is not printed:\n{}", printed.join("\n")));
        lines.extend(printed[begin..].iter().take(part.len()).map(|line| (*line).to_owned()));
    }
    lines
}

#[test]
fn pages_show_the_current_output() {
    let scratch = Scratch::new();
    for page in PAGES {
        check_or_regenerate(page, &with_current_output(&read(page), &scratch));
    }
}

#[test]
fn the_picture_shows_the_current_output() {
    let arguments = ["run", "--seed", "spring"];
    let scratch = Scratch::new();
    let mut command: Command = scratch.command(&arguments);
    let printed = at_terminal(COLUMNS, command.env("CLICOLOR_FORCE", "1"));
    let shown = format!("$ dicehill {}\n{printed}", arguments.join(" "));
    check_or_regenerate(PICTURE, &anstyle_svg::Term::new().render_svg(shown.trim_end()));
}
