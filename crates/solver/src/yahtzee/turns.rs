//! The values of all choices within a turn, given what its last roll is worth.

pub(crate) mod box_values;
pub(crate) mod hand_values;
pub(crate) mod roll_classes;
pub(crate) mod turn;
