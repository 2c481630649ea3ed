//! A game's line, read as far as its outcome goes.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::json_message;

/// What a game's line says beside its moves, which are neither checked nor needed.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct GameLine {
    /// The game's number, from 1.
    pub game: u64,
    /// The table whose dice were used.
    pub table: u64,
    /// The players' names by seat.
    pub seats: Vec<String>,
    /// The moves as one text; nothing if they were not kept.
    pub moves: Option<String>,
    /// Who failed, and how, in order.
    #[serde(default)]
    pub failures: Vec<FailureLine>,
    /// Whether the game counts for nobody.
    #[serde(default)]
    pub void: bool,
    /// What each seat has to show: points, won, and the game's figures.
    pub results: Vec<Map<String, Value>>,
}

/// A failure as a game's line has it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct FailureLine {
    /// Whose.
    pub seat: usize,
    /// For example `illegal-move`.
    pub reason: String,
    /// What happened.
    pub detail: String,
}

impl GameLine {
    /// Reads a line.
    ///
    /// # Errors
    /// Says why it is no record of a game.
    pub fn read(line: &str) -> Result<Self, String> {
        let read: Self = serde_json::from_str(line).map_err(|error| json_message(&error))?;
        if read.results.len() == read.seats.len() {
            return Ok(read);
        }
        Err(format!("{} results of {} seats", read.results.len(), read.seats.len()))
    }

    /// How many moves were made, those that failed among them; nothing if they were not kept.
    #[must_use]
    pub fn length(&self) -> Option<u64> {
        let count = |text: &String| text.split(',').filter(|_| !text.is_empty()).count() as u64;
        self.moves.as_ref().map(count)
    }

    /// A number among what a seat has to show.
    #[must_use]
    pub fn figure(&self, seat: usize, name: &str) -> Option<u64> {
        self.results.get(seat)?.get(name)?.as_u64()
    }

    /// How many of so many parts of a unit a decimal number is, among what a seat has to show.
    #[must_use]
    pub fn parts(&self, seat: usize, name: &str, unit: f64) -> Option<u64> {
        let value = self.results.get(seat)?.get(name)?.as_f64()?;
        Some((value * unit).round() as u64)
    }

    /// Whether a seat has won.
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
        assert_eq!(lost.parts(0, "loss", 1e6), Some(12_345_678));
        assert_eq!((lost.parts(0, "variance", 1e3), whole.parts(0, "loss", 1e6)), (None, None));
        assert_eq!((whole.figure(0, "turns"), whole.figure(1, "score")), (None, None));
        assert_eq!(GameLine::read(&line(",\"moves\":\"\"")).expect("a game").length(), Some(0));
        assert_eq!(GameLine::read(&line("")).expect("a game").length(), None);
    }

    #[test]
    fn what_is_no_game_is_refused() {
        for line in ["", "{}", "{\"game\":1,\"table\":1,\"seats\":[\"A\"],\"results\":[]}"] {
            assert!(GameLine::read(line).is_err(), "{line}");
        }
    }
}
