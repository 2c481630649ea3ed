//! How the original challenge of each game was held.

use dicehill_rules::Game;
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;

use super::highlight::NothingRemarkable;
use super::liars_dice_highlights::LiarsDiceWatch;
use super::yahtzee_highlights::YahtzeeWatch;
use crate::contract::request_text;
use crate::{HighlightWatch, LiarsDiceTurn, RequestIds, YahtzeeTurn};

/// A game that hills play.
///
/// [`Hill::new`](crate::Hill::new) looks the challenge up once; what runs, checks or displays a hill gets it from
/// [`Hill::challenge`](crate::Hill::challenge) and needs only [`Game`].
///
/// ```
/// use dicehill_arena::{Barring, TournamentGame};
/// use dicehill_rules::yahtzee::Yahtzee;
///
/// assert_eq!(Yahtzee::CHALLENGE.barring, Barring::FirstOffence);
/// ```
pub trait TournamentGame: Game {
    /// How the original challenge of the game was held.
    const CHALLENGE: Challenge;

    /// The request for an action in the position of a view, as reports show it: the message of the bot protocol, if the
    /// game has one.
    fn request_text(view: &Self::View<'_>) -> String {
        format!("{view:?}")
    }

    /// Begins to watch a game of so many seats for what is remarkable in it.
    fn watch(_seats: usize) -> Box<dyn HighlightWatch<Self>> {
        Box::new(NothingRemarkable)
    }
}

/// Writes the request for an action in the position of a view.
pub type RequestText<G> = fn(&<G as Game>::View<'_>) -> String;

/// How the original challenge of a game was held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Challenge {
    /// Which entrants play in a game.
    pub seating: Seating,
    /// Whether entrants that are tied for the most points play on until one leads.
    pub ties_played_off: bool,
    /// When an entrant is barred.
    pub barring: Barring,
    /// Whether each vote for an entrant adds ten points to its total.
    pub votes_count: bool,
}

/// Which entrants play in a game of a challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seating {
    /// Every entrant.
    Everyone,
    /// A random choice of them, whose number is uniform in `least..=most`; every entrant if there are fewer.
    Drawn {
        /// The smallest table.
        least: usize,
        /// The largest table.
        most: usize,
    },
}

/// When an entrant is barred.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Barring {
    /// At its first illegal action or failure of any kind.
    FirstOffence,
    /// At the first game in which the failures of its process exceed both bounds. Illegal actions do not count.
    Failures {
        /// A number of failures.
        more_than: u64,
        /// A percentage of the games that the entrant is scheduled for.
        percent: u64,
    },
}

impl TournamentGame for Yahtzee {
    const CHALLENGE: Challenge = Challenge {
        seating: Seating::Everyone,
        ties_played_off: true,
        barring: Barring::FirstOffence,
        votes_count: false,
    };

    fn request_text(view: &Self::View<'_>) -> String {
        request_text(&YahtzeeTurn::new(view, RequestIds::OF_REPORT))
    }

    fn watch(seats: usize) -> Box<dyn HighlightWatch<Self>> {
        Box::new(YahtzeeWatch::new(seats))
    }
}

impl TournamentGame for LiarsDice {
    const CHALLENGE: Challenge = Challenge {
        seating: Seating::Drawn { least: 3, most: *Self::SEATS.end() },
        ties_played_off: false,
        barring: Barring::Failures { more_than: 10, percent: 1 },
        votes_count: true,
    };

    fn request_text(view: &Self::View<'_>) -> String {
        request_text(&LiarsDiceTurn::new(view, RequestIds::OF_REPORT))
    }

    fn watch(seats: usize) -> Box<dyn HighlightWatch<Self>> {
        Box::new(LiarsDiceWatch::new(seats))
    }
}
