//! What every game offers to judges, logs and standings.

use std::fmt::{Debug, Display};
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::{Dice, Seat};

/// The most figures a game may report beside points and wins.
pub const MAX_FIGURES: usize = 4;

/// A dice game as a state machine that is always ended or waiting for one seat's action.
///
/// The laws, which hold for every reachable state and are tested generically:
/// - an action is in [`Game::legal_actions`] if and only if [`Game::apply`] accepts it;
/// - a game is ended or has a legal action;
/// - the same rules, dice and actions lead to the same state;
/// - a refused action leaves the state as it was;
/// - an action survives being written ([`Display`]) and read ([`FromStr`]);
/// - nobody has more points than [`Game::most_points`], or is ahead by more than [`Game::most_lead`].
pub trait Game: Clone + Debug + Eq + Send + 'static {
    /// The variants of the rules; the default one is the official one.
    type Rules: Copy + Eq + Debug + Default + Display + Send + Sync;
    /// What the seat to act may do. Its text is the notation of logs: printable ASCII without
    /// comma, quotation mark or backslash.
    type Action: Clone + Eq + Debug + Display + FromStr<Err: Display> + Send;
    /// Why an action was refused.
    type Refusal: std::error::Error + Clone + Eq;
    /// All that the seat to act may see.
    type View<'a>: Copy + Debug;

    /// The game's name in hill files and documents.
    const NAME: &'static str;
    /// The game's name in texts for people.
    const TITLE: &'static str;
    /// How many may sit at a table.
    const SEATS: RangeInclusive<usize>;
    /// The figures of [`SeatResult::figures`], in order; at most [`MAX_FIGURES`].
    const FIGURES: &'static [Figure];
    /// How the game's own challenge is held.
    const CHALLENGE: Challenge;
    /// All variants of the rules, the default one first.
    const RULES: &'static [Self::Rules];

    /// A game at its first action.
    ///
    /// # Panics
    /// If `seats` is not in [`Game::SEATS`].
    fn new<D: Dice>(rules: Self::Rules, seats: usize, dice: &D) -> Self;

    /// The seat that is to act, or `None` when the game has ended.
    fn to_act(&self) -> Option<Seat>;

    /// What the seat to act may see; `None` when the game has ended.
    fn view<'a>(&'a self, public: &'a Public<'a>) -> Option<Self::View<'a>>;

    /// Every action that would be accepted now, each once. There may be millions: take what you need.
    fn legal_actions(&self) -> impl Iterator<Item = Self::Action> + '_;

    /// Performs an action of the seat to act.
    ///
    /// # Errors
    /// Says what is wrong with the action; the state is then unchanged.
    fn apply<D: Dice>(&mut self, action: &Self::Action, dice: &D) -> Result<(), Self::Refusal>;

    /// Whether the action, done now, would show everybody what was hidden.
    fn reveals(&self, _action: &Self::Action) -> bool {
        false
    }

    /// Takes note that the seat to act gave no legal action. Does nothing in an ended game.
    fn forfeit<D: Dice>(&mut self, dice: &D) -> Forfeit;

    /// Appends the action's text; a game may do so faster than [`Display`] does.
    fn write_action(action: &Self::Action, text: &mut String) {
        text.push_str(&action.to_string());
    }

    /// The variant of the rules that goes by this name in hill files.
    fn rules_named(name: &str) -> Option<Self::Rules> {
        Self::RULES.iter().copied().find(|rules| rules.to_string() == name)
    }

    /// What `seat` has to show so far; final when the game has ended.
    fn result(&self, seat: Seat) -> SeatResult;

    /// Points of a seat in a game of so many seats, at most: a bound that follows from the rules,
    /// however badly anybody plays.
    fn most_points(seats: usize) -> u64;

    /// Points by which a seat can be ahead of another in a game of so many seats, at most.
    fn most_lead(seats: usize) -> u64 {
        Self::most_points(seats)
    }
}

/// What a challenge makes public about a table beside the game itself, by seat.
///
/// A game shows of it what its rules allow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Public<'a> {
    /// The players' names.
    pub names: Vec<&'a str>,
    /// The points that each brought to this game; nothing if games do not know of each other.
    pub points: Vec<u64>,
}

/// What one seat has to show for a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeatResult {
    /// The challenge's points.
    pub points: u64,
    /// Whether the game was won, alone or with others.
    pub won: bool,
    /// The game's own figures, in the order of [`Game::FIGURES`].
    pub figures: [u64; MAX_FIGURES],
}

/// A figure that a game reports for each seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figure {
    /// Its name in result documents.
    pub name: &'static str,
    /// How it is summed up over many games.
    pub summary: Summary,
}

/// How a figure is summed up over many games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Summary {
    /// By its mean, standard deviation, least, median and greatest value.
    Distribution,
    /// By its sum.
    Total,
}

/// How a game's own challenge is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Challenge {
    /// Who sits in a game.
    pub seating: Seating,
    /// Whether entrants that share the most points play on until one leads alone.
    pub ties_played_off: bool,
    /// When an entrant is barred.
    pub barring: Barring,
    /// Whether ten points for each vote are added to an entrant's points.
    pub votes_count: bool,
}

/// Who sits in a game of a challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seating {
    /// Every entrant.
    Everyone,
    /// A number drawn uniformly from `least..=most`, or every entrant if there are fewer.
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
    /// At the first game in which the failures of its process (not merely illegal actions) exceed
    /// both bounds.
    Failures {
        /// A number of failures.
        more_than: u64,
        /// A share of the games that the entrant is scheduled for, in percent.
        percent: u64,
    },
}

/// What a forfeit leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forfeit {
    /// The game cannot go on and counts for nobody.
    Void,
    /// The seat is out and the game goes on, or has ended.
    Eliminated,
}
