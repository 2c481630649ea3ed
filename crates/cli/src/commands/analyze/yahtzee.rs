//! The analysis of runs of Yahtzee.

mod sections;
