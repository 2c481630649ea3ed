//! Who holds a run, and whether bots are isolated in it.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use super::Scratch;
use super::machine::{absent_for, can_isolate, is_told};
use super::outside::{copy, python};

/// What turns it off.
const NO_ISOLATION: &str = "--no-isolation";
/// A user that has no name on any machine.
const NOBODY: u32 = 54_321;

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
        let mut users = User::all();
        users.retain(|user| user.python().is_some());
        users.retain(|user| self == Self::Bare || user.can_isolate());
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
    /// Those that can be had; says which cannot.
    fn all() -> Vec<Self> {
        if is_root() {
            return vec![Self::Ourselves, Self::Nobody];
        }
        eprintln!("not run as another user: only root can become one");
        vec![Self::Ourselves]
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

    /// Whether this machine can isolate the user's bots: the doctor says so, once.
    fn can_isolate(self) -> bool {
        static ABSENT: OnceLock<Vec<String>> = OnceLock::new();
        if self == Self::Ourselves {
            return can_isolate();
        }
        let absent = ABSENT.get_or_init(|| {
            let scratch = Scratch::new();
            open_to_all(&scratch);
            self.give(&scratch.path(""));
            let mut doctor = Command::new(scratch.path("dicehill"));
            self.becomes(&mut doctor);
            absent_for(&mut doctor, &scratch.path(""))
        });
        is_told("another user", absent)
    }

    pub(crate) fn give(self, path: &Path) {
        if self == Self::Nobody {
            std::os::unix::fs::chown(path, Some(NOBODY), Some(NOBODY)).expect("we are root");
        }
    }

    pub(crate) fn becomes(self, command: &mut Command) {
        if self == Self::Nobody {
            // The groups go with it.
            command.uid(NOBODY).gid(NOBODY);
            command.env("PATH", "/usr/local/bin:/usr/bin:/bin");
        }
    }
}

/// Whoever holds a run may not see where the tests are: everybody can come to this folder, and a copy
/// of the program lies in it.
pub(crate) fn open_to_all(scratch: &Scratch) {
    let everybody = fs::Permissions::from_mode(0o755);
    fs::set_permissions(scratch.path(""), everybody).expect("it is ours");
    copy(env!("CARGO_BIN_EXE_dicehill"), &scratch.path("dicehill"));
}
