//! Hills and runs on disk: hill files are read, run logs are written and read.
//!
//! Everything that comes from a file is checked here and turned into the arena's types; an error
//! names the file, the line and the value.

mod bot_folder;
mod file_error;
mod hill_file;
mod run_log;

pub use bot_folder::BotFolder;
pub use file_error::FileError;
pub use hill_file::{BotFile, BotKind, HillFile, HillTerms, MakeReady};
pub use run_log::{LogHeader, LogReader, LogWriter, json_message, save_game};
