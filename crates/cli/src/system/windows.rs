//! Windows.

use std::fs::Metadata;

use signal_hook::consts::{SIGINT, SIGTERM};
use tokio::process::Command;

/// The signals that request an orderly end.
pub(crate) const STOP_SIGNALS: [i32; 2] = [SIGINT, SIGTERM];

/// The program that opens a page in the user's browser.
pub(crate) const BROWSER: &str = "explorer";

/// Windows has no such limit.
pub const fn survive_file_size_limit() {}

/// The name of the system. The standard library does not report its version.
pub(crate) fn kernel() -> String {
    "Windows".to_owned()
}

/// The name of this machine.
#[cfg(feature = "workers")]
pub(crate) fn host_name() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_default()
}

/// With whose rights this process runs.
pub(crate) fn effective_user() -> String {
    user_name()
}

/// The name of the user who started this process.
pub(crate) fn user_name() -> String {
    let name = std::env::var("USERNAME").ok().filter(|name| !name.is_empty());
    name.unwrap_or_else(|| "a user of this machine".to_owned())
}

/// Files have no mode here that says so. A bot's program is named by its bot.toml.
pub(crate) fn is_executable(_file: &Metadata) -> bool {
    false
}

/// Keeps the program of a command from Ctrl-C at the console.
pub(crate) fn set_own_group(command: &mut Command) {
    /// `CREATE_NEW_PROCESS_GROUP`.
    const NEW_PROCESS_GROUP: u32 = 0x200;
    command.creation_flags(NEW_PROCESS_GROUP);
}

/// There is no such limit here.
pub(crate) fn raise_file_limit() {}
