//! Hostile text in names, seeds, answers, logs and files from untrusted authors, wherever it is shown or stored. It
//! cannot control a terminal, is inert in Markdown and HTML, and never becomes a spreadsheet formula.

#![cfg(unix)]

mod bots;
mod checks;
mod exports;
mod files;
mod logs;
mod names;

use serde_json::Value;

use crate::support::Scratch;
use crate::support::external::{bot, python};

/// Printable names with a meaning in Markdown, HTML, a spreadsheet or a path.
const NAMES: [&str; 30] = [
    "|x|",
    "\\|x\\",
    "[click](http://evil.example)",
    "![x](http://evil.example/x.png)",
    "<img src=x onerror=alert(1)>",
    "</td><script>alert(1)</script>",
    "<!-- x -->",
    "<https://evil.example>",
    "&lt;b&gt; &#x1b;",
    "`code` ``code``",
    "```",
    "*b* **b** _i_ __i__ ~s~ ~~s~~",
    "$x$ $$x$$",
    "[^1] [x]: y",
    "# heading #",
    "> quote",
    "- item",
    "+ item",
    "1. item",
    "1) item",
    "---",
    "===",
    "=cmd|' /C calc'!A1",
    "+1+1",
    "-1+1",
    "@SUM(1,1)",
    "\"quoted\", 'and' more",
    "../../../x",
    "/etc/x",
    "~/.profile",
];

/// Characters that control a terminal, hide or reorder text, or end a line.
const CONTROLS: [&str; 20] = [
    "\u{1b}[2J\u{1b}]0;title\u{7}",
    "\u{9b}2J\u{9d}0;title\u{9c}",
    "\u{85}next",
    "back\u{8}\u{8}\u{8}\u{8}",
    "\rerror",
    "two\nlines",
    "\u{b}\u{c}",
    "\u{7f}",
    "\u{202e}txet",
    "\u{2066}x\u{2069}",
    "\u{200e}\u{200f}\u{61c}",
    "\u{200b}\u{200c}\u{200d}\u{2060}\u{feff}",
    "\u{2028}line\u{2029}paragraph",
    "\u{ad}\u{3164}\u{115f}\u{2800}",
    "\u{fe0f}\u{e0041}",
    "\u{fff9}\u{fffb}",
    "\t=1",
    "a\u{a0}b\u{3000}c",
    "\u{1d173}",
    "\u{f0000}\u{e000}",
];

/// Answers of one line each, short enough to be shown: all of [`CONTROLS`], and markup.
fn answers() -> Vec<String> {
    let controls = CONTROLS.concat().replace('\n', "\r");
    let markup = "[click](http://evil.example) ![x](y) <img src=x onerror=y> `c` *b* |x| =1";
    let json = "{\"id\": 1, \"category\": \"\\u001b[2J\\u202e\\u009b \u{202e}\u{9b}<b>\"}";
    vec![controls, format!("=1{markup}"), json.to_owned()]
}

/// A text as a TOML string.
fn toml_string(text: &str) -> String {
    let escape = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        _ if c.is_control() => format!("\\u{:04x}", u32::from(c)),
        _ => c.to_string(),
    };
    format!("\"{}\"", text.chars().map(escape).collect::<String>())
}

/// A hill of house bots with all [`NAMES`], by authors of the same names, and a seed of [`CONTROLS`] and markup.
fn hill_of_names() -> String {
    let seed = toml_string(&format!("{}|<b>*x*", CONTROLS.concat()));
    let bot = |name: &&str| {
        let name = toml_string(name);
        let url = "https://example.org/a?b=c&amp;d";
        format!(
            "[[bot]]\nname = {name}\nhouse = \"random\"\nauthor = {name}\nurl = \"{url}\"\nvotes = -1\n"
        )
    };
    let bots: String = NAMES.iter().map(bot).collect();
    format!("game = \"liars-dice\"\ngames = 30\nseed = {seed}\n{bots}")
}

/// A Yahtzee bot that answers with the content of the file named by its argument, and writes the same to its log.
const ECHO_BOT: &str = "
import sys
text = open(sys.argv[1], 'rb').read()
for line in sys.stdin.buffer:
    if b'\"turn\"' in line:
        sys.stderr.buffer.write(text + b'\\n')
        sys.stderr.buffer.flush()
        sys.stdout.buffer.write(text + b'\\n')
        sys.stdout.buffer.flush()
";

/// A hill with two house bots and a bot for each of these answers.
fn hill_of_echo_bots(scratch: &Scratch, answers: &[String]) {
    let [program, option] = python();
    scratch.write("speaker.py", ECHO_BOT);
    let mut hill = "game = \"yahtzee\"\ngames = 2\nseed = \"s\"\nopen_seed = true\n".to_owned();
    for house in ["dummy", "random"] {
        hill.push_str(&format!("[[bot]]\nname = \"{house}\"\nhouse = \"{house}\"\n"));
    }
    for (index, answer) in answers.iter().enumerate() {
        scratch.write(&format!("{index}.txt"), answer);
        let command = format!("{:?}", [program, option, "speaker.py", &format!("{index}.txt")]);
        hill.push_str(&format!("[[bot]]\nname = \"S{index}\"\ncommand = {command}\n"));
    }
    scratch.write("hill.toml", hill);
}

/// A bot that answers something else to its first roll in the first game of the run, which the open seed fixes.
const LATE_OFFENDER: &str = "
import json, sys
print(json.dumps({'type': 'ready', 'inflight': 1}), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message['type'] == 'turn':
        fails = message['round'] == 1 and message['dice'] == [1, 6, 6, 5, 5]
        best = max(message['legal'], key=message['legal'].get)
        answer = {'id': message['id'], 'category': best}
        print('what?' if fails else json.dumps(answer), flush=True)
";

/// A log of one game in which a bot has failed, with this detail of its failure.
fn log_with_failure(detail: &str) -> (Scratch, String) {
    let scratch = Scratch::new();
    scratch.write("late.py", LATE_OFFENDER);
    let mut hill = "game = \"yahtzee\"\ngames = 2\nseed = \"s\"\nopen_seed = true\n".to_owned();
    for number in 0..5 {
        let name = if number == 0 { "dummy".to_owned() } else { format!("other-{number}") };
        hill.push_str(&format!("[[bot]]\nname = \"{name}\"\nhouse = \"dummy\"\n"));
    }
    let [program, option] = python();
    hill.push_str(&bot("S0", &[program, option, "late.py"]));
    scratch.write("hill.toml", hill);
    assert_eq!(scratch.run(&["run", "hill.toml", "--out", "log"]).code, 3);
    let log = scratch.read("log");
    let lines: Vec<Value> =
        log.lines().map(|line| serde_json::from_str(line).expect("a line")).collect();
    let bar = lines.iter().find(|line| line["type"] == "barred").expect("a bar");
    let record = bar["record"].as_str().map_or_else(|| bar["record"].to_string(), str::to_owned);
    let mut game: Value = serde_json::from_str(&record).expect("a game");
    assert!(game["failures"][0]["detail"].as_str().is_some_and(|text| text.contains("what?")));
    game["failures"][0]["detail"] = detail.into();
    // As an untrusted author may write it: JSON requires escapes only for the first 32 characters.
    let game = serde_json::to_string(&game).expect("JSON");
    let header = log.lines().next().expect("a header");
    (scratch, format!("{header}\n{game}\n"))
}
