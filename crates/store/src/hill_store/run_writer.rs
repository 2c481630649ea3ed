//! A run is written to a store as it is played.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use dicehill_arena::{
    AnswerSum, Bar, Commitment, Event, Header, HeaderBot, Offence, Played, Recalled, RecordsHash,
    printable_json,
};
use dicehill_rules::Game;
use memchr::{memchr, memmem};
use rusqlite::{Connection, OptionalExtension, params};

use super::entrants::{self, NewEntrant};
use super::page::OpenPage;
use super::run_reader::StoredGames;
use super::seal::seal;
use super::{HillStore, commitments, database};
use crate::locked_file::LockedFile;
use crate::{FileError, LogHeader};

/// How long a game may wait for others until it is on disk.
const DELAY: Duration = Duration::from_millis(100);
/// How long the store is left to others between two transactions: SQLite lets nobody queue, so that whoever brings a
/// bot meanwhile has to look at the right moment.
const GAP: Duration = Duration::from_millis(1);

/// Writes the events of one run. What it was told is on disk after [`RunWriter::flush`], and within a tenth
/// of a second even if nothing more comes.
pub struct RunWriter {
    // Ends before the writer goes, so that the last to hold it, who closes the database, is whoever drops this.
    _flusher: Flusher,
    shared: Arc<Mutex<Writer>>,
    path: PathBuf,
    run: i64,
}

/// What is shared with the thread that writes when nothing more comes.
pub(super) struct Writer {
    path: PathBuf,
    // Closed before the lock goes.
    database: Connection,
    _lock: Option<LockedFile>,
    run: i64,
    keeps_moves: bool,
    newcomers: Vec<NewEntrant>,
    commitment: Option<Commitment>,
    attempt: i64,
    /// The number of the next game that is not stored yet.
    next: u64,
    page: OpenPage,
    /// The hash of the page before.
    previous: [u8; 32],
    /// The hash over all whole lines, if these are not kept.
    records: Option<RecordsHash>,
    /// Since when something waits for the end of its transaction.
    open_since: Option<Instant>,
    /// How long it may wait.
    delay: Duration,
    /// When the last transaction ended.
    closed: Option<Instant>,
    failed: Option<String>,
}

impl HillStore {
    /// Begins a run, the next of the hill, in which `newcomers` come to it. Nothing of it is there before
    /// its first event has been written.
    ///
    /// # Errors
    /// If the store cannot be written.
    ///
    /// # Panics
    /// If the store was not opened to write.
    pub fn begin_run(
        self,
        newcomers: Vec<NewEntrant>,
        keeps_moves: bool,
    ) -> Result<RunWriter, FileError> {
        let run = self.next_run()?;
        let records = (!keeps_moves).then(RecordsHash::default);
        let at = At { attempt: 0, next: 1, previous: [0; 32], records };
        Ok(self.writer(run, keeps_moves, newcomers, at).shared())
    }

    fn next_run(&self) -> Result<i64, FileError> {
        let next = "SELECT coalesce(max(id), 0) + 1 FROM run";
        self.database.query_row(next, [], |row| row.get(0)).map_err(self.named())
    }

    /// Begins a run that has been played elsewhere: all of it is stored at once by [`Writer::flush`],
    /// or nothing. The hash over records without moves is not known.
    pub(super) fn begin_import(self, keeps_moves: bool) -> Result<Writer, FileError> {
        let run = self.next_run()?;
        let at = At { attempt: 0, next: 1, previous: [0; 32], records: None };
        Ok(Writer { delay: Duration::MAX, ..self.writer(run, keeps_moves, Vec::new(), at) })
    }

    /// Goes on with a run that was left, behind the games that `stored` has.
    ///
    /// # Errors
    /// If there is no such run, or it is damaged.
    ///
    /// # Panics
    /// If the store was not opened to write.
    pub fn resume_run(self, run: i64, stored: &StoredGames) -> Result<RunWriter, FileError> {
        let found = self.run(run)?;
        let records = found.records_hash(&self.path)?;
        let (next, previous) = stored.end();
        let at = At { attempt: found.bars.len() as i64, next, previous, records };
        Ok(self.writer(run, found.keeps_moves, Vec::new(), at).shared())
    }

    fn writer(self, run: i64, keeps_moves: bool, newcomers: Vec<NewEntrant>, at: At) -> Writer {
        let Self { path, database, lock, .. } = self;
        assert!(lock.is_some(), "a store that was opened to write");
        let At { attempt, next, previous, records } = at;
        Writer {
            path,
            database,
            _lock: lock,
            run,
            keeps_moves,
            newcomers,
            commitment: None,
            attempt,
            next,
            page: OpenPage::default(),
            previous,
            records,
            open_since: None,
            delay: DELAY,
            closed: None,
            failed: None,
        }
    }
}

/// Where a run stands.
struct At {
    attempt: i64,
    next: u64,
    previous: [u8; 32],
    records: Option<RecordsHash>,
}

/// A thread that writes what has waited long enough.
struct Flusher {
    /// Nothing is sent: the thread ends when this goes.
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Flusher {
    fn start(writer: Arc<Mutex<Writer>>) -> Self {
        let (stop, stopped) = mpsc::channel();
        let thread = thread::spawn(move || keep_flushing(&writer, &stopped));
        Self { stop: Some(stop), thread: Some(thread) }
    }
}

impl Drop for Flusher {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            // It has nothing to tell: a panic in it has been shown.
            let _ = thread.join();
        }
    }
}

fn keep_flushing(writer: &Mutex<Writer>, stopped: &Receiver<()>) {
    while stopped.recv_timeout(DELAY / 2) == Err(RecvTimeoutError::Timeout) {
        let mut writer = lock(writer);
        if let Err(error) = writer.flush_if_due() {
            writer.failed.get_or_insert_with(|| error.to_string());
        }
    }
}

fn lock(writer: &Mutex<Writer>) -> MutexGuard<'_, Writer> {
    writer.lock().unwrap_or_else(PoisonError::into_inner)
}

impl RunWriter {
    /// The run's number in its hill.
    #[must_use]
    pub const fn run(&self) -> i64 {
        self.run
    }

    /// The store.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The same for a run whose seed follows from this commitment, which no other run can use from its first
    /// event on.
    #[must_use]
    pub fn committed(self, commitment: &Commitment) -> Self {
        lock(&self.shared).commitment = Some(commitment.clone());
        self
    }

    /// Writes what an event adds to the run.
    ///
    /// # Errors
    /// If it cannot be written, or a game comes that is there already or leaves a gap.
    pub fn write<G: Game>(&self, event: &Event<'_, G>) -> io::Result<()> {
        let mut writer = lock(&self.shared);
        if let Some(failed) = &writer.failed {
            return Err(io::Error::other(failed.clone()));
        }
        match event {
            Event::Started(header) => writer.start(header),
            Event::Played(played, ledger) => writer.played(played, ledger.records()),
            Event::Recalled(recalled, ledger) => writer.recalled(recalled, ledger.records()),
            Event::Barred(bar) => writer.barred(bar),
            // What did not count, and what is said in the game's own line.
            Event::Retried(_) | Event::MemoryLost { .. } | Event::Diverged { .. } => Ok(()),
            Event::Ended(document) => writer.ended(&printable_json(document)?),
        }
    }

    /// Sees to it that everything is on disk.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn flush(&self) -> io::Result<()> {
        lock(&self.shared).flush()
    }
}

impl Writer {
    /// Shares it with a thread that writes when nothing more comes.
    fn shared(self) -> RunWriter {
        let (path, run) = (self.path.clone(), self.run);
        let shared = Arc::new(Mutex::new(self));
        RunWriter { _flusher: Flusher::start(Arc::clone(&shared)), shared, path, run }
    }

    /// The run's number in its hill.
    pub(super) const fn run(&self) -> i64 {
        self.run
    }

    /// Begins a run with the header of a log. That it was played by what is on the hill is only said there.
    pub(super) fn start_as(&mut self, header: &LogHeader) -> io::Result<()> {
        self.begin()?;
        let bots = header.bots.iter().map(|bot| Ok((bot.name.as_str(), None)));
        self.insert_run(&header.line, bots).map_err(|error| self.error(&error))
    }

    fn start(&mut self, header: &Header) -> io::Result<()> {
        let line = crate::log_header::header_line(header)?;
        self.begin()?;
        for new in &std::mem::take(&mut self.newcomers) {
            entrants::insert(&self.database, new).map_err(|error| self.error(&error))?;
        }
        let bot = |bot: &HeaderBot| Ok((bot.name.clone(), self.version_of(bot)?));
        self.insert_run(&line, header.bots.iter().map(bot)).map_err(|error| self.error(&error))
    }

    fn version_of(&self, bot: &HeaderBot) -> rusqlite::Result<Option<i64>> {
        let sql = "SELECT version.id FROM version JOIN entrant ON entrant = entrant.id
                   WHERE name = ?1 AND identity = ?2 ORDER BY number DESC LIMIT 1";
        self.database.query_row(sql, params![bot.name, bot.hash], |row| row.get(0)).optional()
    }

    /// The bots are given by their names and versions.
    fn insert_run<N: rusqlite::ToSql>(
        &self,
        line: &str,
        bots: impl Iterator<Item = rusqlite::Result<(N, Option<i64>)>>,
    ) -> rusqlite::Result<()> {
        self.database.execute(
            "INSERT INTO run (id, header, moves, begun) VALUES (?1, ?2, ?3, ?4)",
            params![self.run, line, self.keeps_moves, database::now()],
        )?;
        if let Some(commitment) = &self.commitment {
            commitments::use_for(&self.database, self.run, commitment)?;
        }
        for (place, bot) in bots.enumerate() {
            let (name, version) = bot?;
            self.database.execute(
                "INSERT INTO run_bot VALUES (?1, ?2, ?3, ?4)",
                params![self.run, place as i64, name, version],
            )?;
        }
        Ok(())
    }

    fn played<G: Game>(&mut self, played: &Played<G>, records: &RecordsHash) -> io::Result<()> {
        let game = played.record.fixture.game;
        if game < self.next {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!("game {game} is stored otherwise than this hill and seed would have it"),
            ));
        }
        self.failures(game, &played.line, &played.record.offences)?;
        self.add(game, &played.line, &played.times, records)
    }

    /// Stores a game that was played elsewhere, given by its line.
    pub(super) fn import(&mut self, game: u64, line: &str, failures: &[Offence]) -> io::Result<()> {
        self.failures(game, line, failures)?;
        self.add(game, line, &[], &RecordsHash::default())
    }

    fn failures(&mut self, game: u64, line: &str, failures: &[Offence]) -> io::Result<()> {
        for (number, offence) in failures.iter().enumerate() {
            let bot = bot_at(line, offence)?;
            self.begin()?;
            self.insert_failure(game, number, &bot, offence).map_err(|error| self.error(&error))?;
        }
        Ok(())
    }

    fn recalled(&mut self, recalled: &Recalled, records: &RecordsHash) -> io::Result<()> {
        let game = recalled.fixture.game;
        if game < self.next { Ok(()) } else { self.add(game, &recalled.line, &[], records) }
    }

    /// Adds a game; `records` is the hash over all lines with this one. The thread that writes when nothing
    /// more comes ends the transaction in time.
    fn add(
        &mut self,
        game: u64,
        line: &str,
        times: &[Option<AnswerSum>],
        records: &RecordsHash,
    ) -> io::Result<()> {
        if game != self.next {
            let next = self.next;
            return Err(io::Error::other(format!("game {game} comes where game {next} belongs")));
        }
        self.begin()?;
        self.next += 1;
        if let Some(own) = &mut self.records {
            own.follow(line, records);
        }
        let kept = if self.keeps_moves { [line, ""] } else { without_moves(line) };
        self.page.add(game, kept, times);
        if self.page.is_full() { self.close_page() } else { Ok(()) }
    }

    fn insert_failure(
        &self,
        game: u64,
        number: usize,
        bot: &str,
        offence: &Offence,
    ) -> rusqlite::Result<()> {
        let Offence { request, failure, .. } = offence;
        let reason = failure.reason.name();
        let log = failure.log.join("\n");
        self.database
            .prepare_cached("INSERT INTO failure VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)")?
            .execute(params![
                self.run,
                self.attempt,
                game as i64,
                number as i64,
                bot,
                reason,
                failure.detail,
                request,
                log
            ])?;
        Ok(())
    }

    /// What was played before does not count, and is kept.
    pub(super) fn barred(&mut self, bar: &Bar) -> io::Result<()> {
        self.begin()?;
        self.close_page()?;
        let text = printable_json(bar)?;
        self.database
            .execute("INSERT INTO bar VALUES (?1, ?2, ?3)", params![self.run, self.attempt, text])
            .map_err(|error| self.error(&error))?;
        self.attempt += 1;
        (self.next, self.previous) = (1, [0; 32]);
        self.records = self.records.as_ref().map(|_| RecordsHash::default());
        self.flush_if_due()
    }

    pub(super) fn ended(&mut self, document: &str) -> io::Result<()> {
        self.begin()?;
        self.close_page()?;
        self.store_records()?;
        self.end_run(document).map_err(|error| self.error(&error))?;
        self.flush()
    }

    fn end_run(&self, document: &str) -> rusqlite::Result<()> {
        self.database.execute(
            "UPDATE run SET result = ?1, ended = ?2 WHERE id = ?3",
            params![document, database::now(), self.run],
        )?;
        let seal = seal(&self.database, self.run)?;
        self.database.execute("UPDATE run SET seal = ?1 WHERE id = ?2", params![seal, self.run])?;
        Ok(())
    }

    fn close_page(&mut self) -> io::Result<()> {
        if self.page.is_empty() {
            return Ok(());
        }
        let page = self.page.close(&self.previous);
        let stored = self
            .database
            .prepare_cached(
                "INSERT INTO page (run, attempt, first, last, games, times, checks, hash)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            )
            .and_then(|mut insert| {
                insert.execute(params![
                    self.run,
                    self.attempt,
                    page.first as i64,
                    page.last as i64,
                    page.games,
                    page.times,
                    page.checks,
                    page.hash
                ])
            });
        stored.map_err(|error| self.error(&error))?;
        self.previous = page.hash;
        Ok(())
    }

    fn begin(&mut self) -> io::Result<()> {
        if self.open_since.is_none() {
            if let Some(closed) = self.closed {
                thread::sleep(GAP.saturating_sub(closed.elapsed()));
            }
            self.execute("BEGIN IMMEDIATE")?;
            self.open_since = Some(Instant::now());
        }
        Ok(())
    }

    fn flush_if_due(&mut self) -> io::Result<()> {
        match self.open_since {
            Some(since) if since.elapsed() >= self.delay => self.flush(),
            Some(_) | None => Ok(()),
        }
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        if self.open_since.is_none() {
            return Ok(());
        }
        self.close_page()?;
        self.store_records()?;
        self.execute("COMMIT")?;
        (self.open_since, self.closed) = (None, Some(Instant::now()));
        Ok(())
    }

    /// Without whole lines their hash cannot be made again: it is kept as it stands.
    fn store_records(&self) -> io::Result<()> {
        let Some(records) = &self.records else { return Ok(()) };
        let done = self.database.execute(
            "UPDATE run SET records = ?1 WHERE id = ?2",
            params![records.state(), self.run],
        );
        done.map(drop).map_err(|error| self.error(&error))
    }

    fn execute(&self, sql: &str) -> io::Result<()> {
        self.database.execute_batch(sql).map_err(|error| self.error(&error))
    }

    fn error(&self, error: &rusqlite::Error) -> io::Error {
        io::Error::other(database::error(&self.path, error))
    }
}

/// The name at the seat of an offence, from the game's line.
fn bot_at(line: &str, offence: &Offence) -> io::Result<String> {
    #[derive(serde::Deserialize)]
    struct Seats {
        seats: Vec<String>,
    }
    let Seats { mut seats } = serde_json::from_str(line)?;
    Ok(seats.swap_remove(offence.seat.index()))
}

/// A game's line in two parts, between which its moves have stood.
///
/// In the text of a string every quotation mark stands behind a backslash, so that the key is found
/// nowhere else.
fn without_moves(line: &str) -> [&str; 2] {
    const KEY: &str = ",\"moves\":\"";
    let parts = memmem::find(line.as_bytes(), KEY.as_bytes()).and_then(|head| {
        let moves = head + KEY.len();
        let length = memchr(b'"', &line.as_bytes()[moves..])?;
        Some([&line[..head], &line[moves + length + 1..]])
    });
    parts.unwrap_or([line, ""])
}

#[cfg(test)]
mod tests {
    use dicehill_arena::FormatName;

    use super::*;
    use crate::HillRecord;

    /// Otherwise a program might end while the thread still held the database, and leave it unclosed.
    #[test]
    fn nobody_has_the_store_when_its_writer_is_gone() {
        let folder = tempfile::tempdir().expect("a folder");
        let hill = HillRecord {
            name: "spring".to_owned(),
            game: "yahtzee".parse().expect("a game"),
            rules: "official".to_owned(),
            format: FormatName::Challenge,
            seats: None,
            challenger: None,
            strengths: None,
            games: 1,
            memory: Default::default(),
            limits: Default::default(),
            seed: None,
            until: None,
        };
        let store = HillStore::create(&folder.path().join("h.db"), &hill).expect("a new hill");
        let writer = store.begin_run(Vec::new(), true).expect("a run");
        let shared = Arc::clone(&writer.shared);
        let busy = lock(&shared);
        thread::sleep(2 * DELAY);
        let others = Arc::downgrade(&shared);
        let dropper = thread::spawn(move || {
            drop(writer);
            others.strong_count()
        });
        thread::sleep(DELAY);
        drop(busy);
        assert_eq!(dropper.join().expect("it ends"), 1, "but for what this test holds");
    }
}
