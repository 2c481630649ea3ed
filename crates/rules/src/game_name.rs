//! The names of the games.

use std::fmt;
use std::str::FromStr;

use crate::Game;
use crate::liars_dice::LiarsDice;
use crate::yahtzee::Yahtzee;

/// The name of a game.
///
/// ```
/// use dicehill_rules::GameName;
///
/// assert_eq!("liars-dice".parse(), Ok(GameName::LiarsDice));
/// let error = "chess".parse::<GameName>().expect_err("no dice game");
/// assert_eq!(error.to_string(), "unknown game \"chess\": yahtzee or liars-dice");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameName {
    /// [`Yahtzee`].
    Yahtzee,
    /// [`LiarsDice`].
    LiarsDice,
}

impl GameName {
    /// All games.
    pub const ALL: [Self; 2] = [Self::Yahtzee, Self::LiarsDice];

    /// The name in hill files and documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Yahtzee => Yahtzee::NAME,
            Self::LiarsDice => LiarsDice::NAME,
        }
    }
}

impl fmt::Display for GameName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The text is not the name of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown game {0:?}: {names}", names = GameName::ALL.map(GameName::name).join(" or "))]
pub struct ParseGameNameError(pub String);

impl FromStr for GameName {
    type Err = ParseGameNameError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let named = Self::ALL.into_iter().find(|game| game.name() == text);
        named.ok_or_else(|| ParseGameNameError(text.to_owned()))
    }
}

/// Evaluates an expression with the type of the game of this name: the only place that maps a [`GameName`] to its
/// type.
///
/// ```
/// use dicehill_rules::{Game, GameName, with_game};
///
/// for name in GameName::ALL {
///     assert_eq!(with_game!(name, G => G::NAME), name.name());
/// }
/// ```
#[macro_export]
macro_rules! with_game {
    ($name:expr, $G:ident => $body:expr) => {
        match $name {
            $crate::GameName::Yahtzee => {
                type $G = $crate::yahtzee::Yahtzee;
                $body
            }
            $crate::GameName::LiarsDice => {
                type $G = $crate::liars_dice::LiarsDice;
                $body
            }
        }
    };
}
