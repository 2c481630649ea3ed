//! Attacks on files.

use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::decoy::LINK;
use super::outcome::AttackOutcome;
use super::target::AttackTarget;

pub(super) fn read_passwd(_: &AttackTarget) -> AttackOutcome {
    read(Path::new("/etc/passwd"))
}

pub(super) fn read_foreign(target: &AttackTarget) -> AttackOutcome {
    read(&target.canary())
}

/// The link is in the attack's own folder.
pub(super) fn follow_link(_: &AttackTarget) -> AttackOutcome {
    read(Path::new(LINK))
}

pub(super) fn write_foreign(target: &AttackTarget) -> AttackOutcome {
    let file = OpenOptions::new().append(true).open(target.canary());
    AttackOutcome::from_result(file.and_then(|mut file| file.write_all(b"!")), |()| {
        "it was written".to_owned()
    })
}

pub(super) fn change_mode(target: &AttackTarget) -> AttackOutcome {
    let changed = fs::set_permissions(target.canary(), Permissions::from_mode(0o666));
    AttackOutcome::from_result(changed, |()| "its mode was changed".to_owned())
}

pub(super) fn remove_foreign(target: &AttackTarget) -> AttackOutcome {
    AttackOutcome::from_result(fs::remove_file(target.folder.join("victim")), |()| {
        "it is gone".to_owned()
    })
}

pub(super) fn write_temporary(target: &AttackTarget) -> AttackOutcome {
    write_to(target, &["/tmp", "/var/tmp"])
}

pub(super) fn write_shared_memory(target: &AttackTarget) -> AttackOutcome {
    write_to(target, &["/dev/shm"])
}

/// A process with the terminal open can type into it.
pub(super) fn open_terminal(_: &AttackTarget) -> AttackOutcome {
    let terminal = OpenOptions::new().read(true).write(true).open("/dev/tty");
    AttackOutcome::from_result(terminal, |_| "the terminal was opened".to_owned())
}

fn read(path: &Path) -> AttackOutcome {
    AttackOutcome::from_result(fs::read(path), |bytes| format!("{} bytes were read", bytes.len()))
}

fn write_to(target: &AttackTarget, folders: &[&str]) -> AttackOutcome {
    let mut refused = io::Error::from(io::ErrorKind::NotFound);
    for folder in folders {
        match fs::write(Path::new(folder).join(target.mark()), b"!") {
            Ok(()) => return AttackOutcome::Open(format!("a file was written to {folder}")),
            Err(error) => refused = error,
        }
    }
    AttackOutcome::from_result(Err(refused), |()| String::new())
}
