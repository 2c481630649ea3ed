//! What the solvers find, held against theory and other solvers.

mod contest;
mod distribution;
mod liars_dice;
mod yahtzee;
