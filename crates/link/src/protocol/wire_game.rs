//! What a game needs so that it can be played over the protocol.

use dicehill_arena::{Failure, Finished};
use dicehill_rules::Game;
use schemars::Schema;

/// A game that can be played over the protocol.
pub trait WireGame: Game {
    /// The fields of an answer.
    const ANSWER_FIELDS: &'static [&'static str];

    /// Writes the request for an action.
    fn write_turn(view: &Self::View<'_>, ids: Ids, line: &mut Vec<u8>);

    /// Writes what an action is about to show everybody, for bots that asked for it. A game in which
    /// nothing is hidden writes nothing.
    fn write_reveal(game: &Self, id: u64, line: &mut Vec<u8>);

    /// Writes that a game is over.
    fn write_end(finished: &Finished<'_, Self>, id: u64, line: &mut Vec<u8>);

    /// Reads an answer.
    ///
    /// # Errors
    /// If the line does not say which request it answers.
    fn read_answer(line: &[u8]) -> Result<Said<Self>, Unreadable>;

    /// The action as a bot answers it.
    fn write_answer(action: &Self::Action, id: u64, line: &mut Vec<u8>);

    /// The schemas of this game's messages, by name.
    fn schemas() -> Vec<(&'static str, Schema)>;
}

/// The ids of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ids {
    /// Of the request.
    pub request: u64,
    /// Of the game.
    pub game: u64,
}

/// What a bot said about a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Said<G: Game> {
    /// The request.
    pub id: u64,
    /// Its answer, or what is wrong with it.
    pub action: Result<G::Action, Failure>,
}

/// A line that answers nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// Not JSON.
    #[error("not JSON ({why}): {line}")]
    NotJson {
        /// What the parser says.
        why: String,
        /// The beginning of the line.
        line: String,
    },
    /// JSON without the id of a request.
    #[error("no \"id\" of a request: {0}")]
    NoId(String),
}
