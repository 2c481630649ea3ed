//! A table with its listeners.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

use serde::Deserialize;
use tokio::sync::watch;
use utoipa::ToSchema;

use super::live_game::Recipients;
use super::stored_table::{DamagedTable, StoredTable};
use super::table::{PlayerSlot, Table};
use super::table_options::{TableDraft, TableOptions};
use super::table_writer::TableWriter;
use super::{Refusal, SeatToken, TableGame, TableId};
use crate::model::replay::ReplayDocument;
use crate::model::table::{HintDocument, ReportDocument, TableDocument};

/// A request to play an action.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Wanted)]
pub(crate) struct ActionRequest {
    /// The action: in Yahtzee the places of the dice to keep, such as `034`, `-` for none, or a category, such as
    /// `FULL_HOUSE`; in Liar's Dice a count and a face, such as `4 5`, or `Liar!`.
    #[schema(example = "4 5")]
    pub(crate) action: String,
    /// The number of moves that the client has made before, as in the table's document.
    #[serde(rename = "move")]
    #[schema(example = 0)]
    pub(crate) known: usize,
}

/// What a person does with the seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SeatChange {
    /// Leave: before the game the seat becomes free; in the game a bot plays until the person returns.
    Leave,
    /// Resign: a bot plays the rest of the game, and the seat cannot win.
    Resign,
    /// Return to the seat that a bot plays.
    Return,
}

/// A rematch that a person has asked for.
pub(crate) struct Rematch {
    /// The table.
    pub(crate) id: TableId,
    /// Its options, with the person's name; `None` if another person has opened it.
    pub(crate) draft: Option<TableDraft>,
    /// The person's name.
    pub(crate) name: String,
}

/// A table of any game. A client is identified by its seat token; without one it is a visitor.
pub(crate) trait AnyTableSession: Send + Sync {
    /// The table as the client may see it.
    fn document(&self, token: Option<&str>) -> TableDocument;

    /// Takes a free seat.
    fn sit(&self, token: Option<&str>, name: Option<&str>) -> Result<SeatToken, Refusal>;

    /// Performs an action of the client, if it is their turn.
    fn act(&self, token: Option<&str>, request: &ActionRequest) -> Result<TableDocument, Refusal>;

    /// Leaves the seat, resigns, or returns.
    fn change_seat(
        &self,
        token: Option<&str>,
        change: SeatChange,
    ) -> Result<TableDocument, Refusal>;

    /// Lets a bot play for the person whose turn it is if they are late or away. Returns whether that happened.
    fn enforce_time(&self, now: Instant) -> bool;

    /// Plays the turn of the bot to act, which may take seconds; returns whether there was one.
    fn play_bot_turn(&self) -> bool;

    /// The actions of the client in its turn, with their values. May take seconds.
    fn hint(&self, token: Option<&str>) -> Result<HintDocument, Refusal>;

    /// The report on a game that is over. May take seconds.
    fn report(&self) -> Result<ReportDocument, Refusal>;

    /// A game that is over, move by move, `most` moves at most. May take seconds.
    fn replay(&self, most: usize) -> Result<ReplayDocument, Refusal>;

    /// The rematch of a game that is over: the one that was asked for before unless `is_gone` says that it was removed, or a
    /// new one with the id `new`.
    fn rematch(
        &self,
        token: Option<&str>,
        new: TableId,
        is_gone: &dyn Fn(TableId) -> bool,
    ) -> Result<Rematch, Refusal>;

    /// A channel that yields the version of the client's document whenever it changes.
    fn listen(&self, token: Option<&str>) -> watch::Receiver<u64>;

    /// Whether a person with a seat listens.
    fn has_open_page(&self) -> bool;
}

/// A table with its listeners.
///
/// Each person's document has its own version, so that a change of version does not reveal another person's roll.
pub(crate) struct TableSession<G: TableGame> {
    id: TableId,
    seats: Mutex<Seats<G>>,
    visitors: watch::Sender<u64>,
    report: OnceLock<ReportDocument>,
    /// Writes the file with which the table survives a restart.
    writer: Option<Arc<TableWriter>>,
}

/// What saves a session, and the first version of its documents.
pub(crate) struct Saved {
    pub(crate) writer: Option<Arc<TableWriter>>,
    /// Higher than all versions before a restart, so that pages see that the table has changed.
    pub(crate) version: u64,
}

/// A table, and the versions of its people's documents by slot.
struct Seats<G: TableGame> {
    table: Table<G>,
    people: Vec<watch::Sender<u64>>,
}

impl<G: TableGame> Seats<G> {
    fn sender<'a>(
        &'a self,
        slot: Option<PlayerSlot>,
        visitors: &'a watch::Sender<u64>,
    ) -> &'a watch::Sender<u64> {
        slot.and_then(|slot| self.people.get(slot.0)).unwrap_or(visitors)
    }
}

impl<G: TableGame> TableSession<G> {
    /// A session of a table without people.
    pub(crate) fn new(
        id: TableId,
        options: TableOptions<G>,
        writer: Option<Arc<TableWriter>>,
    ) -> Self {
        Self::of(id, Table::new(id, options), Saved { writer, version: 1 })
    }

    /// A session of the table that a file has.
    ///
    /// # Errors
    /// If the file contradicts itself or the rules.
    pub(crate) fn restore(
        id: TableId,
        stored: StoredTable,
        saved: Saved,
    ) -> Result<Self, DamagedTable> {
        Ok(Self::of(id, Table::restore(id, stored)?, saved))
    }

    fn of(id: TableId, table: Table<G>, saved: Saved) -> Self {
        let Saved { writer, version } = saved;
        let people = (0..table.slots()).map(|_| watch::Sender::new(version)).collect();
        let seats = Mutex::new(Seats { table, people });
        Self { id, seats, visitors: watch::Sender::new(version), report: OnceLock::new(), writer }
    }

    fn seats(&self) -> MutexGuard<'_, Seats<G>> {
        self.seats.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn document_for(&self, seats: &Seats<G>, slot: Option<PlayerSlot>) -> TableDocument {
        let version = *seats.sender(slot, &self.visitors).borrow();
        seats.table.document(slot, version)
    }

    /// Saves the table, and raises the version of one person, or of everyone.
    fn changed(&self, seats: &Seats<G>, only: Option<PlayerSlot>) {
        self.save(seats);
        let everyone = || seats.people.iter().chain([&self.visitors]).collect();
        let senders: Vec<_> =
            only.map_or_else(everyone, |slot| vec![seats.sender(Some(slot), &self.visitors)]);
        senders.into_iter().for_each(|sender| sender.send_modify(|version| *version += 1));
    }

    /// The caller holds the lock, so that files are written in the order of changes.
    fn save(&self, seats: &Seats<G>) {
        if let Some(writer) = &self.writer {
            writer.save(self.id, seats.table.stored());
        }
    }
}

impl<G: TableGame> AnyTableSession for TableSession<G> {
    fn document(&self, token: Option<&str>) -> TableDocument {
        let seats = self.seats();
        self.document_for(&seats, seats.table.slot(token))
    }

    fn sit(&self, token: Option<&str>, name: Option<&str>) -> Result<SeatToken, Refusal> {
        let mut seats = self.seats();
        if seats.table.slot(token).is_some() {
            return Err(Refusal::Seated);
        }
        let token = seats.table.sit(name)?;
        self.changed(&seats, None);
        Ok(token)
    }

    fn act(&self, token: Option<&str>, request: &ActionRequest) -> Result<TableDocument, Refusal> {
        let mut seats = self.seats();
        let slot = seats.table.slot(token);
        let only = seats.table.act(slot, &request.action, request.known)?;
        self.changed(&seats, only);
        Ok(self.document_for(&seats, slot))
    }

    fn change_seat(
        &self,
        token: Option<&str>,
        change: SeatChange,
    ) -> Result<TableDocument, Refusal> {
        let mut seats = self.seats();
        let slot = seats.table.slot(token);
        match change {
            SeatChange::Leave => seats.table.leave(slot)?,
            SeatChange::Resign => seats.table.resign(slot)?,
            SeatChange::Return => seats.table.come_back(slot)?,
        }
        if let Some(slot) = slot.filter(|_| seats.table.slot(token).is_none()) {
            // The streams of a person who has left end: the next person in this seat has others.
            let version = *seats.people[slot.0].borrow();
            seats.people[slot.0] = watch::Sender::new(version);
        }
        self.changed(&seats, None);
        let slot = seats.table.slot(token);
        Ok(self.document_for(&seats, slot))
    }

    fn enforce_time(&self, now: Instant) -> bool {
        let mut seats = self.seats();
        let Seats { table, people } = &mut *seats;
        let is_present =
            |slot: PlayerSlot| people.get(slot.0).is_some_and(|sender| sender.receiver_count() > 0);
        let is_replaced = table.enforce_time(now, is_present);
        if is_replaced {
            self.changed(&seats, None);
        }
        is_replaced
    }

    fn play_bot_turn(&self) -> bool {
        // The table is not locked while the bot computes its move.
        let Some(turn) = self.seats().table.take_bot_turn() else { return false };
        let answer = turn.play();
        let mut seats = self.seats();
        match seats.table.apply_bot_answer(answer) {
            Some(Recipients::Everyone) => self.changed(&seats, None),
            // Of a roll of a bot, even one that plays for a person, no one learns.
            Some(Recipients::Only(_)) => self.save(&seats),
            None => {}
        }
        true
    }

    fn hint(&self, token: Option<&str>) -> Result<HintDocument, Refusal> {
        let seats = self.seats();
        let position = seats.table.hint_position(seats.table.slot(token))?;
        drop(seats);
        Ok(position.hint())
    }

    fn report(&self) -> Result<ReportDocument, Refusal> {
        let (seed, finished) = self.seats().table.finished()?;
        let make = || {
            let moves = G::moves(&finished);
            let mut report = ReportDocument { seed, moves, yahtzee: None, liars_dice: None };
            G::appraise(&finished, &mut report);
            report
        };
        Ok(self.report.get_or_init(make).clone())
    }

    fn replay(&self, most: usize) -> Result<ReplayDocument, Refusal> {
        let (seed, finished) = self.seats().table.finished()?;
        let replay = finished.replay(&seed);
        let moves = G::replay(&replay, finished.rules, most).into();
        let rules = finished.rules.to_string();
        Ok(ReplayDocument::of_table::<G>(&replay, (seed, rules), finished.void, moves))
    }

    fn rematch(
        &self,
        token: Option<&str>,
        new: TableId,
        is_gone: &dyn Fn(TableId) -> bool,
    ) -> Result<Rematch, Refusal> {
        let mut seats = self.seats();
        let name = seats.table.name_at_end(seats.table.slot(token))?;
        if let Some(id) = seats.table.rematch.filter(|id| !is_gone(*id)) {
            return Ok(Rematch { id, draft: None, name });
        }
        seats.table.rematch = Some(new);
        let draft = TableDraft { name: Some(name.clone()), ..seats.table.options.draft_again() };
        self.changed(&seats, None);
        Ok(Rematch { id: new, draft: Some(draft), name })
    }

    fn listen(&self, token: Option<&str>) -> watch::Receiver<u64> {
        let seats = self.seats();
        seats.sender(seats.table.slot(token), &self.visitors).subscribe()
    }

    fn has_open_page(&self) -> bool {
        // The caller may hold the lock of all tables, for which a rematch waits with this one. A table that is locked is in use.
        let listens = |seats: MutexGuard<'_, Seats<G>>| {
            seats.people.iter().any(|listeners| listeners.receiver_count() > 0)
        };
        self.seats.try_lock().map_or(true, listens)
    }
}
