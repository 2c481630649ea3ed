//! A table and those who wait for news of it.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use serde::Deserialize;
use tokio::sync::watch;
use utoipa::ToSchema;

use super::order::Order;
use super::table::{Chair, Table};
use super::{Refusal, SeatToken, TableGame, TableId};
use crate::model::table::{HintDocument, ReportDocument, TableDocument};

/// An action that somebody wants to do.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    /// The action: in Yahtzee the places of the dice to keep, such as `034`, `-` for none, or a category, such as
    /// `FULL_HOUSE`; in Liar's Dice a count and a face, such as `4 5`, or `Liar!`.
    #[schema(example = "4 5")]
    pub(crate) action: String,
    /// Moves that you have made before, as the document of the table says.
    #[serde(rename = "move")]
    #[schema(example = 0)]
    pub(crate) known: usize,
}

/// A table of whatever game. Whoever asks is known by a token.
pub(crate) trait AnyRoom: Send + Sync {
    /// The table as whoever asks may see it.
    fn document(&self, token: Option<&str>) -> TableDocument;

    /// Takes a free seat.
    fn sit(&self, token: Option<&str>, name: Option<&str>) -> Result<SeatToken, Refusal>;

    /// Does what whoever asks wants, if it is their turn.
    fn act(&self, token: Option<&str>, wanted: &Wanted) -> Result<TableDocument, Refusal>;

    /// Lets the bot move whose turn it is, which may take seconds; whether there was one.
    fn let_bot_move(&self) -> bool;

    /// What whoever asks may do in their turn, with what it is worth. May take seconds.
    fn hint(&self, token: Option<&str>) -> Result<HintDocument, Refusal>;

    /// All about a game that is over. May take seconds.
    fn report(&self) -> Result<ReportDocument, Refusal>;

    /// The version of the document of whoever asks, whenever it changes.
    fn listen(&self, token: Option<&str>) -> watch::Receiver<u64>;
}

/// A table and those who wait for news of it.
///
/// Each person has a version of their own, so that nobody learns from news that another has rolled.
pub(crate) struct Room<G: TableGame> {
    table: Mutex<Table<G>>,
    /// By chair.
    people: Vec<watch::Sender<u64>>,
    visitors: watch::Sender<u64>,
    report: OnceLock<ReportDocument>,
}

impl<G: TableGame> Room<G> {
    /// A room with a table at which nobody sits yet.
    pub(crate) fn new(id: TableId, order: Order<G>) -> Self {
        let table = Table::new(id, order);
        let channel = || watch::Sender::new(1);
        let people = (0..table.places()).map(|_| channel()).collect();
        let report = OnceLock::new();
        Self { table: Mutex::new(table), people, visitors: channel(), report }
    }

    fn table(&self) -> MutexGuard<'_, Table<G>> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn sender(&self, chair: Option<Chair>) -> &watch::Sender<u64> {
        chair.and_then(|chair| self.people.get(chair.0)).unwrap_or(&self.visitors)
    }

    /// The table is locked, so that a version belongs to one state.
    fn seen_by(&self, table: &Table<G>, chair: Option<Chair>) -> TableDocument {
        let version = *self.sender(chair).borrow();
        table.document(chair, version)
    }

    fn tell(&self, only: Option<Chair>) {
        let everybody = || self.people.iter().chain([&self.visitors]).collect();
        let told: Vec<_> = only.map_or_else(everybody, |chair| vec![self.sender(Some(chair))]);
        told.into_iter().for_each(|sender| sender.send_modify(|version| *version += 1));
    }
}

impl<G: TableGame> AnyRoom for Room<G> {
    fn document(&self, token: Option<&str>) -> TableDocument {
        let table = self.table();
        self.seen_by(&table, table.chair(token))
    }

    fn sit(&self, token: Option<&str>, name: Option<&str>) -> Result<SeatToken, Refusal> {
        let mut table = self.table();
        if table.chair(token).is_some() {
            return Err(Refusal::Seated);
        }
        let token = table.sit(name)?;
        self.tell(None);
        Ok(token)
    }

    fn act(&self, token: Option<&str>, wanted: &Wanted) -> Result<TableDocument, Refusal> {
        let mut table = self.table();
        let chair = table.chair(token);
        let only = table.act(chair, &wanted.action, wanted.known)?;
        self.tell(only);
        Ok(self.seen_by(&table, chair))
    }

    fn let_bot_move(&self) -> bool {
        // The table is free while a bot thinks.
        let Some(thought) = self.table().thought() else { return false };
        let conclusion = thought.think();
        let mut table = self.table();
        if table.conclude(conclusion) {
            self.tell(None);
        }
        true
    }

    fn hint(&self, token: Option<&str>) -> Result<HintDocument, Refusal> {
        let table = self.table();
        let position = table.question(table.chair(token))?;
        drop(table);
        Ok(position.hint())
    }

    fn report(&self) -> Result<ReportDocument, Refusal> {
        let (seed, finished) = self.table().finished()?;
        let make = || {
            let moves = finished.moves();
            let mut report = ReportDocument { seed, moves, yahtzee: None, liars_dice: None };
            G::appraise(&finished, &mut report);
            report
        };
        Ok(self.report.get_or_init(make).clone())
    }

    fn listen(&self, token: Option<&str>) -> watch::Receiver<u64> {
        let chair = self.table().chair(token);
        self.sender(chair).subscribe()
    }
}
