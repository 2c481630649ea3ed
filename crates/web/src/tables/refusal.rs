//! Why a request for a table is refused.

use dicehill_arena::NameError;
use dicehill_rules::ParseGameNameError;

use crate::Problem;

/// Why a request for a table is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Refusal {
    /// No table has this id, or it has been removed.
    #[error("there is no such table here; one that nobody uses for {0} hours is removed")]
    NoSuchTable(u64),
    /// There is no such game.
    #[error(transparent)]
    Game(#[from] ParseGameNameError),
    /// The game has no such variant.
    #[error("rules {named:?}: those of {game} are {all}")]
    Rules {
        /// The name in the request.
        named: String,
        /// The game.
        game: &'static str,
        /// All possible names, for the message.
        all: String,
    },
    /// No house bot has this name.
    #[error("there is no house bot {named:?} for {game}; there are {all}")]
    Bot {
        /// The name in the request.
        named: String,
        /// The game.
        game: &'static str,
        /// All possible names, for the message.
        all: String,
    },
    /// Too many or too few players.
    #[error("{wanted} players: {game} is played here by {least} to {most}")]
    Players {
        /// The number of players in the request.
        wanted: usize,
        /// The game.
        game: &'static str,
        /// The smallest table.
        least: usize,
        /// The largest.
        most: usize,
    },
    /// There is no seat for a person.
    #[error("a table needs a seat for you, at least: \"people\" is 1 or more")]
    NoPeople,
    /// The seed is empty, too long or unprintable.
    #[error("a seed is 1 to {0} characters")]
    Seed(usize),
    /// The name is not valid.
    #[error(transparent)]
    Name(#[from] NameError),
    /// Another player has this name.
    #[error("another player at the table is called {0:?} already")]
    NameTaken(String),
    /// All seats are taken.
    #[error("all seats at this table are taken")]
    Full,
    /// The client has a seat already.
    #[error("you sit at this table already")]
    Seated,
    /// The client has no seat here.
    #[error("you have no seat at this table")]
    NoSeat,
    /// The game has not begun.
    #[error("the game begins when all seats are taken")]
    NotBegun,
    /// It is another player's turn.
    #[error("it is not your turn")]
    NotYourTurn,
    /// The game has ended.
    #[error("the game has ended")]
    Over,
    /// The game has not ended.
    #[error("this is told when the game is over")]
    NotOver,
    /// The client's document is out of date.
    #[error("you have made {made} moves, and this was to follow {known}: your page was behind")]
    Stale {
        /// Moves that the seat has made.
        made: usize,
        /// Moves that the client knew of.
        known: usize,
    },
    /// The action is malformed or against the rules.
    #[error("{0}")]
    Illegal(String),
    /// The operating system provides no random numbers.
    #[error("no random numbers are to be had")]
    NoChance,
}

impl From<getrandom::Error> for Refusal {
    fn from(_error: getrandom::Error) -> Self {
        Self::NoChance
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        let text = refusal.to_string();
        match refusal {
            Refusal::NoSuchTable(_) => Self::NotFound(text),
            Refusal::NoSeat => Self::Forbidden(text),
            Refusal::NameTaken(_)
            | Refusal::Full
            | Refusal::Seated
            | Refusal::NotBegun
            | Refusal::NotYourTurn
            | Refusal::Over
            | Refusal::NotOver
            | Refusal::Stale { .. } => Self::Conflict(text),
            Refusal::Game(_)
            | Refusal::Rules { .. }
            | Refusal::Bot { .. }
            | Refusal::Players { .. }
            | Refusal::NoPeople
            | Refusal::Seed(_)
            | Refusal::Name(_)
            | Refusal::Illegal(_) => Self::BadRequest(text),
            Refusal::NoChance => Self::Internal(text),
        }
    }
}
