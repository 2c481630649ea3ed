//! The `dicehill` command, driven as its users drive it.

mod bad_input;
mod interrupt;
mod log_and_replay;
mod output;
mod play;
mod ports;
mod run;
mod support;
