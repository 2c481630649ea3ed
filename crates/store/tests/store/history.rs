//! Readers of a hill while others write it: each sees everything that was stored before it looked, and nothing half done.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use dicehill_arena::{Event, Hill, HillDraft, Jobs, MAX_PLAY_OFFS, RunOptions, run};
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_store::{
    EntryStore, HillStore, LogWriter, RunSource, SecretToken, TokenTerms, TruncatedTail,
};

use crate::test_hill::{GAMES, draft, new_entrant, new_store};

/// The rounds of the writers.
const ROUNDS: u64 = 4;
/// Runs that end while they are checked.
const CHECKED_RUNS: usize = 60;
/// How often each is checked before a look for the next one.
const CHECKS: usize = 20;
/// The tokens of each round.
const TOKENS: u64 = 5;

/// A number that only grows in the store: how large it may be, and how large it must be.
#[derive(Default)]
struct Counter {
    begun: AtomicU64,
    stored: AtomicU64,
}

impl Counter {
    /// Stores `more`.
    fn grow<T>(&self, more: u64, store: impl FnOnce() -> T) -> T {
        self.begun.fetch_add(more, Ordering::SeqCst);
        let stored = store();
        self.stored.fetch_add(more, Ordering::SeqCst);
        stored
    }

    /// Reads the number, which must be one that the store had while it was read.
    #[track_caller]
    fn check(&self, what: &str, read: impl FnOnce() -> u64) -> u64 {
        let least = self.stored.load(Ordering::SeqCst);
        let found = read();
        let most = self.begun.load(Ordering::SeqCst);
        assert!((least..=most).contains(&found), "{what}: {found}, of {least} to {most}");
        found
    }
}

/// What the writers have stored.
#[derive(Default)]
struct History {
    games: Counter,
    results: Counter,
    tokens: Counter,
}

/// Plays a run, adds an entrant and removes it, and imports a run, in every round.
fn write_runs(path: &Path, log: &Path, history: &History) {
    for round in 0..ROUNDS {
        play(path, history);
        let name = format!("bot {round}");
        let mut store = HillStore::open_to_write(path).expect("only one thread locks it");
        store.add(&[new_entrant(&name)]).expect("it is added");
        store.remove(&name).expect("it is removed");
        if round == 0 {
            let import = || store.import::<Yahtzee>(log, |hill, _| hill).expect("it is imported");
            history.games.grow(GAMES as u64, || history.results.grow(1, import));
        }
    }
}

/// Plays a run that is stored in several transactions.
fn play(path: &Path, history: &History) {
    let hill = Hill::new(draft()).expect("a hill");
    let writer = HillStore::open_to_write(path).and_then(|store| store.begin_run(Vec::new(), true));
    let writer = writer.expect("only one thread locks it");
    let stop = AtomicBool::new(false);
    let options = RunOptions {
        jobs: Jobs::Exactly(1),
        max_play_offs: MAX_PLAY_OFFS,
        stop: &stop,
        deadline: None,
    };
    let ended = run(&hill, options, &mut |event| {
        let write = || writer.write(&event).and_then(|()| writer.flush());
        match event {
            Event::Played(..) => history.games.grow(1, write),
            Event::Ended(_) => history.results.grow(1, write),
            Event::Started(_)
            | Event::Recalled(..)
            | Event::Retried(_)
            | Event::MemoryLost { .. }
            | Event::Diverged { .. }
            | Event::Barred(_) => write(),
        }
    });
    ended.expect("it is stored");
}

/// Plays a run whose last page and result are stored at once.
fn play_in_two_transactions(path: &Path) {
    let hill = Hill::new(draft()).expect("a hill");
    let store = HillStore::open_to_write(path).expect("only one thread locks it");
    let writer = store.begin_run(Vec::new(), true).expect("a run");
    let stop = AtomicBool::new(false);
    let options = RunOptions {
        jobs: Jobs::Exactly(1),
        max_play_offs: MAX_PLAY_OFFS,
        stop: &stop,
        deadline: None,
    };
    let mut events = 0;
    let ended = run(&hill, options, &mut |event| {
        events += 1;
        writer.write(&event)?;
        if events == GAMES / 2 { writer.flush() } else { Ok(()) }
    });
    ended.expect("it is stored");
}

fn write_tokens(path: &Path, history: &History) {
    for number in 0..ROUNDS * TOKENS {
        let mut store = EntryStore::open(path).expect("a hill");
        let token = SecretToken::new([number as u8; 32]);
        let add = || store.add_token(&token, &TokenTerms::default()).expect("it is added");
        assert_eq!(history.tokens.grow(1, add), (number + 1).cast_signed());
    }
}

/// Reads everything, from a store that stays open or is opened each time.
fn read(path: &Path, history: &History, stays_open: bool, is_over: &AtomicBool) {
    let open = || HillStore::open(path).expect("a hill");
    let mut store = open();
    let mut games_before = 0;
    loop {
        // The last look is at everything.
        let is_last = is_over.load(Ordering::SeqCst);
        if !stays_open {
            store = open();
        }
        let runs = || store.runs().expect("its runs");
        let games = || runs().iter().map(|run| run.games).sum();
        let games = history.games.check("games", games);
        assert!(games >= games_before, "games are not lost");
        games_before = games;
        let has_result = || runs().iter().filter(|run| run.result.is_some()).count() as u64;
        history.results.check("results", has_result);
        let tokens = || EntryStore::open_to_read(path).and_then(|store| store.tokens());
        history.tokens.check("tokens", || tokens().expect("its tokens").len() as u64);
        let present = store.entrants().expect("its entrants").len() as u64;
        assert!(present <= 1, "an entrant goes before the next comes: {present}");
        for run in runs() {
            let source = path.with_file_name(format!("h.db#{}", run.run));
            let source = RunSource::open(&source, TruncatedTail::Refuse).expect("it is unaltered");
            assert!(source.count() >= run.games, "its pages are without gaps");
        }
        if is_last {
            return;
        }
    }
}

#[test]
fn readers_see_all_that_was_stored_while_others_write() {
    let folder = tempfile::tempdir().expect("a folder");
    let [path, log] = ["h.db", "log"].map(|name| folder.path().join(name));
    drop(new_store(&path));
    let mut writer = LogWriter::create(&log).expect("a log");
    let stop = AtomicBool::new(false);
    let options = RunOptions {
        jobs: Jobs::Exactly(1),
        max_play_offs: MAX_PLAY_OFFS,
        stop: &stop,
        deadline: None,
    };
    // The same run would be refused as one that is there already.
    let hill = Hill::new(HillDraft { seed: "t".to_owned(), ..draft() }).expect("a hill");
    run(&hill, options, &mut |event| writer.write(&event)).expect("it is written");
    drop(writer);
    let (history, is_over) = (History::default(), AtomicBool::new(false));
    thread::scope(|scope| {
        let runs = scope.spawn(|| write_runs(&path, &log, &history));
        let tokens = scope.spawn(|| write_tokens(&path, &history));
        for stays_open in [true, false] {
            let (path, history, is_over) = (&path, &history, &is_over);
            scope.spawn(move || read(path, history, stays_open, is_over));
        }
        let ended = [runs.join(), tokens.join()];
        is_over.store(true, Ordering::SeqCst);
        assert!(ended.iter().all(Result::is_ok));
    });
    assert_eq!(history.results.stored.into_inner(), ROUNDS + 1);
}

#[test]
fn a_run_that_ends_while_it_is_checked_is_not_called_altered() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("h.db");
    drop(new_store(&path));
    let is_over = AtomicBool::new(false);
    let check_last = || {
        let store = HillStore::open(&path).expect("a hill");
        while !is_over.load(Ordering::SeqCst) {
            if let Some(last) = store.runs().expect("its runs").last() {
                for _ in 0..CHECKS {
                    store.check_seal(last.run).expect("nobody alters it");
                }
            }
        }
    };
    thread::scope(|scope| {
        let readers = [scope.spawn(check_last), scope.spawn(check_last)];
        for _ in 0..CHECKED_RUNS {
            play_in_two_transactions(&path);
        }
        is_over.store(true, Ordering::SeqCst);
        assert!(readers.map(|reader| reader.join().is_ok()) == [true; 2], "they are honest");
    });
}
