//! A table with its listeners.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use serde::Deserialize;
use tokio::sync::watch;
use utoipa::ToSchema;

use super::table::{PlayerSlot, Table};
use super::table_options::TableOptions;
use super::{Refusal, SeatToken, TableGame, TableId};
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

/// A table of any game. A client is identified by its seat token; without one it is a visitor.
pub(crate) trait AnyTableSession: Send + Sync {
    /// The table as the client may see it.
    fn document(&self, token: Option<&str>) -> TableDocument;

    /// Takes a free seat.
    fn sit(&self, token: Option<&str>, name: Option<&str>) -> Result<SeatToken, Refusal>;

    /// Performs an action of the client, if it is their turn.
    fn act(&self, token: Option<&str>, request: &ActionRequest) -> Result<TableDocument, Refusal>;

    /// Plays the turn of the bot to act, which may take seconds; returns whether there was one.
    fn play_bot_turn(&self) -> bool;

    /// The actions of the client in its turn, with their values. May take seconds.
    fn hint(&self, token: Option<&str>) -> Result<HintDocument, Refusal>;

    /// The report on a game that is over. May take seconds.
    fn report(&self) -> Result<ReportDocument, Refusal>;

    /// A channel that yields the version of the client's document whenever it changes.
    fn listen(&self, token: Option<&str>) -> watch::Receiver<u64>;
}

/// A table with its listeners.
///
/// Each person's document has its own version, so that a change of version does not reveal another person's roll.
pub(crate) struct TableSession<G: TableGame> {
    table: Mutex<Table<G>>,
    /// Versions by slot.
    people: Vec<watch::Sender<u64>>,
    visitors: watch::Sender<u64>,
    report: OnceLock<ReportDocument>,
}

impl<G: TableGame> TableSession<G> {
    /// A session of a table without people.
    pub(crate) fn new(id: TableId, options: TableOptions<G>) -> Self {
        let table = Table::new(id, options);
        let channel = || watch::Sender::new(1);
        let people = (0..table.slots()).map(|_| channel()).collect();
        let report = OnceLock::new();
        Self { table: Mutex::new(table), people, visitors: channel(), report }
    }

    fn table(&self) -> MutexGuard<'_, Table<G>> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn sender(&self, slot: Option<PlayerSlot>) -> &watch::Sender<u64> {
        slot.and_then(|slot| self.people.get(slot.0)).unwrap_or(&self.visitors)
    }

    /// The caller holds the lock, so that the version belongs to this state.
    fn document_for(&self, table: &Table<G>, slot: Option<PlayerSlot>) -> TableDocument {
        let version = *self.sender(slot).borrow();
        table.document(slot, version)
    }

    /// Raises the version of one person, or of everyone.
    fn notify(&self, only: Option<PlayerSlot>) {
        let everyone = || self.people.iter().chain([&self.visitors]).collect();
        let senders: Vec<_> = only.map_or_else(everyone, |slot| vec![self.sender(Some(slot))]);
        senders.into_iter().for_each(|sender| sender.send_modify(|version| *version += 1));
    }
}

impl<G: TableGame> AnyTableSession for TableSession<G> {
    fn document(&self, token: Option<&str>) -> TableDocument {
        let table = self.table();
        self.document_for(&table, table.slot(token))
    }

    fn sit(&self, token: Option<&str>, name: Option<&str>) -> Result<SeatToken, Refusal> {
        let mut table = self.table();
        if table.slot(token).is_some() {
            return Err(Refusal::Seated);
        }
        let token = table.sit(name)?;
        self.notify(None);
        Ok(token)
    }

    fn act(&self, token: Option<&str>, request: &ActionRequest) -> Result<TableDocument, Refusal> {
        let mut table = self.table();
        let slot = table.slot(token);
        let only = table.act(slot, &request.action, request.known)?;
        self.notify(only);
        Ok(self.document_for(&table, slot))
    }

    fn play_bot_turn(&self) -> bool {
        // The table is not locked while the bot computes its move.
        let Some(turn) = self.table().take_bot_turn() else { return false };
        let answer = turn.play();
        let mut table = self.table();
        if table.apply_bot_answer(answer) {
            self.notify(None);
        }
        true
    }

    fn hint(&self, token: Option<&str>) -> Result<HintDocument, Refusal> {
        let table = self.table();
        let position = table.hint_position(table.slot(token))?;
        drop(table);
        Ok(position.hint())
    }

    fn report(&self) -> Result<ReportDocument, Refusal> {
        let (seed, finished) = self.table().finished()?;
        let make = || {
            let moves = G::moves(&finished);
            let mut report = ReportDocument { seed, moves, yahtzee: None, liars_dice: None };
            G::appraise(&finished, &mut report);
            report
        };
        Ok(self.report.get_or_init(make).clone())
    }

    fn listen(&self, token: Option<&str>) -> watch::Receiver<u64> {
        let slot = self.table().slot(token);
        self.sender(slot).subscribe()
    }
}
