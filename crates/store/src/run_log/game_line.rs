//! A game's line, read without its moves.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::json_message;

/// A game's line. Its moves are kept as text and not checked.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct GameLine {
    /// The game's number, from 1.
    pub game: u64,
    /// The number of the table, on which the dice depend.
    pub table: u64,
    /// The master seed under which the game was played, if it is not the run's: that of an earlier run from which it was
    /// reused.
    pub seed: Option<String>,
    /// The players' names, by seat.
    pub seats: Vec<String>,
    /// The comma-separated moves; `None` if they were not kept.
    pub moves: Option<String>,
    /// The failures, in order.
    #[serde(default)]
    pub failures: Vec<FailureLine>,
    /// Whether the game is void and counts for no player.
    #[serde(default)]
    pub void: bool,
    /// The result of each seat: `points`, `won`, and the figures of the game.
    pub results: Vec<Map<String, Value>>,
}

/// A failure in a game's line.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct FailureLine {
    /// The seat of the bot that failed.
    pub seat: usize,
    /// The reason, for example `illegal-move`.
    pub reason: String,
    /// What happened.
    pub detail: String,
}

impl GameLine {
    /// Reads a line.
    ///
    /// # Errors
    /// If it is not the record of a game; the message says why.
    pub fn read(line: &str) -> Result<Self, String> {
        let read: Self = serde_json::from_str(line).map_err(|error| json_message(&error))?;
        if read.results.len() == read.seats.len() {
            return Ok(read);
        }
        Err(format!("{} results of {} seats", read.results.len(), read.seats.len()))
    }

    /// The number of moves, with those that failed; `None` if the moves were not kept.
    #[must_use]
    pub fn length(&self) -> Option<u64> {
        let count = |text: &String| text.split(',').filter(|_| !text.is_empty()).count() as u64;
        self.moves.as_ref().map(count)
    }

    /// A whole number in the result of a seat.
    #[must_use]
    pub fn figure(&self, seat: usize, name: &str) -> Option<u64> {
        self.results.get(seat)?.get(name)?.as_u64()
    }

    /// A decimal number in the result of a seat, times `unit` and rounded.
    #[must_use]
    pub fn scaled_figure(&self, seat: usize, name: &str, unit: f64) -> Option<u64> {
        let value = self.results.get(seat)?.get(name)?.as_f64()?;
        Some((value * unit).round() as u64)
    }

    /// Whether the seat won.
    #[must_use]
    pub fn won(&self, seat: usize) -> bool {
        self.results.get(seat).and_then(|result| result.get("won")?.as_bool()) == Some(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_with_and_without_moves() {
        let line = |moves: &str| {
            format!(
                "{{\"type\":\"game\",\"game\":2,\"table\":1,\"seats\":[\"A\"]{moves},\
                 \"results\":[{{\"points\":1,\"won\":true,\"score\":7}}]}}"
            )
        };
        let whole = GameLine::read(&line(",\"moves\":\"-,ACES\"")).expect("a game");
        assert_eq!((whole.game, whole.table, whole.length()), (2, 1, Some(2)));
        assert_eq!((whole.figure(0, "score"), whole.won(0)), (Some(7), true));
        let lost = line("").replace("\"score\":7", "\"score\":7,\"loss\":12.345678");
        let lost = GameLine::read(&lost).expect("a game");
        assert_eq!(lost.scaled_figure(0, "loss", 1e6), Some(12_345_678));
        assert_eq!(
            (lost.scaled_figure(0, "variance", 1e3), whole.scaled_figure(0, "loss", 1e6)),
            (None, None)
        );
        assert_eq!((whole.figure(0, "turns"), whole.figure(1, "score")), (None, None));
        assert_eq!(GameLine::read(&line(",\"moves\":\"\"")).expect("a game").length(), Some(0));
        assert_eq!(GameLine::read(&line("")).expect("a game").length(), None);
    }

    #[test]
    fn a_line_that_is_not_a_game_is_refused() {
        for line in ["", "{}", "{\"game\":1,\"table\":1,\"seats\":[\"A\"],\"results\":[]}"] {
            assert!(GameLine::read(line).is_err(), "{line}");
        }
    }
}
