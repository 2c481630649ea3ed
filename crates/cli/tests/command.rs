//! The `dicehill` command, driven as its users drive it.

mod attacks;
mod bad_input;
mod check;
mod control_groups;
mod doctor;
mod duel;
mod examples;
mod hill;
mod hostile_text;
mod interrupt;
mod killed;
mod lacking;
mod log_and_replay;
mod misbehaviour;
mod new;
mod output;
mod outside_determinism;
mod play;
mod ports;
mod resume;
mod retrials;
mod run;
mod runtimes;
mod support;
mod verify;
