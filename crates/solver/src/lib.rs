//! Exact solutions of dice games: what every position and every decision is worth.
//!
//! Nothing here reads a clock or does I/O, and every number has the same bits on every machine and any
//! number of threads.

pub mod liars_dice;
mod simd;
pub mod yahtzee;
