//! The user that starts a run, and whether its bots are isolated.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::Scratch;
use super::external::{copy, python};
use super::machine::{can_isolate, is_complete, missing_for};

/// The option without isolation.
const NO_ISOLATION: &str = "--no-isolation";
/// A user id that has no name on any machine.
pub(crate) const UNNAMED_USER: u32 = 54_321;

/// Whether bots are isolated in a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Isolation {
    On,
    Off,
}

impl Isolation {
    pub(crate) fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Off => &[NO_ISOLATION],
            Self::On => &[],
        }
    }

    /// The users that can start such a run here; prints which cannot, and why.
    pub(crate) fn users(self) -> Vec<User> {
        let mut users = vec![User::Current, User::Unprivileged];
        users.retain(|user| user.can_run(self));
        users
    }
}

/// The user that starts a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum User {
    Current,
    /// An unprivileged user; only root can switch to it.
    Unprivileged,
}

fn is_root() -> bool {
    fs::metadata("/proc/self").expect("there is /proc").uid() == 0
}

impl User {
    /// Whether the user can start such a run here; prints why not.
    pub(crate) fn can_run(self, isolation: Isolation) -> bool {
        if self == Self::Unprivileged && !is_root() {
            eprintln!("not run as another user: only root can become one");
            return false;
        }
        self.python().is_some() && (isolation == Isolation::Off || self.can_isolate())
    }

    pub(crate) fn is_root(self) -> bool {
        self == Self::Current && is_root()
    }

    /// How this user starts Python: an unprivileged user may not reach the one of the tests.
    pub(crate) fn python(self) -> Option<[&'static str; 2]> {
        let system_python = Path::new("/usr/bin/python3");
        match self {
            Self::Current => Some(python()),
            Self::Unprivileged if system_python.is_file() => Some(["/usr/bin/python3", "-S"]),
            Self::Unprivileged => {
                eprintln!("not run as another user: no /usr/bin/python3");
                None
            }
        }
    }

    /// Whether this machine can isolate the user's bots; it is tried once.
    fn can_isolate(self) -> bool {
        static MISSING: OnceLock<Vec<String>> = OnceLock::new();
        if self == Self::Current {
            return can_isolate();
        }
        let missing = MISSING.get_or_init(|| {
            let scratch = Scratch::new();
            make_accessible(&scratch);
            self.give_ownership(&scratch.path(""));
            let mut command = Command::new(scratch.path("dicehill"));
            self.apply_to(&mut command);
            missing_for(&mut command, &scratch.path(""))
        });
        is_complete("another user", missing)
    }

    pub(crate) fn give_ownership(self, path: &Path) {
        if self == Self::Unprivileged {
            std::os::unix::fs::chown(path, Some(UNNAMED_USER), Some(UNNAMED_USER))
                .expect("we are root");
        }
    }

    pub(crate) fn apply_to(self, command: &mut Command) {
        if self == Self::Unprivileged {
            // Changing the user id drops the supplementary groups too.
            command.uid(UNNAMED_USER).gid(UNNAMED_USER);
            command.env("PATH", "/usr/local/bin:/usr/bin:/bin");
        }
    }
}

/// Lets all users enter this folder, and puts the program there, because another user may not reach the folder of the
/// build.
pub(crate) fn make_accessible(scratch: &Scratch) {
    let permissions = fs::Permissions::from_mode(0o755);
    fs::set_permissions(scratch.path(""), permissions).expect("it is ours");
    place_program(scratch.path("dicehill"));
}

/// Copies the program, or links the last copy if its test still runs: the program is large.
fn place_program(to: PathBuf) {
    static LAST: Mutex<Option<PathBuf>> = Mutex::new(None);
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    let is_linked = last.as_ref().is_some_and(|last| fs::hard_link(last, &to).is_ok());
    if !is_linked {
        copy(env!("CARGO_BIN_EXE_dicehill"), &to);
    }
    *last = Some(to);
}
