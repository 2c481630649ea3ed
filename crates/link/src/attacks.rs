//! Attacks of our own on what keeps bots in.
//!
//! `dicehill doctor` lays out a [`Bait`], starts its own program again as a bot would be started, and lets
//! that carry out one [`Attack`] after the other. What an attack says of itself is checked from
//! outside wherever it can be: a file that was written counts only if it is there for others.
//!
//! Each is bounded and cleared up after, also where nothing stops it. Linux only.

mod attack;
mod attempt;
mod bait;
mod files;
mod kernel;
mod network;
mod outcome;
mod processes;
mod raw;
mod resources;
mod table;

pub use attack::{ATTACK, Attack, Defence, attack};
pub use attempt::attempt;
pub use bait::Bait;
pub use outcome::Outcome;
pub use table::ATTACKS;
