//! What is done to files when the crash comes, and how it is continued after it.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use dicehill_arena::{
    Event, Hill, HillDraft, Jobs, MAX_PLAY_OFFS, ResumeState, RunOptions, run_from,
};
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_store::{
    EntryState, EntryStore, FileError, HillStore, LogReader, LogWriter, RecordedRun, RunSink,
    RunSource, SecretToken, TokenTerms, TruncatedTail,
};
use rusqlite::Connection;

use super::disk::CLAIMS;
use crate::entry_store::make_old;
use crate::test_hill::{draft, new_store, upload};

/// The games of a run.
const GAMES: u64 = 30;
/// The events between two times at which everything is written to disk.
const EVENTS: u64 = 4;
/// The entries of a hill.
const ENTRIES: u64 = 3;
/// The steps of an entry: added, being checked, reported on, done.
const STEPS: u64 = 4;

/// What is done when the crash comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scenario {
    Log,
    ResumedLog,
    Run,
    ResumedRun,
    Migration,
    Entries,
}

type Done = Result<(), Box<dyn std::error::Error>>;

impl Scenario {
    pub(super) fn named(name: &str) -> Self {
        use Scenario::{Entries, Log, Migration, ResumedLog, ResumedRun, Run};
        let all = [Log, ResumedLog, Run, ResumedRun, Migration, Entries];
        all.into_iter().find(|one| format!("{one:?}") == name).expect("a scenario")
    }

    /// Creates the files that are there before.
    pub(super) fn prepare(self, folder: &Path) {
        match self {
            Self::Log => {}
            Self::ResumedLog => {
                let log = expected_log();
                fs::write(folder.join("log"), &log[..log.len() / 3]).expect("a folder");
            }
            Self::Run => drop(new_store(&folder.join("h.db"))),
            Self::ResumedRun => {
                drop(new_store(&folder.join("h.db")));
                let begun = begin_run(folder).expect("a run");
                play(begun, ResumeState::fresh(Vec::new()), folder, GAMES / 3)
                    .expect("it is stored");
                fs::remove_file(folder.join(CLAIMS)).expect("ours");
            }
            Self::Migration => {
                drop(new_store(&folder.join("h.db")));
                make_old(&folder.join("h.db"));
            }
            Self::Entries => {
                drop(new_store(&folder.join("h.db")));
                let mut store = EntryStore::open(&folder.join("h.db")).expect("a hill");
                let token = SecretToken::new([7; 32]);
                store.add_token(&token, &TokenTerms::default()).expect("a token");
            }
        }
    }

    /// Does it, and notes what it was told to be stored.
    pub(super) fn act(self, folder: &Path) -> Done {
        match self {
            Self::Log | Self::ResumedLog => finish_log(folder, TruncatedTail::Ignore),
            Self::Run | Self::ResumedRun => finish_run(folder),
            Self::Migration => {
                drop(HillStore::open_to_write(&folder.join("h.db"))?);
                claim(folder, 5);
                Ok(())
            }
            Self::Entries => finish_entries(folder),
        }
    }

    /// Expects what was noted as stored to be there, and the rest to be done as if nothing had happened.
    #[track_caller]
    pub(super) fn check(self, folder: &Path, context: &str) {
        let claimed = claimed(folder);
        let stored = self.stored(folder).unwrap_or_else(|error| panic!("{context}: {error}"));
        assert!(stored >= claimed, "{context}: {claimed} was stored, and {stored} is there");
        let finished = match self {
            Self::Log | Self::ResumedLog => finish_log(folder, TruncatedTail::Discard),
            Self::Run | Self::ResumedRun | Self::Migration | Self::Entries => self.act(folder),
        };
        finished.unwrap_or_else(|error| panic!("{context}: it cannot be finished: {error}"));
        match self {
            Self::Log | Self::ResumedLog => {
                let log = fs::read(folder.join("log")).expect("a log");
                assert!(log == expected_log(), "{context}: another log");
            }
            Self::Run | Self::ResumedRun => {
                assert!(log_of_run(folder) == expected_log(), "{context}: another run");
            }
            Self::Migration => assert_eq!(version(folder), 6, "{context}"),
            Self::Entries => {
                assert_eq!(self.stored(folder).ok(), Some(ENTRIES * STEPS), "{context}");
            }
        }
    }

    /// How much is stored, in the unit of what is noted.
    fn stored(self, folder: &Path) -> Result<u64, FileError> {
        match self {
            Self::Log | Self::ResumedLog => Ok(stored_in_log(folder)),
            Self::Run | Self::ResumedRun => {
                check_structure(folder);
                let store = HillStore::open(&folder.join("h.db"))?;
                let Some(run) = store.runs()?.pop() else { return Ok(0) };
                drop(store);
                let source = RunSource::open(&folder.join("h.db#1"), TruncatedTail::Refuse)?;
                assert_eq!(source.count(), run.games, "the pages are without gaps");
                Ok(if source.has_result() { GAMES + 1 } else { source.count() })
            }
            Self::Migration => {
                check_structure(folder);
                Ok(version(folder))
            }
            Self::Entries => {
                check_structure(folder);
                steps_done(folder)
            }
        }
    }
}

fn hill() -> Hill<Yahtzee> {
    Hill::new(HillDraft { games: GAMES as i64, ..draft() }).expect("a hill")
}

/// Notes that so much was reported as stored.
fn claim(folder: &Path, stored: u64) {
    let file = OpenOptions::new().append(true).create(true).open(folder.join(CLAIMS));
    file.and_then(|mut file| writeln!(file, "{stored}")).expect("it can be written");
}

fn claimed(folder: &Path) -> u64 {
    let text = fs::read_to_string(folder.join(CLAIMS)).unwrap_or_default();
    text.lines().filter_map(|line| line.parse().ok()).max().unwrap_or_default()
}

/// Plays a run, or the first `games` of it.
fn play(mut sink: RunSink, past: ResumeState<'_>, folder: &Path, games: u64) -> Done {
    let stop = AtomicBool::new(false);
    let options = RunOptions {
        jobs: Jobs::Exactly(1),
        max_play_offs: MAX_PLAY_OFFS,
        stop: &stop,
        deadline: None,
    };
    let (mut events, mut stored) = (0, 0);
    run_from(&hill(), past, options, &mut |event| {
        sink.write(&event)?;
        match event {
            Event::Played(..) | Event::Recalled(..) => stored += 1,
            Event::Ended(_) => return Ok(()),
            Event::Started(_)
            | Event::Retried(_)
            | Event::MemoryLost { .. }
            | Event::Diverged { .. }
            | Event::Barred(_) => {}
        }
        events += 1;
        if events % EVENTS == 0 {
            sink.flush()?;
            claim(folder, stored);
        }
        stop.fetch_or(stored >= games, std::sync::atomic::Ordering::Relaxed);
        Ok(())
    })?;
    sink.flush()?;
    claim(folder, stored + u64::from(stored >= GAMES));
    Ok(())
}

/// The log of the run without a crash.
fn expected_log() -> &'static [u8] {
    static LOG: OnceLock<Vec<u8>> = OnceLock::new();
    LOG.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        finish_log(folder.path(), TruncatedTail::Refuse).expect("a run");
        fs::read(folder.path().join("log")).expect("a log")
    })
}

/// The games that the log has, and one more for a result.
fn stored_in_log(folder: &Path) -> u64 {
    match LogReader::open(&folder.join("log"), TruncatedTail::Discard) {
        Ok(log) => log.count() + u64::from(log.has_result()),
        Err(_) => 0,
    }
}

/// Begins or resumes the run of a log, and plays it to its end.
fn finish_log(folder: &Path, tail: TruncatedTail) -> Done {
    let path = folder.join("log");
    let fresh = || ResumeState::fresh(Vec::new());
    // A file without a whole header is begun again.
    let Ok(log) = LogReader::open(&path, tail) else {
        let sink = RunSink::Log(LogWriter::create(&path)?);
        return play(sink, fresh(), folder, u64::MAX);
    };
    if log.has_result() {
        drop(LogWriter::resume(&path, &log)?);
        return Ok(());
    }
    if log.count() == 0 {
        let sink = RunSink::Log(LogWriter::resume_after_header(&path, &log)?);
        return play(sink, fresh(), folder, u64::MAX);
    }
    let sink = RunSink::Log(LogWriter::resume(&path, &log)?);
    let past =
        ResumeState { bars: Vec::new(), games: &log, is_resumed: true, recorded: 0, records: None };
    play(sink, past, folder, u64::MAX)
}

fn begin_run(folder: &Path) -> Result<RunSink, FileError> {
    let store = HillStore::open_to_write(&folder.join("h.db"))?;
    Ok(RunSink::Store(store.begin_run(Vec::new(), true)?))
}

/// Begins or resumes the run of a hill, and plays it to its end.
fn finish_run(folder: &Path) -> Done {
    let path = folder.join("h.db");
    let store = HillStore::open_to_write(&path)?;
    let Some(run) = store.find_run(1)? else {
        drop(store);
        return play(begin_run(folder)?, ResumeState::fresh(Vec::new()), folder, u64::MAX);
    };
    if run.result.is_some() {
        return Ok(());
    }
    let games = store.games(&run)?;
    let sink = RunSink::Store(store.resume_run(1, &games)?);
    let past = ResumeState {
        bars: Vec::new(),
        games: &games,
        is_resumed: true,
        recorded: 0,
        records: None,
    };
    play(sink, past, folder, u64::MAX)
}

fn log_of_run(folder: &Path) -> Vec<u8> {
    let run = RecordedRun::open(&folder.join("h.db#1"), TruncatedTail::Refuse).expect("a run");
    let mut log = Vec::new();
    let written = run.each_log_line(|line| {
        log.extend_from_slice(line.as_bytes());
        log.push(b'\n');
        Ok::<(), FileError>(())
    });
    written.expect("it is unaltered");
    log
}

fn database(folder: &Path) -> Connection {
    Connection::open(folder.join("h.db")).expect("a database")
}

#[track_caller]
fn check_structure(folder: &Path) {
    let found: Result<String, _> =
        database(folder).query_row("PRAGMA integrity_check", [], |row| row.get(0));
    assert_eq!(found.expect("it can be checked"), "ok");
}

fn version(folder: &Path) -> u64 {
    let version = database(folder).pragma_query_value(None, "user_version", |row| row.get(0));
    version.expect("a version")
}

/// Does the steps of all entries that are not done yet, each in a transaction.
fn finish_entries(folder: &Path) -> Done {
    let mut store = EntryStore::open(&folder.join("h.db"))?;
    for step in steps_done(folder)?..ENTRIES * STEPS {
        let id = (step / STEPS + 1).cast_signed();
        match step % STEPS {
            0 => {
                let added = store.add_upload(1, &upload(&format!("bot {id}")));
                added.map_err(|error| format!("{error:?}"))?;
            }
            1 => store.set_state(id, EntryState::Checking)?,
            2 => store.set_report(id, "a finding")?,
            _ => store.set_state(id, EntryState::Done)?,
        }
        claim(folder, step + 1);
    }
    Ok(())
}

fn steps_done(folder: &Path) -> Result<u64, FileError> {
    let entries = EntryStore::open_to_read(&folder.join("h.db"))?.entries(100)?;
    let steps = entries.iter().map(|entry| match entry.state {
        EntryState::Done => STEPS,
        EntryState::Checking => 2 + u64::from(!entry.report.is_empty()),
        EntryState::Waiting
        | EntryState::Held
        | EntryState::Refused
        | EntryState::Replaced
        | EntryState::Skipped
        | EntryState::Ready
        | EntryState::Playing
        | EntryState::Failed => 1,
    });
    Ok(steps.sum())
}

/// The folder without the links in its path, as the system names open files in it.
pub(super) fn real_path(folder: &Path) -> PathBuf {
    folder.canonicalize().expect("a folder")
}
