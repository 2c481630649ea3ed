//! The tables of a vector environment: games, the players at them, and the opponents' moves.

pub(crate) mod lineup;
pub(crate) mod table;
