//! The `dicehill` command, as a library: [`run()`] executes a command line, connected to a [`Console`].
//!
//! The program itself only connects it to its own streams.

mod args;
mod board;
mod bots;
mod command;
mod commands;
mod console;
mod export;
mod failure;
mod games;
mod layout;
mod qualification;
mod recorded;
mod remote;
mod seed;
mod staging;
mod system;
mod text;
mod threads;
mod tournament;

pub use command::run;
pub use commands::completions::complete;
pub use console::Console;
pub use console::interrupt::is_interrupted;
pub use system::survive_file_size_limit;
