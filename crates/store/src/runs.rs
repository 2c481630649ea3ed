//! A run in either form: read from a run log or the store of a hill, and written to one of them.

pub(crate) mod recorded_run;
pub(crate) mod run_sink;
pub(crate) mod run_source;

pub use recorded_run::{RecordedRun, StoredGame};
pub use run_sink::RunSink;
pub use run_source::RunSource;
