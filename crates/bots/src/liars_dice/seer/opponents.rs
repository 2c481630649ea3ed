//! Opponent modelling: how each opponent plays, and what its hidden hand may be.

pub(crate) mod hand_belief;
pub(crate) mod opponent_memory;
pub(crate) mod opponent_model;
