//! The command as a part of this program: without a process for each run, what it has solved once stays.

use std::ffi::OsString;
use std::io::{self, Cursor, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, Once, PoisonError};

use dicehill::Console;
use rustix::thread::UnshareFlags;

use super::Ran;

/// Runs the command with these arguments and this input in a folder.
pub(super) fn run(folder: &Path, arguments: &[&str], input: &[u8]) -> Ran {
    // What the children of a run are kept by is the command's own program.
    static KEPT: Once = Once::new();
    KEPT.call_once(|| {
        dicehill_link::let_work_behind_the_scenes(env!("CARGO_BIN_EXE_dicehill").into());
    });
    let words: Vec<_> = std::iter::once(&"dicehill").chain(arguments).map(OsString::from).collect();
    let [out, err] = [Kept::default(), Kept::default()];
    let console = Console::of_files(Cursor::new(input.to_vec()), out.clone(), err.clone());
    let code = in_folder(folder, || dicehill::run(words, &console));
    Ran { code: code.into(), out: out.text(), err: err.text() }
}

/// Does this in a thread whose current folder is this one, whatever that of others is.
fn in_folder<T: Send>(folder: &Path, action: impl FnOnce() -> T + Send) -> T {
    let in_thread = || {
        have_folder_alone();
        std::env::set_current_dir(folder).expect("the folder is there");
        action()
    };
    std::thread::scope(|scope| {
        let done = scope.spawn(in_thread).join();
        done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

#[expect(
    unsafe_code,
    reason = "only Linux gives a thread a current folder of its own, and only so"
)]
fn have_folder_alone() {
    // SAFETY: the flag concerns the current folder, the root and the mask of new files' rights, and no descriptors.
    unsafe { rustix::thread::unshare_unsafe(UnshareFlags::FS) }.expect("every thread may");
}

/// An output that is kept.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl Kept {
    fn text(&self) -> String {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8(kept.clone()).expect("output is UTF-8")
    }
}

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
