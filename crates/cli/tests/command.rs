//! The `dicehill` command, driven as its users drive it.

mod bad_input;
mod check;
mod examples;
mod interrupt;
mod log_and_replay;
mod new;
mod output;
mod play;
mod ports;
mod run;
mod support;
