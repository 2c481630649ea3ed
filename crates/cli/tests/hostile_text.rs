//! Texts that want to be more than texts: names, seeds, answers, logs and files of strangers, in all
//! places where they are shown or kept. Nothing steers a terminal, nothing is live in Markdown or HTML,
//! and no cell is a formula.

#![cfg(unix)]

use std::fs;
use std::path::Path;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use serde_json::Value;

use crate::support::{Ran, Scratch};

/// Names that can be printed, and mean something to Markdown, HTML, a spreadsheet or a path.
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

/// What steers a terminal, turns or hides what is shown, or ends a line.
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

/// Answers, each of a line short enough to be shown: all of [`CONTROLS`], and markup.
fn answers() -> Vec<String> {
    let controls = CONTROLS.concat().replace('\n', "\r");
    let markup = "[click](http://evil.example) ![x](y) <img src=x onerror=y> `c` *b* |x| =1";
    let json = "{\"id\": 1, \"category\": \"\\u001b[2J\\u202e\\u009b \u{202e}\u{9b}<b>\"}";
    vec![controls, format!("=1{markup}"), json.to_owned()]
}

/// Whether a character may reach somebody's eyes.
fn is_harmless(character: char) -> bool {
    let odd = matches!(
        character,
        '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{2028}' | '\u{2029}' | '\u{2800}'
            | '\u{3000}' | '\u{3164}' | '\u{180e}' | '\u{feff}' | '\u{a0}' | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{fff0}'..='\u{fffd}' | '\u{1d173}'..='\u{1d17a}' | '\u{e000}'..='\u{f8ff}'
            | '\u{e0000}'..='\u{10ffff}'
    );
    character == '\n' || (!character.is_control() && !odd)
}

/// Expects that whoever looks at the text sees all of it, and nothing else happens.
#[track_caller]
fn harmless(what: &str, text: &str) {
    if let Some(at) = text.find(|character| !is_harmless(character)) {
        let line = text[..at].rsplit('\n').next().unwrap_or_default();
        panic!("{what}: {:?} behind {line:?}", text[at..].chars().next());
    }
}

#[track_caller]
fn harmless_run(what: &str, ran: &Ran) {
    harmless(&format!("{what}, stdout"), &ran.out);
    harmless(&format!("{what}, stderr"), &ran.err);
}

/// The texts of the files in a folder, by name, each of them harmless but for tabs.
#[track_caller]
fn harmless_files(folder: &Path) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        harmless("the name of a file", &name);
        assert!(path.symlink_metadata().expect("it is there").is_file(), "{name}");
        let text = fs::read_to_string(&path).expect("it is UTF-8");
        harmless(&name, &text.replace('\t', ""));
        files.push((name, text));
    }
    files.sort();
    files
}

/// What a reader of Markdown sees.
#[derive(Default, Debug)]
struct Seen {
    /// The text of each cell, heading, item and paragraph.
    texts: Vec<String>,
    links: Vec<String>,
}

/// Reads Markdown and expects nothing in it that does more than show text, but links.
#[track_caller]
fn seen(markdown: &str) -> Seen {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_MATH
        | Options::ENABLE_GFM;
    let mut seen = Seen::default();
    let mut text = String::new();
    for event in Parser::new_ext(markdown, options) {
        match event {
            Event::Text(more) => text.push_str(&more),
            Event::SoftBreak | Event::HardBreak => text.push('\n'),
            Event::Start(Tag::Link { dest_url, .. }) => seen.links.push(dest_url.into_string()),
            Event::Start(
                Tag::Paragraph
                | Tag::Heading { .. }
                | Tag::Item
                | Tag::List(None)
                | Tag::Table(_)
                | Tag::TableHead
                | Tag::TableRow
                | Tag::TableCell
                | Tag::CodeBlock(pulldown_cmark::CodeBlockKind::Indented)
                | Tag::Strong,
            ) => {}
            Event::End(
                TagEnd::Paragraph
                | TagEnd::Heading(_)
                | TagEnd::Item
                | TagEnd::TableCell
                | TagEnd::CodeBlock,
            ) => seen.texts.push(std::mem::take(&mut text)),
            Event::End(_) => {}
            live @ (Event::Start(_)
            | Event::Code(_)
            | Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::Html(_)
            | Event::InlineHtml(_)
            | Event::FootnoteReference(_)
            | Event::Rule
            | Event::TaskListMarker(_)) => panic!("{live:?} is live in {markdown}"),
        }
    }
    assert!(markdown.matches("**").count() <= 2, "more than a title is strong in {markdown}");
    seen
}

/// The cells of a table, none of which is a formula.
#[track_caller]
fn cells(csv: &str) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(csv.as_bytes());
    let rows: Vec<Vec<String>> = reader
        .records()
        .map(|row| row.expect("a row").iter().map(str::to_owned).collect())
        .collect();
    for cell in rows.iter().flatten() {
        let begins = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
        assert!(!begins || cell.parse::<f64>().is_ok(), "{cell:?} is a formula");
    }
    rows
}

/// A text as TOML.
fn toml(text: &str) -> String {
    let escape = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        _ if c.is_control() => format!("\\u{:04x}", u32::from(c)),
        _ => c.to_string(),
    };
    format!("\"{}\"", text.chars().map(escape).collect::<String>())
}

/// A hill of house bots with all [`NAMES`], by authors of the same names, and a seed of [`CONTROLS`]
/// and more.
fn hill_of_names() -> String {
    let seed = toml(&format!("{}|<b>*x*", CONTROLS.concat()));
    let bot = |name: &&str| {
        let name = toml(name);
        let url = "https://example.org/a?b=c&amp;d";
        format!(
            "[[bot]]\nname = {name}\nhouse = \"random\"\nauthor = {name}\nurl = \"{url}\"\nvotes = -1\n"
        )
    };
    let bots: String = NAMES.iter().map(bot).collect();
    format!("game = \"liars-dice\"\ngames = 30\nseed = {seed}\n{bots}")
}

#[test]
fn names_are_shown_as_they_are_written() {
    let scratch = Scratch::new();
    scratch.write("hill.toml", hill_of_names());
    let printed = |format: &str| {
        let ran = scratch.run(&["run", "hill.toml", "--format", format]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{format}");
        harmless_run(format, &ran);
        ran.out
    };
    let by_author = |name: &&str| format!("{name} by {name}");
    let table = printed("table");
    for name in NAMES.iter().map(by_author) {
        assert!(table.contains(&name), "{name} is not in {table}");
    }
    let document: Value = serde_json::from_str(&printed("json")).expect("a document");
    assert_eq!(document["seed"], format!("{}|<b>*x*", CONTROLS.concat()));
    let seen = seen(&printed("markdown"));
    for name in NAMES.iter().map(by_author) {
        assert!(seen.texts.contains(&name), "{name} is not in {seen:?}");
    }
    assert_eq!(seen.links, vec!["https://example.org/a?b=c&d"; NAMES.len()]);
    let rows = cells(&printed("csv"));
    for name in NAMES {
        let is_cell = |cell: &String| cell == name || cell.strip_prefix('\'') == Some(name);
        assert!(rows.iter().any(|row| row.iter().filter(|cell| is_cell(cell)).count() == 2));
    }
}

#[test]
fn pairings_show_names_as_they_are_written() {
    let scratch = Scratch::new();
    for some in NAMES.chunks(6) {
        let bot = |name: &&str| format!("[[bot]]\nname = {}\nhouse = \"random\"\n", toml(name));
        let bots: String = some.iter().map(bot).collect();
        let keys = "game = \"yahtzee\"\nformat = \"duel\"\ngames = 2\nseed = \"s\"";
        scratch.write("hill.toml", format!("{keys}\n{bots}"));
        let ran = scratch.run(&["run", "hill.toml", "--format", "markdown"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let seen = seen(&ran.out);
        let pairings = seen.texts.iter().find(|text| text.contains("Pairings")).expect("them");
        let named = |name: &&&str| pairings.lines().filter(|line| line.contains(**name)).count();
        assert!(some.iter().all(|name| named(&name) >= some.len() - 1), "{pairings}");
    }
}

#[test]
fn names_and_seeds_in_logs_and_replays() {
    let scratch = Scratch::new();
    scratch.write("hill.toml", hill_of_names());
    assert_eq!(scratch.run(&["run", "hill.toml", "--out", "log"]).code, 0);
    harmless("log", &fs::read_to_string(scratch.path("log")).expect("the log"));
    let arguments = [
        &["replay", "log", "1"][..],
        &["replay", "log", "1", "--format", "json"],
        &["replay", "log", "1", "--save", "game"],
        &["replay", "game"],
    ];
    for arguments in arguments {
        let ran = scratch.run(arguments);
        assert_eq!(ran.code, 0, "{}", ran.err);
        harmless_run(&format!("{arguments:?}"), &ran);
    }
    harmless("game", &fs::read_to_string(scratch.path("game")).expect("the game"));
}

#[test]
fn reports_show_names_as_they_are_written() {
    let scratch = Scratch::new();
    scratch.write("hill.toml", hill_of_names());
    let bots: Vec<_> = NAMES.iter().map(|name| format!("hill.toml#{name}")).collect();
    let bots: Vec<_> = bots.iter().map(String::as_str).collect();
    let options = ["check", "liars-dice", "--games", "1", "--report", "report"];
    let ran = scratch.run(&[&options[..], &bots].concat());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    harmless_run("check", &ran);
    let files = harmless_files(&scratch.path("report"));
    assert_eq!(files.len(), NAMES.len() + 1);
    let (_, table) = files.iter().find(|(name, _)| name == "check.csv").expect("the table");
    assert_eq!(cells(table).len(), NAMES.len() + 1);
    let pages = files.iter().filter(|(name, _)| name.ends_with(".md"));
    let mut titles: Vec<_> = pages.map(|(_, page)| seen(page).texts.remove(0)).collect();
    titles.sort();
    let mut names = NAMES.map(str::to_owned);
    names.sort();
    assert_eq!(titles, names);
}

/// A Yahtzee bot that answers as the file named by its argument says, and says the same to its log.
const SPEAKER: &str = "
import sys
text = open(sys.argv[1], 'rb').read()
for line in sys.stdin.buffer:
    if b'\"turn\"' in line:
        sys.stderr.buffer.write(text + b'\\n')
        sys.stderr.buffer.flush()
        sys.stdout.buffer.write(text + b'\\n')
        sys.stdout.buffer.flush()
";

/// A hill with two house bots and one for each of these answers.
fn hill_of_speakers(scratch: &Scratch, answers: &[String]) {
    scratch.write("speaker.py", SPEAKER);
    let mut hill = "game = \"yahtzee\"\ngames = 2\nseed = \"s\"\n".to_owned();
    for house in ["dummy", "random"] {
        hill.push_str(&format!("[[bot]]\nname = \"{house}\"\nhouse = \"{house}\"\n"));
    }
    for (index, answer) in answers.iter().enumerate() {
        scratch.write(&format!("{index}.txt"), answer);
        let command = format!("[\"python3\", \"speaker.py\", \"{index}.txt\"]");
        hill.push_str(&format!("[[bot]]\nname = \"S{index}\"\ncommand = {command}\n"));
    }
    scratch.write("hill.toml", hill);
}

#[test]
fn what_bots_say_is_shown_and_no_more() {
    let scratch = Scratch::new();
    let answers = answers();
    hill_of_speakers(&scratch, &answers);
    for format in ["table", "json", "csv", "markdown"] {
        let (log, logs) = (format!("{format}.log"), format!("{format}-logs"));
        let out = ["--format", format, "--out", &log, "--logs", &logs];
        let ran = scratch.run(&[&["run", "hill.toml"], &out[..]].concat());
        assert_eq!(ran.code, 3, "{}", ran.err);
        harmless_run(format, &ran);
        harmless(&log, &fs::read_to_string(scratch.path(&log)).expect("the log"));
        assert_eq!(harmless_files(&scratch.path(&logs)).len(), answers.len());
        match format {
            "csv" => drop(cells(&ran.out)),
            "markdown" => assert_eq!(seen(&ran.out).links, Vec::<String>::new()),
            _ => {}
        }
    }
}

#[test]
fn what_bots_say_is_reported_and_no_more() {
    let scratch = Scratch::new();
    let answers = answers();
    hill_of_speakers(&scratch, &answers);
    let bots: Vec<_> = (0..answers.len()).map(|index| format!("hill.toml#S{index}")).collect();
    let bots: Vec<_> = bots.iter().map(String::as_str).collect();
    let options = ["check", "yahtzee", "--games", "1", "--report", "report", "--logs", "logs"];
    let ran = scratch.run(&[&options[..], &bots].concat());
    assert_eq!((ran.code, ran.err.as_str()), (3, ""), "{}", ran.out);
    harmless_run("check", &ran);
    harmless_files(&scratch.path("logs"));
    let mut pages = 0;
    for (name, text) in harmless_files(&scratch.path("report")) {
        if name.ends_with(".md") {
            pages += 1;
            assert_eq!(seen(&text).links, Vec::<String>::new(), "{text}");
        } else {
            cells(&text);
        }
    }
    assert_eq!(pages, answers.len());
}

#[test]
fn an_opponent_that_gives_up_says_no_more() {
    let scratch = Scratch::new();
    scratch.write("speaker.py", SPEAKER);
    for text in answers() {
        scratch.write("answer.txt", &text);
        let typed = format!("{}\n1 1\nliar\nquit\n", text.replace('\r', " "));
        let arguments =
            ["play", "liars-dice", "--seed", "s", "--against", "python3 speaker.py answer.txt"];
        let ran = scratch.run_with_input(&arguments, typed.as_bytes());
        assert!(ran.code == 0 && ran.out.contains("gives up"), "{ran:?}");
        harmless_run("play", &ran);
    }
}

#[test]
fn what_java_throws_is_told_and_no_more() {
    let scratch = Scratch::new();
    let text = "\\u001b[2J\\u009b2J\\u202e\\u2028 <img src=x onerror=y> [x](http://evil.example)";
    scratch.write(
        "Thrower.java",
        format!(
            "package mego.yahtzee;
            public class Thrower extends Player {{
                public Thrower(ControllerInterface game) {{ super(game); }}
                static int r\u{e9}\u{65e5}\\u200d = 1;
                static class \u{c4}rger extends RuntimeException {{
                    \u{c4}rger(String text) {{ super(text); }}
                }}
                public TurnChoice turn(int[] dice, int stage) {{
                    throw new \u{c4}rger(\"{text}\");
                }}
            }}"
        ),
    );
    let options = ["--games", "1", "--report", "report", "--logs", "logs"];
    let ran = scratch.run(&[&["check", "yahtzee", "Thrower.java"], &options[..]].concat());
    assert_eq!((ran.code, ran.err.as_str()), (3, ""), "{}", ran.out);
    assert!(ran.out.contains("onerror=y"), "{}", ran.out);
    harmless_run("check", &ran);
    harmless_files(&scratch.path("logs"));
    for (name, text) in harmless_files(&scratch.path("report")) {
        if name.ends_with(".md") {
            assert_eq!(seen(&text).links, Vec::<String>::new());
        }
    }
}

#[test]
fn a_build_that_fails_says_no_more() {
    let scratch = Scratch::new();
    fs::create_dir(scratch.path("Mine")).expect("a folder");
    scratch.write("Mine/text", CONTROLS.concat());
    let bot = "name = \"Mine\"\ncommand = [\"sh\"]\nbuild = [\"sh\", \"-c\", \"cat text; exit 1\"]";
    scratch.write("Mine/bot.toml", bot);
    let ran = scratch.run(&["check", "yahtzee", "./Mine"]);
    assert!(ran.code == 2 && ran.err.contains("status 1"), "{ran:?}");
    harmless_run("build", &ran);
}

/// A bot that qualifies, at tables for five at most, and says something else at a table for six.
const LATE_SPEAKER: &str = "
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message['type'] == 'start':
        players = message['players']
    if message['type'] == 'turn':
        best = max(message['legal'], key=message['legal'].get)
        answer = {'id': message['id'], 'category': best}
        print(json.dumps(answer) if players < 6 else 'what?', flush=True)
";

/// A log of one game in which a bot has failed, with `detail` in place of what it did.
fn log_of_a_failure(detail: &str) -> (Scratch, String) {
    let scratch = Scratch::new();
    scratch.write("late.py", LATE_SPEAKER);
    let mut hill = "game = \"yahtzee\"\ngames = 2\nseed = \"s\"\n".to_owned();
    for number in 0..5 {
        let name = if number == 0 { "dummy".to_owned() } else { format!("other-{number}") };
        hill.push_str(&format!("[[bot]]\nname = \"{name}\"\nhouse = \"dummy\"\n"));
    }
    hill.push_str("[[bot]]\nname = \"S0\"\ncommand = [\"python3\", \"late.py\"]\n");
    scratch.write("hill.toml", hill);
    assert_eq!(scratch.run(&["run", "hill.toml", "--out", "log"]).code, 3);
    let log = fs::read_to_string(scratch.path("log")).expect("the log");
    let lines: Vec<Value> =
        log.lines().map(|line| serde_json::from_str(line).expect("a line")).collect();
    let bar = lines.iter().find(|line| line["type"] == "barred").expect("a bar");
    let record = bar["record"].as_str().map_or_else(|| bar["record"].to_string(), str::to_owned);
    let mut game: Value = serde_json::from_str(&record).expect("a game");
    assert!(game["failures"][0]["detail"].as_str().is_some_and(|text| text.contains("what?")));
    game["failures"][0]["detail"] = detail.into();
    // As a stranger writes it: JSON asks only for the first 32 characters to be escaped.
    let game = serde_json::to_string(&game).expect("JSON");
    let header = log.lines().next().expect("a header");
    (scratch, format!("{header}\n{game}\n"))
}

#[test]
fn a_hostile_log_shows_its_texts_and_no_more() {
    let (scratch, log) = log_of_a_failure(&CONTROLS.concat());
    assert!(log.contains('\u{202e}') && log.contains('\u{9b}'));
    scratch.write("log", &log);
    for arguments in [
        &["replay", "log"][..],
        &["replay", "log", "--format", "json"],
        &["replay", "log", "--input", "S0"],
        &["replay", "log", "--input", "dummy"],
        &["replay", "log", "--save", "game"],
        &["replay", "game"],
    ] {
        let ran = scratch.run(arguments);
        assert_eq!(ran.code, 0, "{arguments:?}: {}", ran.err);
        harmless_run(&format!("{arguments:?}"), &ran);
    }
    harmless("game", &fs::read_to_string(scratch.path("game")).expect("the game"));
    let shown = scratch.run(&["replay", "log"]).out;
    assert!(shown.contains("\\u{1b}[2J") && shown.contains("\\u{202e}txet"), "{shown}");
}

#[test]
fn a_log_that_is_refused_shows_no_more() {
    let (scratch, log) = log_of_a_failure("x");
    for text in CONTROLS {
        let text = serde_json::to_string(text).expect("JSON");
        let inner = &text[1..text.len() - 1];
        for (from, to) in [
            ("\"detail\":\"x\"", format!("\"detail\":{{{text}:1}}")),
            ("malformed-answer", inner.to_owned()),
            ("\"moves\":\"", format!("\"moves\":\"{inner},")),
            ("\"game\":1,", format!("\"game\":{text},")),
            ("\"type\":\"game\"", format!("\"type\":{text}")),
            ("\"points\":1", format!("\"points\":{text}")),
            ("dicehill.log/1", inner.to_owned()),
            ("\"rules\":\"official\"", format!("\"rules\":{text}")),
            ("\"game\":\"yahtzee\"", format!("\"game\":{text}")),
            ("\"memory\":\"game\"", format!("\"memory\":{text}")),
            ("\"name\":\"dummy\"", format!("\"name\":{text}")),
        ] {
            let bad = log.replace(from, &to);
            assert_ne!(bad, log, "{from}");
            scratch.write("bad", bad);
            let ran = scratch.run(&["replay", "bad"]);
            assert_eq!(ran.code, 2, "{from}: {ran:?}");
            harmless_run(from, &ran);
        }
    }
}

#[test]
fn a_log_that_is_made_to_exhaust_is_refused() {
    let (scratch, log) = log_of_a_failure("x");
    let (header, game) = log.split_once('\n').expect("two lines");
    let deep = "[".repeat(200_000);
    let set = header.replace("\"memory\":\"game\"", "\"memory\":\"set\"");
    let before = |number: &str, points: &str| {
        let game = game.trim_end().replace("\"game\":1,", &format!("\"game\":{number},"));
        game.replace("\"points\":1", &format!("\"points\":{points}"))
    };
    let points = "18446744073709551615";
    let replay = &["replay", "bad"][..];
    let input = &["replay", "bad", "3", "--input", "dummy"][..];
    let second = &["replay", "bad", "2", "--input", "dummy"][..];
    let third = before("3", "1");
    for (arguments, bad, part) in [
        (replay, format!("{header}\n{{\"type\":\"game\",\"game\":{deep}\n"), "bad:2: "),
        (replay, format!("{{\"type\":{deep}\n"), "bad:1: "),
        (replay, format!("{header}\n{}\n", before("0", "0")), "not a line of a run log"),
        (replay, format!("{header}\n{}\n", before("-1", "0")), "not a line of a run log"),
        (replay, format!("{header}\n{}\n", before("1e999", "0")), "not a line of a run log"),
        (
            replay,
            log.replace("\"moves\":\"", &format!("\"moves\":\"{}", "9".repeat(1 << 20))),
            "no game",
        ),
        (
            second,
            format!("{set}\n{}\n{}\n", before("1", points), before("2", "1")),
            "more points than a run can give",
        ),
        (
            input,
            format!("{set}\n{}\n{}\n{third}\n", before("1", points), before("2", points)),
            "more points than a run can give",
        ),
    ] {
        assert_ne!(bad, log);
        scratch.write("bad", bad);
        let ran = scratch.run(arguments);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{part}: {}", ran.err);
        assert!(ran.err.contains(part), "{part:?} is not in {}", ran.err);
        assert!(ran.err.len() < 11_000, "{part}: {} bytes", ran.err.len());
        harmless_run(part, &ran);
    }
}

#[test]
fn hill_files_that_are_refused_show_no_more() {
    let scratch = Scratch::new();
    let good = "name = \"N\"\ngame = \"yahtzee\"\nrules = \"official\"\nformat = \"challenge\"\n\
                memory = \"game\"\n[[bot]]\nname = \"A\"\nhouse = \"dummy\"\nauthor = \"B\"\n\
                url = \"https://x.org/\"\n[[bot]]\nname = \"C\"\ncommand = [\"none\"]\n";
    for text in CONTROLS {
        let quoted = toml(text);
        for from in [
            "\"N\"",
            "\"yahtzee\"",
            "\"official\"",
            "\"challenge\"",
            "\"game\"",
            "\"A\"",
            "\"dummy\"",
            "\"B\"",
            "\"https://x.org/\"",
            "\"none\"",
            "author",
        ] {
            scratch.write("hill.toml", good.replacen(from, &quoted, 1));
            let ran = scratch.run(&["run", "hill.toml", "--games", "1"]);
            assert_eq!(ran.code, 2, "{from}, {text:?}: {ran:?}");
            harmless_run(from, &ran);
        }
        // As it is, which TOML allows for some.
        scratch.write("hill.toml", good.replacen("\"N\"", &format!("\"{text}\" x"), 1));
        let ran = scratch.run(&["run", "hill.toml"]);
        assert_eq!(ran.code, 2, "{ran:?}");
        harmless_run("no TOML", &ran);
    }
}

#[test]
fn names_of_files_show_no_more() {
    let scratch = Scratch::new();
    let hill = "game = \"yahtzee\"\ngames = 1\nseed = \"s\"\n[[bot]]\nname = \"A\"\nhouse = \"dummy\"\n\
                [[bot]]\nname = \"B\"\nhouse = \"random\"\n";
    for text in CONTROLS {
        let file = |end: &str| format!("{text}{end}");
        scratch.write(&file(".toml"), hill);
        let log = file(".log");
        let ran = scratch.run(&["run", &file(".toml"), "--format", "json", "--out", &log]);
        assert_eq!(ran.code, 0, "{text:?}: {}", ran.err);
        harmless_run("run", &ran);
        harmless("log", &fs::read_to_string(scratch.path(&log)).expect("the log"));
        scratch.write(&file(".py"), "");
        scratch.write(&file("bad.toml"), "x");
        fs::create_dir(scratch.path(&file(".bot"))).expect("a folder");
        for arguments in [
            &["run", &file("bad.toml")][..],
            &["run", &file("none.toml")],
            &["run", text],
            &["run", &file(".toml"), "--out", &log],
            &["replay", &file(".toml")],
            &["replay", &log, "9"],
            &["replay", &log, "--input", text],
            &["check", "yahtzee", &file(".py")],
            &["check", "yahtzee", &file("none.py")],
            &["check", "yahtzee", &file("none.jar")],
            &["check", "yahtzee", &file(".bot")],
            &["check", "yahtzee", &file(".toml#Z")],
            &["check", "yahtzee", "dummy", "--rules", text],
            &["check", "yahtzee", "dummy", "--report", &log],
            &["check", "yahtzee", "dummy", "--logs", &log],
            &["play", "yahtzee", "--against", text],
        ] {
            let ran = scratch.run(arguments);
            assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.err);
            harmless_run(&format!("{arguments:?}"), &ran);
        }
    }
}

#[test]
fn what_the_command_line_says_is_repeated_and_no_more() {
    for arguments in [
        &["run", "--ga\u{1b}[31mmes"][..],
        &["run", "--format", "\u{1b}]0;title\u{7}"],
        &["run", "--games", "1\u{9b}2J"],
        &["\u{202e}nur"],
    ] {
        let ran = Scratch::new().run(arguments);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{ran:?}");
        assert!(ran.err.contains("\\u{"), "{ran:?}");
        harmless("an error", &ran.err);
    }
}

#[test]
fn pages_and_logs_are_never_written_through_links() {
    use std::os::unix::fs::symlink;

    let scratch = Scratch::new();
    scratch.write("theirs", "theirs");
    for folder in ["report", "logs"] {
        fs::create_dir(scratch.path(folder)).expect("a folder");
    }
    scratch.write("bot.py", SPEAKER);
    for link in ["report/bot.md", "report/check.csv", "logs/bot.log"] {
        symlink(scratch.path("theirs"), scratch.path(link)).expect("a link");
    }
    let options = ["--games", "1", "--report", "report", "--logs", "logs"];
    let ran = scratch.run(&[&["check", "yahtzee", "python3 bot.py theirs"], &options[..]].concat());
    assert_eq!(ran.code, 3, "{ran:?}");
    assert_eq!(fs::read_to_string(scratch.path("theirs")).expect("it is there"), "theirs");
    for folder in ["report", "logs"] {
        assert!(!harmless_files(&scratch.path(folder)).is_empty());
    }
}
