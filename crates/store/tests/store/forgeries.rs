//! Runs altered by a forger who knows the formats. Imports, resumed runs and the seals of stores refuse them.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::{fs, io};

use dicehill_arena::{
    Commitment, GameSource, Hill, HillDraft, Jobs, MAX_PLAY_OFFS, NoGames, ResumeState, RunOptions,
    reused_line, run_from,
};
use dicehill_rules::Secret;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_store::{
    EntryStore, FileError, Finding, HillSettings, HillStore, LogReader, LogWriter, RecordedRun,
    RunCheck, RunSource, TruncatedTail,
};
use rusqlite::Connection;
use serde_json::Value;

use crate::test_hill::{GAMES, PlayedRun, draft};

fn played() -> PlayedRun {
    let played = PlayedRun::of(&Hill::new(draft()).expect("a hill"));
    assert_eq!(played.lines.len(), 1 + GAMES + 2, "header, games, seal, result");
    played
}

impl PlayedRun {
    /// Writes a log with these lines.
    fn log(&self, lines: &[String]) -> PathBuf {
        let path = self.path("forged.jsonl");
        fs::write(&path, lines.join("\n") + "\n").expect("it can be written");
        path
    }

    /// Imports a log with these lines into the store of a new hill.
    fn import(&self, lines: &[String]) -> Result<i64, FileError> {
        let path = self.path("new.db");
        let _may_be_missing = fs::remove_file(&path);
        let hill = Hill::new(draft()).expect("a hill");
        let store = HillStore::create(&path, &HillSettings::from_hill(&hill, Some("s")))?;
        let imported = store.import::<Yahtzee>(&self.log(lines), |hill, _| hill);
        let runs = HillStore::open(&path)?.runs()?;
        assert_eq!(runs.len(), usize::from(imported.is_ok()), "all of it or nothing");
        imported.map(|imported| imported.run)
    }

    /// The check before games of a log with these lines are shown.
    fn check_games(&self, lines: &[String]) -> Result<(), FileError> {
        let run = RunSource::open(&self.log(lines), TruncatedTail::Refuse)?;
        let hill = run.header().inert_hill::<Yahtzee>(run.path())?;
        RunCheck::new(&run, hill).refuse_altered_games()
    }

    /// The check before a log with these lines is resumed.
    fn check_resume(&self, lines: &[String]) -> Result<u64, FileError> {
        let run = RecordedRun::open(&self.log(lines), TruncatedTail::Ignore)?;
        let hill = run.header().inert_hill::<Yahtzee>(run.path())?;
        RunCheck::new(&run, hill).refuse_altered()
    }
}

/// The lines with a seal that is right for them, as a forger computes it.
pub(crate) fn resealed(mut lines: Vec<String>) -> Vec<String> {
    let place = lines.iter().position(|line| line.contains("\"sealed\"")).expect("a seal");
    let mut hasher = blake3::Hasher::new();
    for line in &lines[..place] {
        hasher.update(line.as_bytes()).update(b"\n");
    }
    lines[place] = format!("{{\"type\":\"sealed\",\"hash\":\"blake3:{}\"}}", hasher.finalize());
    lines
}

/// The header with a hash that is right for it, as a forger computes it.
fn rehashed(header: &str) -> String {
    let (open, _) = header.rsplit_once(",\"header_hash\"").expect("a hash");
    let hash = blake3::hash(format!("{open}}}").as_bytes());
    format!("{open},\"header_hash\":\"blake3:{hash}\"}}")
}

/// The text with the two words exchanged.
fn swapped(text: &str, one: &str, other: &str) -> String {
    text.replace(one, "\0").replace(other, one).replace('\0', other)
}

/// The lines with one of them altered.
pub(crate) fn with(lines: &[String], index: usize, alter: impl Fn(&str) -> String) -> Vec<String> {
    let mut lines = lines.to_vec();
    let altered = alter(&lines[index]);
    assert_ne!(altered, lines[index], "the alteration has an effect");
    lines[index] = altered;
    lines
}

/// The line with the first number after `key` increased by one.
fn raised(line: &str, key: &str) -> String {
    let (before, after) = line.split_once(key).expect("the key is there");
    let digits = after.find(|c: char| !c.is_ascii_digit()).expect("more follows");
    let number: u64 = after[..digits].parse().expect("a number");
    format!("{before}{key}{}{}", number + 1, &after[digits..])
}

#[track_caller]
fn assert_refused<T: std::fmt::Debug>(found: Result<T, FileError>, words: &[&str]) {
    let error = found.expect_err("it was altered");
    let text = error.to_string();
    assert!(error.is_altered(), "{text}");
    assert!(words.iter().all(|word| text.contains(word)), "{words:?}: {text}");
}

#[test]
fn an_honest_log_is_imported_and_resumed_from_every_line() {
    let played = played();
    assert_eq!(played.import(&played.lines).expect("it is honest"), 1);
    for kept in 1..=1 + GAMES {
        let mut lines = played.lines[..kept].to_vec();
        let count = kept as u64 - 1;
        assert_eq!(played.check_resume(&lines).expect("it is honest"), count);
        assert_eq!(played.import(&lines).expect("it is honest"), 1);
        // A crash leaves an incomplete line.
        lines.push(played.lines[kept][..9].to_owned());
        let torn = played.log(&lines);
        fs::write(&torn, lines.join("\n")).expect("it can be written");
        let run = RecordedRun::open(&torn, TruncatedTail::Ignore).expect("a log");
        let hill = run.header().inert_hill::<Yahtzee>(run.path()).expect("a hill");
        assert_eq!(RunCheck::new(&run, hill).refuse_altered().expect("it is honest"), count);
    }
}

#[test]
fn a_log_of_an_older_version_needs_no_header_hash() {
    let played = played();
    let old = with(&played.lines, 0, |header| {
        header.rsplit_once(",\"header_hash\"").expect("a hash").0.to_owned() + "}"
    });
    assert_eq!(played.import(&resealed(old.clone())).expect("it is honest"), 1);
    assert_eq!(played.check_resume(&old[..5]).expect("it is honest"), 4);
}

/// The lines of a run, as games of an earlier run.
struct Earlier {
    lines: Vec<String>,
    /// The seeds of that run, and of the run that takes its games.
    seeds: [String; 2],
}

impl GameSource for Earlier {
    fn line(&self, game: u64) -> io::Result<Option<String>> {
        let [from, to] = &self.seeds;
        let line = self.lines.get(game as usize - 1).cloned();
        Ok(line.map(|line| reused_line(line, from, to)))
    }
}

/// The lines of a run with the games of an earlier one, as the arena itself writes them.
fn lines_of(hill: &Hill<Yahtzee>, games: &dyn GameSource, path: &Path) -> Vec<String> {
    let mut log = LogWriter::create(path).expect("a log");
    let stop = AtomicBool::new(false);
    let options = RunOptions {
        jobs: Jobs::Exactly(1),
        max_play_offs: MAX_PLAY_OFFS,
        stop: &stop,
        deadline: None,
    };
    let state = ResumeState { games, ..ResumeState::fresh(Vec::new()) };
    run_from(hill, state, options, &mut |event| log.write(&event)).expect("it is written");
    log.flush().expect("it is on disk");
    fs::read_to_string(path).expect("a log").lines().map(str::to_owned).collect()
}

/// A host that may name an earlier run for each game chooses its dice, whatever it has published before.
#[test]
fn a_committed_run_has_no_games_of_earlier_runs() {
    let played = played();
    let commitment = Commitment { secret: Secret::new([7; 32], [9; 16]), public_text: None };
    let committed = Hill::new(draft()).expect("a hill").with_commitment(commitment);
    let own = committed.seed().to_owned();
    let honest = lines_of(&committed, &NoGames, &played.path("committed.jsonl"));
    assert!(played.check_resume(&honest).expect("it is honest") >= GAMES as u64);
    let with_seed =
        |seed: &str| Hill::new(HillDraft { seed: seed.to_owned(), ..draft() }).expect("a hill");
    let chosen = format!("{own}#{}", "0".repeat(32));
    let lines = lines_of(&with_seed(&chosen), &NoGames, &played.path("chosen.jsonl"));
    let games = lines[1..lines.len() - 2].to_vec();
    let own_secret = format!("{own}#{}", "1".repeat(32));
    let earlier = Earlier { lines: games, seeds: [chosen.clone(), own_secret.clone()] };
    let reused = lines_of(&with_seed(&own_secret), &earlier, &played.path("reused.jsonl"));
    // A run with a secret may have them, which `verify` says.
    assert!(played.check_resume(&reused).expect("it is honest") >= GAMES as u64);
    let seeds = |lines: &[String]| {
        let run = RecordedRun::open(&played.log(lines), TruncatedTail::Ignore).expect("a log");
        let hill = run.header().inert_hill::<Yahtzee>(run.path()).expect("a hill");
        let mut found = None;
        let checked = RunCheck::new(&run, hill).run(|step| {
            if step.name == "seeds" {
                found = Some(step.finding);
            }
            Ok::<(), FileError>(())
        });
        checked.expect("it can be read");
        found
    };
    assert_eq!(seeds(&honest), None);
    let Some(Finding::Skipped(why)) = seeds(&reused) else { panic!("nothing is said") };
    assert!(why.contains("games name 1 seeds of earlier runs that are not here"), "{why}");
    let with_header = |header: &String| {
        let mut forged = vec![header.clone()];
        forged.extend_from_slice(&reused[1..=GAMES]);
        forged
    };
    let words = ["forged.jsonl:2: game 1: seed: the game names", &chosen];
    for (header, why) in [
        (honest[0].clone(), "a committed run has one seed for all its games"),
        (
            lines_of(&with_seed(&own), &NoGames, &played.path("plain.jsonl"))[0].clone(),
            "the run has no secret, so that all its games have its seed",
        ),
    ] {
        let forged = with_header(&header);
        assert_refused(played.check_resume(&forged), &[words[0], words[1], why]);
        assert_refused(played.import(&forged), &[words[0], words[1], why]);
    }
}

#[test]
fn a_forged_result_is_not_imported() {
    let played = played();
    let (lines, last) = (&played.lines, played.lines.len() - 1);
    let result: Value = serde_json::from_str(&lines[last]).expect("a result");
    let champion = result["champion"].as_str().expect("a champion");
    let other = if champion == "Ada" { "Bert" } else { "Ada" };
    let words = [
        "forged.jsonl:15: result.champion: recorded \"",
        &format!("recomputed \"{champion}\""),
        "`dicehill verify ",
    ];
    let names = with(lines, last, |text| {
        swapped(text, &format!("\"{champion}\""), &format!("\"{other}\""))
    });
    assert_refused(played.import(&names), &words);
    let key = format!("\"champion\":\"{champion}\"");
    let crowned = |text: &str| text.replace(&key, &format!("\"champion\":\"{other}\""));
    assert_refused(played.import(&with(lines, last, crowned)), &words);
    for (key, message) in [
        ("\"points\":", ".points: recorded "),
        ("\"wins\":", ".wins: recorded "),
        ("\"games\":", "result.games: recorded "),
    ] {
        let forged = with(lines, last, |text| raised(text, key));
        assert_refused(played.import(&forged), &["forged.jsonl:15: result.", message]);
    }
    let records =
        with(lines, last, |text| text.replace("\"records\":\"blake3:", "\"records\":\"blake3:0"));
    assert_refused(played.import(&records), &["forged.jsonl:15: result.records: recorded "]);
    let blank = with(lines, last, |text| text.replacen(':', ": ", 1));
    assert_refused(
        played.import(&blank),
        &["forged.jsonl:15: result: the values are right, but the bytes"],
    );
}

#[test]
fn a_broken_or_missing_seal_is_refused() {
    let played = played();
    let place = played.lines.len() - 2;
    let mut without = played.lines.clone();
    without.remove(place);
    assert_refused(played.import(&without), &["forged.jsonl:14: seal: its line is missing"]);
    let broken = with(&played.lines, place, |line| line.replace("blake3:", "blake3:0"));
    assert_refused(played.import(&broken), &["forged.jsonl:14: seal: "]);
    assert_refused(played.check_games(&broken), &["forged.jsonl:14: seal: "]);
    assert_refused(played.check_games(&without), &["forged.jsonl:14: seal: "]);
}

/// A forger can compute a new seal for an altered game, so that the rules, the dice and the schedule must expose it.
#[test]
fn forged_games_are_refused_with_a_new_seal_and_with_the_old_one() {
    let played = played();
    let lines = &played.lines;
    let game = |index: usize| -> Value { serde_json::from_str(&lines[index]).expect("a game") };
    let seat = |index: usize, seat: usize| {
        format!("{:?}", game(index)["seats"][seat].as_str().expect("a name"))
    };
    let mut dropped = lines.clone();
    dropped.remove(3);
    let mut doubled = lines.clone();
    doubled.insert(4, lines[3].clone());
    let mut exchanged = lines.clone();
    exchanged.swap(3, 4);
    let forged = [
        (
            with(lines, 3, |line| raised(line, "\"score\":")),
            &["forged.jsonl:4: game 3: seat ", "score = "][..],
        ),
        (
            with(lines, 3, |line| raised(line, "\"points\":")),
            &["forged.jsonl:4: game 3: seat ", "points"],
        ),
        (with(lines, 3, |line| raised(line, "\"table\":")), &["forged.jsonl:4: game 3: "]),
        (
            with(lines, 3, |line| swapped(line, &seat(3, 0), &seat(3, 1))),
            &["forged.jsonl:4: game 3: seats: recorded [", "recomputed ["],
        ),
        (
            with(lines, 3, |line| line.replace("\"moves\":\"-,", "\"moves\":\"")),
            &["forged.jsonl:4: game 3: "],
        ),
        (
            with(lines, 3, |line| line.replace("won\":true", "won\":false")),
            &["forged.jsonl:4: game 3: seat "],
        ),
        (dropped, &["forged.jsonl:4: game 4: game 3 before it is missing"]),
        (doubled, &["forged.jsonl:5: game 3 is repeated"]),
        (exchanged, &["forged.jsonl:5: game 3 is repeated or out of order"]),
        (
            with(lines, 0, |line| rehashed(&line.replace("\"seed\":\"s\"", "\"seed\":\"t\""))),
            &["game 1: "],
        ),
        (with(lines, 0, |line| rehashed(&swapped(line, "\"Ada\"", "\"Dora\""))), &["Ada"]),
    ];
    for (forged, words) in forged {
        assert_refused(played.import(&resealed(forged.clone())), words);
        assert_refused(played.import(&forged), words);
        let unfinished = &forged[..forged.len() - 2];
        assert_refused(played.check_resume(unfinished), words);
        assert_refused(played.import(unfinished), words);
    }
}

/// The header's hash exposes alterations that would leave the games in the log as they are.
#[test]
fn a_log_with_an_altered_header_is_not_resumed() {
    let played = played();
    let alterations: [fn(&str) -> String; 4] = [
        |line| line.replace("\"games\":12", "\"games\":13"),
        |line| swapped(line, "\"Ada\"", "\"Bert\""),
        |line| line.replace("\"seed\":\"s\"", "\"seed\":\"t\""),
        |line| line.replace("\"move_ms\":1000", "\"move_ms\":9000"),
    ];
    for alter in alterations {
        for kept in [1, 6] {
            let forged = with(&played.lines[..kept], 0, alter);
            assert_refused(
                played.check_resume(&forged),
                &["forged.jsonl:1: ", "header_hash: recorded "],
            );
            if kept == 1 || !forged[0].contains("\"seed\":\"t\"") {
                assert_refused(
                    played.check_games(&forged),
                    &["forged.jsonl:1: ", "header_hash: recorded "],
                );
            }
        }
    }
}

/// They would be the limits of bots that are started again, and what boards show and link to.
#[test]
fn a_log_with_limits_or_texts_that_no_hill_may_have_is_not_read() {
    let played = played();
    let alterations = [
        ("\"move_ms\":1000", "\"move_ms\":0", "limits: move_ms = 0: must be 1 to 86,400,000"),
        ("\"name\":\"Ada\"", "\"name\":\"Ada\",\"limits\":{\"memory_mb\":0}", "Ada: memory_mb = 0"),
        (
            "\"name\":\"Ada\"",
            "\"name\":\"Ada\",\"url\":\"javascript:alert(1)\"",
            "Ada: url = \"javascript:alert(1)\": must begin with https:// or http://",
        ),
        (
            "\"name\":\"Ada\"",
            "\"name\":\"Ada\",\"url\":\"https://a.b/\\\"c\"",
            "is not allowed in an address",
        ),
        (
            "\"name\":\"Ada\"",
            "\"name\":\"Ada\",\"author\":\"\\u001b[2J\"",
            "contains the unprintable character U+001B",
        ),
    ];
    for (key, altered, words) in alterations {
        let alter = |line: &str| rehashed(&line.replace(key, altered));
        let forged = played.log(&with(&played.lines, 0, alter));
        let error = RunSource::open(&forged, TruncatedTail::Refuse).map(drop).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("forged.jsonl:1: ") && text.contains(words), "{words:?}: {text}");
    }
}

#[test]
fn an_altered_store_is_refused_by_its_hashes() {
    let played = played();
    let alterations = [
        (
            "run SET result = replace(result, '\"champion\":\"', '\"champion\":\"x')",
            "table run, column result",
        ),
        ("run SET header = replace(header, 'Ada', 'Eve')", "table run, column header"),
        ("run SET begun = begun - 86400", "table run, column begun"),
        ("run SET seal = NULL", "table run, column seal"),
        ("run_bot SET name = 'Eve' WHERE name = 'Ada'", "tables run_bot, entrant and version"),
        (
            "page SET games = replace(games, '\"won\":true', '\"won\":true ')",
            "table page: game 1: ",
        ),
        ("page SET games = replace(games, '\"game\":7,', '\"game\":7 ,')", "table page: game 7: "),
        ("page SET checks = x'00'", "table page: "),
        ("page SET hash = zeroblob(32)", "table page"),
    ];
    let honest = HillStore::open(&played.path("hill.db")).expect("a hill");
    honest.check_seal(1).expect("it is honest");
    drop(honest);
    for (alteration, place) in alterations {
        let path = played.path("altered.db");
        fs::copy(played.path("hill.db"), &path).expect("a copy");
        let database = Connection::open(&path).expect("a database");
        let altered = database.execute(&format!("UPDATE {alteration}"), []).expect("altered");
        assert!(altered > 0, "{alteration}");
        drop(database);
        let words = ["altered.db: run 1: ", place, "`dicehill verify "];
        assert_refused(HillStore::open(&path).expect("a hill").check_seal(1), &words);
        assert_refused(RunSource::open(&path, TruncatedTail::Refuse).map(drop), &words);
    }
}

/// A view in place of a table can have endlessly many rows, and a trigger or an expression can take all memory.
#[test]
fn a_store_with_another_schema_is_refused() {
    let played = played();
    let view = |table: &str| {
        let endless = "WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM x)";
        format!(
            "ALTER TABLE {table} RENAME TO other;
             CREATE VIEW {table} AS {endless} SELECT other.* FROM other, x WHERE x.n < 0"
        )
    };
    let alterations = [
        (view("run"), "was altered or is missing"),
        (view("hill"), "table \"hill\" was altered"),
        (view("page"), "was altered or is missing"),
        ("DROP VIEW seat; CREATE VIEW seat AS SELECT 1".to_owned(), "view \"seat\" was altered"),
        ("ALTER TABLE run ADD COLUMN x TEXT AS (header || header)".to_owned(), "table \"run\""),
        ("CREATE VIEW more AS SELECT 1".to_owned(), "a foreign view \"more\""),
        ("CREATE INDEX more ON run (length(header))".to_owned(), "a foreign index \"more\""),
        (
            "CREATE TRIGGER more INSERT ON run BEGIN DELETE FROM page; END".to_owned(),
            "a foreign trigger \"more\"",
        ),
        ("CREATE VIRTUAL TABLE more USING fts5 (x)".to_owned(), "a foreign table \"more\""),
    ];
    for (alteration, place) in alterations {
        let path = played.path("altered.db");
        fs::copy(played.path("hill.db"), &path).expect("a copy");
        let database = Connection::open(&path).expect("a database");
        database.execute_batch(&alteration).expect("altered");
        drop(database);
        let words = ["altered.db: its schema: ", place, "`dicehill hill restore`"];
        assert_refused(HillStore::open(&path).map(drop), &words);
        assert_refused(HillStore::open_to_write(&path).map(drop), &words);
        assert_refused(EntryStore::open(&path).map(drop), &words);
        let copy = played.path("restored.db");
        assert_refused(HillStore::restore(&path, &copy, false), &words);
    }
}

#[test]
fn a_store_with_a_further_table_is_read() {
    let played = played();
    let path = played.path("hill.db");
    let database = Connection::open(&path).expect("a database");
    database.execute_batch("CREATE TABLE notes (text UNIQUE); ANALYZE").expect("a table");
    drop(database);
    HillStore::open(&path).expect("a hill").check_seal(1).expect("it is honest");
}

#[test]
fn a_store_without_a_version_is_refused() {
    let played = played();
    let path = played.path("hill.db");
    let database = Connection::open(&path).expect("a database");
    database.pragma_update(None, "user_version", 0).expect("altered");
    drop(database);
    let error = HillStore::open(&path).map(drop).expect_err("it is no hill");
    assert!(error.to_string().contains("not a hill: its version is 0"), "{error}");
}

/// Its run had ended, so that no game can be missing.
#[test]
fn a_sealed_log_without_its_last_game_is_not_continued() {
    let played = played();
    let mut lines = played.lines[..GAMES].to_vec();
    lines.push(played.lines[GAMES + 1].clone());
    let resume = |lines: &[String]| {
        let path = played.log(lines);
        let stored = LogReader::open(&path, TruncatedTail::Ignore).expect("a log");
        let mut log = LogWriter::resume(&path, &stored).expect("it can be continued");
        let stop = AtomicBool::new(false);
        let options = RunOptions {
            jobs: Jobs::Exactly(1),
            max_play_offs: MAX_PLAY_OFFS,
            stop: &stop,
            deadline: None,
        };
        let state = ResumeState {
            games: &stored,
            is_resumed: true,
            recorded: stored.count(),
            ..ResumeState::fresh(Vec::new())
        };
        let hill = Hill::new(draft()).expect("a hill");
        let ended = run_from(&hill, state, options, &mut |event| log.write(&event));
        drop(log);
        (ended.map(drop), fs::read_to_string(path).expect("a log"))
    };
    let forged = resealed(lines);
    let (refused, left) = resume(&forged);
    let why = refused.expect_err("a game is missing").to_string();
    assert!(why.contains("its run had ended, but game 12 is missing"), "{why}");
    assert_eq!(left.lines().collect::<Vec<_>>(), forged, "nothing is changed");
    // Only the result is missing.
    let (ended, whole) = resume(&played.lines[..GAMES + 2]);
    ended.expect("it is written");
    assert_eq!(whole.lines().collect::<Vec<_>>(), played.lines);
}

/// A known hash would let a forger choose the games that `dicehill verify` plays again.
#[test]
fn the_hash_over_all_records_is_computed_where_the_result_has_none() {
    let played = played();
    let hash = |path: &Path| {
        let run = RecordedRun::open(path, TruncatedTail::Refuse).expect("a run");
        run.records_hash().expect("it can be read")
    };
    let honest = hash(&played.path("run.jsonl"));
    assert!(honest.starts_with("blake3:"));
    assert_eq!(hash(&played.log(&played.lines[..=GAMES])), honest, "without a result");
    assert_ne!(hash(&played.log(&played.lines[..GAMES])), honest, "with one game less");
    for damaged in ["damaged", "{}", "{\"records\":7}"] {
        let database = Connection::open(played.path("hill.db")).expect("a database");
        database.execute("UPDATE run SET result = ?1", [damaged]).expect("altered");
        drop(database);
        assert_eq!(hash(&played.path("hill.db")), honest, "{damaged}");
    }
}
