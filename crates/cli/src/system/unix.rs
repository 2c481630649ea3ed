//! Linux, macOS and other Unix systems.

use std::fs::Metadata;
use std::os::unix::fs::PermissionsExt;

use rustix::process::{Resource, Rlimit, geteuid, getrlimit, getuid, setrlimit};
use rustix::system::uname;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use tokio::process::Command;

use crate::text::printable;

/// The signals that request an orderly end.
pub(crate) const STOP_SIGNALS: [i32; 3] = [SIGINT, SIGTERM, SIGHUP];

/// The program that opens a page in the user's browser.
pub(crate) const BROWSER: &str = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };

/// The name of the system and its version.
pub(crate) fn kernel() -> String {
    let names = uname();
    let [system, release] = [names.sysname(), names.release()].map(|text| text.to_string_lossy());
    printable(&format!("{system} {release}"))
}

/// The name of this machine.
#[cfg(feature = "workers")]
pub(crate) fn host_name() -> String {
    uname().nodename().to_string_lossy().into_owned()
}

/// With whose rights this process runs.
pub(crate) fn effective_user() -> String {
    let user = geteuid();
    if user.is_root() { "root".to_owned() } else { format!("uid {}", user.as_raw()) }
}

/// The name of the user who started this process.
pub(crate) fn user_name() -> String {
    let name = std::env::var("USER").or_else(|_| std::env::var("LOGNAME"));
    let name = name.ok().filter(|name| !name.is_empty());
    name.unwrap_or_else(|| format!("user {}", getuid().as_raw()))
}

pub(crate) fn is_executable(file: &Metadata) -> bool {
    file.permissions().mode() & 0o111 != 0
}

/// Keeps the program of a command from the terminal's signals.
pub(crate) fn set_own_group(command: &mut Command) {
    command.process_group(0);
}

/// Raises the limit of open files as far as the system allows: each viewer is a connection, and most systems start
/// with a limit of 1024.
pub(crate) fn raise_file_limit() {
    let limit = getrlimit(Resource::Nofile);
    // With a lower limit the server still works, and further visitors wait.
    let _kept = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
}
