//! The values of all positions, and decisions measured by them.

pub(crate) mod appraisal;
mod position_count;
pub(crate) mod solution;
pub(crate) mod table;
