//! The games that the server knows. No other place in this crate chooses by [`GameName`].
//!
//! [`GameName`]: dicehill_rules::GameName

/// Evaluates an expression with the game of this name as a type.
///
/// `with_game!(name, G => f::<G>())` is `f::<Yahtzee>()` or `f::<LiarsDice>()`.
macro_rules! with_game {
    ($name:expr, $game:ident => $body:expr) => {
        match $name {
            ::dicehill_rules::GameName::Yahtzee => {
                type $game = ::dicehill_rules::yahtzee::Yahtzee;
                $body
            }
            ::dicehill_rules::GameName::LiarsDice => {
                type $game = ::dicehill_rules::liars_dice::LiarsDice;
                $body
            }
        }
    };
}

pub(crate) use with_game;
