//! Runs the command inside the test process, so that solved tables are shared between runs.

use std::ffi::OsString;
use std::io::{self, Cursor, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, Once, PoisonError};

use dicehill::Console;
use rustix::thread::UnshareFlags;

use super::CommandOutput;

/// Runs the command with these arguments and this input in a folder.
pub(super) fn run(folder: &Path, arguments: &[&str], input: &[u8]) -> CommandOutput {
    // Helper processes of the command run its own program, not that of the tests.
    static HELPER_PROGRAM: Once = Once::new();
    HELPER_PROGRAM.call_once(|| {
        dicehill_link::set_helper_program(env!("CARGO_BIN_EXE_dicehill").into());
    });
    let words: Vec<_> = std::iter::once(&"dicehill").chain(arguments).map(OsString::from).collect();
    let [out, err] = [Captured::default(), Captured::default()];
    let console = Console::of_files(Cursor::new(input.to_vec()), out.clone(), err.clone());
    let code = in_folder(folder, || dicehill::run(words, &console));
    CommandOutput { code: code.into(), out: out.text(), err: err.text() }
}

/// Runs `action` in a thread with its own current folder.
fn in_folder<T: Send>(folder: &Path, action: impl FnOnce() -> T + Send) -> T {
    let in_thread = || {
        unshare_current_folder();
        std::env::set_current_dir(folder).expect("the folder is there");
        action()
    };
    std::thread::scope(|scope| {
        let joined = scope.spawn(in_thread).join();
        joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

#[expect(
    unsafe_code,
    reason = "only Linux gives a thread a current folder of its own, and only so"
)]
fn unshare_current_folder() {
    // SAFETY: the flag concerns the current folder, the root and the mask of new files' rights, and no descriptors.
    unsafe { rustix::thread::unshare_unsafe(UnshareFlags::FS) }.expect("every thread may");
}

/// An output stream that is captured.
#[derive(Clone, Default)]
struct Captured(Arc<Mutex<Vec<u8>>>);

impl Captured {
    fn text(&self) -> String {
        let bytes_so_far = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8(bytes_so_far.clone()).expect("output is UTF-8")
    }
}

impl Write for Captured {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
