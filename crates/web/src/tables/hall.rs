//! All tables of a server.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use dicehill_rules::GameName;
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use tokio::sync::Semaphore;

use super::order::Order;
use super::room::Room;
use super::{AnyRoom, OrderDraft, Refusal, SeatToken, TableGame, TableId};

/// Bots that think at the same time; others wait.
const THINKERS: usize = 4;

/// How many tables a server keeps, and for how long.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HallLimits {
    /// Tables; one more removes the one that has been unused for the longest time.
    pub(crate) tables: usize,
    /// A table that nobody asks for in this time is removed.
    pub(crate) idle: Duration,
}

impl Default for HallLimits {
    fn default() -> Self {
        Self { tables: 500, idle: Duration::from_hours(2) }
    }
}

/// All tables of a server. Time is handed in.
pub(crate) struct Hall {
    limits: HallLimits,
    tables: Mutex<HashMap<TableId, Kept>>,
    thinkers: Arc<Semaphore>,
}

struct Kept {
    room: Arc<dyn AnyRoom>,
    used: Instant,
}

impl Default for Hall {
    fn default() -> Self {
        Self::new(HallLimits::default())
    }
}

impl Hall {
    /// A hall without tables.
    pub(crate) fn new(limits: HallLimits) -> Self {
        let thinkers = Arc::new(Semaphore::new(THINKERS));
        Self { limits, tables: Mutex::default(), thinkers }
    }

    /// Makes a table, at which whoever made it sits.
    pub(crate) fn open(
        &self,
        draft: &OrderDraft,
        now: Instant,
    ) -> Result<(TableId, SeatToken), Refusal> {
        let id = TableId::draw()?;
        let room: Arc<dyn AnyRoom> = match draft.game.parse::<GameName>()? {
            GameName::Yahtzee => room::<Yahtzee>(id, draft)?,
            GameName::LiarsDice => room::<LiarsDice>(id, draft)?,
        };
        let token = room.sit(None, draft.name.as_deref())?;
        let mut tables = self.tables();
        tables.retain(|_, kept| now.saturating_duration_since(kept.used) < self.limits.idle);
        make_space(&mut tables, self.limits.tables);
        tables.insert(id, Kept { room, used: now });
        Ok((id, token))
    }

    /// The table with this id, which is used by that.
    pub(crate) fn find(&self, id: &str, now: Instant) -> Result<Arc<dyn AnyRoom>, Refusal> {
        let missing = || Refusal::NoSuchTable(self.limits.idle.as_secs() / 3600);
        let id = id.parse::<TableId>().map_err(|_| missing())?;
        let mut tables = self.tables();
        let kept = tables.get_mut(&id).ok_or_else(missing)?;
        if now.saturating_duration_since(kept.used) >= self.limits.idle {
            tables.remove(&id);
            return Err(missing());
        }
        kept.used = now;
        Ok(Arc::clone(&kept.room))
    }

    /// Lets bots move in the background, until it is a person's turn. Two at once do no harm: a bot thinks once.
    pub(crate) fn let_bots_move(&self, room: Arc<dyn AnyRoom>) {
        let thinkers = Arc::clone(&self.thinkers);
        tokio::spawn(async move {
            loop {
                let Ok(place) = Arc::clone(&thinkers).acquire_owned().await else { return };
                let room = Arc::clone(&room);
                let moved = tokio::task::spawn_blocking(move || room.let_bot_move()).await;
                drop(place);
                if !matches!(moved, Ok(true)) {
                    return;
                }
            }
        });
    }

    /// Removes all tables, so that nobody waits for news of them.
    pub(crate) fn close(&self) {
        self.tables().clear();
    }

    fn tables(&self) -> MutexGuard<'_, HashMap<TableId, Kept>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn room<G: TableGame>(id: TableId, draft: &OrderDraft) -> Result<Arc<dyn AnyRoom>, Refusal> {
    Ok(Arc::new(Room::<G>::new(id, Order::new(draft)?)))
}

/// Removes what has been unused for the longest time, until there is space for one more.
fn make_space(tables: &mut HashMap<TableId, Kept>, most: usize) {
    while tables.len() >= most {
        let oldest = tables.iter().min_by_key(|(_, kept)| kept.used).map(|(id, _)| *id);
        let Some(oldest) = oldest else { return };
        tables.remove(&oldest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alone() -> OrderDraft {
        OrderDraft { game: "yahtzee".to_owned(), ..OrderDraft::default() }
    }

    #[test]
    fn the_table_unused_for_longest_makes_space() {
        let hall = Hall::new(HallLimits { tables: 2, idle: Duration::from_secs(100) });
        let begin = Instant::now();
        let at = |seconds| begin + Duration::from_secs(seconds);
        let open = |seconds| hall.open(&alone(), at(seconds)).unwrap().0.to_string();
        let (first, second) = (open(0), open(1));
        hall.find(&first, at(2)).unwrap_or_else(|refusal| panic!("{refusal}"));
        let third = open(3);
        assert!(hall.find(&second, at(4)).is_err());
        assert!(hall.find(&first, at(4)).is_ok() && hall.find(&third, at(4)).is_ok());
    }

    #[test]
    fn a_table_that_nobody_uses_is_removed() {
        let hall = Hall::new(HallLimits { tables: 9, idle: Duration::from_secs(100) });
        let begin = Instant::now();
        let at = |seconds| begin + Duration::from_secs(seconds);
        let id = hall.open(&alone(), begin).unwrap().0.to_string();
        assert!(hall.find(&id, at(99)).is_ok());
        assert!(hall.find(&id, at(198)).is_ok(), "it was used");
        let refusal = hall.find(&id, at(298)).map(|_| ()).unwrap_err();
        assert_eq!(refusal, Refusal::NoSuchTable(0));
        assert!(hall.tables().is_empty());
        hall.open(&alone(), at(300)).unwrap();
        hall.open(&alone(), at(400)).unwrap();
        assert_eq!(hall.tables().len(), 1, "the older one is gone when another is made");
        hall.close();
        assert!(hall.tables().is_empty());
    }
}
