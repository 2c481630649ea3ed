//! Liar's Dice as an environment.
//!
//! # Actions
//!
//! | number | action |
//! |---|---|
//! | 0 to 149 | bid `number / 6 + 1` dice of the face `number % 6 + 1` |
//! | 150 | call |
//!
//! The rules allow bids of up to a million dice. The mask has no bid above the number of dice on the table: it can never hold, so that
//! its bidder loses a die to every call, and an agent that explores would waste most of its steps on them. House bots may make such
//! bids; then the call alone is in the mask.
//!
//! # Observations
//!
//! 201 bytes; see [`layout`] for the meaning of each field.
//!
//! # Rewards
//!
//! See [`LiarsDiceReward`].

mod actions;
mod environment;
pub mod layout;
mod observation;
mod reward;

pub use actions::LegalActions;
pub use reward::LiarsDiceReward;
