//! Luck adjustment of Yahtzee runs: scores split into the loss of decisions and luck.

use rusqlite::Connection;
use serde_json::Value;

use crate::support::store::stored_games;
use crate::support::{CommandOutput, Scratch, hill, number, parse_json};

const HOUSE: [&str; 3] = ["greedy", "optimal", "dummy"];

/// A folder with the hill in `hill.toml` and the log of its run in `log`.
fn folder_with_run(keys: &str, options: &[&str]) -> (Scratch, CommandOutput) {
    let scratch = Scratch::new();
    let keys = format!("game = \"yahtzee\"\nseed = \"s\"\ngames = 40\n{keys}");
    scratch.write("hill.toml", hill(&keys, &HOUSE));
    let output = scratch.run_ok(&[&["run", "hill.toml", "--out", "log"], options].concat());
    (scratch, output)
}

/// Score and loss of a bot in each game of a log.
fn scores_and_losses(log: &str, bot: &str) -> Vec<(f64, f64)> {
    let games = log.lines().map(parse_json).filter(|line| line["type"] == "game");
    let of_bot = |game: Value| {
        let seats = game["seats"].as_array().expect("seats");
        let seat = seats.iter().position(|name| name == bot)?;
        let result = &game["results"][seat];
        Some((number(&result["score"]), number(&result["loss"])))
    };
    games.filter_map(of_bot).collect()
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.sum::<f64>() / count
}

/// The mean luck of a bot according to the analysis of the log, which follows the dice.
fn analysed_luck(scratch: &Scratch, bot: &str) -> f64 {
    let out = scratch.run_ok(&["analyze", "log", "--bot", bot, "--format", "json"]).out;
    number(&parse_json(&out)["bots"][0]["luck"]["mean"])
}

#[test]
fn mean_score_is_best_play_plus_luck_minus_loss() {
    for keys in ["", "rules = \"mego-2016\"", "format = \"duel\"\nseats = 3"] {
        let (scratch, output) = folder_with_run(keys, &["--format", "json"]);
        let (document, log) = (output.json(), scratch.read("log"));
        let start = number(&document["start_value"]);
        for row in document["standings"].as_array().expect("standings") {
            let name = row["bot"].as_str().expect("a name");
            let games = scores_and_losses(&log, name);
            assert_eq!(games.len() as u64, row["games"].as_u64().expect("a number"));
            let score = mean(games.iter().map(|(score, _)| *score));
            let loss = mean(games.iter().map(|(_, loss)| *loss));
            // Documents have six digits.
            let is_close = |shown: &Value, value: f64| (number(shown) - value).abs() < 2e-3;
            assert!(
                is_close(&row["score"]["mean"], score) && is_close(&row["luck"]["loss"], loss),
                "{row}"
            );
            assert!(is_close(&row["luck"]["score"], start - loss), "{row}");
            let luck = analysed_luck(&scratch, name);
            assert!((start + luck - loss - score).abs() < 2e-3, "{keys} {name}: {luck}");
        }
    }
}

#[test]
fn the_optimal_bot_has_no_loss() {
    for keys in ["", "rules = \"mego-2016\"", "format = \"duel\""] {
        let (scratch, output) = folder_with_run(keys, &["--format", "json"]);
        let document = output.json();
        let rows = document["standings"].as_array().expect("standings");
        for row in rows {
            let luck = &row["luck"];
            if row["bot"] == "B" {
                assert_eq!((number(&luck["loss"]), number(&luck["se"])), (0.0, 0.0), "{keys}");
                let distance = number(&luck["score"]) - number(&document["start_value"]);
                assert!(distance.abs() < 1e-3, "{keys}: {distance}");
            } else {
                assert!(number(&luck["loss"]) > 1.0 && number(&luck["se"]) > 0.0, "{row}");
            }
        }
        assert!(scores_and_losses(&scratch.read("log"), "B").iter().all(|(_, loss)| *loss == 0.0));
    }
}

#[test]
fn the_table_shows_losses() {
    let (scratch, output) = folder_with_run("", &[]);
    let heading = output.out.lines().nth(1).expect("a heading");
    assert!(heading.ends_with("  loss/game ± 95 %"), "{}", output.out);
    let row = |name: &str| {
        let name = format!("  {name} ");
        output.out.lines().find(|line| line.contains(&name)).expect("a row")
    };
    assert!(row("B").ends_with("  0.00 ± 0.00"), "{}", output.out);
    let loss = mean(scores_and_losses(&scratch.read("log"), "A").iter().map(|(_, loss)| *loss));
    assert!(row("A").contains(&format!("  {loss:.2} ± ")), "{loss}: {}", output.out);
    assert!(
        output.out.contains("\nloss: points per game given up against optimal play, "),
        "{}",
        output.out
    );
    let details = scratch.run_ok(&["run", "hill.toml", "--details", "--games", "200"]).out;
    let best = details.lines().find(|line| line.starts_with("B ") && line.contains(" 254.59 "));
    assert!(best.is_some_and(|line| line.contains("254.59 ± 0.00")), "{details}");
    assert!(details.contains("\nLuck-adjusted scores\n"), "{details}");
    assert!(details.contains("\nLuck-adjusted points per game\n"), "{details}");
}

#[test]
fn no_luck_omits_every_luck_figure() {
    let (with, with_luck) = folder_with_run("", &["--format", "json"]);
    let (without, without_luck) = folder_with_run("", &["--format", "json", "--no-luck"]);
    for text in [&without_luck.out, &without.read("log")] {
        for word in ["luck", "\"loss\"", "\"variance\"", "start_value"] {
            assert!(!text.contains(word), "{word}: {text}");
        }
    }
    let table = without.run_ok(&["run", "hill.toml", "--no-luck", "--details"]).out;
    assert!(!table.contains("lost") && !table.contains("luck"), "{table}");
    let columns = |scratch: &Scratch| {
        let csv = scratch.run_ok(&["export", "log", "--csv", "--rows", "seats"]).out;
        csv.lines().next().expect("names").to_owned()
    };
    assert_eq!(columns(&with), columns(&without) + ",loss_millionths,variance_thousandths");
    // The games and their winners are the same.
    let moves = |log: &str| -> Vec<_> {
        log.lines().map(|line| parse_json(line)["moves"].clone()).collect()
    };
    assert_eq!(moves(&with.read("log")), moves(&without.read("log")));
    let points = |output: &CommandOutput| -> Vec<_> {
        let document = output.json();
        let rows = document["standings"].as_array().expect("standings").iter();
        rows.map(|row| [row["bot"].clone(), row["points"].clone(), row["score"].clone()]).collect()
    };
    assert_eq!(points(&with_luck), points(&without_luck));
}

#[test]
fn liars_dice_has_no_luck_adjustment() {
    let output = Scratch::new().run_ok(&[
        "run",
        "liars-dice",
        "pirate",
        "bayes",
        "--games",
        "10",
        "--seed",
        "s",
        "--format",
        "json",
    ]);
    assert!(!output.out.contains("luck") && !output.out.contains("start_value"), "{}", output.out);
}

#[test]
fn a_truncated_log_is_resumed_to_the_same_bytes() {
    for options in [&[][..], &["--no-luck"]] {
        let (scratch, output) = folder_with_run("", &[&["--format", "json"], options].concat());
        let complete_log = scratch.read("log");
        for games in [0, 1, 23, 40] {
            let kept_lines: String = complete_log.split_inclusive('\n').take(1 + games).collect();
            scratch.write("log", format!("{kept_lines}{{\"type\":\"game\",\"ga"));
            let resumed = scratch.run_ok(&["resume", "log", "--format", "json"]);
            assert_eq!(resumed.out, output.out);
            assert_eq!(scratch.read("log"), complete_log, "after {games} games");
        }
    }
}

#[test]
fn a_log_with_another_start_value_is_not_resumed() {
    let (scratch, _) = folder_with_run("", &[]);
    let kept_lines: String = scratch.read("log").split_inclusive('\n').take(11).collect();
    let other = kept_lines.replacen("\"start_value\":254.", "\"start_value\":250.", 1);
    // Altered, as the header's hash shows.
    scratch.write("log", &other);
    let output = scratch.run(&["resume", "log"]);
    assert_eq!((output.code, output.out.as_str()), (1, ""));
    assert!(output.err.contains("log:1: header"), "{}", output.err);
    // Without a hash the log may come from another program.
    let (header, games) = other.split_once('\n').expect("a header");
    let (header, _) = header.rsplit_once(",\"header_hash\"").expect("a hash");
    scratch.write("log", format!("{header}}}\n{games}"));
    let output = scratch.run(&["resume", "log"]);
    assert_eq!((output.code, output.out.as_str()), (2, ""));
    assert!(output.err.contains("it has no hash of its own (header_hash)"), "{}", output.err);
    assert!(
        output.err.contains("this dicehill cannot appraise its games in the same way"),
        "{}",
        output.err
    );
}

/// The text with the first loss of A that is not 0 changed by one point; the recorded loss; the new one.
fn with_altered_loss(text: &str) -> (String, String, String) {
    let losses = text.match_indices("\"loss\":").map(|(at, key)| at + key.len());
    let digits = |at: usize| text[at..].split([',', '}']).next().expect("a number");
    let at = losses.into_iter().find(|at| !digits(*at).starts_with("0.")).expect("a loss");
    let recorded = digits(at).to_owned();
    let first = if recorded.starts_with('1') { "2" } else { "1" };
    let altered = format!("{first}{}", &recorded[1..]);
    (format!("{}{altered}{}", &text[..at], &text[at + recorded.len()..]), recorded, altered)
}

/// Expects `verify` to find the alteration and to report it in these words.
#[track_caller]
fn expect_alteration(scratch: &Scratch, run: &str, words: &str) {
    let output = scratch.run(&["verify", run, "--sample", "0"]);
    assert_eq!(output.code, 1, "{}{}", output.out, output.err);
    assert!(output.out.contains(words), "{words:?} is not in {}", output.out);
}

#[test]
fn an_altered_loss_in_a_log_is_found() {
    let (scratch, _) = folder_with_run("", &[]);
    let (altered, recorded, other) = with_altered_loss(&scratch.read("log"));
    let words = format!("is recorded with loss = {other}, but its decisions lead to {recorded}");
    scratch.write("altered", &altered);
    expect_alteration(&scratch, "altered", &words);
    // Without its end the log has no seal, so that only the decisions show the alteration.
    scratch.write("cut", altered.split_inclusive('\n').take(31).collect::<String>());
    expect_alteration(&scratch, "cut", &words);
}

#[test]
fn an_altered_loss_in_a_hill_is_found() {
    let (scratch, _) = folder_with_run("", &[]);
    scratch.run_ok(&["hill", "init", "h.db", "hill.toml"]);
    scratch.run_ok(&["hill", "add", "h.db", "hill.toml"]);
    scratch.run_ok(&["verify", "h.db", "--sample", "0"]);
    let store = Connection::open(scratch.path("h.db")).expect("a database");
    let games: String = store
        .query_row("SELECT games FROM page WHERE run = 1 AND first = 1", [], |row| row.get(0))
        .expect("a page");
    let (altered, recorded, other) = with_altered_loss(&games);
    let changed_rows =
        store.execute("UPDATE page SET games = ?1 WHERE run = 1 AND first = 1", [&altered]);
    assert_eq!(changed_rows, Ok(1));
    drop(store);
    let words = format!("is recorded with loss = {other}, but its decisions lead to {recorded}");
    expect_alteration(&scratch, "h.db", &words);
}

/// A new entrant joins a hill of duels: the games of the others keep their recorded losses. If the second run has no
/// luck adjustment, the games are still the same.
#[test]
fn games_of_earlier_runs_keep_their_losses() {
    let init = |scratch: &Scratch| {
        let keys = "game = \"yahtzee\"\nformat = \"duel\"\ngames = 12\nseed = \"s\"";
        scratch.write("hill.toml", format!("{keys}\n"));
        scratch.run_ok(&["hill", "init", "h.db", "hill.toml"]);
        scratch.run_ok(&["hill", "add", "h.db", "greedy", "dummy"]);
    };
    let scratch = Scratch::new();
    init(&scratch);
    let add = ["hill", "add", "h.db", "optimal", "--full", "--format", "json"];
    let document = scratch.run_ok(&add).json();
    let (before, after) =
        (stored_games(&scratch.path("h.db"), 1), stored_games(&scratch.path("h.db"), 2));
    assert_eq!((before.len(), after.len()), (12, 36));
    assert_eq!(before, after[..12], "the games of the others are not played again");
    assert!(after.iter().all(|line| line.matches("\"loss\":").count() == 2), "{after:?}");
    let rows = document["standings"].as_array().expect("standings");
    assert!(rows.iter().all(|row| row["luck"]["loss"].is_number()), "{document}");
    scratch.run_ok(&["verify", "h.db#2"]);

    let scratch = Scratch::new();
    init(&scratch);
    let document = scratch.run_ok(&[&add[..], &["--no-luck"]].concat()).json();
    assert!(
        document.get("start_value").is_none()
            && !stored_games(&scratch.path("h.db"), 2).concat().contains("loss")
    );
    scratch.run_ok(&["verify", "h.db#2"]);
}
