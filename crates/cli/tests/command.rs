//! The `dicehill` command, driven as its users drive it.

mod bad_input;
mod check;
mod interrupt;
mod log_and_replay;
mod output;
mod play;
mod run;
mod support;
