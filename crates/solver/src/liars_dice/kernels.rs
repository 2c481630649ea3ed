//! Inner loops over all hands of a player at once.

pub(crate) mod rows;
pub(crate) mod showdown;
