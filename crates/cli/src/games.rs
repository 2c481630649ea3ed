//! The games as the command line knows them: their house bots, and how they look at a terminal.

mod liars_dice;
mod terminal_game;
mod yahtzee;

pub(crate) use terminal_game::{Advisor, TerminalGame, narrate_move};

/// Evaluates an expression with the type of a game under the given name: the only place that maps
/// a [`GameName`](dicehill_rules::GameName) to its type.
macro_rules! with_game {
    ($game:expr, $G:ident => $body:expr) => {
        match $game {
            ::dicehill_rules::GameName::Yahtzee => {
                type $G = ::dicehill_rules::yahtzee::Yahtzee;
                $body
            }
            ::dicehill_rules::GameName::LiarsDice => {
                type $G = ::dicehill_rules::liars_dice::LiarsDice;
                $body
            }
        }
    };
}
pub(crate) use with_game;
