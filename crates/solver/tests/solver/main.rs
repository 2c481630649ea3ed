//! The solvers, compared with theory, played games and other solvers.

mod contest;
mod distribution;
mod liars_dice;
mod yahtzee;
