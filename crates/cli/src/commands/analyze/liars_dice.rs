//! The analysis of runs of Liar's Dice.

mod appraisal;
mod document;
mod sections;
