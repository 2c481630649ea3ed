//! The program that is started as a supervisor.

use std::io;
use std::path::PathBuf;
use std::sync::OnceLock;

/// Who works behind the scenes instead of this program.
static DEPUTY: OnceLock<PathBuf> = OnceLock::new();

/// Has another program work behind the scenes: one whose `main` begins with
/// [`work_behind_the_scenes`](crate::work_behind_the_scenes), as that of the program which uses this crate does
/// not. What is named first counts.
pub fn let_work_behind_the_scenes(program: PathBuf) {
    let _first = DEPUTY.set(program);
}

/// The program that becomes a keeper: this one, even if its file has been replaced meanwhile, or its deputy.
///
/// # Errors
/// If the system does not tell which program this is.
pub(crate) fn keeper() -> io::Result<PathBuf> {
    match DEPUTY.get() {
        Some(deputy) => Ok(deputy.clone()),
        None if cfg!(target_os = "linux") => Ok("/proc/self/exe".into()),
        None => std::env::current_exe(),
    }
}
