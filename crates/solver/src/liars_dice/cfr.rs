//! Counterfactual regret minimisation over the public tree of a round.

pub(crate) mod cursors;
pub(crate) mod learner;
pub(crate) mod subgame;
pub(crate) mod tables;
mod traversal;
