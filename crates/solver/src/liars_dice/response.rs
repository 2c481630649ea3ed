//! Policies and exact best responses to them.

pub(crate) mod action_probabilities;
pub(crate) mod best_response;
pub(crate) mod policy;
