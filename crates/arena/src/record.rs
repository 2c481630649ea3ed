//! The record of a run: its header, a line per game, bars, and a hash over all lines; and the lines that report its
//! progress to programs.

mod bar;
mod game_line;
mod header;
mod highlights;
mod progress_line;
mod read_record_error;
mod recorded_game;
mod records_hash;

pub use bar::Bar;
pub use game_line::{Replay, game_line, read_game_line, reused_line};
pub use header::{Header, HeaderBot};
pub use highlights::{HighlightedGame, Highlights};
pub use progress_line::{ProgressLine, RunOutcome, WorkerProgress};
pub use read_record_error::ReadRecordError;
pub use recorded_game::{RecordedGame, may_reuse};
pub use records_hash::RecordsHash;
