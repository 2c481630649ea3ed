//! The `dicehill` command, as a library: [`run()`] does what a command line asks for, connected to a [`Console`].
//!
//! The program itself only connects it to its own streams.

mod advise;
mod analyze;
mod appraisers;
mod args;
mod board;
mod bot_spec;
mod bots;
mod check;
mod check_report;
mod checks;
mod command;
mod console;
mod doctor;
mod duel;
mod export;
mod failure;
mod hill;
mod hill_tournament;
mod interrupt;
mod layout;
mod liars_dice;
mod new;
mod place;
mod play;
mod players;
mod progress;
mod replay;
mod rerun;
mod resume;
mod run;
mod seed;
mod serve;
mod solve;
mod stored_bots;
mod terminal_game;
mod text;
mod token;
mod tournament;
mod verdict;
mod verify;
mod yahtzee;

pub use command::run;
pub use console::Console;
