//! Uploaded bots: an upload is unpacked, qualified in isolation, and added to the hill, which plays with it.
//!
//! An upload is admitted with a token (`admission`), read from its form (`upload`), unpacked within limits (`unpack`,
//! `unpack_folder`) and described by a `bot.toml` (`manifest`). It then waits in the queue of its hill (`queue`), which is in
//! the hill's store; its runner (`runner`) starts the `dicehill` command (`command`) and writes its output to the store. The server itself
//! never runs an uploaded bot.

pub(crate) mod account;
pub(crate) mod admission;
mod command;
mod command_output;
pub(crate) mod entry_events;
mod entry_report;
pub(crate) mod environment_content;
pub(crate) mod file_stamp;
mod followed_command;
pub(crate) mod free_disk;
pub(crate) mod host_command;
pub(crate) mod lookup;
mod manifest;
pub(crate) mod member_path;
pub(crate) mod next_run;
mod output_lines;
mod queue;
mod queue_lock;
pub(crate) mod queue_status;
pub(crate) mod remote_entry;
mod runner;
mod unpack;
mod unpack_error;
mod unpack_folder;
pub(crate) mod upload;
pub(crate) mod viewer;

pub(crate) use runner::CHECK_TIMEOUT;
pub(crate) use unpack_error::{MAX_BYTES, MAX_FILES};
