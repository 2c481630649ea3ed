//! `--progress json`: a stream of lines for programs, as `protocol/schemas/progress.json` describes them.

use std::fs;

use dicehill_arena::{ProgressLine, RunOutcome};
use jsonschema::Validator;
use serde_json::{Value, json};

use crate::support::{CommandOutput, Scratch, external, hill, parse_json, project_path};

fn schema() -> Validator {
    let path = project_path("protocol/schemas/progress.json");
    let text = fs::read_to_string(&path).expect("the schema is there");
    jsonschema::validator_for(&parse_json(&text)).expect("a schema")
}

/// The lines of the stream, each of which conforms to the schema and is read back as it was written.
#[track_caller]
fn stream(output: &CommandOutput) -> Vec<ProgressLine> {
    let schema = schema();
    let lines = output.err.lines().map(|line| {
        let value = parse_json(line);
        let errors: Vec<_> = schema.iter_errors(&value).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{line}: {errors:?}");
        let read: ProgressLine = serde_json::from_value(value.clone()).expect("a line");
        assert_eq!(serde_json::to_value(&read).expect("JSON"), value);
        read
    });
    let lines: Vec<_> = lines.collect();
    assert!(
        matches!(&lines[0], ProgressLine::Header { schema, .. } if schema == "dicehill.progress/1")
    );
    let code = u8::try_from(output.code).expect("an exit code");
    assert_eq!(lines.last(), Some(&ProgressLine::Exit { code }));
    lines
}

/// The stream of a command that plays at least four games if any, without messages, progress, numbers of games played
/// and times.
#[track_caller]
fn events(scratch: &Scratch, arguments: &[&str], code: i32) -> Vec<ProgressLine> {
    let output = scratch.run(&[arguments, &["--progress", "json"]].concat());
    assert_eq!(output.code, code, "{}", output.err);
    let lines = stream(&output).into_iter().filter_map(|line| match &line {
        ProgressLine::Header { .. }
        | ProgressLine::Message { .. }
        | ProgressLine::Workers { .. }
        | ProgressLine::WorkerMessage { .. }
        | ProgressLine::QualificationProgress { .. }
        | ProgressLine::RunProgress { .. }
        | ProgressLine::Exit { .. } => None,
        ProgressLine::RunFinished { outcome, played, .. } => {
            assert!(*played >= 4, "{played} games, and perhaps play-offs");
            Some(ProgressLine::RunFinished { outcome: *outcome, played: 0, seconds: 0.0 })
        }
        ProgressLine::QualificationStarted { .. }
        | ProgressLine::QualificationFinished { .. }
        | ProgressLine::RunStarted { .. }
        | ProgressLine::LeftOut { .. }
        | ProgressLine::Remark { .. }
        | ProgressLine::Barred { .. }
        | ProgressLine::Busy { .. } => Some(line),
    });
    lines.collect()
}

fn run_started(run: Option<i64>, record: Option<&str>, hill: &str, games: u64) -> ProgressLine {
    let (record, hill) = (record.map(str::to_owned), hill.to_owned());
    ProgressLine::RunStarted { run, record, hill, game: "yahtzee".to_owned(), games }
}

fn run_done() -> ProgressLine {
    ProgressLine::RunFinished { outcome: RunOutcome::Done, played: 0, seconds: 0.0 }
}

#[test]
fn a_run_reports_its_beginning_and_its_end() {
    let scratch = Scratch::new();
    let run = ["run", "yahtzee", "dummy", "greedy", "--games", "6", "--seed", "s"];
    let expected = [run_started(None, Some("log"), "yahtzee", 6), run_done()];
    assert_eq!(events(&scratch, &[&run[..], &["--out", "log"]].concat(), 0), expected);
    let shown = scratch.run_ok(&run);
    for mode in ["auto", "plain", "json"] {
        let output = scratch.run_ok(&[&run[..], &["--progress", mode]].concat());
        assert_eq!(output.out, shown.out, "{mode}");
        assert_eq!(output.err.contains("{\"type\""), mode == "json", "{mode}: {}", output.err);
    }
}

#[test]
fn a_hill_reports_the_numbers_of_its_runs_and_that_it_is_busy() {
    let scratch = Scratch::new();
    scratch.run_ok(&["hill", "init", "h.db", "yahtzee", "--games", "6", "--name", "spring"]);
    let add = ["hill", "add", "h.db", "dummy", "greedy"];
    let expected = [run_started(Some(1), Some("h.db#1"), "spring", 6), run_done()];
    assert_eq!(events(&scratch, &add, 0), expected);
    let file = fs::File::open(scratch.path("h.db")).expect("the hill is there");
    file.lock().expect("no run is in progress");
    let busy = ProgressLine::Busy { file: "h.db".to_owned() };
    assert_eq!(events(&scratch, &["hill", "run", "h.db"], 2), [busy]);
    file.unlock().expect("it is ours");
    let duel = ["duel", "dummy", "greedy", "--game", "yahtzee", "--max-games", "4", "--seed", "s"];
    assert!(matches!(
        events(&scratch, &duel, 0)[..],
        [
            ProgressLine::RunStarted { run: None, record: None, games: 4, .. },
            ProgressLine::RunFinished { outcome: RunOutcome::Done, .. }
        ]
    ));
    assert_eq!(events(&scratch, &["resume", "h.db#1"], 0), [], "it has its result");
    assert_eq!(events(&scratch, &["hill", "run", "none.db"], 2), []);
}

#[test]
fn a_qualification_reports_its_result() {
    let scratch = Scratch::new();
    let check = events(&scratch, &["check", "yahtzee", "dummy", "--games", "2", "--seed", "s"], 0);
    let [ProgressLine::QualificationStarted { bot, steps }, finished] = &check[..] else {
        panic!("{check:?}");
    };
    assert!(bot == "dummy" && *steps > 2, "{check:?}");
    let qualified = |bot: &str, qualified, findings| {
        let bot = bot.to_owned();
        ProgressLine::QualificationFinished { bot, qualified, findings }
    };
    assert_eq!(*finished, qualified("dummy", true, 0));
    let script = "while read -r line; do case $line in *'\"type\":\"turn\"'*) echo x;; esac; done";
    let bad = external::bot("bad", &["sh", "-c", script]);
    let keys = "name = \"spring\"\ngame = \"yahtzee\"\ngames = 4\nseed = \"s\"\nopen_seed = true";
    scratch.write("hill.toml", format!("{}{bad}", hill(keys, &["dummy", "dummy"])));
    let run = events(&scratch, &["run", "hill.toml"], 3);
    let [
        ProgressLine::QualificationStarted { bot, .. },
        finished,
        remark,
        started,
        barred,
        why,
        done,
    ] = &run[..]
    else {
        panic!("{run:?}");
    };
    assert!(
        matches!(why, ProgressLine::Remark { bot, text } if bot == "bad" && text.contains("is barred in the qualification")),
        "{why:?}"
    );
    assert!(
        matches!(remark, ProgressLine::Remark { bot, text } if bot == "bad" && text.starts_with("bad does not qualify")),
        "{remark:?}"
    );
    assert_eq!((bot.as_str(), started), ("bad", &run_started(None, None, "spring", 4)));
    assert!(
        matches!(
            finished,
            ProgressLine::QualificationFinished { qualified: false, findings: 1.., .. }
        ),
        "{finished:?}"
    );
    let reason = "malformed-answer".to_owned();
    assert_eq!(*barred, ProgressLine::Barred { bot: "bad".to_owned(), game: 0, reason });
    assert_eq!(*done, run_done());
}

#[test]
fn messages_are_texts_without_styles() {
    let scratch = Scratch::new();
    let output = scratch.run(&["run", "none.toml", "--progress", "json"]);
    assert_eq!(output.code, 2, "{}", output.err);
    let lines = stream(&output);
    let [_, ProgressLine::Message { text }, _] = &lines[..] else { panic!("{lines:?}") };
    assert!(text.starts_with("error: none.toml: "), "{text}");
}

#[test]
fn the_schema_refuses_other_lines() {
    let schema = schema();
    let progress = json!({"type": "run-progress", "played": 3, "games": 4, "seconds": 1.5});
    let qualification = json!({"type": "qualification-progress", "bot": "A", "done": 1, "steps": 9, "seconds": 0.1});
    for line in [&progress, &qualification] {
        assert!(schema.is_valid(line), "{line}");
        for key in line.as_object().expect("an object").keys() {
            for change in [Value::Null, json!([])] {
                let mut other = line.clone();
                other[key] = change;
                assert!(!schema.is_valid(&other), "{other}");
            }
        }
    }
    assert!(!schema.is_valid(&json!({"type": "unknown"})));
    assert!(!schema.is_valid(&json!({"type": "run-progress"})));
}
