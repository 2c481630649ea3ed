//! Yahtzee as an environment.
//!
//! # Actions
//!
//! | number | action |
//! |---|---|
//! | 0 to 31 | keep the dice at the positions whose bits are set, in the order shown, and roll the others |
//! | 32 to 44 | fill the box `number - 32`, in the order of the card: aces to sixes, three and four of a kind, full house, small and large straight, Yahtzee, chance |
//!
//! # Observations
//!
//! 46 bytes and two for each player; see [`layout`] for the meaning of each field.
//!
//! # Rewards
//!
//! See [`YahtzeeReward`].

mod actions;
mod environment;
pub mod layout;
mod observation;
mod reward;

pub use actions::LegalActions;
pub use reward::{RewardState, YahtzeeReward};
