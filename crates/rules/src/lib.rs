//! The rules of dice games as pure state machines, and the dice as functions of seed and place.
//!
//! Nothing here reads a clock, does I/O or draws randomness of its own: a game takes its dice from
//! a [`Dice`] that the caller hands in; arenas use the tables of [`Chance`]. Every game
//! implements [`Game`], the only interface that judges, logs and standings know, so that a further
//! game is one more module beside [`yahtzee`] and [`liars_dice`].
//!
//! A refused action changes nothing and says which value was wrong. How games are scheduled,
//! judged and counted is left to the arena.

pub mod chance;
mod commitment;
mod face;
mod game;
mod game_name;
pub mod liars_dice;
mod seat;
mod siphash;
pub mod yahtzee;

pub use chance::{Chance, Dice};
pub use commitment::Secret;
pub use face::Face;
pub use game::{
    Barring, Challenge, Figure, Forfeit, Game, MAX_FIGURES, Public, SeatResult, Seating, Summary,
};
pub use game_name::{GameName, ParseGameNameError};
pub use seat::Seat;
