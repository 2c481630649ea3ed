//! A round as the solvers see it: dice, bids and histories.

pub(crate) mod hands;
pub(crate) mod history;
pub(crate) mod round;
