//! The most remarkable games of a run, found while it is stored.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use dicehill_arena::{
    HighlightedGame, Highlights, Hill, Jobs, MAX_PLAY_OFFS, ResumeState, RunOptions,
    read_game_line, run_from,
};
use dicehill_rules::Chance;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_store::{
    CheckedStep, FileError, Finding, HillStore, LogWriter, RecordedRun, RunCheck, RunSource,
    StoredGame, TruncatedTail,
};
use rusqlite::Connection;
use tempfile::TempDir;

use crate::entry_store::make_version_4;
use crate::test_hill::{draft, new_store};

fn hill() -> Hill<Yahtzee> {
    Hill::new(draft()).expect("a hill").with_highlights()
}

/// Plays a run until it has stored `games` games, and then the rest after it was resumed.
fn play_in_two_parts(path: &Path, games: u64) {
    let writer = new_store(path).begin_run(Vec::new(), true).expect("a run");
    let stop = AtomicBool::new(false);
    let options = RunOptions {
        jobs: Jobs::Exactly(1),
        max_play_offs: MAX_PLAY_OFFS,
        stop: &stop,
        deadline: None,
    };
    run_from(&hill(), ResumeState::fresh(Vec::new()), options, &mut |event| {
        writer.write(&event)?;
        if let dicehill_arena::Event::Played(played, _) = &event {
            stop.fetch_or(played.record.fixture.game == games, Ordering::Relaxed);
        }
        Ok(())
    })
    .expect("it is stored");
    writer.flush().expect("it is on disk");
    drop(writer);
    resume(path);
}

fn resume(path: &Path) {
    let store = HillStore::open_to_write(path).expect("a hill");
    let run = store.run(1).expect("a run");
    if run.result.is_some() {
        return;
    }
    let games = store.games(&run).expect("its games");
    let writer = store.resume_run(1, &games).expect("it goes on");
    let stop = AtomicBool::new(false);
    let options = RunOptions {
        jobs: Jobs::Exactly(1),
        max_play_offs: MAX_PLAY_OFFS,
        stop: &stop,
        deadline: None,
    };
    let past =
        ResumeState { bars: run.bars, games: &games, is_resumed: true, recorded: 0, records: None };
    run_from(&hill(), past, options, &mut |event| writer.write(&event)).expect("it is stored");
    writer.flush().expect("it is on disk");
}

fn stored(path: &Path) -> Option<Highlights> {
    HillStore::open(path).expect("a hill").highlights(1).expect("they can be read")
}

/// The highlights by the lines of the stored games.
fn computed(path: &Path) -> Highlights {
    let source = RunSource::open(path, TruncatedTail::Refuse).expect("a run");
    let (hill, chance) = (hill(), Chance::new(&source.header().seed));
    let mut highlights = Highlights::default();
    let take = |game: StoredGame| -> Result<(), FileError> {
        let replay = read_game_line::<Yahtzee>(&game.line, hill.rules(), &chance).expect("a game");
        for found in replay.highlights(hill.rules(), None) {
            let game = HighlightedGame::of(replay.game, &replay.names, &found);
            highlights.offer(game.expect("its seats have names"));
        }
        Ok(())
    };
    source.each_game(take).expect("it can be read");
    highlights
}

#[test]
fn a_resumed_run_has_the_highlights_of_one_that_was_not_interrupted() {
    let folder = TempDir::new().expect("a folder");
    let whole = folder.path().join("whole.db");
    play_in_two_parts(&whole, u64::MAX);
    let expected = stored(&whole).expect("they were looked for");
    assert_eq!(expected, computed(&whole));
    assert!(!expected.games().is_empty());
    for games in [1, 5, 11] {
        let path = folder.path().join(format!("{games}.db"));
        play_in_two_parts(&path, games);
        assert_eq!(stored(&path).as_ref(), Some(&expected), "interrupted after game {games}");
        HillStore::open(&path).expect("a hill").check_seal(1).expect("it is honest");
    }
}

#[test]
fn an_imported_run_has_them_too() {
    let folder = TempDir::new().expect("a folder");
    let [log, path] = ["run.jsonl", "hill.db"].map(|name| folder.path().join(name));
    let mut writer = LogWriter::create(&log).expect("a log");
    let stop = AtomicBool::new(false);
    let options = RunOptions {
        jobs: Jobs::Exactly(1),
        max_play_offs: MAX_PLAY_OFFS,
        stop: &stop,
        deadline: None,
    };
    let past = ResumeState::fresh(Vec::new());
    run_from(&hill(), past, options, &mut |event| writer.write(&event)).expect("it is written");
    writer.flush().expect("it is on disk");
    new_store(&path).import::<Yahtzee>(&log, |hill, _| hill).expect("it is honest");
    assert_eq!(stored(&path), Some(computed(&path)));
}

/// An unfinished run of a process that did not look for them: nothing is said of it, rather than something wrong.
#[test]
fn a_run_that_was_begun_without_them_has_none() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("hill.db");
    crate::test_hill::play_run(&path_of_new(&path), 5);
    assert_eq!(stored(&path), None);
    resume(&path);
    assert_eq!(stored(&path), None);
    HillStore::open(&path).expect("a hill").check_seal(1).expect("it is honest");
}

fn path_of_new(path: &Path) -> std::path::PathBuf {
    drop(new_store(path));
    path.to_owned()
}

/// Makes the store what the version before left: without the column, and with seals that do not have it.
fn downgrade(path: &Path) {
    make_version_4(path);
    let database = Connection::open(path).expect("a database");
    database
        .execute_batch(
            "UPDATE run SET seal = substr(seal, 1, instr(seal, ' highlights:') - 1);
             ALTER TABLE run DROP COLUMN highlights;
             PRAGMA user_version = 3",
        )
        .expect("altered");
}

#[test]
fn a_store_of_the_version_before_is_read_and_migrated() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("hill.db");
    play_in_two_parts(&path, u64::MAX);
    downgrade(&path);
    assert_eq!(stored(&path), None);
    HillStore::open(&path).expect("a hill").check_seal(1).expect("it is honest");
    drop(HillStore::open_to_write(&path).expect("it is migrated"));
    assert_eq!(stored(&path), None);
    HillStore::open(&path).expect("a hill").check_seal(1).expect("its seal still holds");
    // What is added to a run whose seal does not have it is not shown.
    let database = Connection::open(&path).expect("a database");
    database.execute("UPDATE run SET highlights = '[]'", []).expect("altered");
    drop(database);
    assert_eq!(stored(&path), None);
}

#[test]
fn altered_highlights_break_the_seal() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("hill.db");
    play_in_two_parts(&path, u64::MAX);
    let database = Connection::open(&path).expect("a database");
    database
        .execute("UPDATE run SET highlights = replace(highlights, '\"value\":', '\"value\":9')", [])
        .expect("altered");
    drop(database);
    let error = HillStore::open(&path).expect("a hill").check_seal(1).expect_err("it was altered");
    assert!(error.to_string().contains("table run, column highlights"), "{error}");
}

/// The problems that a check of the run finds in this step; `None` if it has no such step.
fn problems(path: &Path, name: &str) -> Option<Vec<String>> {
    let run = RecordedRun::open(path, TruncatedTail::Refuse).expect("a run");
    let hill = Hill::new(draft()).expect("a hill");
    let mut found = None;
    let check = RunCheck::new(&run, hill).with_threads(1);
    check
        .run(|step: CheckedStep| -> Result<(), FileError> {
            if step.name == name {
                found = Some(match step.finding {
                    Finding::Holds(_) => Vec::new(),
                    Finding::Altered(problems) => {
                        problems.iter().map(ToString::to_string).collect()
                    }
                    Finding::Skipped(why) => vec![why],
                });
            }
            Ok(())
        })
        .expect("it can be read");
    found
}

/// A forger can compute a new seal, so that the games themselves must expose what is said of them.
#[test]
fn a_check_finds_the_remarkable_games_again() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("hill.db");
    play_in_two_parts(&path, u64::MAX);
    assert_eq!(problems(&path, "highlights"), Some(Vec::new()));
    let database = Connection::open(&path).expect("a database");
    let alter = |column: &str| {
        database.execute(&format!("UPDATE run SET highlights = {column}"), []).expect("altered");
    };
    let honest: String =
        database.query_row("SELECT highlights FROM run", [], |row| row.get(0)).expect("a text");
    alter("replace(highlights, '\"value\":', '\"value\":9')");
    let found = problems(&path, "highlights").expect("a step");
    assert_eq!(found.len(), stored(&path).expect("some").games().len(), "{found:?}");
    assert!(found[0].starts_with("highlights[0]: recorded {"), "{found:?}");
    alter("'[]'");
    let found = problems(&path, "highlights").expect("a step");
    assert!(found[0].starts_with("highlights[0]: recorded none, recomputed {"), "{found:?}");
    alter("'{'");
    let found = problems(&path, "highlights").expect("a step");
    assert!(found[0].contains("its remarkable games: "), "{found:?}");
    alter("NULL");
    assert_eq!(problems(&path, "highlights"), None, "then a page shows none");
    alter(&format!("'{}'", honest.replace('\'', "''")));
    assert_eq!(problems(&path, "highlights"), Some(Vec::new()));
}
