//! How long the answers of each entrant take in a run, for a host whose run takes too long.

use dicehill_arena::{AnswerSum, Event, Hill, PlayedGame};
use dicehill_rules::Game;

use crate::text::{counted, thousands};

/// The answers of each entrant in the games that this process has played, by entrant.
pub(super) struct AnswerTotals(Vec<AnswerSum>);

impl AnswerTotals {
    pub(super) fn new<G: Game>(hill: &Hill<G>) -> Self {
        Self(vec![AnswerSum::default(); hill.entrants().len()])
    }

    pub(super) fn add<G: Game>(&mut self, event: &Event<'_, G>) {
        let Event::Played(PlayedGame { record, times, .. }, _) = event else { return };
        for (id, time) in record.fixture.seats.iter().zip(times) {
            if let Some(time) = time {
                let total = &mut self.0[id.index()];
                total.answers += time.answers;
                total.total_us = total.total_us.saturating_add(time.total_us);
            }
        }
    }

    /// The entrant whose answers took the longest together, in words; `None` if no external bot has answered.
    pub(super) fn slowest<G: Game>(&self, hill: &Hill<G>) -> Option<String> {
        let (id, total) = hill.ids().zip(&self.0).max_by_key(|(_, total)| total.total_us)?;
        let mean_ms = total.total_us.checked_div(total.answers)? / 1000;
        let answers = counted(total.answers, "answer");
        let name = hill.name_of(id);
        let mean_ms = thousands(mean_ms);
        Some(format!(
            "{name} was slowest: {} s for {answers}, {mean_ms} ms each on average",
            thousands(total.total_us / 1_000_000)
        ))
    }
}
