//! Run logs: JSON Lines, the form in which runs are kept and passed on.
//!
//! `{"type":"header","schema":"dicehill.log/1",...}` comes first, then one line for each game in the order of their numbers
//! (see [`dicehill_arena::game_line`]), and last the result document. A line `{"type":"barred",...}` says that an entrant
//! was barred: the games before it no longer count, and the run starts over without that entrant.
//! `{"type":"sealed",...}` before the result has the hash over all lines before it. A log without a result document is that of
//! an interrupted run.

pub(crate) mod game_line;
pub(crate) mod header_line;
pub(crate) mod line_reader;
pub(crate) mod line_section;
pub(crate) mod log_file;
pub(crate) mod log_line;
pub(crate) mod log_reader;
pub(crate) mod log_writer;
pub(crate) mod points;
pub(crate) mod read_header;
pub(crate) mod run_header;
pub(crate) mod torn_header;
pub(crate) mod torn_tail;

pub use game_line::{FailureLine, GameLine};
pub use line_reader::TruncatedTail;
pub use line_section::LineSection;
pub use log_reader::LogReader;
pub use log_writer::{LogWriter, save_game};
pub use run_header::{RecordedBot, RunHeader};
pub use torn_tail::TornTail;
