//! The values of all positions, and the appraisal of decisions by them.

pub(crate) mod appraisal;
mod position_count;
pub(crate) mod row_solver;
pub(crate) mod solution;
pub(crate) mod table;
