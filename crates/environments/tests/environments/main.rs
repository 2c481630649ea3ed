//! The environments, through the public interface of the crate.

mod arena;
mod auto_reset;
mod docs;
mod illegal;
mod masks;
mod observations;
mod opponents;
mod protocol;
mod records;
mod rewards;
mod seats;
mod support;
mod threads;
