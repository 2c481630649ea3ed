//! Exact solutions of dice games.
//!
//! - [`yahtzee`]: the expected further score of optimal solitaire play from every position, the
//!   value of every decision, the distribution of optimal scores, and play that maximises the
//!   probability of winning.
//! - [`liars_dice`]: strategies for two-player rounds by counterfactual regret minimisation, with
//!   exact lower bounds of what they guarantee.
//!
//! The crate does no I/O and reads no clock. Every number has the same bits on every machine and
//! for any number of threads.
//!
//! # Examples
//!
//! The value of the empty scorecard, and the best dice to keep of a roll (solving takes about a
//! second of one core):
//!
//! ```no_run
//! use std::num::NonZero;
//!
//! use dicehill_rules::Face;
//! use dicehill_solver::yahtzee::{Hand, Position, Solution, Variant};
//!
//! let solution = Solution::new(Variant::Official, NonZero::<usize>::MIN);
//! assert!((solution.start() - 254.587_728).abs() < 1e-5);
//!
//! let roll = Hand::from_dice([1, 2, 6, 6, 6].map(|pips| Face::ALL[pips - 1])).expect("five dice");
//! let turn = solution.turn(Position::START);
//! assert_eq!(turn.best_keep(0, roll).to_string(), "666");
//! ```
//!
//! The value of a round of Liar's Dice with one die each, between exact bounds:
//!
//! ```
//! use std::num::NonZero;
//!
//! use dicehill_solver::liars_dice::{Round, RoundSolver};
//!
//! let round = Round::new(1, 1)?;
//! let mut solver = RoundSolver::new(round, None, 1 << 30)?;
//! solver.learn(200, NonZero::<usize>::MIN);
//! let bracket = solver.certify();
//! assert!(bracket.lower < -0.021 && bracket.upper > -0.022);
//! assert!(bracket.exploitability() < 0.01);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod liars_dice;
mod simd;
pub mod yahtzee;

/// The examples in the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
