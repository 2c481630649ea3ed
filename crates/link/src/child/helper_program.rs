//! The program that is started as a supervisor.

use std::io;
use std::path::PathBuf;
use std::sync::OnceLock;

/// The program that is started as a helper process instead of this one.
static HELPER_PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Has helper processes run `program` instead of the current one: for programs whose `main` does not begin
/// with [`crate::run_helper_process`], such as tests. The first call counts.
pub fn set_helper_program(program: PathBuf) {
    let _first = HELPER_PROGRAM.set(program);
}

/// The program to start as a supervisor: the current one, even if its file has been replaced, or the one that
/// was set.
///
/// # Errors
/// If the system does not report the path of the current program.
pub(crate) fn helper_program() -> io::Result<PathBuf> {
    match HELPER_PROGRAM.get() {
        Some(program) => Ok(program.clone()),
        None if cfg!(target_os = "linux") => {
            let program = PathBuf::from("/proc/self/exe");
            match program.symlink_metadata() {
                Ok(_) => Ok(program),
                Err(error) => {
                    let message = format!("/proc/self/exe: {error}: mount /proc here");
                    Err(io::Error::new(error.kind(), message))
                }
            }
        }
        None => std::env::current_exe(),
    }
}
