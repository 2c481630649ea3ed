//! What a game adds to its rules to be an environment: numbered actions, masks, observations and rewards.

use std::fmt::Debug;
use std::ops::RangeInclusive;

use dicehill_bots::HouseBot;
use dicehill_rules::{Game, Seat};

/// The longest observation in bytes.
pub const MAX_OBSERVATION: usize = 256;

/// A field of an observation: equal numbers that follow each other.
///
/// A number of two bytes is little-endian. As float32 it is in the place of its first byte, and the place of its second byte is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name, unique within the observation.
    pub name: &'static str,
    /// The offset of the first number.
    pub offset: usize,
    /// How many numbers the field has.
    pub count: usize,
    /// Bytes of each number: 1 or 2.
    pub width: usize,
    /// The float32 form divides by this and is at most 1.
    pub max: u16,
}

impl Field {
    pub(crate) const fn bytes(name: &'static str, offset: usize, count: usize, max: u16) -> Self {
        Self { name, offset, count, width: 1, max }
    }

    pub(crate) const fn words(name: &'static str, offset: usize, count: usize, max: u16) -> Self {
        Self { name, offset, count, width: 2, max }
    }
}

/// What is to be paid after an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Due<R> {
    /// What is paid for.
    pub reward: R,
    /// The number of players.
    pub players: usize,
    /// Whether the game is over for the caller.
    pub is_over: bool,
}

/// A game as an environment. Rules, dice and legality are those of [`Game`].
///
/// ```
/// use dicehill_environments::EnvironmentGame;
/// use dicehill_rules::yahtzee::{Action, Category, Yahtzee};
///
/// assert_eq!(Yahtzee::ACTIONS, 45);
/// let chance = Action::Fill(Category::Chance);
/// assert_eq!(Yahtzee::encode(&chance), Some(44));
/// assert_eq!(Yahtzee::decode(44), Some(&chance));
/// assert_eq!(Yahtzee::decode(45), None);
/// ```
pub trait EnvironmentGame: Game<Rules: Send + Sync> {
    /// What is paid for.
    type Reward: Copy + Debug + PartialEq + Send + Sync;
    /// What is remembered of a game to pay rewards. The default is that of a game before its first action.
    type RewardState: Default + Send;
    /// The legal actions of a position, in a form that is quick to ask.
    type LegalActions: Copy + Send;

    /// The number of actions; they are numbered from 0.
    const ACTIONS: usize;
    /// The possible numbers of players.
    const PLAYERS: RangeInclusive<usize>;

    /// The house bots that can be opponents.
    fn house_bots() -> Vec<HouseBot<Self>>;

    /// The number of an action; `None` if the environment has none for it.
    fn encode(action: &Self::Action) -> Option<usize>;

    /// The action with this number; `None` from [`EnvironmentGame::ACTIONS`] on.
    fn decode(number: usize) -> Option<&'static Self::Action>;

    /// The legal actions of the seat to act.
    fn legal(view: &Self::View<'_>) -> Self::LegalActions;

    /// Whether the action with this number is legal.
    fn is_legal(legal: Self::LegalActions, number: usize) -> bool;

    /// Writes 1 for each legal action and 0 for the others.
    ///
    /// # Panics
    /// If the mask has not [`EnvironmentGame::ACTIONS`] bytes.
    fn write_mask(legal: Self::LegalActions, mask: &mut [u8]);

    /// Why an action that the rules accept is not in the mask.
    fn why_masked() -> &'static str;

    /// The fields of an observation at a table of this many players, in order and without gaps.
    fn fields(players: usize) -> Vec<Field>;

    /// The bytes of an observation, at most [`MAX_OBSERVATION`].
    fn observation_len(players: usize) -> usize;

    /// Writes the observation of the seat to act. Every byte is written.
    ///
    /// # Panics
    /// If there are not [`EnvironmentGame::observation_len`] bytes.
    fn observe(view: &Self::View<'_>, observation: &mut [u8]);

    /// Writes what a seat sees now, also if another seat is to act or the game is over. Every byte is written. For the seat to act it is
    /// the observation of [`EnvironmentGame::observe`]; no other seat's dice are in it.
    ///
    /// # Panics
    /// If there are not [`EnvironmentGame::observation_len`] bytes.
    fn observe_seat(&self, seat: Seat, observation: &mut [u8]);

    /// The reward unless another is chosen.
    fn default_reward(players: usize) -> Self::Reward;

    /// Whether the reward is defined for this many players.
    fn can_pay(reward: Self::Reward, players: usize) -> bool;

    /// Remembers what the reward depends on, before a legal action of the caller.
    fn before_action(
        &self,
        reward: Self::Reward,
        state: &mut Self::RewardState,
        action: &Self::Action,
    );

    /// Whether a seat is out of a game that may go on without it.
    fn is_out(&self, seat: Seat) -> bool;

    /// Passes the rewards since the caller's last action to `pay`, by seat; those that are 0 may be left out.
    fn pay(
        &self,
        due: Due<Self::Reward>,
        state: &mut Self::RewardState,
        pay: impl FnMut(Seat, f32),
    );
}
