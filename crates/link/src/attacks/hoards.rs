//! Attacks on the disk by more files than a bot may have.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::time::Duration;

use rustix::process::{DumpableBehavior, set_dumpable_behavior};

use super::outcome::AttackOutcome;
use super::processes::LIFETIME;
use super::raw_syscall::{fork, raw_syscall};
use super::resources::fill;
use super::target::AttackTarget;
use crate::isolation::limits::ResourceLimits;

/// Mebibytes of each file, less than one may have.
const FILE_MB: u64 = 48;

/// The number of files: together three times what a folder may hold.
const FILES: u64 = 3 * (ResourceLimits::of_bot(0).folder_bytes >> 20) / FILE_MB;

/// How long the files are held, so that checks can see them even if the disk is slow.
const HOLD: Duration = Duration::from_secs(2);

/// Files with names.
pub(super) fn fill_folder(_: &AttackTarget) -> AttackOutcome {
    let written =
        (0..FILES).try_for_each(|number| fill(File::create(format!("part-{number}"))?, FILE_MB));
    std::thread::sleep(HOLD);
    let outcome = AttackOutcome::from_result(written, |()| held());
    for number in 0..FILES {
        let _may_be_missing = fs::remove_file(format!("part-{number}"));
    }
    outcome
}

/// Files without names in a process whose first thread has ended, so that the process shows neither its descriptors nor
/// its mappings.
pub(super) fn hide_files(_: &AttackTarget) -> AttackOutcome {
    let (mut reader, writer) = match io::pipe() {
        Ok(ends) => ends,
        Err(error) => return AttackOutcome::from_result(Err(error), |()| String::new()),
    };
    let mut writer = Some(writer);
    let hide = || {
        let writer = writer.take();
        std::thread::spawn(move || {
            let files = unnamed_files();
            let word = if files.is_ok() { b"y" } else { b"n" };
            let _best_effort = writer.map(|mut writer| writer.write_all(word));
            std::thread::sleep(LIFETIME);
            drop(files);
            std::process::exit(0)
        });
        #[expect(unsafe_code, reason = "only this thread ends, and not its process")]
        // SAFETY: the call takes no addresses, and nothing of this thread is used afterwards.
        let _never = unsafe { raw_syscall(libc::SYS_exit, &[0]) };
    };
    #[expect(unsafe_code, reason = "a process is copied")]
    // SAFETY: the process of an attack has one thread.
    let copy = unsafe { fork(hide) };
    if let Err(error) = copy {
        return AttackOutcome::from_result(Err(error), |()| String::new());
    }
    drop(writer);
    let mut word = [0];
    let is_held = reader.read_exact(&mut word).is_ok() && word == *b"y";
    std::thread::sleep(HOLD);
    if is_held {
        AttackOutcome::Open(held())
    } else {
        AttackOutcome::Contained("the files could not be written".to_owned())
    }
}

/// Files without names in a process that keeps other processes of its user from reading its descriptors.
pub(super) fn hide_descriptors(_: &AttackTarget) -> AttackOutcome {
    let hidden = set_dumpable_behavior(DumpableBehavior::NotDumpable).map_err(io::Error::from);
    let files = hidden.and_then(|()| unnamed_files());
    std::thread::sleep(HOLD);
    AttackOutcome::from_result(files, |_| held())
}

/// Gives a thread descriptors of its own, in which it could hold files: those of one thread are checked. A thread without the
/// process's memory, which does not exist, is refused as invalid, if it is not refused before.
pub(super) fn separate_descriptors(_: &AttackTarget) -> AttackOutcome {
    let (first, last) = (u32::MAX as usize, u32::MAX as usize);
    let unshare = [first, last, libc::CLOSE_RANGE_UNSHARE as usize];
    #[expect(unsafe_code, reason = "no safe function makes these calls")]
    // SAFETY: the calls take no addresses. No thread is started, and no open descriptor has this number.
    let (cloned, unshared) = unsafe {
        let cloned = raw_syscall(libc::SYS_clone, &[libc::CLONE_THREAD as usize]);
        (cloned, raw_syscall(libc::SYS_close_range, &unshare))
    };
    if cloned.is_err_and(|error| error.raw_os_error() == Some(libc::EINVAL)) {
        return AttackOutcome::Open("it may start such a thread".to_owned());
    }
    AttackOutcome::from_result(unshared, |_| "a thread may separate its own".to_owned())
}

fn unnamed_files() -> io::Result<Vec<File>> {
    let unnamed = |number| {
        let name = format!("hidden-{number}");
        let file = File::create(&name)?;
        fs::remove_file(&name)?;
        fill(file.try_clone()?, FILE_MB).map(|()| file)
    };
    (0..FILES).map(unnamed).collect()
}

fn held() -> String {
    format!("{} MiB were held", FILES * FILE_MB)
}
