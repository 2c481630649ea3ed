//! A game that was played.

use dicehill_rules::Game;

use crate::{AnswerSum, GameRecord, Highlight};

/// A game that was played, and its line in the log.
pub struct PlayedGame<G: Game> {
    /// The game.
    pub record: GameRecord<G>,
    /// The line, without the newline.
    pub line: String,
    /// How long external bots took for their answers, by seat; empty if only house bots played. It differs between
    /// runs, and is not part of the line.
    pub times: Vec<Option<AnswerSum>>,
    /// What is remarkable in it; `None` unless the hill has highlights found ([`crate::Hill::with_highlights`]).
    pub highlights: Option<Vec<Highlight>>,
}
