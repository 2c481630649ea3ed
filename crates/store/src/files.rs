//! Files of any kind: errors that name the place, locks, and output files that do not follow links.

pub(crate) mod bot_output_folder;
pub(crate) mod command_word;
pub(crate) mod file_access;
pub(crate) mod file_error;
pub(crate) mod file_kind;
pub(crate) mod free_space;
pub(crate) mod json_error;
pub(crate) mod locked_file;
pub(crate) mod regular_file;
pub(crate) mod suggestion;
pub(crate) mod text_value;

pub use bot_output_folder::BotOutputFolder;
pub use command_word::command_word;
pub use file_error::{FileError, is_full, refuse_standard_input, without_os_error};
pub use file_kind::{FileKind, hint_of_other_kind, is_side_file};
pub use free_space::free_bytes;
pub use json_error::json_message;
pub use locked_file::LockedFile;
pub use suggestion::{closest, did_you_mean, did_you_mean_file, did_you_mean_file_at};
