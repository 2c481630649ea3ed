//! Attacks on the sandbox, to test it.
//!
//! `dicehill doctor` creates decoys ([`Decoy`]), starts its own program again as a bot is started, and has it try one
//! [`Attack`] after the other. What an attack reports is checked from outside wherever that is possible: a file that was
//! written counts only if other processes see it.
//!
//! Each attack is bounded and cleans up after itself, also if nothing stops it. Linux only.

mod attack;
mod attempt;
mod carry_out;
mod covert;
mod decoy;
mod defence;
mod files;
mod hoards;
mod kernel;
mod kernel_memory;
mod network;
mod open_maps;
mod outcome;
mod processes;
mod raw_syscall;
mod relays;
mod remedy;
mod resources;
mod table;
mod target;

pub(crate) use attack::ATTACK_ARGUMENT;
pub use attack::Attack;
pub use attempt::attempt;
pub(crate) use carry_out::run_attack;
pub use decoy::Decoy;
pub use defence::Defence;
pub use outcome::AttackOutcome;
pub use table::ATTACKS;
