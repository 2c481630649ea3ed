//! The documentation on data is correct: its SQL queries and its Python example.

#![cfg(unix)]

use std::collections::HashMap;
use std::process::{Command, Stdio};

use rusqlite::Connection;
use rusqlite::types::Value as Cell;
use serde_json::Value;

use crate::support::external::{bot, python};
use crate::support::{Scratch, hill};

const STORE: &str = include_str!("../../../protocol/store.md");
const DATA: &str = include_str!("../../../docs/data.md");

/// The code examples of a page in this language, in order.
fn examples(page: &'static str, language: &str) -> Vec<&'static str> {
    let fence = format!("```{language}\n");
    let parts = page.split(fence.as_str()).skip(1);
    parts.map(|part| part.split("```").next().expect("an example")).collect()
}

/// A row of a query by its columns, each as the plain `sqlite3` prints it.
type Row = HashMap<String, String>;

/// The rows of a query, by the library; the program `sqlite3`, if installed, has to find as many.
#[track_caller]
fn query(scratch: &Scratch, sql: &str) -> Vec<Row> {
    let database = Connection::open(scratch.path("hill.db")).expect("a database");
    let mut statement = database.prepare(sql).expect("a query");
    let names: Vec<_> = statement.column_names().map(str::to_owned).collect();
    let cells = |row: &rusqlite::Row<'_>| {
        let cell = |(index, name): (usize, &String)| Ok((name.clone(), shown(row.get(index)?)));
        names.iter().enumerate().map(cell).collect()
    };
    let rows = statement.query_map([], cells).expect("an answer");
    let rows: Vec<Row> = rows.collect::<Result<_, _>>().expect("rows");
    if let Some(printed) = lines_by_sqlite3(scratch, sql) {
        assert_eq!(printed, rows.len() + usize::from(!rows.is_empty()), "{sql}");
    } else {
        println!("not tested: the queries in the program sqlite3, for want of it");
    }
    rows
}

fn shown(cell: Cell) -> String {
    match cell {
        Cell::Null => String::new(),
        Cell::Integer(number) => number.to_string(),
        Cell::Real(number) => number.to_string(),
        Cell::Text(text) => text,
        Cell::Blob(bytes) => format!("{bytes:?}"),
    }
}

/// How many lines the program prints; none if it is not installed.
fn lines_by_sqlite3(scratch: &Scratch, sql: &str) -> Option<usize> {
    let mut command = Command::new("sqlite3");
    command.args(["-readonly", "-csv", "-header", "hill.db", sql]).current_dir(scratch.path(""));
    let output = command.stderr(Stdio::piped()).output().ok()?;
    assert!(output.status.success(), "{sql}: {}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).expect("UTF-8").lines().count())
}

/// A bot of Liar's Dice that raises the last bid, and not always legally.
const CARELESS: &str = r#"
import json, sys
print(json.dumps({'type': 'ready', 'inflight': 1}), flush=True)
for line in sys.stdin:
    turn = json.loads(line)
    if turn["type"] == "turn":
        count, face = (turn["bids"] or ["0 2"])[-1].split()
        count = 1 if int(count) > 5 else int(count) + 1
        print(json.dumps({"id": turn["id"], "bid": f"{count} {face}"}), flush=True)
"#;

/// A hill with one run of this file, and the lines of its log.
#[track_caller]
fn hill_with_run(file: &str) -> (Scratch, Vec<Value>) {
    let scratch = Scratch::new();
    scratch.write("careless.py", CARELESS);
    scratch.write("hill.toml", file);
    for arguments in
        [["hill", "init", "hill.db", "hill.toml"], ["hill", "add", "hill.db", "hill.toml"]]
    {
        scratch.run_ok(&arguments);
    }
    let log = scratch.run(&["export", "hill.db", "--jsonl"]).out;
    let lines = log.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    (scratch, lines)
}

fn number(row: &Row, column: &str) -> f64 {
    row[column].parse().expect("a number")
}

#[test]
fn queries_agree_with_the_result() {
    let bots = &["greedy", "aces-and-eights", "random"];
    let file = hill(
        "game = \"yahtzee\"\nformat = \"duel\"\ngames = 20\nseed = \"s\"\nopen_seed = true",
        bots,
    );
    let (scratch, lines) = hill_with_run(&file);
    let result = lines.last().expect("a result");
    let queries = examples(STORE, "sql");
    let scores = query(&scratch, queries[0]);
    assert_eq!(scores.len(), 3 * 2);
    for row in result["standings"].as_array().expect("standings") {
        let of_bot: Vec<_> = scores.iter().filter(|one| row["bot"] == one["bot"]).collect();
        let games: f64 = of_bot.iter().map(|one| number(one, "games")).sum();
        let sum: f64 =
            of_bot.iter().map(|one| number(one, "games") * number(one, "mean_score")).sum();
        assert_eq!(Some(games), row["games"].as_f64());
        let mean = row["score"]["mean"].as_f64().expect("a mean");
        assert!((sum / games - mean).abs() < 1e-3, "{} and {mean}", sum / games);
    }
    let wins = query(&scratch, queries[1]);
    let pairings = result["pairings"].as_array().expect("pairings");
    assert_eq!(wins.len(), 2 * pairings.len());
    for pairing in pairings {
        let [one, two] = [0, 1].map(|place| &pairing["results"][place]);
        for (mine, other) in [(one, two), (two, one)] {
            let is_pair = |row: &&Row| mine["bot"] == row["bot"] && other["bot"] == row["opponent"];
            let row = wins.iter().find(is_pair).expect("the pair");
            assert_eq!(Some(number(row, "wins")), mine["wins"].as_f64());
            assert_eq!(Some(number(row, "games")), pairing["games"].as_f64());
        }
    }
}

#[test]
fn queries_agree_with_the_log() {
    let [program, option] = python();
    let careless = bot("Careless", &[program, option, "careless.py"]);
    let file = hill(
        "game = \"liars-dice\"\ngames = 20\nseed = \"s\"\nopen_seed = true",
        &["honest", "pirate"],
    ) + &careless;
    let (scratch, lines) = hill_with_run(&file);
    let queries = examples(STORE, "sql");
    assert_eq!(queries.len(), 5, "each is tested, the last one where workers play");
    let games: Vec<_> = lines.iter().filter(|line| line["type"] == "game").collect();
    let times = query(&scratch, queries[2]);
    assert_eq!(times.len(), 1, "{times:?}");
    assert_eq!(times[0]["bot"], "Careless");
    let seats = games.iter().flat_map(|game| {
        let seats = game["seats"].as_array().expect("seats").iter();
        seats.zip(game["results"].as_array().expect("results"))
    });
    let turns: f64 = seats
        .filter(|(bot, _)| **bot == "Careless")
        .filter_map(|(_, result)| result["turns"].as_f64())
        .sum();
    assert_eq!(number(&times[0], "answers"), turns);
    assert!(number(&times[0], "longest_ms") >= number(&times[0], "mean_ms"));
    let failures = query(&scratch, queries[3]);
    let recorded: usize =
        games.iter().filter_map(|game| Some(game["failures"].as_array()?.len())).sum();
    assert!(recorded > 0, "it is careless");
    let counted: f64 = failures.iter().map(|row| number(row, "failures")).sum();
    assert_eq!(counted, recorded as f64);
    assert!(failures.iter().all(|row| row["bot"] == "Careless"), "{failures:?}");
}

/// Every table and view, and every column of the views, is described.
#[test]
fn every_table_and_column_is_described() {
    let (scratch, _) = hill_with_run(&hill(
        "game = \"yahtzee\"\ngames = 1\nseed = \"s\"\nopen_seed = true",
        &["dummy", "random"],
    ));
    let tables = query(
        &scratch,
        "SELECT name, type FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'",
    );
    assert!(tables.len() >= 13, "{tables:?}");
    for table in &tables {
        let name = &table["name"];
        let line = STORE.lines().find(|line| line.starts_with(&format!("| `{name}` |")));
        let line = line.unwrap_or_else(|| panic!("{name} is not described"));
        let columns = query(&scratch, &format!("SELECT name FROM pragma_table_info('{name}')"));
        let is_own = |column: &&Row| column["name"] != "id" || table["type"] == "view";
        for column in columns.iter().filter(is_own) {
            assert!(line.contains(&format!("`{}`", column["name"])), "{name}.{}", column["name"]);
        }
    }
}

#[test]
fn the_python_example_prints_the_means() {
    let python = |arguments: &[&str]| {
        let mut command = Command::new("python3");
        command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    if !python(&["-c", "import polars"]).output().is_ok_and(|output| output.status.success()) {
        println!("not tested: the example in Python, for want of polars");
        return;
    }
    let (scratch, lines) = hill_with_run(&hill(
        "game = \"yahtzee\"\ngames = 20\nseed = \"s\"\nopen_seed = true",
        &["greedy", "random"],
    ));
    scratch.run_ok(&["export", "hill.db", "--csv", "--out", "tables"]);
    let mut code = python(&["-c", examples(DATA, "python")[0]]);
    let output = code.current_dir(scratch.path("")).output().expect("Python runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).expect("UTF-8");
    let (scores, last) = printed.split_once("\n\n").expect("two tables");
    let mut scores = csv::Reader::from_reader(scores.as_bytes());
    let scores: Vec<Row> = scores.deserialize().collect::<Result<_, _>>().expect("rows");
    let standings = lines.last().expect("a result")["standings"].as_array().expect("standings");
    assert_eq!(scores.len(), standings.len());
    for row in standings {
        let score = scores.iter().find(|one| row["bot"] == one["bot"]).expect("the bot");
        for part in ["mean", "se"] {
            let expected = row["score"][part].as_f64().expect("a number");
            assert!((number(score, part) - expected).abs() < 1e-3, "{part} of {score:?}, {row}");
        }
    }
    assert!(last.lines().count() > 2, "{last}");
}
