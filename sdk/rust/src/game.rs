//! A game of the protocol, and the bots that play it.

use crate::Start;
use crate::json::Read;

/// A game, as the protocol has it.
pub(crate) trait ProtocolGame: 'static {
    /// The name in the `hello` message.
    const NAME: &'static str;
    type Turn: Default;
    type Answer;

    /// Reads a turn into `turn`, reusing its lists.
    fn read_turn(turn: &mut Self::Turn, line: &str) -> Read<()>;
    /// The numbers of the game and of the request.
    fn ids(turn: &Self::Turn) -> (u64, u64);
    /// Appends the fields of an answer, except its id.
    fn write_answer(answer: &Self::Answer, line: &mut String);
    /// Why the answer is illegal in the turn; `None` if it is legal.
    fn illegal(turn: &Self::Turn, answer: &Self::Answer) -> Option<String>;
    /// The turn as one line of text for people.
    fn show_turn(turn: &Self::Turn) -> String;
    /// The answer as one line of text for people.
    fn show_answer(answer: &Self::Answer) -> String;
}

/// An author's bot for a game, with messages as they arrive.
pub(crate) trait GameBot<G: ProtocolGame> {
    const ROUNDS: bool = false;
    fn start(&mut self, start: &Start);
    fn turn(&mut self, turn: &G::Turn) -> G::Answer;
    fn round(&mut self, _line: &str) -> Read<()> {
        Ok(())
    }
    fn end(&mut self, line: &str) -> Read<()>;
}
