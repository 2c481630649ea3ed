//! Writing a run to a store while it is played.

pub(crate) mod begin_run;
pub(crate) mod game_lines;
mod highlight_tracker;
pub(crate) mod run_inserter;
pub(crate) mod run_writer;

pub use run_writer::RunWriter;
