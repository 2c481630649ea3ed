//! Recorded runs exported as tables, logs and pages, and imported from logs.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::external::{bot, python};
use crate::support::pages::Page;
use crate::support::{Scratch, hill};

/// A hill file of Yahtzee between bots of different strength.
fn yahtzee() -> String {
    hill("game = \"yahtzee\"\ngames = 40\nseed = \"s\"", &["greedy", "aces-and-eights", "random"])
}

fn liars_dice() -> String {
    let bots = ["bayes", "pirate", "nobody", "random"];
    hill("game = \"liars-dice\"\ngames = 40\nseed = \"s\"", &bots)
}

/// A hill in `hill.db` with one run, and the log of the same run in `run.jsonl`.
fn hill_and_log(file: &str) -> Scratch {
    let scratch = Scratch::new();
    scratch.write("hill.toml", file);
    scratch.run_ok(&["run", "hill.toml", "--out", "run.jsonl"]);
    scratch.run_ok(&["hill", "init", "hill.db", "hill.toml"]);
    scratch.run_ok(&["hill", "add", "hill.db", "hill.toml"]);
    scratch
}

/// The rows of a table, each by its column names.
#[track_caller]
fn rows(csv: &str) -> Vec<HashMap<String, String>> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    reader.deserialize().map(|row| row.expect("a row")).collect()
}

fn sum(rows: &[HashMap<String, String>], bot: &str, column: &str) -> u64 {
    let of_table = |row: &&HashMap<String, String>| row["bot"] == bot;
    rows.iter().filter(of_table).map(|row| row[column].parse::<u64>().expect("a number")).sum()
}

fn result_of(scratch: &Scratch, log: &str) -> Value {
    serde_json::from_str(scratch.read(log).lines().last().expect("a result")).expect("JSON")
}

#[test]
fn the_log_of_a_stored_run_equals_that_of_a_plain_run() {
    for file in [yahtzee(), liars_dice()] {
        let scratch = hill_and_log(&file);
        let log = scratch.read("run.jsonl");
        assert_eq!(scratch.run_ok(&["export", "hill.db", "--jsonl"]).out, log);
        assert_eq!(scratch.run_ok(&["export", "run.jsonl", "--jsonl"]).out, log);
        scratch.run_ok(&["export", "hill.db#1", "--jsonl", "--out", "again.jsonl"]);
        assert_eq!(scratch.read("again.jsonl"), log);
    }
}

/// A Yahtzee bot that answers illegally when its first roll begins with 6, 5, 1.
const OFFENDING_BOT: &str = r#"
import json, sys
print(json.dumps({'type': 'ready', 'inflight': 1}), flush=True)
for line in sys.stdin:
    turn = json.loads(line)
    if turn["type"] == "turn":
        fails = turn["stage"] == 0 and turn["dice"][:3] == [6, 5, 1]
        box = "<b>=NONSENSE</b>" if fails else next(iter(turn["legal"]))
        print(json.dumps({"id": turn["id"], "category": box}), flush=True)
"#;

/// A hill with a run that bars a bot after some games, and the log of that run. The seed is open, so that it is always the
/// same run.
#[cfg(unix)]
fn hill_with_bar() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("late.py", OFFENDING_BOT);
    let [program, option] = python();
    let late = bot("Late", &[program, option, "late.py"]);
    scratch.write("hill.toml", format!("open_seed = true\n{}{late}", yahtzee()));
    let output = scratch.run(&["run", "hill.toml", "--out", "run.jsonl"]);
    assert_eq!(output.code, 3, "{}", output.err);
    scratch.run_ok(&["hill", "init", "hill.db", "hill.toml"]);
    scratch.run_ok(&["hill", "import", "hill.db", "run.jsonl"]);
    scratch
}

#[cfg(unix)]
#[test]
fn an_imported_log_is_exported_unchanged() {
    for (scratch, game) in [
        (hill_and_log(&yahtzee()), "yahtzee"),
        (hill_and_log(&liars_dice()), "liars-dice"),
        (hill_with_bar(), "yahtzee"),
    ] {
        scratch.run_ok(&["hill", "init", "other.db", game]);
        scratch.run_ok(&["hill", "import", "other.db", "run.jsonl"]);
        let log = scratch.read("run.jsonl");
        assert_eq!(scratch.run_ok(&["export", "other.db", "--jsonl"]).out, log);
        let last = [&["replay", "other.db#1", "40"][..], &["replay", "run.jsonl", "40"]];
        let [stored, logged] = last.map(|arguments| scratch.run_ok(arguments).out);
        assert_eq!(stored, logged);
        let repeated = scratch.run(&["hill", "import", "other.db", "run.jsonl"]);
        assert_eq!(repeated.code, 2, "{repeated:?}");
        assert!(repeated.err.contains("is already on the hill: run 1"), "{}", repeated.err);
    }
}

/// A log may claim that entrants of this hill played its games; an import does not trust that.
#[test]
fn imported_games_are_not_credited_to_entrants_of_the_hill() {
    let scratch = hill_and_log(&yahtzee());
    let versions = |hill: &str| -> i64 {
        let database = rusqlite::Connection::open(scratch.path(hill)).expect("a database");
        let sql = "SELECT count(version) FROM run_bot";
        database.query_row(sql, [], |row| row.get(0)).expect("a number")
    };
    assert_eq!(versions("hill.db"), 3);
    scratch.run_ok(&["hill", "init", "other.db", "hill.toml", "--name", "hill"]);
    scratch.run_ok(&["hill", "import", "other.db", "run.jsonl"]);
    assert_eq!(versions("other.db"), 0);
    scratch.run_ok(&["hill", "add", "other.db", "hill.toml"]);
    let logs =
        ["other.db#1", "other.db#2"].map(|run| scratch.run_ok(&["export", run, "--jsonl"]).out);
    assert_eq!(logs[0], logs[1]);
    assert_eq!(versions("other.db"), 3);
}

#[cfg(unix)]
#[test]
fn games_before_a_bar_are_exported_with_the_log() {
    let scratch = hill_with_bar();
    let log = scratch.read("run.jsonl");
    let barred = log.lines().position(|line| line.starts_with("{\"type\":\"barred\""));
    assert!(barred.is_some_and(|line| line > 1), "games, and then the bar: {barred:?}");
    assert_eq!(
        log.lines().filter(|line| line.starts_with("{\"type\":\"game\"")).count(),
        40 + barred.expect("it is there") - 1
    );
    let games = scratch.run_ok(&["export", "hill.db", "--csv"]).out;
    assert_eq!(rows(&games).len(), 40);
    assert_eq!(scratch.run_ok(&["export", "hill.db", "--jsonl"]).out, log);
}

#[test]
fn logs_that_do_not_fit_the_hill_are_not_imported() {
    let scratch = hill_and_log(&yahtzee());
    let log = scratch.read("run.jsonl");
    let lines: Vec<_> = log.lines().collect();
    let altered = log.replacen("\"points\":0", "\"points\":1", 1);
    let stranger = log.replacen("\"seats\":[\"A\"", "\"seats\":[\"X\"", 1);
    let gap = [&lines[..3], &lines[4..]].concat().join("\n") + "\n";
    let two_headers = [&lines[..1], &lines[..]].concat().join("\n") + "\n";
    scratch.run_ok(&["hill", "init", "liars.db", "liars-dice"]);
    scratch.run_ok(&["hill", "init", "other.db", "yahtzee"]);
    for (hill, log, code, why) in [
        ("liars.db", log.clone(), 2, "a run of yahtzee, but this is a hill of liars-dice"),
        ("other.db", altered, 1, "bad.jsonl:2: game 1: seat 1 is recorded with points = 1"),
        ("other.db", stranger, 1, "the header does not name it"),
        ("other.db", gap, 1, "bad.jsonl:4: game 4: game 3 before it is missing"),
        ("other.db", two_headers, 1, "a second header"),
        ("other.db", "x\n".to_owned(), 2, "not a run log"),
    ] {
        scratch.write("bad.jsonl", log);
        let output = scratch.run(&["hill", "import", hill, "bad.jsonl"]);
        assert_eq!(output.code, code, "{why}: {output:?}");
        assert!(output.err.contains(why), "{why}: {}", output.err);
        assert_eq!(scratch.run_ok(&["hill", "log", hill]).out, "", "it is not stored");
    }
}

#[test]
fn an_unfinished_log_is_imported_as_unfinished() {
    let scratch = hill_and_log(&yahtzee());
    let log = scratch.read("run.jsonl");
    let half: String = log.lines().take(11).map(|line| format!("{line}\n")).collect();
    scratch.write("half.jsonl", format!("{half}{{\"type\":\"ga"));
    scratch.run_ok(&["hill", "init", "other.db", "yahtzee"]);
    scratch.run_ok(&["hill", "import", "other.db", "half.jsonl"]);
    assert_eq!(scratch.run_ok(&["export", "other.db", "--jsonl"]).out, half);
    let listed = scratch.run_ok(&["hill", "log", "other.db"]).out;
    assert!(listed.contains("10 games, not finished"), "{listed}");
}

#[test]
fn runs_without_moves_are_exported_without_moves() {
    let scratch = Scratch::new();
    scratch.write("hill.toml", yahtzee());
    scratch.run_ok(&["hill", "init", "hill.db", "hill.toml"]);
    scratch.run_ok(&["hill", "add", "hill.db", "hill.toml", "--no-moves"]);
    scratch.run_ok(&["export", "hill.db", "--csv", "--out", "tables"]);
    assert_eq!(rows(&scratch.read("tables/seats.csv")).len(), 3 * 40);
    assert!(!scratch.path("tables/moves.csv").exists());
    let output = scratch.run(&["export", "hill.db", "--csv", "--rows", "moves"]);
    assert_eq!((output.code, output.out.as_str()), (2, ""));
    assert!(output.err.contains("moves of its games were not kept"), "{}", output.err);
    let output = scratch.run_ok(&["export", "hill.db", "--html", "pages"]);
    let found = pages(&scratch.path("pages"));
    assert!(found["index.html"].full_text().contains("moves of these games were not kept"));
    assert!(!found.keys().any(|name| name.starts_with("game-")), "{:?}", found.keys());
    assert!(output.err.contains(&format!("{} page", found.len())), "{}", output.err);
    scratch.run_ok(&["export", "hill.db", "--jsonl", "--out", "run.jsonl"]);
    scratch.run_ok(&["hill", "init", "other.db", "yahtzee"]);
    scratch.run_ok(&["hill", "import", "other.db", "run.jsonl"]);
    let log = scratch.read("run.jsonl");
    assert_eq!(scratch.run_ok(&["export", "other.db", "--jsonl"]).out, log);
}

#[test]
fn tables_add_up_to_the_standings() {
    for (file, figure) in [(yahtzee(), None), (liars_dice(), Some("turns"))] {
        let scratch = hill_and_log(&file);
        scratch.run_ok(&["export", "hill.db", "--csv", "--out", "tables"]);
        let seats = rows(&scratch.read("tables/seats.csv"));
        let result = result_of(&scratch, "run.jsonl");
        for row in result["standings"].as_array().expect("standings") {
            let bot = row["bot"].as_str().expect("a name");
            assert_eq!(sum(&seats, bot, "points"), row["points"].as_u64().expect("points"));
            if let Some(figure) = figure {
                assert_eq!(sum(&seats, bot, figure), row[figure].as_u64().expect("a sum"));
            }
        }
        let games = rows(&scratch.read("tables/games.csv"));
        assert_eq!(games.len(), 40);
        let length: usize =
            games.iter().map(|row| row["length"].parse::<usize>().expect("a number")).sum();
        assert_eq!(rows(&scratch.read("tables/moves.csv")).len(), length);
        assert_eq!(fs::read_dir(scratch.path("tables")).expect("the folder").count(), 3);
    }
}

/// The counts of two bots, from the first one's side.
type PairCounts = (String, String, [u64; 4]);

/// The exported pairs, each from both sides.
fn exported_pairs(scratch: &Scratch) -> Vec<PairCounts> {
    let pairs = rows(&scratch.run_ok(&["export", "run.jsonl", "--csv", "--rows", "pairs"]).out);
    let both_sides = |row: &HashMap<String, String>| {
        let [games, ahead, level, behind] = ["games", "ahead", "level", "behind"]
            .map(|column| row[column].parse::<u64>().expect("a number"));
        let (bot, other) = (row["bot"].clone(), row["other"].clone());
        [
            (bot.clone(), other.clone(), [games, ahead, level, behind]),
            (other, bot, [games, behind, level, ahead]),
        ]
    };
    pairs.iter().flat_map(both_sides).collect()
}

#[test]
fn exported_pairs_are_those_of_the_result() {
    let duel = yahtzee().replace("games = 40", "format = \"duel\"\ngames = 10");
    for file in [yahtzee(), liars_dice(), duel] {
        let scratch = Scratch::new();
        scratch.write("hill.toml", file);
        scratch.run_ok(&["run", "hill.toml", "--out", "run.jsonl"]);
        let exported = exported_pairs(&scratch);
        let result = result_of(&scratch, "run.jsonl");
        assert_eq!(result["left_out"], Value::Null);
        let pairs = result["head_to_head"].as_array().expect("pairs");
        assert_eq!(2 * pairs.len(), exported.len());
        for pair in pairs {
            let text = |key: &str| pair[key].as_str().expect("a name").to_owned();
            let counts = ["games", "ahead", "level", "behind"]
                .map(|key| pair[key].as_u64().expect("a number"));
            assert!(exported.contains(&(text("bot"), text("other"), counts)), "{pair}");
        }
    }
}

#[test]
fn pairs_of_a_large_field_are_exported_and_not_in_its_result() {
    let bot = |number: usize| format!("[[bot]]\nname = \"bot-{number}\"\nhouse = \"random\"\n");
    let bots: String = (0..65).map(bot).collect();
    let keys = "game = \"yahtzee\"\ngames = 2\nseed = \"s\"";
    let scratch = Scratch::new();
    scratch.write("hill.toml", hill(keys, &[]) + &bots);
    let board = scratch.run_ok(&["run", "hill.toml", "--out", "run.jsonl", "--details"]).out;
    assert!(board.contains("Head to head is left out for so many bots"), "{board}");
    let result = result_of(&scratch, "run.jsonl");
    assert_eq!(result["left_out"], serde_json::json!(["head_to_head"]));
    assert_eq!(result["head_to_head"], Value::Array(Vec::new()));
    let exported = exported_pairs(&scratch);
    assert_eq!(exported.len(), 65 * 64);
    assert!(exported.iter().all(|(_, _, counts)| counts[0] == 2));
}

/// The documented columns of a table for this game.
fn documented_columns(game: &str, table: &str) -> Vec<String> {
    let page = include_str!("../../../protocol/export.md");
    let heading = format!("\n## `{table}`");
    let (_, section) = page.split_once(&heading).expect("a section for each table");
    let section = section.split("\n## ").next().unwrap_or_default();
    let cells = section.lines().filter(|line| line.starts_with("| `"));
    let cells = cells.map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
    let of_this_game = |row: &Vec<&str>| row[2] == "both" || row[2] == game;
    cells.filter(of_this_game).map(|row| row[1].trim_matches('`').to_owned()).collect()
}

#[test]
fn every_column_is_documented_and_named_alike_in_all_formats() {
    for (file, game) in [(yahtzee(), "Yahtzee"), (liars_dice(), "Liar's Dice")] {
        let scratch = hill_and_log(&file);
        for table in ["games", "seats", "moves", "pairs"] {
            let columns = documented_columns(game, table);
            let of_table =
                |form: &str| scratch.run_ok(&["export", "run.jsonl", form, "--rows", table]).out;
            let csv = of_table("--csv");
            assert_eq!(csv.lines().next(), Some(columns.join(",").as_str()));
            let json = of_table("--jsonl");
            let first = json.lines().next().expect("a row");
            let row: Value = serde_json::from_str(first).expect("JSON");
            assert_eq!(row.as_object().expect("an object").len(), columns.len());
            assert!(columns.iter().all(|column| row.get(column).is_some()), "{first}");
            assert_eq!(json.lines().count(), rows(&csv).len());
            let markdown = of_table("--markdown").replace('\\', "");
            assert_eq!(markdown.lines().next(), Some(&*format!("| {} |", columns.join(" | "))));
        }
    }
}

#[test]
fn exported_moves_equal_the_replay() {
    for (file, kinds) in [(yahtzee(), ["keep", "fill"]), (liars_dice(), ["bid", "call"])] {
        let scratch = hill_and_log(&file);
        let moves = rows(&scratch.run_ok(&["export", "run.jsonl", "--csv", "--rows", "moves"]).out);
        let replay = scratch.run_ok(&["replay", "run.jsonl", "7", "--format", "json"]).out;
        let replay: Value = serde_json::from_str(&replay).expect("JSON");
        let replayed = replay["moves"].as_array().expect("moves");
        let moves: Vec<_> = moves.iter().filter(|row| row["game"] == "7").collect();
        assert_eq!(moves.len(), replayed.len());
        for (row, replayed) in moves.iter().zip(replayed) {
            assert_eq!(replayed["action"], row["action"]);
            assert_eq!(replayed["bot"], row["bot"]);
            assert_eq!(replayed["round"].to_string(), row["round"]);
            assert!(kinds.contains(&row["kind"].as_str()), "{row:?}");
            let dice = row.get("dice").or(row.get("hand")).expect("dice").replace(' ', ",");
            let shown = if replayed["dice"].is_array() {
                replayed["dice"].to_string()
            } else {
                replayed["hands"].to_string()
            };
            assert!(shown.contains(&format!("[{dice}]")), "{dice} is not in {shown}");
        }
    }
}

#[test]
fn a_failed_export_leaves_no_partial_files() {
    let scratch = hill_and_log(&yahtzee());
    let log = scratch.read("run.jsonl");
    scratch.write("bad.jsonl", log.replace("\"game\":30,", "\"game\":30,\"void\":true,"));
    let output = scratch.run(&["export", "bad.jsonl", "--csv", "--out", "tables"]);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(output.err.contains("bad.jsonl:31: game 30: "), "{output:?}");
    assert!(!scratch.path("tables").exists());
    scratch.write("table.csv", "as it was");
    let one = ["export", "bad.jsonl", "--csv", "--rows", "moves", "--out", "table.csv"];
    assert_eq!(scratch.run(&one).code, 1);
    assert_eq!(scratch.read("table.csv"), "as it was");
    let folder = scratch.run(&["export", "hill.db", "--csv", "--out", "all.csv"]);
    assert!(folder.code == 2 && folder.err.contains("with --rows"), "{}", folder.err);
    let nowhere = ["export", "hill.db", "--csv", "--rows", "games", "--out", "none/games.csv"];
    let nowhere = scratch.run(&nowhere);
    assert!(nowhere.err.contains("there is no folder \"none\""), "{}", nowhere.err);
    assert!(nowhere.code == 2 && !scratch.path("none").exists());
    let itself = ["export", "hill.db#1", "--jsonl", "--out", "hill.db"];
    let output = scratch.run(&itself);
    assert_eq!(output.code, 2);
    assert!(output.err.contains("hill.db: is the run itself"), "{}", output.err);
    // Exports are replaced by newer ones, but nothing else is.
    scratch.write("hill.toml", "game = \"yahtzee\"\n");
    for (file, what) in [("hill.toml", "a hill file"), ("run.jsonl", "a run log")] {
        let before = scratch.read(file);
        let over = ["export", "hill.db#1", "--markdown", "--out", file];
        let why = format!("{file}: exists already, and is {what}: choose another name\n");
        scratch.run_refused(&over, &[&why]);
        assert!(scratch.read(file) == before, "{file}");
    }
    let log = ["export", "hill.db#1", "--jsonl", "--out", "run.jsonl"];
    scratch.run_ok(&log);
    let left: Vec<_> = fs::read_dir(scratch.path("")).expect("the folder").collect();
    let hidden = |entry: &std::io::Result<fs::DirEntry>| {
        entry
            .as_ref()
            .is_ok_and(|entry| entry.file_name().to_string_lossy().starts_with("dicehill-work-"))
    };
    assert!(!left.iter().any(hidden), "{left:?}");
}

#[cfg(not(feature = "parquet"))]
#[test]
fn the_feature_that_writes_parquet_is_named() {
    let scratch = hill_and_log(&yahtzee());
    let output = scratch.run(&["export", "run.jsonl", "--parquet", "--out", "tables"]);
    assert_eq!(output.code, 2);
    assert!(output.err.contains("--features parquet"), "{}", output.err);
    assert!(!scratch.path("tables").exists());
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_has_the_rows_of_json() {
    use parquet::file::reader::{FileReader, SerializedFileReader};

    for file in [yahtzee(), liars_dice()] {
        let scratch = hill_and_log(&file);
        scratch.run_ok(&["export", "hill.db", "--parquet", "--out", "tables"]);
        for table in ["games", "seats", "moves"] {
            let file = fs::File::open(scratch.path(&format!("tables/{table}.parquet")));
            let reader = SerializedFileReader::new(file.expect("the file")).expect("Parquet");
            let rows = reader.get_row_iter(None).expect("rows").map(|row| {
                let row = row.expect("a row");
                let cells = row.get_column_iter().map(|(name, cell)| (name.clone(), json(cell)));
                cells.collect::<serde_json::Map<_, _>>()
            });
            let lines = scratch.run_ok(&["export", "hill.db", "--jsonl", "--rows", table]).out;
            let object = |line| -> serde_json::Map<String, Value> {
                serde_json::from_str(line).expect("an object")
            };
            assert!(rows.eq(lines.lines().map(object)), "{table}");
        }
    }
}

#[cfg(feature = "parquet")]
fn json(cell: &parquet::record::Field) -> Value {
    use parquet::record::Field;

    if let Field::Long(number) = cell {
        Value::from(*number)
    } else if let Field::Bool(flag) = cell {
        Value::from(*flag)
    } else if let Field::Str(text) = cell {
        Value::from(text.as_str())
    } else {
        assert_eq!(*cell, Field::Null);
        Value::Null
    }
}

/// The pages in a folder by name, each of them checked, with links that resolve.
fn pages(folder: &Path) -> HashMap<String, Page> {
    let mut pages = HashMap::new();
    for entry in fs::read_dir(folder).expect("the folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if !name.ends_with(".html") {
            continue;
        }
        let page = Page::read(&fs::read_to_string(&path).expect("a text"));
        for link in page.links.iter().filter(|link| link.ends_with(".html")) {
            assert!(folder.join(link).is_file(), "{link} in {name}");
        }
        for file in &page.loaded_files {
            assert!(folder.join(file).is_file(), "{file} of {name}");
        }
        pages.insert(name, page);
    }
    pages
}

/// The numbers of the games that have pages.
fn shown_games(pages: &HashMap<String, Page>) -> Vec<u64> {
    let number = |name: &String| name.strip_prefix("game-")?.strip_suffix(".html")?.parse().ok();
    let mut games: Vec<_> = pages.keys().filter_map(number).collect();
    games.sort_unstable();
    games
}

#[test]
fn pages_show_the_board_and_chosen_games() {
    for file in [yahtzee(), liars_dice()] {
        let scratch = hill_and_log(&file);
        scratch.run_ok(&["export", "hill.db", "--html", "pages"]);
        let found = pages(&scratch.path("pages"));
        assert!((20..=31).contains(&shown_games(&found).len()), "{:?}", found.keys());
        let result = result_of(&scratch, "run.jsonl");
        let index = found["index.html"].full_text();
        let champion = result["champion"].as_str().expect("a name");
        assert!(index.contains(&format!("Champion: {champion}")), "{index}");
        assert!(index.contains(result["records"].as_str().expect("a hash")), "{index}");
        scratch.run_ok(&["export", "run.jsonl", "--html", "two", "--game", "33", "--game", "7"]);
        let two = pages(&scratch.path("two"));
        assert_eq!(shown_games(&two), [7, 33]);
        check_replay_page(&scratch, &two["game-7.html"], 7);
        let output = scratch.run(&["export", "run.jsonl", "--html", "none", "--game", "41"]);
        assert_eq!(output.code, 2);
        assert!(!scratch.path("none").exists());
    }
}

/// Every recorded move of a game has its place on the page, and the page's data match the results.
#[track_caller]
fn check_replay_page(scratch: &Scratch, page: &Page, game: u64) {
    let log = scratch.read("run.jsonl");
    let line: Value = log
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .find(|line: &Value| line["type"] == "game" && line["game"] == game)
        .expect("the game is in the log");
    let moves = line["moves"].as_str().expect("moves").split(',').count();
    for number in 1..=moves {
        assert!(page.has_id(&format!("move-{number}")), "move {number} of {moves}");
    }
    assert!(!page.has_id(&format!("move-{}", moves + 1)));
    let [data] = page.data.as_slice() else { panic!("one block of data, not {:?}", page.data) };
    for (seat, result) in line["results"].as_array().expect("results").iter().enumerate() {
        assert_eq!(data["seats"][seat]["points"], result["points"]);
        assert_eq!(data["seats"][seat]["bot"], line["seats"][seat]);
        if let Value::Array(cards) = &data["replay"]["yahtzee"]["cards"] {
            assert_eq!(cards[seat]["score"], result["score"]);
        }
    }
}

#[cfg(unix)]
#[test]
fn pages_show_barred_bots() {
    let scratch = hill_with_bar();
    scratch.run_ok(&["export", "hill.db", "--html", "pages"]);
    let found = pages(&scratch.path("pages"));
    let index = found["index.html"].full_text();
    assert!(index.contains("<b>=NONSENSE</b>"), "{index}");
    // The pages of barred bots lead there.
    assert!(found["index.html"].has_id("bars"), "{index}");
    let barred = found["barred-1.html"].full_text();
    assert!(barred.contains("<b>=NONSENSE</b>") && barred.contains("Late is barred"), "{barred}");
}
