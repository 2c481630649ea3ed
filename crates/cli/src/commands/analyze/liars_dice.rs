//! The analysis of runs of Liar's Dice.

mod sections;
