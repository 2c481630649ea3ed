//! The interface that all games share.

use std::fmt::{Debug, Display};
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::{Dice, Seat};

/// Upper bound of the number of figures that a game may report.
pub const MAX_FIGURES: usize = 4;

/// A dice game as a state machine: it has either ended or waits for the action of one seat.
///
/// These laws hold in every reachable state and are tested generically:
/// - An action is in [`Game::legal_actions`] if and only if [`Game::apply`] accepts it.
/// - A game has ended or has a legal action.
/// - The same rules, dice and actions lead to the same state.
/// - A refused action leaves the state as it was.
/// - An action can be written ([`Display`]) and read back ([`FromStr`]).
/// - No seat has more points than [`Game::max_points`], or a larger lead than [`Game::max_lead`].
///
/// A program for all games is generic over this trait:
///
/// ```
/// use dicehill_rules::liars_dice::LiarsDice;
/// use dicehill_rules::yahtzee::Yahtzee;
/// use dicehill_rules::{Chance, Dice, Game};
///
/// /// Plays the third legal action each time, or the last; returns the number of actions.
/// fn play<G: Game>(seats: usize, dice: &impl Dice) -> usize {
///     let mut game = G::new(G::Rules::default(), seats, dice);
///     let mut actions = 0;
///     while !game.has_ended() {
///         let action = game.legal_actions().take(3).last().expect("a game in progress has legal actions");
///         game.apply(&action, dice).expect("a legal action is accepted");
///         actions += 1;
///     }
///     actions
/// }
///
/// let dice = Chance::new("my seed").table(1);
/// // Three actions in each of 13 rounds, for two players.
/// assert_eq!(play::<Yahtzee>(2, &dice), 78);
/// assert!(play::<LiarsDice>(3, &dice) > 10);
/// ```
pub trait Game: Clone + Debug + Eq + Send + 'static {
    /// The variants of the rules. The default is the official one.
    type Rules: Copy + Eq + Debug + Default + Display + Send + Sync;
    /// An action of the seat to act. Its text is the notation of logs: printable ASCII without comma, quotation mark or backslash.
    type Action: Clone + Eq + Debug + Display + FromStr<Err: Display> + Send;
    /// The reason for refusing an action.
    type Refusal: std::error::Error + Clone + Eq;
    /// Everything that the seat to act may see.
    type View<'a>: Copy + Debug;

    /// The game's name in hill files and documents.
    const NAME: &'static str;
    /// The game's name in text for people.
    const TITLE: &'static str;
    /// The possible numbers of seats at a table.
    const SEATS: RangeInclusive<usize>;
    /// The figures of [`SeatResult::figures`], in order; at most [`MAX_FIGURES`]. If the first is a
    /// [`Summary::Distribution`], it is the score: among equal points, the higher score is ahead.
    const FIGURES: &'static [Figure];
    /// All variants of the rules, the default first.
    const RULES: &'static [Self::Rules];

    /// A new game, before its first action.
    ///
    /// # Panics
    /// If `seats` is not in [`Game::SEATS`].
    fn new<D: Dice>(rules: Self::Rules, seats: usize, dice: &D) -> Self;

    /// The seat to act; `None` if the game has ended.
    fn to_act(&self) -> Option<Seat>;

    /// What the seat to act may see; `None` if the game has ended.
    fn view<'a>(&'a self, public: &'a PublicInfo<'a>) -> Option<Self::View<'a>>;

    /// Every legal action, each once. There may be millions: take as many as needed.
    ///
    /// ```
    /// use dicehill_rules::liars_dice::{LiarsDice, LiarsDiceRules};
    /// use dicehill_rules::{Chance, Game};
    ///
    /// let dice = Chance::new("my seed").table(1);
    /// let game = LiarsDice::new(LiarsDiceRules::Official, 3, &dice);
    /// let first: Vec<_> = game.legal_actions().take(3).map(|action| action.to_string()).collect();
    /// assert_eq!(first, ["1 1", "1 2", "1 3"]);
    /// ```
    fn legal_actions(&self) -> impl Iterator<Item = Self::Action> + '_;

    /// Performs an action of the seat to act.
    ///
    /// # Errors
    /// If the action is illegal. The state is then unchanged.
    ///
    /// ```
    /// use dicehill_rules::liars_dice::{LiarsDice, LiarsDiceRules};
    /// use dicehill_rules::{Chance, Game};
    ///
    /// let dice = Chance::new("my seed").table(1);
    /// let mut game = LiarsDice::new(LiarsDiceRules::Official, 3, &dice);
    /// let action = |text: &str| text.parse().expect("an action");
    /// game.apply(&action("3 5"), &dice)?;
    /// let before = game.clone();
    /// let refusal = game.apply(&action("3 4"), &dice).expect_err("lower than 3 5");
    /// assert_eq!(refusal.to_string(), "bid \"3 4\" is not higher than the last bid \"3 5\"");
    /// assert_eq!(game, before);
    /// # Ok::<(), dicehill_rules::liars_dice::Refusal>(())
    /// ```
    fn apply<D: Dice>(&mut self, action: &Self::Action, dice: &D) -> Result<(), Self::Refusal>;

    /// Records that the seat to act gave no legal action. Does nothing if the game has ended.
    ///
    /// ```
    /// use dicehill_rules::liars_dice::{LiarsDice, LiarsDiceRules};
    /// use dicehill_rules::{Chance, Forfeit, Game, Seat};
    ///
    /// let dice = Chance::new("my seed").table(1);
    /// let mut game = LiarsDice::new(LiarsDiceRules::Official, 2, &dice);
    /// assert_eq!(game.forfeit(&dice), Forfeit::Eliminated);
    /// assert_eq!(game.winner(), Some(Seat::new(1)));
    /// ```
    fn forfeit<D: Dice>(&mut self, dice: &D) -> Forfeit;

    /// The result of `seat` so far; final when the game has ended.
    fn result(&self, seat: Seat) -> SeatResult;

    /// An upper bound of the points of a seat in a game of `seats` seats, for any play.
    fn max_points(seats: usize) -> u64;

    // Provided methods.

    /// Whether the game has ended.
    fn has_ended(&self) -> bool {
        self.to_act().is_none()
    }

    /// Whether the action, if performed now, would reveal hidden information to all seats.
    fn reveals(&self, _action: &Self::Action) -> bool {
        false
    }

    /// Appends the action's text. A game may implement this faster than [`Display`].
    fn write_action(action: &Self::Action, text: &mut String) {
        text.push_str(&action.to_string());
    }

    /// The variant of the rules with this name in hill files.
    ///
    /// ```
    /// use dicehill_rules::Game;
    /// use dicehill_rules::yahtzee::{Yahtzee, YahtzeeRules};
    ///
    /// assert_eq!(Yahtzee::rules_named("mego-2016"), Some(YahtzeeRules::Mego2016));
    /// assert_eq!(Yahtzee::rules_named("house rules"), None);
    /// ```
    fn rules_named(name: &str) -> Option<Self::Rules> {
        Self::RULES.iter().copied().find(|rules| rules.to_string() == name)
    }

    /// An upper bound of the lead in points of a seat over another in a game of `seats` seats.
    fn max_lead(seats: usize) -> u64 {
        Self::max_points(seats)
    }
}

/// Information about the players at a table that is not part of the game, by seat.
///
/// A game's view shows of it what the challenge made public.
///
/// ```
/// use dicehill_rules::liars_dice::{LiarsDice, LiarsDiceRules};
/// use dicehill_rules::{Chance, Game, PublicInfo};
///
/// let dice = Chance::new("my seed").table(1);
/// let game = LiarsDice::new(LiarsDiceRules::Official, 2, &dice);
/// let public = PublicInfo { names: vec!["ann", "bob"], points: vec![0, 120] };
/// let view = game.view(&public).expect("the game has begun");
/// assert_eq!(view.name(1), Some("bob"));
/// assert_eq!(view.points(1), 120);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PublicInfo<'a> {
    /// The players' names.
    pub names: Vec<&'a str>,
    /// The points of each player from earlier games; empty if games do not know of each other.
    pub points: Vec<u64>,
}

impl PublicInfo<'_> {
    /// The points of a seat from earlier games; 0 if games do not know of each other.
    #[must_use]
    pub fn earlier_points(&self, seat: Seat) -> u64 {
        self.points.get(seat.index()).copied().unwrap_or(0)
    }
}

/// The result of one seat in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeatResult {
    /// Points by the rules of the challenge.
    pub points: u64,
    /// Whether the seat has won, alone or tied.
    pub won: bool,
    /// The game's own figures, in the order of [`Game::FIGURES`].
    pub figures: [u64; MAX_FIGURES],
}

/// A figure that a game reports for each seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figure {
    /// The name in result documents.
    pub name: &'static str,
    /// How it is summarised over many games.
    pub summary: Summary,
}

/// How a figure is summarised over many games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Summary {
    /// By mean, standard deviation, minimum, median and maximum.
    Distribution,
    /// By the sum.
    Total,
}

/// The effect of a forfeit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forfeit {
    /// The game is void and counts for no seat.
    Void,
    /// The seat is eliminated. The game continues or has ended.
    Eliminated,
}
