//! Hills and runs on disk: reading hill files, and writing, reading and checking run logs and the stores of hills.
//!
//! Values from files are checked here and converted to the arena's types. An error names the file, the line and the value.

mod files;
mod hill;
mod hill_file;
mod hill_store;
mod run_log;
mod runs;
mod verification;

pub use files::{BotFolder, FileError, json_message};
pub use hill::{BotKind, HillRecord, HillTerms};
pub use hill_file::{BotFile, HillFile, MakeReady, NotReady};
pub use hill_store::{
    Direction, EntryBook, EntryState, HillStore, NewEntrant, OpenCommitment, Page, RunSummary,
    RunWriter, SecretToken, StoredEntrant, StoredEntry, StoredFailure, StoredFile, StoredGames,
    StoredRun, StoredToken, TokenError, TokenTerms,
};
pub use run_log::{
    BrokenEnd, FailureLine, GameLine, LogBot, LogGames, LogHeader, LogWriter, save_game,
};
pub use runs::{RecordedRun, RunSink, RunSource, StoredGame, UncheckedRun};
pub use verification::{CheckedGames, CheckedStep, Finding, Holds, ImportedRun, Problem, RunCheck};
