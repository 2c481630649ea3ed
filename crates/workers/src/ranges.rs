//! Which games are handed out next, and what has arrived.
//!
//! It does no I/O and reads no clock: each call gets the time. So the same code runs under tests and in simulations.

mod checked_range;
mod checks;
mod game_set;
mod open_range;
mod open_ranges;
mod order;
mod range_book;
mod worker_states;

pub use checks::Dispute;
pub use order::{Order, OrderRefusal};
pub use range_book::{BookSettings, RangeBook, Wanted};
