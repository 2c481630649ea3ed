//! What a game needs so that it can be played over the protocol.

use dicehill_arena::{Failure, Finished, RequestIds};
use dicehill_rules::Game;
use schemars::Schema;

/// A game that can be played over the protocol.
pub trait WireGame: Game {
    /// The fields that an answer may have.
    const ANSWER_FIELDS: &'static [&'static str];

    /// Whether the original controller made a new player for each game.
    const NEW_PLAYERS_EACH_GAME: bool;

    /// Writes the request for an action.
    fn write_turn(view: &Self::View<'_>, ids: RequestIds, line: &mut Vec<u8>);

    /// Writes what an action is about to reveal to all players, for bots that asked for it. A game without
    /// hidden information writes nothing.
    fn write_reveal(game: &Self, id: u64, line: &mut Vec<u8>);

    /// Writes the end of a game.
    fn write_end(finished: &Finished<'_, Self>, id: u64, line: &mut Vec<u8>);

    /// Reads an answer.
    ///
    /// # Errors
    /// If the line has no id of a request.
    fn read_answer(line: &[u8]) -> Result<ParsedAnswer<Self>, Unreadable>;

    /// Writes an action as a bot would answer it.
    fn write_answer(action: &Self::Action, id: u64, line: &mut Vec<u8>);

    /// The schemas of this game's messages, by name.
    fn schemas() -> Vec<(&'static str, Schema)>;
}

/// An answer to a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParsedAnswer<G: Game> {
    /// The id of the request.
    pub id: u64,
    /// The action, or what is wrong with the answer.
    pub action: Result<G::Action, Failure>,
}

/// A line that is not an answer to any request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// Not JSON.
    #[error("not JSON ({why}): {line}")]
    NotJson {
        /// The error of the parser.
        why: String,
        /// The start of the line.
        line: String,
    },
    /// JSON without the id of a request.
    #[error("no \"id\" of a request: {0}")]
    NoId(String),
}
