//! Batches of games for reinforcement learning.
//!
//! A [`VectorEnvironment`] plays many games at once. Each step takes one action for each of them, and writes observations, masks of legal
//! actions, rewards, ends and seats to the caller's [`Buffers`], which may be numpy arrays. House bots can be opponents. The rules, the
//! dice and what is legal are those of `dicehill-rules`; the arena can play every game again.
//!
//! [`yahtzee`] and [`liars_dice`] document the numbers of actions, the observations and the rewards of each game.
//!
//! ```
//! use dicehill_environments::{
//!     Buffers, EnvironmentGame, LiarsDiceVectorEnvironment, Observations, VectorOptions,
//! };
//! use dicehill_rules::liars_dice::LiarsDice;
//!
//! const N: usize = 16;
//! // The learner against one house bot; seats as the arena draws them.
//! let options = VectorOptions { opponents: vec!["honest".to_owned()], ..VectorOptions::new(N, 2, "a seed") };
//! let mut environment = LiarsDiceVectorEnvironment::new(options)?;
//! let mut observations = vec![0; N * environment.observation_len()];
//! let (mut masks, mut rewards) = (vec![0; N * LiarsDice::ACTIONS], [0.0; 2 * N]);
//! let (mut dones, mut seats) = ([0; N], [0; N]);
//! let (mut actions, mut games) = ([0_i32; N], 0);
//! for step in 0..200 {
//!     let buffers = Buffers {
//!         observations: Observations::U8(&mut observations),
//!         masks: &mut masks,
//!         rewards: &mut rewards,
//!         dones: &mut dones,
//!         seats: &mut seats,
//!         final_observations: None,
//!         seat_observations: None,
//!     };
//!     if step == 0 { environment.reset(buffers)? } else { environment.step(&actions, buffers)? }
//!     games += dones.iter().filter(|done| **done == 1).count();
//!     // A policy: the lowest legal action.
//!     for (action, mask) in actions.iter_mut().zip(masks.chunks(LiarsDice::ACTIONS)) {
//!         *action = mask.iter().position(|legal| *legal == 1).expect("some action is legal") as i32;
//!     }
//! }
//! assert!(games > 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod buffers;
mod environment_game;
pub mod liars_dice;
mod options;
mod tables;
mod vector_environment;
pub mod yahtzee;

pub use buffers::{BufferError, Buffers, Observations};
pub use environment_game::{Due, EnvironmentGame, Field, MAX_OBSERVATION};
pub use liars_dice::LiarsDiceReward;
pub use options::{IllegalActions, LEARNER, LearnerSeat, OptionsError, VectorOptions};
pub use vector_environment::{StepError, VectorEnvironment};
pub use yahtzee::YahtzeeReward;

/// Many environments of Yahtzee.
pub type YahtzeeVectorEnvironment = VectorEnvironment<dicehill_rules::yahtzee::Yahtzee>;
/// Many environments of Liar's Dice.
pub type LiarsDiceVectorEnvironment = VectorEnvironment<dicehill_rules::liars_dice::LiarsDice>;
