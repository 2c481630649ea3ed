//! Bounds of the values of rounds and matches.

pub(crate) mod bracket;
pub(crate) mod match_value;
