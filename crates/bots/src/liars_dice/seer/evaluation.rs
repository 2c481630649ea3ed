//! One-ply search: the win probability after each action.

pub(crate) mod call_values;
pub(crate) mod evaluator;
