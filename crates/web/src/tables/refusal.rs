//! Why a request for a table is refused.

use dicehill_arena::NameError;
use dicehill_rules::ParseGameNameError;

use crate::Problem;

/// Why a request for a table is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Refusal {
    /// No table has this id, or it has been removed.
    #[error("no such table; tables are removed after {0} hours without use")]
    NoSuchTable(u64),
    /// There is no such game.
    #[error(transparent)]
    Game(#[from] ParseGameNameError),
    /// The game has no such variant.
    #[error("no such rules: {named:?}; {game} has {all}")]
    Rules {
        /// The name in the request.
        named: String,
        /// The game.
        game: &'static str,
        /// All possible names, for the message.
        all: String,
    },
    /// No house bot has this name.
    #[error("no such house bot for {game}: {named:?}; there are {all}")]
    Bot {
        /// The name in the request.
        named: String,
        /// The game.
        game: &'static str,
        /// All possible names, for the message.
        all: String,
    },
    /// Too many or too few players.
    #[error("{wanted} players: {game} is for {least} to {most} here")]
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
    #[error("a table needs at least a seat for you: \"people\" must be 1 or more")]
    NoPeople,
    /// The seed is empty, too long or unprintable.
    #[error("a seed must have 1 to {0} characters")]
    Seed(usize),
    /// The time limit of a move is out of range.
    #[error("a time limit of {seconds} s for a move: it must be {least} to {most} s")]
    MoveTime {
        /// The seconds in the request.
        seconds: u32,
        /// The shortest limit.
        least: u32,
        /// The longest.
        most: u32,
    },
    /// Cards and dice cannot be open at such a table.
    #[error("cards and dice can be open only in Yahtzee between people, without bots")]
    NotOpen,
    /// The name is not valid.
    #[error("the name {:?} {}", .0.name, .0.fault)]
    Name(#[from] NameError),
    /// Another player has this name.
    #[error("another player at the table already has the name {0:?}")]
    NameTaken(String),
    /// All seats are taken.
    #[error("all seats at this table are taken")]
    Full,
    /// The client has a seat already.
    #[error("you already have a seat at this table")]
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
    /// A bot plays for the person.
    #[error("a bot plays for you: return to your seat first")]
    Substituted,
    /// The person has resigned.
    #[error("you have resigned")]
    Resigned,
    /// No bot plays for the person.
    #[error("no bot plays for you")]
    Present,
    /// No other person waits.
    #[error("no other person waits at this table, so that no bot has to play for you")]
    Alone,
    /// The game has ended.
    #[error("the game has ended")]
    Over,
    /// The game has not ended.
    #[error("this is revealed when the game is over")]
    NotOver,
    /// The client's document is out of date.
    #[error(
        "this move was to follow {known} of your moves, but you have made {made}: your page was out of date"
    )]
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
    #[error("no random numbers are available")]
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
            | Refusal::Substituted
            | Refusal::Resigned
            | Refusal::Present
            | Refusal::Alone
            | Refusal::Over
            | Refusal::NotOver
            | Refusal::Stale { .. } => Self::Conflict(text),
            Refusal::Game(_)
            | Refusal::Rules { .. }
            | Refusal::Bot { .. }
            | Refusal::Players { .. }
            | Refusal::NoPeople
            | Refusal::Seed(_)
            | Refusal::MoveTime { .. }
            | Refusal::NotOpen
            | Refusal::Name(_)
            | Refusal::Illegal(_) => Self::BadRequest(text),
            Refusal::NoChance => Self::Internal(text),
        }
    }
}
