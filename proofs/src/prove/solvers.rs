//! How exact and how fast the solvers are.

pub(super) mod rounds;
pub(super) mod solver;
