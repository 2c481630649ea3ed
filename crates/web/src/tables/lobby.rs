//! All tables of a server.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use dicehill_rules::{GameName, with_game};
use tokio::sync::Semaphore;

use super::stored_table::{DamagedTable, StoredTable};
use super::table_folder::TableFolder;
use super::table_options::{TableDraft, TableOptions};
use super::table_session::{AnyTableSession, Rematch, Saved, TableSession};
use super::table_writer::TableWriter;
use super::{Refusal, SeatToken, TableGame, TableId};
use crate::requests::client_address::ClientAddress;

/// Bots that compute moves at the same time; others wait.
const BOTS_AT_ONCE: usize = 4;

/// Limits on the number and the idle time of tables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LobbyLimits {
    /// The most tables; opening one more removes the least recently used of the client that opened most of them.
    pub(crate) tables: usize,
    /// A table that is not requested for this long is removed.
    pub(crate) idle: Duration,
}

impl Default for LobbyLimits {
    fn default() -> Self {
        Self { tables: 500, idle: Duration::from_hours(24) }
    }
}

/// All tables of a server. Callers pass the current time.
pub(crate) struct Lobby {
    limits: LobbyLimits,
    tables: Mutex<HashMap<TableId, OpenTable>>,
    /// Held while a rematch is opened, so that two people who ask for one get the same.
    rematches: Mutex<()>,
    bot_permits: Arc<Semaphore>,
    writer: Option<Arc<TableWriter>>,
}

struct OpenTable {
    /// Who opened it; `None` if that was before the server started.
    opener: Option<ClientAddress>,
    session: Arc<dyn AnyTableSession>,
    last_used: Instant,
}

/// Who asks, and when.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asking {
    pub(crate) client: ClientAddress,
    pub(crate) now: Instant,
}

impl Lobby {
    /// A lobby without tables; with a folder, its tables survive a restart.
    pub(crate) fn new(limits: LobbyLimits, folder: Option<TableFolder>) -> Self {
        Self {
            limits,
            tables: Mutex::default(),
            rematches: Mutex::new(()),
            bot_permits: Arc::new(Semaphore::new(BOTS_AT_ONCE)),
            writer: folder.map(TableWriter::new).map(Arc::new),
        }
    }

    /// Takes the tables of its folder, and reports in the log what cannot be read.
    pub(crate) fn load(&self) {
        let Some(writer) = &self.writer else { return };
        let now = SystemTime::now();
        // No table changes a million times in a second, and these numbers are exact in scripts.
        let version = now.duration_since(UNIX_EPOCH).map_or(1, |since| since.as_micros() as u64);
        let saved = || Saved { writer: Some(Arc::clone(writer)), version };
        let loaded =
            writer.folder().load(self.limits.idle, now, |id, stored| restored(id, stored, saved()));
        let now = Instant::now();
        let open = |session| OpenTable { opener: None, session, last_used: now };
        self.tables().extend(loaded.into_iter().map(|(id, session)| (id, open(session))));
    }

    /// Opens a table for a client, and gives it a seat.
    ///
    /// # Errors
    /// If no such table can be opened.
    pub(crate) fn open(
        &self,
        opener: ClientAddress,
        draft: &TableDraft,
        now: Instant,
    ) -> Result<(TableId, SeatToken), Refusal> {
        let id = TableId::draw()?;
        let token = self.open_as(id, Asking { client: opener, now }, draft)?;
        Ok((id, token))
    }

    fn open_as(
        &self,
        id: TableId,
        asking: Asking,
        draft: &TableDraft,
    ) -> Result<SeatToken, Refusal> {
        let Asking { client, now } = asking;
        let writer = self.writer.clone();
        let game = draft.game.parse::<GameName>()?;
        let session = with_game!(game, G => session::<G>(id, draft, writer)?);
        let token = session.sit(None, draft.name.as_deref())?;
        let mut tables = self.tables();
        let is_idle =
            |table: &OpenTable| now.saturating_duration_since(table.last_used) >= self.limits.idle;
        let mut removed: Vec<_> =
            tables.extract_if(|_, table| is_idle(table)).map(|(id, _)| id).collect();
        removed.extend(make_space(&mut tables, self.limits.tables));
        tables.insert(id, OpenTable { opener: Some(client), session, last_used: now });
        drop(tables);
        removed.into_iter().for_each(|id| self.forget(id));
        Ok(token)
    }

    /// Removes the file of a table that was removed.
    fn forget(&self, id: TableId) {
        if let Some(writer) = &self.writer {
            writer.remove(id);
        }
    }

    /// Opens the rematch of a finished game, with a seat for the person with this token; or takes a seat there, if another
    /// player of that game has opened it. `seat_of` gives the person's token at a table, if there is one. Returns the
    /// rematch, and the token of a new seat.
    ///
    /// # Errors
    /// If the game is not over, the client had no seat in it, or the seats of the rematch are taken.
    pub(crate) fn rematch<'a>(
        &self,
        id: &str,
        asking: Asking,
        seat_of: impl Fn(&str) -> Option<&'a str>,
    ) -> Result<(TableId, Option<SeatToken>), Refusal> {
        let _held = self.rematches.lock().unwrap_or_else(PoisonError::into_inner);
        let session = self.find(id, asking.now)?;
        let is_gone = |id: TableId| self.find(&id.to_string(), asking.now).is_err();
        let Rematch { id, draft, name } =
            session.rematch(seat_of(id), TableId::draw()?, &is_gone)?;
        if let Some(draft) = draft {
            return Ok((id, Some(self.open_as(id, asking, &draft)?)));
        }
        let text = id.to_string();
        match self.find(&text, asking.now)?.sit(seat_of(&text), Some(&name)) {
            Ok(token) => Ok((id, Some(token))),
            Err(Refusal::Seated) => Ok((id, None)),
            Err(refusal) => Err(refusal),
        }
    }

    /// Lets bots play for people who are late or away, and returns the tables where that happened.
    pub(crate) fn enforce_time(&self, now: Instant) -> Vec<Arc<dyn AnyTableSession>> {
        let mut sessions = self.sessions();
        sessions.retain(|session| session.enforce_time(now));
        sessions
    }

    /// Lets bots continue at the tables that survived a restart.
    pub(crate) fn resume(&self) {
        self.sessions().into_iter().for_each(|session| self.play_bot_turns(session));
    }

    fn sessions(&self) -> Vec<Arc<dyn AnyTableSession>> {
        self.tables().values().map(|table| Arc::clone(&table.session)).collect()
    }

    /// The table with this id, which counts as used now.
    ///
    /// # Errors
    /// If there is no such table.
    pub(crate) fn find(&self, id: &str, now: Instant) -> Result<Arc<dyn AnyTableSession>, Refusal> {
        let missing = || Refusal::NoSuchTable(self.limits.idle.as_secs() / 3600);
        let id = id.parse::<TableId>().map_err(|_| missing())?;
        let mut tables = self.tables();
        let table = tables.get_mut(&id).ok_or_else(missing)?;
        if now.saturating_duration_since(table.last_used) >= self.limits.idle {
            tables.remove(&id);
            drop(tables);
            self.forget(id);
            return Err(missing());
        }
        table.last_used = now;
        Ok(Arc::clone(&table.session))
    }

    /// Plays the turns of bots in the background until it is a person's turn. Concurrent calls for a table are harmless:
    /// each bot is taken by one of them.
    pub(crate) fn play_bot_turns(&self, session: Arc<dyn AnyTableSession>) {
        let bot_permits = Arc::clone(&self.bot_permits);
        tokio::spawn(async move {
            loop {
                let Ok(permit) = Arc::clone(&bot_permits).acquire_owned().await else { return };
                let session = Arc::clone(&session);
                let moved = tokio::task::spawn_blocking(move || session.play_bot_turn()).await;
                drop(permit);
                if !matches!(moved, Ok(true)) {
                    return;
                }
            }
        });
    }

    /// Removes all tables from memory, which ends the streams of their listeners.
    pub(crate) fn close(&self) {
        self.tables().clear();
    }

    /// Waits until the files of all tables are on disk.
    pub(crate) fn flush(&self) {
        if let Some(writer) = &self.writer {
            writer.flush();
        }
    }

    fn tables(&self) -> MutexGuard<'_, HashMap<TableId, OpenTable>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn session<G: TableGame>(
    id: TableId,
    draft: &TableDraft,
    writer: Option<Arc<TableWriter>>,
) -> Result<Arc<dyn AnyTableSession>, Refusal> {
    Ok(Arc::new(TableSession::<G>::new(id, TableOptions::new(draft)?, writer)))
}

/// A session of the table that a file has.
pub(super) fn restored(
    id: TableId,
    stored: StoredTable,
    saved: Saved,
) -> Result<Arc<dyn AnyTableSession>, DamagedTable> {
    let game = stored.game.parse::<GameName>();
    let game = game.map_err(|error| DamagedTable::Options(error.to_string()))?;
    with_game!(game, G => {
        let session = TableSession::<G>::restore(id, stored, saved)?;
        let session: Arc<dyn AnyTableSession> = Arc::new(session);
        Ok(session)
    })
}

/// Removes tables until there is space for one more: the least recently used of those whose opener has the most, so
/// that no client can crowd out the tables of others, and first those whose pages are closed. Returns the removed tables.
fn make_space(tables: &mut HashMap<TableId, OpenTable>, most: usize) -> Vec<TableId> {
    let mut removed = Vec::new();
    while tables.len() >= most {
        let mut counts: HashMap<ClientAddress, usize> = HashMap::new();
        let openers = tables.values().filter_map(|table| table.opener);
        openers.for_each(|opener| *counts.entry(opener).or_default() += 1);
        // Of a table from before a restart the opener is unknown: others do not count against it.
        let of_opener = |table: &OpenTable| table.opener.map_or(1, |opener| counts[&opener]);
        let rank = |table: &OpenTable| {
            (Reverse(of_opener(table)), table.session.has_open_page(), table.last_used)
        };
        let oldest = tables.iter().min_by_key(|(_, table)| rank(table)).map(|(id, _)| *id);
        let Some(oldest) = oldest else { break };
        tables.remove(&oldest);
        removed.push(oldest);
    }
    removed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(number: u8) -> ClientAddress {
        ClientAddress::direct([192, 0, 2, number].into())
    }

    #[test]
    fn a_client_with_many_tables_loses_its_own() {
        let lobby = Lobby::new(LobbyLimits { tables: 4, idle: Duration::from_secs(100) }, None);
        let begin = Instant::now();
        let open = |opener, seconds| {
            let now = begin + Duration::from_secs(seconds);
            lobby.open(client(opener), &one_player(), now).unwrap().0.to_string()
        };
        let quiet = open(1, 0);
        let flood: Vec<_> = (1..20).map(|second| open(2, second)).collect();
        let is_there = |id: &String| lobby.find(id, begin + Duration::from_secs(20)).is_ok();
        assert!(is_there(&quiet), "another client's table stays");
        assert_eq!(flood.iter().map(is_there).filter(|is_there| *is_there).count(), 3);
        assert!(flood[16..].iter().all(is_there), "the newest are there");
    }

    /// Many clients with a table each remove those first whose pages are closed.
    #[test]
    fn a_table_with_an_open_page_outlasts_those_without() {
        let lobby = Lobby::new(LobbyLimits { tables: 4, idle: Duration::from_secs(100) }, None);
        let begin = Instant::now();
        let open = |opener, seconds| {
            let now = begin + Duration::from_secs(seconds);
            let (id, token) = lobby.open(client(opener), &one_player(), now).unwrap();
            (id.to_string(), token.as_str().to_owned())
        };
        let (open_page, token) = open(1, 0);
        let session = lobby.find(&open_page, begin).unwrap_or_else(|refusal| panic!("{refusal}"));
        let page = session.listen(Some(&token));
        let (closed, _) = open(2, 1);
        (3..30).for_each(|opener| drop(open(opener, 2)));
        let is_there = |id: &str| lobby.find(id, begin + Duration::from_secs(3)).is_ok();
        assert!(is_there(&open_page) && !is_there(&closed));
        drop(page);
        (30..40).for_each(|opener| drop(open(opener, 4)));
        assert!(!is_there(&open_page), "its page is closed now");
    }

    /// The openers of tables from before a restart are unknown: one visitor cannot remove them as if they were one client's.
    #[test]
    fn tables_from_before_a_restart_are_not_one_clients() {
        let lobby = Lobby::new(LobbyLimits { tables: 6, idle: Duration::from_secs(100) }, None);
        let begin = Instant::now();
        let open = |opener| lobby.open(client(opener), &one_player(), begin).unwrap().0.to_string();
        let restored: Vec<_> = (1..5).map(open).collect();
        lobby.tables().values_mut().for_each(|table| table.opener = None);
        let flood: Vec<_> = (0..20).map(|_| open(9)).collect();
        let is_there = |id: &String| lobby.find(id, begin).is_ok();
        assert!(restored.iter().all(is_there));
        assert_eq!(flood.iter().filter(|id| is_there(id)).count(), 2);
    }

    fn one_player() -> TableDraft {
        TableDraft { game: "yahtzee".to_owned(), ..TableDraft::default() }
    }

    #[test]
    fn the_least_recently_used_table_is_replaced() {
        let lobby = Lobby::new(LobbyLimits { tables: 2, idle: Duration::from_secs(100) }, None);
        let begin = Instant::now();
        let at = |seconds| begin + Duration::from_secs(seconds);
        let open =
            |seconds| lobby.open(client(1), &one_player(), at(seconds)).unwrap().0.to_string();
        let (first, second) = (open(0), open(1));
        lobby.find(&first, at(2)).unwrap_or_else(|refusal| panic!("{refusal}"));
        let third = open(3);
        assert!(lobby.find(&second, at(4)).is_err());
        assert!(lobby.find(&first, at(4)).is_ok() && lobby.find(&third, at(4)).is_ok());
    }

    #[test]
    fn an_idle_table_is_removed() {
        let lobby = Lobby::new(LobbyLimits { tables: 9, idle: Duration::from_secs(100) }, None);
        let begin = Instant::now();
        let at = |seconds| begin + Duration::from_secs(seconds);
        let id = lobby.open(client(1), &one_player(), begin).unwrap().0.to_string();
        assert!(lobby.find(&id, at(99)).is_ok());
        assert!(lobby.find(&id, at(198)).is_ok(), "it was used");
        let refusal = lobby.find(&id, at(298)).map(|_| ()).unwrap_err();
        assert_eq!(refusal, Refusal::NoSuchTable(0));
        assert!(lobby.tables().is_empty());
        lobby.open(client(1), &one_player(), at(300)).unwrap();
        lobby.open(client(1), &one_player(), at(400)).unwrap();
        assert_eq!(lobby.tables().len(), 1, "the idle table is removed when another is opened");
        lobby.close();
        assert!(lobby.tables().is_empty());
    }
}
