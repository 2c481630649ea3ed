//! README.md and the book show the real output of the commands, and their commands work in order. `cargo xtask picture`
//! regenerates the output.

#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::terminal::at_terminal;
use crate::support::{Scratch, project_path};

/// Set by `cargo xtask picture`, to regenerate the output.
const REGENERATE: &str = "DICEHILL_REGENERATE";
/// Columns of the terminal.
const COLUMNS: u16 = 100;
/// The picture of the main command.
const PICTURE: &str = "docs/run.svg";
/// The bot that pages begin. It plays few games here because each needs processes, and so do all in qualifications.
const EXAMPLE_BOT: &str = "./Mine";
const FEW_GAMES: &str = " --games 3";
/// A line in place of omitted lines.
const ELIDED: &str = "...";
/// Beginnings of lines that are not run, each with the reason.
const NOT_RUN: [(&str, &str); 42] = [
    ("# ", "a comment"),
    ("cargo ", "builds the project or a crate, which takes minutes"),
    ("dicehill new rust", "its check would build a crate; `new::` does that"),
    ("pip install", "installs packages from the network"),
    ("python3 -m venv", "installs packages"),
    ("dicehill check yahtzee \"environment/", "needs that environment"),
    ("systemd-run ", "needs systemd, and its right to start a unit"),
    ("podman ", "needs Podman; `proofs/container.sh` builds and runs the image"),
    ("alias inside=", "needs Podman"),
    ("inside ", "needs Podman"),
    ("grep ", "needs b3sum"),
    ("dicehill work ", "needs a NATS server; `workers::` starts one"),
    ("dicehill run long.toml --workers", "needs a NATS server; `workers::` starts one"),
    ("dicehill workers ", "needs a NATS server; `workers::` starts one"),
    ("jq ", "needs jq and a signed result; `bench::` checks signatures with ssh-keygen"),
    ("printf %s \"$(sed", "needs a signed result; `bench::` checks signatures with ssh-keygen"),
    ("dicehill play ", "needs a person; `play::` types for one"),
    (
        "dicehill serve spring.db dice.db",
        "does not end, and has hills of several pages; `serve::` starts servers",
    ),
    ("dicehill serve --tables", "does not end; `browser::tables::` plays there"),
    ("dicehill serve spring.db --accept --origin", "does not end; `serve::` starts servers"),
    ("dicehill bench yahtzee-2p-v1", "takes minutes; `bench::` runs benchmarks"),
    (
        "python examples/ppo/train.py",
        "needs numpy, and minutes; the tests of the Python package run a part",
    ),
    (
        "dicehill bench yahtzee-solo-v1 examples/ppo",
        "takes minutes; `cargo xtask baselines` runs it",
    ),
    ("dicehill verify mine.json", "needs the result of that benchmark"),
    ("dicehill doctor", "exits with 3 on machines that do not isolate; `doctor::` runs it"),
    (
        "export API_KEY=",
        "needs a language model, as do the next lines; the tests of the Python package have one",
    ),
    ("API_KEY=", "needs a language model"),
    ("dicehill run models.toml", "needs a language model"),
    ("dicehill hill init models.db", "needs a language model"),
    ("dicehill hill add models.db", "needs a language model"),
    ("dicehill hill run models.db", "needs a language model"),
    ("dicehill run replayed.toml", "needs the transcript of a language model"),
    ("dicehill hill hold", "needs an entry; `entry::` uploads bots"),
    ("dicehill hill approve", "needs an entry; `entry::` uploads bots"),
    ("dicehill hill skip", "needs an entry; `entry::` uploads bots"),
    ("dicehill hill hide", "needs an entry; `entry::` uploads bots"),
    ("dicehill hill rename", "needs an entrant of that name"),
    ("dicehill hill bar", "needs an entrant of that name; `hill_interrupt::` bars one"),
    ("dicehill submit", "needs a server; `entry::` submits a bot"),
    ("dicehill pull", "needs a server; `entry::` pulls games"),
    ("dicehill connect", "needs a server; `entry::remote::` connects bots"),
    ("dicehill analyze spring-Mine.jsonl", "needs the games that were pulled"),
];

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

/// The parts of a page in order. The first line of a file is a comment with its name; a command with output begins with a
/// dollar sign.
fn parts(page: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        parts.push(Part::Line(line));
        let Some(language) = line.trim_start().strip_prefix("```") else { continue };
        let mut block = Vec::new();
        while let Some(line) = lines.next_if(|line| !line.trim_start().starts_with("```")) {
            block.push(line);
        }
        match language {
            "" | "sh" => parts.extend(commands(&block)),
            _ => parts.extend(file(&block)),
        }
        parts.extend(lines.next().map(Part::Line));
    }
    parts
}

/// Whether this line of a block is a command: each of those without output is.
fn is_command(line: &str, follows_output: bool) -> bool {
    line.starts_with("$ ") || !follows_output && !line.trim().is_empty()
}

fn commands<'a>(block: &[&'a str]) -> Vec<Part<'a>> {
    let mut parts = Vec::new();
    for line in block {
        match parts.last_mut() {
            Some(Part::Output(lines)) if !is_command(line, true) => lines.push(*line),
            _ if is_command(line, false) => {
                parts.push(Part::Command(line));
                parts.extend(line.starts_with('$').then(|| Part::Output(Vec::new())));
            }
            _ => parts.push(Part::Line(line)),
        }
    }
    parts
}

/// A block whose first line is a comment with the name of a file.
fn file<'a>(block: &[&'a str]) -> Vec<Part<'a>> {
    let name = block.first().and_then(|line| line.strip_prefix("# "));
    match name.filter(|name| name.contains('.') && !name.contains(' ')) {
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

/// The output of the command on this line, which a shell runs.
fn run_command(line: &str, scratch: &Scratch) -> String {
    let line = line.trim().trim_start_matches("$ ").split("  #").next().unwrap_or_default().trim();
    if NOT_RUN.iter().any(|(beginning, _)| line.starts_with(beginning)) {
        return String::new();
    }
    if line.starts_with("dicehill serve ") {
        // It would not end.
        let hills = line.split(' ').filter(|word| word.ends_with(".db"));
        hills.for_each(|hill| assert!(scratch.path(hill).exists(), "{line}: there is no {hill}"));
        return String::new();
    }
    let begins = |beginning| line.starts_with(beginning);
    let is_slow =
        begins("dicehill check ") || begins("dicehill run ") && line.contains(EXAMPLE_BOT);
    let few = if is_slow && !line.contains("--games") { FEW_GAMES } else { "" };
    at_terminal(COLUMNS, shell(&format!("{line}{few}"), scratch).env("NO_COLOR", "1"))
}

/// A shell in the folder that finds the command.
fn shell(line: &str, scratch: &Scratch) -> Command {
    let folder = Path::new(env!("CARGO_BIN_EXE_dicehill")).parent().expect("a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(scratch.path(""));
    command.env("PATH", format!("{}:{path}", folder.display()));
    command.env_remove("CLICOLOR_FORCE").stdin(Stdio::null()).stderr(Stdio::piped());
    command
}

/// The shown lines with their current content: the first block from the beginning of the output, and each block after
/// dots from the line that equals its first line.
fn current_lines(shown: &[&str], printed: &str) -> Vec<String> {
    let printed: Vec<_> = printed.lines().collect();
    let mut lines: Vec<String> = Vec::new();
    let elided = shown.iter().filter(|line| **line == ELIDED).count();
    for (number, part) in shown.split(|line| *line == ELIDED).enumerate() {
        if number > 0 {
            lines.push(ELIDED.to_owned());
        }
        let Some(title) = part.first() else { continue };
        let begin = if number == 0 { Some(0) } else { printed.iter().position(|one| one == title) };
        let begin =
            begin.unwrap_or_else(|| panic!("{title:?} is not printed:\n{}", printed.join("\n")));
        // What follows is shown too, unless a line says that it is left out.
        let count = if number == elided { usize::MAX } else { part.len() };
        lines.extend(printed[begin..].iter().take(count).map(|line| (*line).to_owned()));
    }
    lines
}

/// Checks pages that share a folder, in this order.
#[track_caller]
fn check_pages(pages: &[&str]) {
    let scratch = Scratch::new();
    for page in pages {
        assert!(CHECKED.contains(page), "{page} is not listed");
        check_or_regenerate(page, &with_current_output(&read(page), &scratch));
    }
}

/// All pages that the tests below check.
const CHECKED: [&str; 25] = [
    "README.md",
    "docs/benchmarks.md",
    "docs/board.md",
    "docs/bots.md",
    "docs/bots/c.md",
    "docs/bots/java.md",
    "docs/bots/javascript.md",
    "docs/bots/other.md",
    "docs/bots/perl.md",
    "docs/bots/python.md",
    "docs/bots/rust.md",
    "docs/data.md",
    "docs/getting-started.md",
    "docs/hill.md",
    "docs/llm.md",
    "docs/machines.md",
    "docs/methods.md",
    "docs/mistakes.md",
    "docs/play.md",
    "docs/strangers.md",
    "docs/study.md",
    "docs/teach.md",
    "docs/tournament.md",
    "docs/tutorial.md",
    "docs/web.md",
];

/// The pages in a folder and the folders in it.
fn pages_in(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(project_path(folder)).expect("a folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name().into_string());
    let paths = names.map(|name| format!("{folder}/{}", name.expect("UTF-8")));
    let pages = paths.flat_map(|path| match project_path(&path).is_dir() {
        true => pages_in(&path),
        false => vec![path],
    });
    pages.filter(|path| path.ends_with(".md")).collect()
}

#[test]
fn every_page_with_commands_is_checked() {
    let has_commands = |path: &&String| {
        let text = read(path);
        parts(&text).iter().any(|part| matches!(part, Part::Command(_)))
    };
    let all = pages_in("docs");
    let with_commands: BTreeSet<&str> =
        all.iter().filter(has_commands).map(String::as_str).collect();
    let checked: BTreeSet<&str> = CHECKED.into_iter().filter(|page| *page != "README.md").collect();
    assert_eq!(with_commands, checked);
}

#[test]
fn the_readme_shows_the_current_output() {
    check_pages(&["README.md", "docs/data.md"]);
}

#[test]
fn first_steps_show_the_current_output() {
    check_pages(&["docs/getting-started.md"]);
}

#[test]
fn the_tutorial_shows_the_current_output() {
    check_pages(&["docs/tutorial.md"]);
}

#[test]
fn tournaments_show_the_current_output() {
    check_pages(&["docs/tournament.md"]);
}

#[test]
fn hills_show_the_current_output() {
    check_pages(&["docs/hill.md"]);
}

#[test]
fn shards_show_the_current_output() {
    check_pages(&["docs/machines.md"]);
}

#[test]
fn boards_show_the_current_output() {
    check_pages(&["docs/board.md", "docs/methods.md"]);
}

#[test]
fn mistakes_show_the_current_output() {
    check_pages(&["docs/mistakes.md"]);
}

#[test]
fn courses_show_the_current_output() {
    check_pages(&["docs/teach.md"]);
}

#[test]
fn studies_show_the_current_output() {
    check_pages(&["docs/study.md", "docs/benchmarks.md", "docs/llm.md"]);
}

#[test]
fn servers_show_the_current_output() {
    check_pages(&["docs/play.md", "docs/strangers.md", "docs/web.md"]);
}

#[test]
fn bots_in_python_show_the_current_output() {
    check_pages(&["docs/bots.md"]);
    check_pages(&["docs/bots/python.md"]);
}

#[test]
fn bots_in_javascript_show_the_current_output() {
    check_pages(&["docs/bots/javascript.md"]);
}

#[test]
fn bots_in_java_show_the_current_output() {
    check_pages(&["docs/bots/java.md"]);
}

#[test]
fn bots_in_c_show_the_current_output() {
    check_pages(&["docs/bots/c.md"]);
}

#[test]
fn bots_without_an_sdk_show_the_current_output() {
    let perl = Command::new("perl").args(["-MJSON::PP", "-e", "1"]).output();
    if perl.is_ok_and(|output| output.status.success()) {
        check_pages(&["docs/bots/perl.md"]);
    } else {
        println!("not tested: the page on Perl, for want of JSON::PP");
    }
    check_pages(&["docs/bots/other.md"]);
    check_pages(&["docs/bots/rust.md"]);
}

#[test]
fn the_picture_shows_the_current_output() {
    let arguments = ["run", "--seed", "spring"];
    let scratch = Scratch::new();
    let mut command: Command = scratch.command(&arguments);
    let printed = at_terminal(COLUMNS, command.env("CLICOLOR_FORCE", "1"));
    let shown = format!("$ dicehill {}\n{printed}", arguments.join(" "));
    let picture = anstyle_svg::Term::new().render_svg(shown.trim_end());
    // The usual 0.4 cannot be read easily on black.
    let picture = picture.replace(".dimmed { opacity: 0.4; }", ".dimmed { opacity: 0.75; }");
    assert!(picture.contains("opacity: 0.75"));
    check_or_regenerate(PICTURE, &picture);
}
