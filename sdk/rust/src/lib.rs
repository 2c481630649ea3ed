//! The Rust SDK for dicehill bots. It implements the arena's line protocol; you write the decisions.
//!
//! A bot without memory is a function from a turn to an answer:
//!
//! ```no_run
//! dicehill_bot::yahtzee(|turn| match turn.stage {
//!     2 => turn.fill(turn.legal.best()),
//!     _ => turn.keep_where(|die| die == 6),
//! });
//! ```
//!
//! A bot that remembers something during a game implements [`yahtzee::Bot`] or [`liars_dice::Bot`]. [`Bots`] creates one object per
//! game.
//!
//! # Tests
//!
//! [`Bots::check_transcript`] reports illegal answers to the turns of a saved game; [`Bots::play_transcript`] returns every answer:
//!
//! ```
//! use dicehill_bot::Bots;
//! use dicehill_bot::liars_dice::{Answer, Bot, Turn};
//!
//! struct Mine;
//!
//! impl Bot for Mine {
//!     fn turn(&mut self, turn: &Turn) -> Answer {
//!         if turn.bids.is_empty() { turn.bid(1, 6) } else { turn.liar() }
//!     }
//! }
//!
//! let turn = r#"{"type":"turn","id":1,"game":1,"you":0,"counts":[5,5],"dice":[1,2,3,4,6],"bids":["9 6"]}"#;
//! assert_eq!(Bots::new().liars_dice(|_| Mine).check_transcript(turn), Ok(vec![]));
//! let steps = Bots::new().liars_dice(|_| Mine).play_transcript(turn)?;
//! assert_eq!(steps[0].answer, "Liar!");
//! # Ok::<(), dicehill_bot::TranscriptError>(())
//! ```
//!
//! With `--transcript FILE` on its command line, a bot steps through a saved game instead of playing.
//!
//! # Output
//!
//! While a bot plays, its prints go to stderr, which the arena stores as the bot's log. A panic ends the process with exit code 1, after
//! a line that names the game and the request. On Windows prints are not redirected, and break the protocol: use `eprintln!` there.

mod bots;
mod game;
mod json;
pub mod liars_dice;
mod message;
mod open_games;
mod panics;
mod serve;
mod session;
mod stdio;
mod text;
mod transcript;
pub mod yahtzee;

pub use bots::{Bots, liars_dice, yahtzee};
pub use message::{Hello, Limits, Memory, Start};
pub use transcript::{Step, TranscriptError};
