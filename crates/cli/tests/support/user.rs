//! Who holds a run, and whether bots are isolated in it.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::Scratch;
use super::external::{copy, python};
use super::machine::{can_isolate, is_complete, missing_for};

/// What turns it off.
const NO_ISOLATION: &str = "--no-isolation";
/// A user that has no name on any machine.
pub(crate) const UNNAMED_USER: u32 = 54_321;

/// Whether bots are isolated in a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    Isolated,
    Bare,
}

impl Mode {
    pub(crate) fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Bare => &[NO_ISOLATION],
            Self::Isolated => &[],
        }
    }

    /// Who can hold a run of this kind here; says who cannot, and why.
    pub(crate) fn users(self) -> Vec<User> {
        let mut users = vec![User::Ourselves, User::Nobody];
        users.retain(|user| user.can_hold(self));
        users
    }
}

/// Who holds the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum User {
    Ourselves,
    /// Only root can become another user.
    Nobody,
}

fn is_root() -> bool {
    fs::metadata("/proc/self").expect("there is /proc").uid() == 0
}

impl User {
    /// Whether the user can hold a run of this kind here; says why not.
    pub(crate) fn can_hold(self, mode: Mode) -> bool {
        if self == Self::Nobody && !is_root() {
            eprintln!("not run as another user: only root can become one");
            return false;
        }
        self.python().is_some() && (mode == Mode::Bare || self.can_isolate())
    }

    pub(crate) fn is_root(self) -> bool {
        self == Self::Ourselves && is_root()
    }

    /// The user may not reach a Python of ours.
    pub(crate) fn python(self) -> Option<[&'static str; 2]> {
        let systems = Path::new("/usr/bin/python3");
        match self {
            Self::Ourselves => Some(python()),
            Self::Nobody if systems.is_file() => Some(["/usr/bin/python3", "-S"]),
            Self::Nobody => {
                eprintln!("not run as another user: no /usr/bin/python3");
                None
            }
        }
    }

    /// Whether this machine can isolate the user's bots; it is tried once.
    fn can_isolate(self) -> bool {
        static MISSING: OnceLock<Vec<String>> = OnceLock::new();
        if self == Self::Ourselves {
            return can_isolate();
        }
        let missing = MISSING.get_or_init(|| {
            let scratch = Scratch::new();
            open_to_all(&scratch);
            self.give(&scratch.path(""));
            let mut command = Command::new(scratch.path("dicehill"));
            self.becomes(&mut command);
            missing_for(&mut command, &scratch.path(""))
        });
        is_complete("another user", missing)
    }

    pub(crate) fn give(self, path: &Path) {
        if self == Self::Nobody {
            std::os::unix::fs::chown(path, Some(UNNAMED_USER), Some(UNNAMED_USER))
                .expect("we are root");
        }
    }

    pub(crate) fn becomes(self, command: &mut Command) {
        if self == Self::Nobody {
            // The groups go with it.
            command.uid(UNNAMED_USER).gid(UNNAMED_USER);
            command.env("PATH", "/usr/local/bin:/usr/bin:/bin");
        }
    }
}

/// Another user may not see where the tests are: everybody can come to this folder, and the program is in it.
pub(crate) fn open_to_all(scratch: &Scratch) {
    let everybody = fs::Permissions::from_mode(0o755);
    fs::set_permissions(scratch.path(""), everybody).expect("it is ours");
    place_program(scratch.path("dicehill"));
}

/// Copies the program, or links the copy that was last made, as long as its test lasts: the program is large.
fn place_program(to: PathBuf) {
    static LAST: Mutex<Option<PathBuf>> = Mutex::new(None);
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    let is_linked = last.as_ref().is_some_and(|last| fs::hard_link(last, &to).is_ok());
    if !is_linked {
        copy(env!("CARGO_BIN_EXE_dicehill"), &to);
    }
    *last = Some(to);
}
