//! Why a hill cannot be played.

use std::fmt;

use crate::contract::thousands;

/// The most games of a hill, over all pairings too.
pub(crate) const MAX_GAMES: u64 = 1_000_000_000;
/// The most pairings of a duel or gauntlet, each of which has its own sums.
pub(crate) const MAX_PAIRINGS: u128 = 100_000;
/// The most votes of an entrant, for or against.
pub(crate) const MAX_VOTES: i64 = 1_000_000;

/// The part of a draft that an error is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DraftLocation {
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
    /// Too few entrants.
    #[error("{0}, but {1} are needed")]
    TooFew(EntrantCount, usize),
    /// More entrants than seats at the largest table.
    #[error("{0} bots are more than the {1} seats at a table of {2}")]
    TooMany(usize, usize, &'static str),
    /// Two entrants of the same name.
    #[error("bot name {name:?} is repeated")]
    Repeated {
        /// The name.
        name: String,
        /// The index of the later one.
        index: usize,
    },
    /// An impossible number of games.
    #[error("games = {games}: {fault}")]
    Games {
        /// The games of the hill, or for each pairing.
        games: i64,
        /// What is wrong with it.
        fault: GamesFault,
    },
    /// Too many pairings.
    #[error("{0} pairings are more than {MAX_PAIRINGS}")]
    Pairings(u128),
    /// An impossible number of seats.
    #[error("seats = {value}: a table of {game} has {least} to {most}")]
    Seats {
        /// The number of seats.
        value: i64,
        /// The game.
        game: &'static str,
        /// The smallest table.
        least: usize,
        /// The largest table.
        most: usize,
    },
    /// A number of seats outside a duel.
    #[error("seats = {0}: only format = \"duel\" takes a number of seats")]
    SeatsOutsideDuel(i64),
    /// A challenger outside a gauntlet.
    #[error("challenger = {0:?}: only format = \"gauntlet\" has a challenger")]
    ChallengerOutsideGauntlet(String),
    /// Strengths outside a gauntlet, or not one for each entrant.
    #[error("{0} strengths for {1} bots: a gauntlet that places its challenger needs one of each")]
    Strengths(usize, usize),
    /// A challenger that is not an entrant.
    #[error("challenger = {0:?}: no bot has that name")]
    UnknownChallenger(String),
    /// Blocks need games that do not affect each other.
    #[error(
        "memory = \"set\" cannot be combined with format = \"{0}\": the games of a block must be independent"
    )]
    MemoryInBlocks(&'static str),
    /// A run that may end early needs games that do not affect each other.
    #[error(
        "memory = \"set\" cannot be combined with an early end: bots may learn from game to game, but the decision requires independent games"
    )]
    UntilInSet,
    /// Too many pairs of entrants for the comparisons of a run that may end early.
    #[error(
        "{0} pairs of bots are more than {MAX_PAIRINGS}: too many to compare repeatedly for an early end"
    )]
    UntilAmongMany(u128),
    /// A margin needs two entrants that are compared until it is decided.
    #[error("not_worse_than: only a duel of two bots that may end early can have a margin")]
    MarginOutsideDuel,
    /// Votes in a game in which they do not count.
    #[error("votes = {votes}: votes do not count in {game}")]
    Votes {
        /// The votes.
        votes: i64,
        /// The index of the entrant.
        index: usize,
        /// The game.
        game: &'static str,
    },
    /// An impossible number of votes.
    #[error("votes = {votes}: must be -{MAX_VOTES} to {MAX_VOTES}")]
    TooManyVotes {
        /// The votes.
        votes: i64,
        /// The index of the entrant.
        index: usize,
    },
}

/// What is wrong with a number of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GamesFault {
    /// None at all, or more than any hill may have.
    #[error("must be 1 to {}", thousands(MAX_GAMES))]
    OutOfRange,
    /// Too many over this many pairings.
    #[error("with {} pairings the total is over {}", thousands(*.0), thousands(MAX_GAMES))]
    InAll(u128),
}

/// A number of entrants, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntrantCount(pub(crate) usize);

impl fmt::Display for EntrantCount {
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
    pub const fn place(&self) -> DraftLocation {
        match self {
            Self::TooFew(..)
            | Self::TooMany(..)
            | Self::Pairings(_)
            | Self::UntilAmongMany(_)
            | Self::MarginOutsideDuel => DraftLocation::Hill,
            Self::Repeated { index, .. } => DraftLocation::Bot(*index, "name"),
            Self::Games { .. } => DraftLocation::Key("games"),
            Self::Seats { .. } | Self::SeatsOutsideDuel(_) => DraftLocation::Key("seats"),
            Self::Strengths(..) => DraftLocation::Hill,
            Self::ChallengerOutsideGauntlet(_) | Self::UnknownChallenger(_) => {
                DraftLocation::Key("challenger")
            }
            Self::MemoryInBlocks(_) | Self::UntilInSet => DraftLocation::Key("memory"),
            Self::Votes { index, .. } | Self::TooManyVotes { index, .. } => {
                DraftLocation::Bot(*index, "votes")
            }
        }
    }
}
