//! House bots: players that ship with the program and run in its process.
//!
//! [`yahtzee_bots`], [`exact_yahtzee_bots`] and [`liars_dice_bots`] list them. Each decides from its view alone; those that
//! play at random draw from the seed that the arena gives them.

mod draw;
mod house;
mod liars_dice;
mod yahtzee;

pub use house::House;
pub use liars_dice::{
    DuelistTraining, HiddenHand, LastBid, LiarsDiceAdvice, SeenPosition, SeenPositionError,
    Training, WeighedAction, advise_liars_dice, duelist_blueprint, liars_dice_bots,
};
pub use yahtzee::{KeptContests, exact_yahtzee_bots, keep_contests, yahtzee_bots};
