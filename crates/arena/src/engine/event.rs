//! The events of a run, for display and storage.

use dicehill_rules::Game;

use crate::{Bar, Failure, Header, Ledger, PlayedGame, RecordedGame, ResultDocument};

/// An event of a run, in the order of game numbers.
///
/// The same hill and seed give the same events, on any number of threads.
pub enum Event<'a, G: Game> {
    /// The run begins.
    Started(&'a Header),
    /// A game was played and counts; the ledger already has it.
    Played(&'a PlayedGame<G>, &'a Ledger),
    /// A recorded game counts; the ledger already has it.
    Recalled(&'a RecordedGame, &'a Ledger),
    /// An entrant is barred: the run starts again without it, and no game so far counts.
    Barred(&'a Bar),
    /// A game was played again, alone, to find out whether a failure counts. It is not part of the result.
    Retried(&'a Retrial),
    /// The process of a bot that serves the whole run has failed; its replacement has no memory.
    MemoryLost {
        /// The entrant's name.
        bot: &'a str,
        /// The game in which it failed.
        game: u64,
        /// Its failure.
        failure: &'a Failure,
    },
    /// A bot that serves the whole run had a recorded game replayed to it and answered differently: it is not
    /// deterministic. The record counts, and what the bot knew is lost.
    Diverged {
        /// The entrant's name.
        bot: &'a str,
        /// The game.
        game: u64,
        /// The recorded answer.
        recorded: &'a str,
        /// The answer to the replay.
        answered: &'a str,
    },
    /// The run is over.
    Ended(&'a ResultDocument),
}

/// Why a game was played again alone, and the outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retrial {
    /// The entrant whose process failed.
    pub bot: String,
    /// The game.
    pub game: u64,
    /// The first failure: a timeout, or in a process that had begun other games too.
    pub failure: Failure,
    /// The failure when the game was played alone; `None` if there was none.
    pub retry_failure: Option<Failure>,
}
