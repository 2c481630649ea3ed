//! What a vector environment plays.

use std::num::NonZero;
use std::ops::RangeInclusive;

use crate::environment_game::EnvironmentGame;

/// What a [`VectorEnvironment`](crate::VectorEnvironment) plays.
///
/// ```
/// use dicehill_environments::{LearnerSeat, VectorOptions};
/// use dicehill_rules::liars_dice::LiarsDice;
///
/// // 64 games of three: the learner against two house bots.
/// let opponents = ["honest", "bayes"].map(str::to_owned).to_vec();
/// let options = VectorOptions { opponents, ..VectorOptions::<LiarsDice>::new(64, 3, "a seed") };
/// assert_eq!(options.seating, LearnerSeat::Drawn);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct VectorOptions<G: EnvironmentGame> {
    /// The number of environments, n: 1 or more.
    pub environments: usize,
    /// The number of players at each table.
    pub players: usize,
    /// The variant of the rules.
    pub rules: G::Rules,
    /// The master seed of all dice, as in the arena. Game k of environment i, both from 0, has the number 1 + i + n k, and the dice of the
    /// table with this number.
    pub seed: String,
    /// The names of house bots that play inside a step; empty if the caller acts for all players.
    pub opponents: Vec<String>,
    /// Where the learner sits if there are opponents.
    pub seating: LearnerSeat,
    /// What is paid for.
    pub reward: G::Reward,
    /// What an illegal action does.
    pub illegal_actions: IllegalActions,
    /// The number of threads that share the environments in each step. The results do not depend on it.
    pub threads: NonZero<usize>,
}

impl<G: EnvironmentGame> VectorOptions<G> {
    /// Options without opponents, by the official rules, on the calling thread.
    #[must_use]
    pub fn new(environments: usize, players: usize, seed: &str) -> Self {
        Self {
            environments,
            players,
            rules: G::Rules::default(),
            seed: seed.to_owned(),
            opponents: Vec::new(),
            seating: LearnerSeat::default(),
            reward: G::default_reward(players),
            illegal_actions: IllegalActions::default(),
            threads: NonZero::<usize>::MIN,
        }
    }

    pub(crate) fn check(&self) -> Result<(), OptionsError> {
        let Self { players, opponents, .. } = self;
        if self.environments == 0 {
            return Err(OptionsError::NoEnvironment);
        }
        if self.environments > MAX_ENVIRONMENTS {
            return Err(OptionsError::TooMany { found: self.environments });
        }
        if !G::PLAYERS.contains(players) {
            return Err(OptionsError::Players { found: *players, possible: G::PLAYERS });
        }
        if !opponents.is_empty() && opponents.len() + 1 != *players {
            let (found, players) = (opponents.len(), *players);
            return Err(OptionsError::Opponents { found, expected: players - 1, players });
        }
        if let LearnerSeat::Fixed(seat) = self.seating
            && seat >= *players
        {
            return Err(OptionsError::Seat { seat, last: players - 1 });
        }
        if !G::can_pay(self.reward, *players) {
            return Err(OptionsError::Reward { players: *players });
        }
        Ok(())
    }
}

/// Where the learner sits at a table with opponents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LearnerSeat {
    /// As the arena draws the seats of a challenge in each game, of an entrant with the name [`LEARNER`] and of the house bots. The default.
    #[default]
    Drawn,
    /// Always at this seat, from 0; the opponents have the other seats in their order.
    Fixed(usize),
}

/// The most environments: their memory must not be used up before anything is written.
const MAX_ENVIRONMENTS: usize = 1 << 20;

/// The name of the learner at a table with opponents, for seats that are drawn.
pub const LEARNER: &str = "learner";

/// What an illegal action does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IllegalActions {
    /// The step is refused with an error before anything changes. The default.
    #[default]
    Refuse,
    /// As in the arena. Yahtzee: the game is void and over, and pays nothing more. Liar's Dice: the player is eliminated with its dice.
    Forfeit,
}

/// The options are inconsistent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionsError {
    /// There is no environment.
    #[error("0 environments: at least 1 is needed")]
    NoEnvironment,
    /// There are too many environments.
    #[error("{found} environments: at most {MAX_ENVIRONMENTS} are possible")]
    TooMany {
        /// The number of environments.
        found: usize,
    },
    /// The table is too small or too large.
    #[error("{found} players, not {} to {}", possible.start(), possible.end())]
    Players {
        /// The number of players.
        found: usize,
        /// The possible numbers.
        possible: RangeInclusive<usize>,
    },
    /// The number of opponents does not fit the table.
    #[error("{found} opponents at a table of {players}, not {expected} or none")]
    Opponents {
        /// The number of opponents.
        found: usize,
        /// The number that there must be.
        expected: usize,
        /// The number of players.
        players: usize,
    },
    /// There is no such house bot.
    #[error("no such house bot: {name:?}; the house bots are {known}")]
    UnknownOpponent {
        /// The name.
        name: String,
        /// The names of all house bots of the game.
        known: String,
    },
    /// There is no such seat.
    #[error("no such seat: {seat}; seats are 0 to {last}")]
    Seat {
        /// The learner's seat.
        seat: usize,
        /// The last seat.
        last: usize,
    },
    /// The reward is not defined at this table.
    #[error("the luck-adjusted reward is for one player, not for {players}")]
    Reward {
        /// The number of players.
        players: usize,
    },
}
