//! External bots for tests: their sources, and whether processes of theirs are still running.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How long processes may take to end after the command has ended: they end at once, but not on a busy machine. It is
/// shorter than leftover processes of the test bots would live by themselves.
const ENDED_WITHIN: Duration = Duration::from_secs(30);

/// A word that is in the command lines of one test's processes, and nowhere else.
pub(crate) struct Marker(String);

impl Marker {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let next = NEXT.fetch_add(1, Ordering::Relaxed);
        // The last letter keeps a marker from being the prefix of another. The whole is a valid Java name.
        Self(format!("Marked{}x{next}z", std::process::id()))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// The command lines of the running processes that carry the marker, supervisors included.
    pub(crate) fn processes(&self) -> Vec<String> {
        let all = fs::read_dir("/proc").expect("the processes are listed");
        let line = |entry: fs::DirEntry| fs::read(entry.path().join("cmdline")).ok();
        all.filter_map(Result::ok)
            .filter_map(line)
            .map(|line| String::from_utf8_lossy(&line).replace('\0', " "))
            .filter(|line| line.contains(&self.0))
            .collect()
    }

    /// Expects all processes to end by themselves.
    #[track_caller]
    pub(crate) fn expect_no_processes(&self, when: &str) {
        let until = Instant::now() + ENDED_WITHIN;
        // A process that has just been started has its command line a moment later, so one look without any is not enough.
        let mut looks_without_any = 0;
        while looks_without_any < 3 {
            let left = self.processes();
            assert!(left.is_empty() || Instant::now() < until, "{when}: left behind: {left:?}");
            looks_without_any = if left.is_empty() { looks_without_any + 1 } else { 0 };
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// The path of a bot's source.
pub(crate) fn source(name: &str) -> String {
    format!("{}/tests/bots/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// The path of the misbehaving Python bot, which the tests of the crate `link` use too.
pub(crate) fn python_offender() -> String {
    format!("{}/../link/tests/link/offender.py", env!("CARGO_MANIFEST_DIR"))
}

/// The program made of `offender.c`, compiled once.
pub(crate) fn offender() -> &'static str {
    static PROGRAM: OnceLock<String> = OnceLock::new();
    PROGRAM.get_or_init(|| compile_test_program("offender.c", "offender", &[]))
}

/// The program made of `attacker.c`, compiled once.
pub(crate) fn attacker() -> &'static str {
    static PROGRAM: OnceLock<String> = OnceLock::new();
    PROGRAM.get_or_init(|| compile_test_program("attacker.c", "attacker", &["-pthread", "-lrt"]))
}

/// Compiles a C source with these options; returns the path of the result.
pub(crate) fn compile_test_program(source_name: &str, name: &str, options: &[&str]) -> String {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    compile(&source(source_name), &program, options);
    program.into_os_string().into_string().expect("the target folder has a plain name")
}

/// Compiles to a temporary name first, because another run of these tests may be using the program.
fn compile(source: &str, program: &Path, options: &[&str]) {
    let draft = program.with_extension(std::process::id().to_string());
    let mut compiler = Command::new("cc");
    compiler.args(["-O1", "-o"]).arg(&draft).arg(source).args(options);
    assert!(compiler.status().expect("there is a C compiler").success(), "{source}");
    fs::rename(draft, program).expect("the program can be moved");
}

/// Copies a program. Another process does the work: a file that is open for writing here could not be run while a child
/// that is just being started has inherited it.
pub(crate) fn copy(from: &str, to: &Path) {
    let copied = Command::new("cp").arg(from).arg(to).status();
    assert!(copied.expect("there is cp").success(), "{from} cannot be copied");
}

/// The entry of a bot in a hill file that is started by this command.
pub(crate) fn bot(name: &str, command: &[&str]) -> String {
    // TOML and Rust quote the words of the tests in the same way.
    format!("[[bot]]\nname = \"{name}\"\ncommand = {command:?}\n")
}

/// How to start Python at once: the program itself rather than a launcher, and without its site packages.
pub(crate) fn python() -> [&'static str; 2] {
    static PROGRAM: OnceLock<String> = OnceLock::new();
    let found = || {
        let show = ["-c", "import sys; print(sys.executable, end='')"];
        let output = Command::new("python3").args(show).output().expect("there is Python");
        String::from_utf8(output.stdout).expect("Python has a plain name")
    };
    [PROGRAM.get_or_init(found), "-S"]
}

/// The PATH with the folder of Python itself first, so that bots are not started by a program that searches for it.
pub(crate) fn path_with_python() -> OsString {
    let folder = Path::new(python()[0]).parent().expect("it lies in a folder").to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let paths = [folder].into_iter().chain(std::env::split_paths(&path));
    std::env::join_paths(paths).expect("folders of a PATH")
}
