//! The analysis of runs of Yahtzee.

mod appraisal;
mod document;
mod sections;
