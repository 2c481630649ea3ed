//! What may be wrong with a hill.

use std::fmt;

/// The most games of a hill, and the most that its format may come to.
pub(crate) const MOST_GAMES: u64 = 1_000_000_000;
/// The most pairings of a duel or gauntlet: each has sums of its own.
pub(crate) const MOST_PAIRINGS: u128 = 100_000;
/// The most votes an entrant may have, either way.
pub(crate) const MOST_VOTES: i64 = 1_000_000;

/// What part of a hill an error is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A key of the hill itself.
    Key(&'static str),
    /// A key of the bot at this index.
    Bot(usize, &'static str),
    /// The hill as a whole.
    Hill,
}

/// Why a hill cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HillError {
    /// Too few to play.
    #[error("{0} in this hill, and {1} are needed")]
    TooFew(Count, usize),
    /// Too many to sit together.
    #[error("{0} bots are more than the {1} that may sit at a table of {2}")]
    TooMany(usize, usize, &'static str),
    /// A name that stands twice.
    #[error("bot name {name:?} is repeated")]
    Repeated {
        /// The name.
        name: String,
        /// The later one.
        index: usize,
    },
    /// An impossible number of games.
    #[error("games = {0}: must be 1 to {MOST_GAMES}")]
    Games(i64),
    /// More pairings than anybody can keep apart.
    #[error("{0} pairings are more than {MOST_PAIRINGS}")]
    Pairings(u128),
    /// More games than anybody can play.
    #[error("games = {games}: with {pairings} pairings that is over {MOST_GAMES} in all")]
    GamesInAll {
        /// Games for each pairing.
        games: i64,
        /// The pairings.
        pairings: u128,
    },
    /// An impossible table.
    #[error("seats = {value}: a table of {game} has {least} to {most}")]
    Seats {
        /// What was asked for.
        value: i64,
        /// The game.
        game: &'static str,
        /// The smallest table.
        least: usize,
        /// The largest table.
        most: usize,
    },
    /// Seats where the format has its own.
    #[error("seats = {0}: only format = \"duel\" takes a number of seats")]
    SeatsOutsideDuel(i64),
    /// A challenger where there is none.
    #[error("challenger = {0:?}: only format = \"gauntlet\" has a challenger")]
    ChallengerOutsideGauntlet(String),
    /// A challenger that does not take part.
    #[error("challenger = {0:?}: no bot of that name")]
    UnknownChallenger(String),
    /// Blocks need games that do not know of each other.
    #[error(
        "memory = \"set\" cannot be combined with format = \"{0}\": the games of a block must not know of each other"
    )]
    MemoryInBlocks(&'static str),
    /// A run that is to end early needs games that do not know of each other.
    #[error(
        "memory = \"set\" cannot be combined with an early end: bots may learn from game to game, and the decision rests on games that do not depend on each other"
    )]
    UntilInSet,
    /// More entrants than can be compared with each other again and again.
    #[error(
        "{0} pairs of bots are more than {MOST_PAIRINGS}: too many to be compared again and again for an early end"
    )]
    UntilAmongMany(u128),
    /// Votes where nothing counts them.
    #[error("votes = {votes}: votes do not count in {game}")]
    Votes {
        /// The votes.
        votes: i64,
        /// The entrant.
        index: usize,
        /// The game.
        game: &'static str,
    },
    /// More votes than there are voters.
    #[error("votes = {votes}: must be -{MOST_VOTES} to {MOST_VOTES}")]
    TooManyVotes {
        /// The votes.
        votes: i64,
        /// The entrant.
        index: usize,
    },
}

/// A number of bots, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count(pub(crate) usize);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("there is no bot"),
            1 => f.write_str("there is only one bot"),
            more => write!(f, "there are only {more} bots"),
        }
    }
}

impl HillError {
    /// What the error is about.
    #[must_use]
    pub const fn place(&self) -> Place {
        match self {
            Self::TooFew(..) | Self::TooMany(..) | Self::Pairings(_) | Self::UntilAmongMany(_) => {
                Place::Hill
            }
            Self::Repeated { index, .. } => Place::Bot(*index, "name"),
            Self::Games(_) | Self::GamesInAll { .. } => Place::Key("games"),
            Self::Seats { .. } | Self::SeatsOutsideDuel(_) => Place::Key("seats"),
            Self::ChallengerOutsideGauntlet(_) | Self::UnknownChallenger(_) => {
                Place::Key("challenger")
            }
            Self::MemoryInBlocks(_) | Self::UntilInSet => Place::Key("memory"),
            Self::Votes { index, .. } | Self::TooManyVotes { index, .. } => {
                Place::Bot(*index, "votes")
            }
        }
    }
}
