//! The order to play a range.

use serde::{Deserialize, Serialize};

use super::read::{MessageError, checked_games};
use crate::id::Id;
use crate::ranges::Order;

/// The most games of an order.
const MAX_GAMES: u64 = 1 << 20;

/// The order to play a range of a run, as it is in the queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WorkOrder {
    pub(crate) run: Id,
    /// The entrants that are barred before the range.
    pub(crate) barred: Vec<String>,
    segment: u32,
    first: u64,
    last: u64,
    generation: u32,
    /// The worker whose games are checked, which must not play them again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    checks: Option<Id>,
}

impl WorkOrder {
    pub(crate) fn new(run: Id, barred: Vec<String>, order: &Order) -> Self {
        let Order { segment, games, generation, checks } = *order;
        let (first, last) = (games.first(), games.last());
        Self { run, barred, segment, first, last, generation, checks }
    }

    /// # Errors
    /// If it has no games, or too many.
    pub(crate) fn order(&self) -> Result<Order, MessageError> {
        let Self { segment, first, last, generation, checks, .. } = *self;
        let games = checked_games(first, last)?;
        if games.count() > MAX_GAMES {
            return Err(MessageError::Value { key: "games", why: games.to_string() });
        }
        Ok(Order { segment, games, generation, checks })
    }
}
