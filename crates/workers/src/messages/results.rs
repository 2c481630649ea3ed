//! The games that a worker has played.

use std::time::Duration;

use dicehill_store::PlayedLine;
use serde::{Deserialize, Serialize};

use super::read::{MessageError, checked_games, read, short_text};
use crate::id::Id;
use crate::ranges::Order;

/// Games of an order, or why it was not played.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RangeResults {
    pub(crate) worker: Id,
    pub(crate) order: Order,
    /// How long the whole range took.
    pub(crate) took: Duration,
    /// Whether these are the last games of the range.
    pub(crate) is_last: bool,
    /// Why the worker could not play them.
    pub(crate) failed: Option<String>,
    /// In ascending order.
    pub(crate) lines: Vec<PlayedLine>,
}

/// The first line of the message; the lines of the games follow it.
#[derive(Serialize, Deserialize)]
struct ResultsHead {
    worker: Id,
    segment: u32,
    first: u64,
    last: u64,
    generation: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    checks: Option<Id>,
    took_ms: u64,
    is_last: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failed: Option<String>,
}

/// What the host says to results.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reply", rename_all = "lowercase")]
pub(crate) enum ResultsReply {
    /// The host has them, or no longer needs them.
    Taken,
    /// The host takes nothing from this worker any more.
    Refused {
        /// The reason.
        why: String,
    },
}

impl RangeResults {
    /// # Errors
    /// If a line cannot be written.
    pub(crate) fn message(&self) -> serde_json::Result<Vec<u8>> {
        let Order { segment, games, generation, checks } = self.order;
        let (first, last) = (games.first(), games.last());
        let took_ms = u64::try_from(self.took.as_millis()).unwrap_or(u64::MAX);
        let Self { worker, is_last, failed, .. } = self;
        let (worker, is_last, failed) = (*worker, *is_last, failed.clone());
        let head = ResultsHead {
            worker,
            segment,
            first,
            last,
            generation,
            checks,
            took_ms,
            is_last,
            failed,
        };
        let mut message = serde_json::to_vec(&head)?;
        message.push(b'\n');
        for line in &self.lines {
            message.extend(line.text()?.into_bytes());
        }
        Ok(message)
    }

    /// # Errors
    /// If it is no such message, or has other lines than those of the range.
    pub(crate) fn read(message: &[u8]) -> Result<Self, MessageError> {
        let end = message.iter().position(|byte| *byte == b'\n').unwrap_or(message.len());
        let head: ResultsHead = read(&message[..end])?;
        let ResultsHead {
            worker, segment, first, last, generation, checks, took_ms, is_last, ..
        } = head;
        let games = checked_games(first, last)?;
        let problem = |key, why| MessageError::Value { key, why };
        let text = std::str::from_utf8(message.get(end + 1..).unwrap_or_default());
        let text = text.map_err(|error| problem("lines", error.to_string()))?;
        let lines = PlayedLine::read_all(text, games).map_err(|why| problem("lines", why))?;
        let failed = head.failed.map(|why| short_text("failed", &why, 4000)).transpose()?;
        let order = Order { segment, games, generation, checks };
        Ok(Self { worker, order, took: Duration::from_millis(took_ms), is_last, failed, lines })
    }
}
