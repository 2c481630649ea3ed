//! The games as the command line knows them: their house bots, and how they look at a terminal.

mod liars_dice;
mod terminal_game;
mod yahtzee;

pub(crate) use terminal_game::{Advisor, PlayedGame, TerminalGame, narrate_move};
