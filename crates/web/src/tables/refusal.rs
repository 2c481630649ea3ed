//! Why something cannot be done at a table.

use dicehill_arena::NameError;
use dicehill_rules::ParseGameNameError;

/// Why something cannot be done at a table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Refusal {
    /// No table has this id, or it has been removed.
    #[error("there is no such table here; one that nobody uses for {0} hours is removed")]
    NoSuchTable(u64),
    /// Nobody knows the game.
    #[error(transparent)]
    Game(#[from] ParseGameNameError),
    /// The game has no such variant.
    #[error("rules {named:?}: those of {game} are {all}")]
    Rules {
        /// What was named.
        named: String,
        /// The game.
        game: &'static str,
        /// What can be named.
        all: String,
    },
    /// No house bot has this name.
    #[error("there is no house bot {named:?} for {game}; there are {all}")]
    Bot {
        /// What was named.
        named: String,
        /// The game.
        game: &'static str,
        /// What can be named.
        all: String,
    },
    /// More or fewer than can play.
    #[error("{wanted} players: {game} is played here by {least} to {most}")]
    Players {
        /// How many.
        wanted: usize,
        /// The game.
        game: &'static str,
        /// The smallest table.
        least: usize,
        /// The largest.
        most: usize,
    },
    /// Whoever makes a table plays there.
    #[error("a table needs a seat for you, at least: \"people\" is 1 or more")]
    NoPeople,
    /// A seed that is none.
    #[error("a seed is 1 to {0} characters")]
    Seed(usize),
    /// A name that is none.
    #[error(transparent)]
    Name(#[from] NameError),
    /// Two players of one name.
    #[error("somebody at the table is called {0:?} already")]
    NameTaken(String),
    /// All seats are taken.
    #[error("all seats at this table are taken")]
    Full,
    /// Whoever sits already asks for a seat.
    #[error("you sit at this table already")]
    Seated,
    /// Whoever asks has no seat here.
    #[error("you have no seat at this table")]
    NoSeat,
    /// Nobody can play yet.
    #[error("the game begins when all seats are taken")]
    NotBegun,
    /// It is another player's turn.
    #[error("it is not your turn")]
    NotYourTurn,
    /// The game has ended.
    #[error("the game has ended")]
    Over,
    /// Something is only told later.
    #[error("this is told when the game is over")]
    NotOver,
    /// The page is behind the game.
    #[error("you have made {made} moves, and this was to follow {known}: your page was behind")]
    Stale {
        /// Moves that the seat has made.
        made: usize,
        /// Moves that the page knew of.
        known: usize,
    },
    /// Against the rules, or no action at all.
    #[error("{0}")]
    Illegal(String),
    /// The operating system gives no randomness.
    #[error("no random numbers are to be had")]
    NoChance,
}

impl From<getrandom::Error> for Refusal {
    fn from(_error: getrandom::Error) -> Self {
        Self::NoChance
    }
}
