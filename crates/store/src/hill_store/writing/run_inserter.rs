//! The rows of a run, inserted in transactions.

use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use dicehill_arena::{
    AnswerSum, Bar, Commitment, Header, HeaderBot, Highlight, Offence, PlayedGame, RecordedGame,
    RecordsHash, StartValue, TournamentGame, printable_json, read_game_line,
};
use dicehill_rules::{Chance, Game};
use rusqlite::{Connection, OptionalExtension, ToSql, params};

use super::game_lines::{bot_at, without_moves};
use super::highlight_tracker::HighlightTracker;
use crate::RunHeader;
use crate::files::locked_file::LockedFile;
use crate::hill_store::pages::open_page::OpenPage;
use crate::hill_store::read_connection::StoreView;
use crate::hill_store::runs::commitments;
use crate::hill_store::runs::seal::seal;
use crate::hill_store::{HillStore, NewEntrant, database, entrants, entry_rows};
use crate::run_log::header_line::header_line;

/// How long a transaction stays open, at most.
pub(super) const DELAY: Duration = Duration::from_millis(100);
/// The pause between two transactions. SQLite does not queue writers, so that other connections, such as that of an
/// [`crate::EntryStore`], can write only during a pause.
const GAP: Duration = Duration::from_millis(1);

/// Inserts the rows of one run, in transactions of a tenth of a second.
pub(crate) struct RunInserter {
    path: PathBuf,
    // Fields are dropped in order, so that the database is closed before the lock is released.
    database: Connection,
    _lock: Option<LockedFile>,
    run: i64,
    keeps_moves: bool,
    /// The entrants that the run's first event adds.
    new_entrants: Vec<NewEntrant>,
    pub(super) commitment: Option<Commitment>,
    /// Whether the queue plays the run, and resumes it after a restart.
    pub(super) is_queued: bool,
    position: RunPosition,
    highlights: HighlightTracker,
    /// How the run reads games that it takes over from another; `None` if it was resumed.
    terms: Option<GameTerms>,
    page: OpenPage,
    /// When the open transaction began.
    open_since: Option<Instant>,
    /// How long a transaction may stay open.
    delay: Duration,
    /// When the last transaction ended.
    closed: Option<Instant>,
    /// The file when the run began.
    view: StoreView,
    /// Whether a part of the run is on disk.
    has_stored: bool,
    /// Why a part of the run could not be stored. Nothing more is stored after that, since SQLite has undone the open
    /// transaction, and later games must not be there without those before them.
    failed: Option<String>,
}

/// How to begin or resume a run.
pub(super) struct RunStart {
    pub(super) run: i64,
    pub(super) keeps_moves: bool,
    pub(super) new_entrants: Vec<NewEntrant>,
    pub(super) position: RunPosition,
    pub(super) highlights: HighlightTracker,
    /// How long a transaction may stay open.
    pub(super) delay: Duration,
}

/// What the games of a run are played with.
struct GameTerms {
    rules: String,
    chance: Chance,
    start_value: Option<StartValue>,
}

impl GameTerms {
    /// What is remarkable in a game with this line; `None` if that cannot be found out.
    fn highlights<G: TournamentGame>(&self, line: &str) -> Option<Vec<Highlight>> {
        let rules = G::rules_named(&self.rules)?;
        let replay = read_game_line::<G>(line, rules, &self.chance).ok()?;
        Some(replay.highlights(rules, self.start_value))
    }
}

/// How far a run is stored.
pub(super) struct RunPosition {
    /// The number of bars.
    pub(super) attempt: i64,
    /// The number of the next game.
    pub(super) next: u64,
    /// The hash of the last page.
    pub(super) previous: [u8; 32],
    /// The hash over all complete lines, if their moves are not stored.
    pub(super) records: Option<RecordsHash>,
}

impl Default for RunPosition {
    fn default() -> Self {
        Self { attempt: 0, next: 1, previous: [0; 32], records: None }
    }
}

impl RunInserter {
    /// Takes over the lock of a store.
    ///
    /// # Panics
    /// If the store was not opened to write.
    pub(super) fn new(store: HillStore, start: RunStart) -> Self {
        let HillStore { path, database, lock, view, .. } = store;
        assert!(lock.is_some(), "a store that was opened to write");
        let RunStart { run, keeps_moves, new_entrants, position, highlights, delay } = start;
        Self {
            path,
            database,
            _lock: lock,
            run,
            keeps_moves,
            new_entrants,
            commitment: None,
            is_queued: false,
            position,
            highlights,
            terms: None,
            page: OpenPage::default(),
            open_since: None,
            delay,
            closed: None,
            view,
            has_stored: false,
            failed: None,
        }
    }

    /// Stores something, unless something before it could not be stored.
    pub(super) fn unless_failed(
        &mut self,
        store: impl FnOnce(&mut Self) -> io::Result<()>,
    ) -> io::Result<()> {
        if let Some(failed) = &self.failed {
            return Err(io::Error::other(failed.clone()));
        }
        let stored = store(self);
        self.failed = stored.as_ref().err().map(ToString::to_string);
        stored
    }

    /// Whether a part of the run is on disk, where it can be resumed.
    pub(super) fn has_stored(&self) -> bool {
        self.has_stored && !self.view.is_outdated(&self.path)
    }

    /// The run that is resumed is on disk.
    pub(super) const fn set_stored(&mut self) {
        self.has_stored = true;
    }

    /// The path of the store.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The number of the run in its hill.
    pub(crate) const fn run(&self) -> i64 {
        self.run
    }

    /// Begins a run with the header of a log. Its bots get no versions: the store cannot know which files played.
    pub(crate) fn start_imported(&mut self, header: &RunHeader) -> io::Result<()> {
        self.begin_transaction()?;
        let bots = header.bots.iter().map(|bot| Ok((bot.name.as_str(), None)));
        self.insert_run(&header.line, bots).map_err(|error| self.to_io_error(&error))
    }

    /// Begins a run that is being played.
    pub(super) fn start(&mut self, header: &Header) -> io::Result<()> {
        let line = header_line(header)?;
        self.terms = Some(GameTerms {
            rules: header.terms.rules.clone(),
            chance: Chance::new(header.terms.seed.as_deref().unwrap_or_default()),
            start_value: header.start_value,
        });
        self.begin_transaction()?;
        for new in &std::mem::take(&mut self.new_entrants) {
            entrants::insert(&self.database, new).map_err(|error| self.to_io_error(&error))?;
        }
        let bot = |bot: &HeaderBot| Ok((bot.name.clone(), self.version_of(bot)?));
        self.insert_run(&line, header.bots.iter().map(bot))
            .and_then(|()| entry_rows::begin_run(&self.database, self.run, self.is_queued))
            .map_err(|error| self.to_io_error(&error))
    }

    fn version_of(&self, bot: &HeaderBot) -> rusqlite::Result<Option<i64>> {
        let sql = "SELECT version.id FROM version JOIN entrant ON entrant = entrant.id
                   WHERE name = ?1 AND identity = ?2 ORDER BY number DESC LIMIT 1";
        self.database.query_row(sql, params![bot.name, bot.hash], |row| row.get(0)).optional()
    }

    /// Inserts the run with its bots, given by their names and versions.
    fn insert_run<N: ToSql>(
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

    /// Stores a game that was played.
    pub(super) fn store_played<G: Game>(
        &mut self,
        played: &PlayedGame<G>,
        records: &RecordsHash,
    ) -> io::Result<()> {
        let game = played.record.fixture.game;
        if game < self.position.next {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!("game {game} is stored differently than this hill and seed require"),
            ));
        }
        self.insert_failures(game, &played.line, &played.record.offences)?;
        self.add_game(game, &played.line, &played.times, None, records)?;
        self.highlights.take(game, &played.line, played.highlights.as_deref())?;
        self.close_full_page()
    }

    /// Stores a game that was played elsewhere, given by its line.
    pub(crate) fn store_imported(
        &mut self,
        game: u64,
        line: &str,
        failures: &[Offence],
        highlights: Option<&[Highlight]>,
    ) -> io::Result<()> {
        self.insert_failures(game, line, failures)?;
        self.add_game(game, line, &[], None, &RecordsHash::default())?;
        self.highlights.take(game, line, highlights)?;
        self.close_full_page()
    }

    fn insert_failures(&mut self, game: u64, line: &str, failures: &[Offence]) -> io::Result<()> {
        for (number, offence) in failures.iter().enumerate() {
            let bot = bot_at(line, offence)?;
            self.begin_transaction()?;
            self.insert_failure(game, number, &bot, offence)
                .map_err(|error| self.to_io_error(&error))?;
        }
        Ok(())
    }

    /// Stores a recorded game that this run takes over, unless it is stored already.
    pub(super) fn store_recalled<G: TournamentGame>(
        &mut self,
        recalled: &RecordedGame,
        records: &RecordsHash,
    ) -> io::Result<()> {
        let game = recalled.fixture.game;
        if game < self.position.next {
            return Ok(());
        }
        self.insert_failures(
            game,
            &recalled.line,
            recalled.unjudged.as_deref().unwrap_or_default(),
        )?;
        self.add_game(game, &recalled.line, &[], recalled.machine.as_deref(), records)?;
        let terms = self.terms.as_ref().filter(|_| self.highlights.is_complete());
        let highlights = terms.and_then(|terms| terms.highlights::<G>(&recalled.line));
        self.highlights.take(game, &recalled.line, highlights.as_deref())?;
        self.close_full_page()
    }

    /// Adds a game. `records` is the hash over all lines up to this one. The thread of the [`super::RunWriter`] ends the
    /// transaction.
    fn add_game(
        &mut self,
        game: u64,
        line: &str,
        times: &[Option<AnswerSum>],
        machine: Option<&str>,
        records: &RecordsHash,
    ) -> io::Result<()> {
        if game != self.position.next {
            let next = self.position.next;
            return Err(io::Error::other(format!("game {game} is in the place of game {next}")));
        }
        self.begin_transaction()?;
        self.position.next += 1;
        if let Some(own) = &mut self.position.records {
            own.add_shared(line, records);
        }
        let kept = if self.keeps_moves { [line, ""] } else { without_moves(line) };
        self.page.add(game, kept, times, machine);
        Ok(())
    }

    fn close_full_page(&mut self) -> io::Result<()> {
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
                self.position.attempt,
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

    /// Stores a bar. The games before it stay stored and no longer count.
    pub(crate) fn store_bar(&mut self, bar: &Bar) -> io::Result<()> {
        self.begin_transaction()?;
        self.close_page()?;
        let text = printable_json(bar)?;
        self.database
            .execute(
                "INSERT INTO bar VALUES (?1, ?2, ?3)",
                params![self.run, self.position.attempt, text],
            )
            .map_err(|error| self.to_io_error(&error))?;
        let RunPosition { attempt, records, .. } = &self.position;
        let (attempt, records) = (attempt + 1, records.as_ref().map(|_| RecordsHash::default()));
        self.position = RunPosition { attempt, records, ..RunPosition::default() };
        self.highlights = HighlightTracker::begun();
        self.flush_if_due()
    }

    /// Stores the result document, and seals the run.
    pub(crate) fn store_result(&mut self, document: &str) -> io::Result<()> {
        self.begin_transaction()?;
        self.close_page()?;
        self.store_records()?;
        self.store_highlights()?;
        self.end_run(document).map_err(|error| self.to_io_error(&error))?;
        self.flush()
    }

    fn end_run(&self, document: &str) -> rusqlite::Result<()> {
        self.database.execute(
            "UPDATE run SET result = ?1, ended = ?2 WHERE id = ?3",
            params![document, database::now(), self.run],
        )?;
        entry_rows::end_run(&self.database, self.run)?;
        let seal = seal(&self.database, self.run)?;
        self.database.execute("UPDATE run SET seal = ?1 WHERE id = ?2", params![seal, self.run])?;
        Ok(())
    }

    fn close_page(&mut self) -> io::Result<()> {
        if self.page.is_empty() {
            return Ok(());
        }
        let machines = self.page.machines();
        let page = self.page.close(&self.position.previous);
        let stored = self
            .database
            .prepare_cached(
                "INSERT INTO page (run, attempt, first, last, games, times, checks, hash, machines)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            )
            .and_then(|mut insert| {
                insert.execute(params![
                    self.run,
                    self.position.attempt,
                    page.first as i64,
                    page.last as i64,
                    page.games,
                    page.times,
                    page.checks,
                    page.hash,
                    machines
                ])
            });
        stored.map_err(|error| self.to_io_error(&error))?;
        self.position.previous = page.hash;
        Ok(())
    }

    /// Begins a transaction unless one is open.
    fn begin_transaction(&mut self) -> io::Result<()> {
        if self.open_since.is_none() {
            if let Some(closed) = self.closed {
                thread::sleep(GAP.saturating_sub(closed.elapsed()));
            }
            self.execute("BEGIN IMMEDIATE")?;
            self.open_since = Some(Instant::now());
        }
        Ok(())
    }

    /// Ends a transaction that has been open for long enough.
    pub(super) fn flush_if_due(&mut self) -> io::Result<()> {
        match self.open_since {
            Some(since) if since.elapsed() >= self.delay => self.flush(),
            Some(_) | None => Ok(()),
        }
    }

    /// Ends the open transaction, so that everything is on disk.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        if self.open_since.is_none() {
            return Ok(());
        }
        self.close_page()?;
        self.store_records()?;
        self.store_highlights()?;
        self.execute("COMMIT")?;
        (self.open_since, self.closed) = (None, Some(Instant::now()));
        self.has_stored = true;
        if self.view.is_outdated(&self.path) {
            let path = self.path.display();
            let message = format!("{path}: was deleted or replaced while a run was being stored");
            return Err(io::Error::other(message));
        }
        Ok(())
    }

    /// Stores the hash over all lines, which cannot be recomputed from lines without moves.
    fn store_records(&self) -> io::Result<()> {
        let Some(records) = &self.position.records else { return Ok(()) };
        let done = self.database.execute(
            "UPDATE run SET records = ?1 WHERE id = ?2",
            params![records.state(), self.run],
        );
        done.map(drop).map_err(|error| self.to_io_error(&error))
    }

    /// Stores the most remarkable games so far, in the transaction that has the games.
    fn store_highlights(&mut self) -> io::Result<()> {
        let Some(text) = self.highlights.unstored()? else { return Ok(()) };
        let done = self
            .database
            .execute("UPDATE run SET highlights = ?1 WHERE id = ?2", params![text, self.run]);
        done.map(drop).map_err(|error| self.to_io_error(&error))
    }

    fn execute(&self, sql: &str) -> io::Result<()> {
        self.database.execute_batch(sql).map_err(|error| self.to_io_error(&error))
    }

    fn to_io_error(&self, error: &rusqlite::Error) -> io::Error {
        io::Error::other(database::error(&self.path, error))
    }
}
