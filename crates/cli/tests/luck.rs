//! Games that are taken apart into what decisions cost and what was luck, as runs do with Yahtzee.

use rusqlite::Connection;
use serde_json::Value;

use crate::support::store::stored_games;
use crate::support::{Ran, Scratch, hill, number, parse_json};

const HOUSE: [&str; 3] = ["greedy", "optimal", "dummy"];

/// A folder with the hill of those who play, and the log of their run in `log`.
fn played(keys: &str, options: &[&str]) -> (Scratch, Ran) {
    let scratch = Scratch::new();
    let keys = format!("game = \"yahtzee\"\nseed = \"s\"\ngames = 40\n{keys}");
    scratch.write("hill.toml", hill(&keys, &HOUSE));
    let ran = scratch.run_ok(&[&["run", "hill.toml", "--out", "log"], options].concat());
    (scratch, ran)
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

/// The luck of a bot by the analysis of the log, which follows the dice: its mean.
fn analysed_luck(scratch: &Scratch, bot: &str) -> f64 {
    let out = scratch.run_ok(&["analyze", "log", "--bot", bot, "--format", "json"]).out;
    number(&parse_json(&out)["bots"][0]["luck"]["mean"])
}

#[test]
fn a_mean_score_is_the_best_play_and_luck_without_what_was_lost() {
    for keys in ["", "rules = \"mego-2016\"", "format = \"duel\"\nseats = 3"] {
        let (scratch, ran) = played(keys, &["--format", "json"]);
        let (document, log) = (ran.json(), scratch.read("log"));
        let start = number(&document["start_value"]);
        for row in document["standings"].as_array().expect("standings") {
            let name = row["bot"].as_str().expect("a name");
            let games = scores_and_losses(&log, name);
            assert_eq!(games.len() as u64, row["games"].as_u64().expect("a number"));
            let score = mean(games.iter().map(|(score, _)| *score));
            let loss = mean(games.iter().map(|(_, loss)| *loss));
            // Documents have six digits.
            let is = |told: &Value, value: f64| (number(told) - value).abs() < 2e-3;
            assert!(is(&row["score"]["mean"], score) && is(&row["luck"]["loss"], loss), "{row}");
            assert!(is(&row["luck"]["score"], start - loss), "{row}");
            let luck = analysed_luck(&scratch, name);
            assert!((start + luck - loss - score).abs() < 2e-3, "{keys} {name}: {luck}");
        }
    }
}

#[test]
fn who_plays_optimally_loses_nothing() {
    for keys in ["", "rules = \"mego-2016\"", "format = \"duel\""] {
        let (scratch, ran) = played(keys, &["--format", "json"]);
        let document = ran.json();
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
fn a_table_tells_what_was_lost() {
    let (scratch, ran) = played("", &[]);
    let heading = ran.out.lines().nth(1).expect("a heading");
    assert!(heading.ends_with("  loss/game ± se"), "{}", ran.out);
    let row = |name: &str| {
        let name = format!("  {name} ");
        ran.out.lines().find(|line| line.contains(&name)).expect("a row")
    };
    assert!(row("B").ends_with("  0.00 ± 0.00"), "{}", ran.out);
    let loss = mean(scores_and_losses(&scratch.read("log"), "A").iter().map(|(_, loss)| *loss));
    assert!(row("A").contains(&format!("  {loss:.2} ± ")), "{loss}: {}", ran.out);
    assert!(
        ran.out.contains("\nLoss is expected score given up against optimal play"),
        "{}",
        ran.out
    );
    let details = scratch.run_ok(&["run", "hill.toml", "--details", "--games", "200"]).out;
    let best = details.lines().find(|line| line.starts_with("B ") && line.contains(" 254.59 "));
    assert!(best.is_some_and(|line| line.contains("254.59 ± 0.00")), "{details}");
    assert!(details.contains("\nScores without luck\n"), "{details}");
    assert!(details.contains("\nPoints a game without luck\n"), "{details}");
}

#[test]
fn nothing_is_said_of_luck_where_nobody_wants_it() {
    let (with, told) = played("", &["--format", "json"]);
    let (without, kept) = played("", &["--format", "json", "--no-luck"]);
    for text in [&kept.out, &without.read("log")] {
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
    // The games are the same, and so is who wins.
    let moves = |log: &str| -> Vec<_> {
        log.lines().map(|line| parse_json(line)["moves"].clone()).collect()
    };
    assert_eq!(moves(&with.read("log")), moves(&without.read("log")));
    let points = |ran: &Ran| -> Vec<_> {
        let document = ran.json();
        let rows = document["standings"].as_array().expect("standings").iter();
        rows.map(|row| [row["bot"].clone(), row["points"].clone(), row["score"].clone()]).collect()
    };
    assert_eq!(points(&told), points(&kept));
}

#[test]
fn the_dice_of_liars_dice_are_not_taken_apart() {
    let ran = Scratch::new().run_ok(&[
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
    assert!(!ran.out.contains("luck") && !ran.out.contains("start_value"), "{}", ran.out);
}

#[test]
fn a_log_that_was_cut_goes_on_to_the_same_bytes() {
    for options in [&[][..], &["--no-luck"]] {
        let (scratch, ran) = played("", &[&["--format", "json"], options].concat());
        let whole = scratch.read("log");
        for games in [0, 1, 23, 40] {
            let kept: String = whole.split_inclusive('\n').take(1 + games).collect();
            scratch.write("log", format!("{kept}{{\"type\":\"game\",\"ga"));
            let resumed = scratch.run_ok(&["resume", "log", "--format", "json"]);
            assert_eq!(resumed.out, ran.out);
            assert_eq!(scratch.read("log"), whole, "after {games} games");
        }
    }
}

#[test]
fn a_log_of_another_best_play_does_not_go_on() {
    let (scratch, _) = played("", &[]);
    let kept: String = scratch.read("log").split_inclusive('\n').take(11).collect();
    let other = kept.replacen("\"start_value\":254.", "\"start_value\":250.", 1);
    // Altered, as the header's hash tells.
    scratch.write("log", &other);
    let ran = scratch.run(&["resume", "log"]);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(ran.err.contains("log:1: header"), "{}", ran.err);
    // Without a hash it may be that of another program.
    let (header, games) = other.split_once('\n').expect("a header");
    let (header, _) = header.rsplit_once(",\"header_hash\"").expect("a hash");
    scratch.write("log", format!("{header}}}\n{games}"));
    let ran = scratch.run(&["resume", "log"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(ran.err.contains("it has no hash of its own (header_hash)"), "{}", ran.err);
    assert!(ran.err.contains("nobody here appraises its games as they were"), "{}", ran.err);
}

/// The text with the first loss of A that is not 0 made one point less or more; what it was, and what it is.
fn with_another_loss(text: &str) -> (String, String, String) {
    let losses = text.match_indices("\"loss\":").map(|(at, key)| at + key.len());
    let digits = |at: usize| text[at..].split([',', '}']).next().expect("a number");
    let at = losses.into_iter().find(|at| !digits(*at).starts_with("0.")).expect("a loss");
    let recorded = digits(at).to_owned();
    let first = if recorded.starts_with('1') { "2" } else { "1" };
    let altered = format!("{first}{}", &recorded[1..]);
    (format!("{}{altered}{}", &text[..at], &text[at + recorded.len()..]), recorded, altered)
}

/// Expects `verify` to find this, and to say so in these words.
#[track_caller]
fn not_verified(scratch: &Scratch, run: &str, words: &str) {
    let ran = scratch.run(&["verify", run, "--sample", "0"]);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains(words), "{words:?} is not in {}", ran.out);
}

#[test]
fn a_loss_that_was_altered_in_a_log_is_found() {
    let (scratch, _) = played("", &[]);
    let (altered, recorded, other) = with_another_loss(&scratch.read("log"));
    let words = format!("is recorded with loss = {other}, and its decisions give {recorded}");
    scratch.write("altered", &altered);
    not_verified(&scratch, "altered", &words);
    // Without its end it has no seal, and only the decisions tell.
    scratch.write("cut", altered.split_inclusive('\n').take(31).collect::<String>());
    not_verified(&scratch, "cut", &words);
}

#[test]
fn a_loss_that_was_altered_in_a_hill_is_found() {
    let (scratch, _) = played("", &[]);
    scratch.run_ok(&["hill", "init", "h.db", "hill.toml"]);
    scratch.run_ok(&["hill", "add", "h.db", "hill.toml"]);
    scratch.run_ok(&["verify", "h.db", "--sample", "0"]);
    let store = Connection::open(scratch.path("h.db")).expect("a database");
    let games: String = store
        .query_row("SELECT games FROM page WHERE run = 1 AND first = 1", [], |row| row.get(0))
        .expect("a page");
    let (altered, recorded, other) = with_another_loss(&games);
    let done = store.execute("UPDATE page SET games = ?1 WHERE run = 1 AND first = 1", [&altered]);
    assert_eq!(done, Ok(1));
    drop(store);
    let words = format!("is recorded with loss = {other}, and its decisions give {recorded}");
    not_verified(&scratch, "h.db", &words);
}

/// A newcomer joins a hill of duels: the games of the others keep what their decisions cost. Where the second
/// tournament does without, they are the same games all the same.
#[test]
fn games_that_are_known_keep_their_luck() {
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
