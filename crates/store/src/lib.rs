//! Hills and runs on disk: hill files are read, run logs and the stores of hills are written and read.
//!
//! Everything that comes from a file is checked here and turned into the arena's types; an error
//! names the file, the line and the value.

mod bot_folder;
mod file_error;
mod game_line;
mod hill_file;
mod hill_store;
mod locked_file;
mod log_games;
mod log_header;
mod recorded_run;
mod run_check;
mod run_log;
mod run_sink;
mod run_source;
mod unchecked_run;

pub use bot_folder::BotFolder;
pub use file_error::FileError;
pub use game_line::{FailureLine, GameLine};
pub use hill_file::{BotFile, BotKind, HillFile, HillTerms, MakeReady, NotReady};
pub use hill_store::{
    Direction, EntryBook, EntryState, HillRecord, HillStore, ImportedRun, NewEntrant,
    OpenCommitment, Page, RunSummary, RunWriter, SecretToken, StoredEntrant, StoredEntry,
    StoredFailure, StoredFile, StoredGames, StoredRun, StoredToken, TokenError, TokenTerms,
};
pub use log_games::{BrokenEnd, LogGames};
pub use log_header::{LogBot, LogHeader};
pub use recorded_run::{RecordedRun, StoredGame};
pub use run_check::{CheckedGames, CheckedStep, Finding, Holds, Problem, RunCheck};
pub use run_log::{LogWriter, json_message, save_game};
pub use run_sink::RunSink;
pub use run_source::RunSource;
pub use unchecked_run::UncheckedRun;
