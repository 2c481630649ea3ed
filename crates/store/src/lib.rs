//! Hills and runs on disk: reading hill files, writing, reading and checking run logs and the stores of hills, and the
//! rows of recorded runs as tables.
//!
//! Values from files are checked here and converted to the arena's types. An error names the file, the line and the value.

#[cfg(not(any(feature = "bundled-sqlite", feature = "system-sqlite")))]
compile_error!("choose where SQLite comes from: the feature `bundled-sqlite` or `system-sqlite`");

mod export;
mod files;
mod hill;
mod hill_file;
mod hill_store;
mod run_log;
mod runs;
mod shards;
mod verification;

pub use export::{
    Cell, ColumnKind, ExportColumn, ExportRows, ExportTable, ExportedGame, RowWriter,
};
pub use files::{
    BotOutputFolder, FileError, FileKind, LockedFile, closest, command_word, did_you_mean,
    did_you_mean_file, did_you_mean_file_at, free_bytes, hint_of_other_kind, is_full, is_side_file,
    json_message, refuse_standard_input, without_os_error,
};
pub use hill::{
    Approval, BotKind, BotTerms, EntryKey, EntryTerms, EntryTermsError, EntryWindow, Environment,
    Environments, ExposedHill, HillSettings, ReportAccess, Schedule, ScheduleError,
    UnknownEntryKey, UnknownEnvironment, ZonedTime, ZonedTimeError,
};
pub use hill_file::{BotManifest, BotPreparationError, HillFile, PrepareBot, interpreter_of};
pub use hill_store::{
    EntryRefusal, EntryState, EntryStore, FileDigest, GameOrder, GamePage, HillStore, Host,
    HostAction, NewEntrant, NewUpload, Pruned, Renaming, RunSummary, RunWriter, SecretToken,
    StoredAction, StoredEntrant, StoredEntry, StoredFailure, StoredFile, StoredGames, StoredRun,
    StoredToken, StoredUpload, TokenError, TokenRole, TokenTerms, UnusedCommitment, WholeRuns,
};
pub use run_log::{
    FailureLine, GameLine, LineSection, LogReader, LogWriter, RecordedBot, RunHeader, TornTail,
    TruncatedTail, save_game,
};
pub use runs::{RecordedRun, RunSink, RunSource, StoredGame};
pub use shards::{
    BotBundle, LineCheck, PartHeader, PartState, PartWriter, Parts, PlayedLine, RunPlan,
};
pub use verification::{
    CheckedGames, CheckedStep, Discrepancy, Finding, ImportedRun, RunCheck, VerifiedPart,
};
