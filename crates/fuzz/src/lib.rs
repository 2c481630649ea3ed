//! Fuzzes what reads untrusted input, from the tests of the crate that owns the reader.
//!
//! A test calls [`FuzzTarget::check`] with a function that reads one input, checks the laws of the reader, and returns
//! its outcome in words. Proptest generates the inputs: it takes one of the corpus and mutates its bytes, tokens and lines.
//! An input with an outcome that no other has had joins the corpus, so that later inputs start there. No coverage is
//! measured, which on stable Rust needs a build of its own; error messages say which branch refused an input.
//!
//! `cargo test` replays the corpus and some hundreds of inputs that are the same each time. `cargo xtask prove fuzz` does
//! it for minutes with other inputs in each round, and reads the [`FuzzReport`].

mod corpus;
mod long_run;
mod mutation;
mod outcome;
mod recipe;
mod report;
mod session;
mod target;

pub use long_run::{OUTPUT_VARIABLE, SECONDS_VARIABLE};
pub use report::FuzzReport;
pub use target::FuzzTarget;
