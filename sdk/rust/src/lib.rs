//! Bots for dicehill: this crate speaks the arena's line protocol, so that an author writes
//! decisions only.
//!
//! A bot that needs no memory is a function from a turn to an answer:
//!
//! ```no_run
//! dicehill_bot::yahtzee(|turn| match turn.stage {
//!     2 => turn.fill(turn.legal.best()),
//!     _ => turn.keep_where(|die| die == 6),
//! });
//! ```
//!
//! One that remembers something during a game implements [`yahtzee::Bot`] or [`liars_dice::Bot`];
//! every game has an object of its own, which [`Bots`] makes when the game starts. With
//! `--transcript FILE` on the command line a bot steps through a saved game instead of playing;
//! [`Bots::play_transcript`] and [`Bots::check_transcript`] do so for tests.
//!
//! What a program prints while it plays goes to stderr, the bot's log.

mod bots;
mod json;
pub mod liars_dice;
mod message;
mod panics;
mod seats;
mod serve;
mod session;
mod stdio;
mod transcript;
pub mod yahtzee;

pub use bots::{Bots, liars_dice, yahtzee};
pub use message::{Hello, Limits, Memory, Start};
pub use transcript::{Step, TranscriptError};
