//! The `dicehill` command, driven as its users drive it.

mod bad_input;
mod interrupt;
mod killed;
mod log_and_replay;
mod misbehaviour;
mod output;
mod outside_determinism;
mod play;
mod retrials;
mod run;
mod support;
