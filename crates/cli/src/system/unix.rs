//! Linux, macOS and other Unix systems.

use std::fs::Metadata;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;

use rustix::process::{Resource, Rlimit, geteuid, getrlimit, getuid, setrlimit};
use rustix::system::uname;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;
use tokio::process::Command;

use crate::text::printable;

/// The signals that request an orderly end.
pub(crate) const STOP_SIGNALS: [i32; 3] = [SIGINT, SIGTERM, SIGHUP];

/// From now on a file that may not grow further (`ulimit -f`) is an error of its write, and no longer ends this process. Programs
/// that it starts are not affected.
pub fn survive_file_size_limit() {
    // Otherwise the signal ends the process as before.
    let _registered = flag::register(SIGXFSZ, Arc::default());
}

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
    let user = getuid().as_raw();
    let listed = || name_of(user, &std::fs::read_to_string("/etc/passwd").ok()?);
    name.or_else(listed).unwrap_or_else(|| format!("user {user}"))
}

/// The name of a user by the lines of `/etc/passwd`.
fn name_of(user: u32, lines: &str) -> Option<String> {
    let name = lines.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next().filter(|name| !name.is_empty())?;
        (fields.nth(1)?.parse() == Ok(user)).then_some(name)
    });
    name.map(str::to_owned)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_has_the_name_in_the_list() {
        let lines =
            "root:x:0:0:root:/root:/bin/sh\n:x:7:7::/:\nbroken\nhill:x:990:990::/:/bin/false\n";
        assert_eq!(name_of(0, lines).as_deref(), Some("root"));
        assert_eq!(name_of(990, lines).as_deref(), Some("hill"));
        assert_eq!([7, 5].map(|user| name_of(user, lines)), [None, None]);
    }
}
