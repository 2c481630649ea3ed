//! What `seer` sees of a game, in the form in which it reasons.

pub(crate) mod bid_context;
pub(crate) mod observation;
pub(crate) mod observed_turn;
pub(crate) mod round_start;
