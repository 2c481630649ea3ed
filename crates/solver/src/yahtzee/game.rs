//! The game as the solver sees it: rules, hands and positions between turns.

pub(crate) mod hand;
pub(crate) mod hand_tables;
pub(crate) mod position;
pub(crate) mod variant;
