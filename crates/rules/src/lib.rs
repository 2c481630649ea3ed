//! The rules of Yahtzee and Liar's Dice as pure state machines, with reproducible dice.
//!
//! - [`yahtzee`] and [`liars_dice`] have one module per game. Both implement [`Game`]: who is to act, what that seat may see, which
//!   actions are legal, what an action does, and the result of each seat.
//! - [`Chance`] derives all dice from a master seed. A die is a function of its table, seat, round, roll and slot, so that it does not
//!   depend on the actions of players, on the order of games or on threads.
//! - Nothing here reads a clock, does I/O or has randomness of its own.
//!
//! # Example
//!
//! Play a game of Yahtzee between two players that fill the first box they may:
//!
//! ```
//! use dicehill_rules::yahtzee::{Action, Yahtzee, YahtzeeRules};
//! use dicehill_rules::{Chance, Game, PublicInfo, Seat};
//!
//! let dice = Chance::new("my seed").table(1);
//! let mut game = Yahtzee::new(YahtzeeRules::Official, 2, &dice);
//! let public = PublicInfo::default();
//! while let Some(view) = game.view(&public) {
//!     let category = view.legal().iter().next().expect("a player to act has a free box");
//!     game.apply(&Action::Fill(category), &dice)?;
//! }
//! let scores = Seat::all(2).map(|seat| game.result(seat).figures[0]);
//! assert!(scores.max() > Some(0));
//! # Ok::<(), dicehill_rules::yahtzee::Refusal>(())
//! ```
//!
//! # Errors
//!
//! Rules refuse, they never repair: a refused action leaves the state as it was, and the error has the offending values. Which bot plays
//! in which game, how a challenge is held, and what a bot's failure costs it, is left to the arena.

pub mod chance;
mod commitment;
mod face;
mod game;
mod game_name;
pub mod liars_dice;
mod seat;
mod seed;
mod siphash;
pub mod yahtzee;

pub use chance::{Chance, Dice};
pub use commitment::Secret;
pub use face::Face;
pub use game::{Figure, Forfeit, Game, MAX_FIGURES, PublicInfo, SeatResult, Summary};
pub use game_name::{GameName, ParseGameNameError};
pub use seat::Seat;
pub use seed::SeedParts;

/// The examples in the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
