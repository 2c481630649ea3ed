//! The values of all decisions within a turn, given the values of its final rolls.

pub(crate) mod box_values;
pub(crate) mod hand_values;
pub(crate) mod roll_classes;
pub(crate) mod turn;
