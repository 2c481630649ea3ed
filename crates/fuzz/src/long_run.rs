//! Fuzzing for minutes, as `cargo xtask prove fuzz` requests it by two variables of the environment.

use std::collections::HashSet;
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use crate::corpus;
use crate::outcome;
use crate::report::FuzzReport;
use crate::session::{Crash, Session};

/// The variable with the seconds for each target.
pub const SECONDS_VARIABLE: &str = "DICEHILL_FUZZ_SECONDS";
/// The variable with the folder in which each target has a folder with its report, its crashes, the inputs that joined
/// the corpus, and `current`, the input that it reads.
pub const OUTPUT_VARIABLE: &str = "DICEHILL_FUZZ_OUTPUT";

/// Inputs between two looks at the clock.
const CASES: u32 = 500;
/// The longest that an input may take.
const LONGEST: Duration = Duration::from_secs(30);
/// The most memory that the process may use, in mebibytes.
const MAX_MIB: u64 = 2048;

/// A long run of a target.
pub(crate) struct LongRun {
    folder: PathBuf,
    time: Duration,
}

impl LongRun {
    /// The long run that the environment asks for.
    pub(crate) fn requested(name: &str) -> Option<Self> {
        let seconds = std::env::var(SECONDS_VARIABLE).ok()?.parse().ok()?;
        let folder = PathBuf::from(std::env::var_os(OUTPUT_VARIABLE)?).join(name);
        Some(Self { folder, time: Duration::from_secs(seconds) })
    }

    /// Fuzzes the target and writes its report. A panic does not end it; a hang or too much memory aborts the process, with
    /// the input in `current`.
    pub(crate) fn run(&self, inputs: Vec<Vec<u8>>, read: &dyn Fn(&[u8]) -> String) {
        for folder in ["new", "crashes"] {
            let folder = self.folder.join(folder);
            let _may_be_missing = fs::remove_dir_all(&folder);
            fs::create_dir_all(&folder).expect("the output folder can be written");
        }
        let current = File::create(self.folder.join("current")).expect("it can be written");
        let watch = Watch::default();
        let before = |input: &[u8]| {
            watch.inputs.fetch_add(1, Ordering::Relaxed);
            current.set_len(input.len() as u64).expect("the input can be saved");
            current.write_all_at(input, 0).expect("the input can be saved");
        };
        let joined = |input: &[u8]| self.save("new", input);
        let session = Session::new(read, &before, &joined);
        thread::scope(|scope| {
            scope.spawn(|| watch.run());
            let report = self.fuzz(&session, inputs);
            watch.is_over.store(true, Ordering::Relaxed);
            report.write(&self.folder).expect("the report can be written");
            println!("{report:?}");
        });
    }

    fn fuzz(&self, session: &Session<'_>, inputs: Vec<Vec<u8>>) -> FuzzReport {
        let begun = Instant::now();
        let mut kinds = HashSet::new();
        let mut note = |crash: Crash| {
            if kinds.insert(outcome::kind(&crash.message)) {
                eprintln!("{}: {}", self.folder.display(), crash.message);
                self.save("crashes", &crash.input);
            }
        };
        for input in inputs {
            session.replay(vec![input]).unwrap_or_else(&mut note);
        }
        let corpus = session.pool_size();
        let start = SystemTime::now();
        for round in 0.. {
            if begun.elapsed() >= self.time {
                break;
            }
            session.mutate(CASES, &format!("{start:?} {round}")).unwrap_or_else(&mut note);
        }
        FuzzReport {
            inputs: session.inputs(),
            milliseconds: begun.elapsed().as_millis() as u64,
            corpus,
            grown: session.pool_size() - corpus,
            crashes: kinds.len() as u64,
            peak_mib: memory_mib("VmHWM:"),
        }
    }

    fn save(&self, folder: &str, input: &[u8]) {
        let path: PathBuf = [&self.folder, Path::new(folder), Path::new(&corpus::file_name(input))]
            .into_iter()
            .collect();
        fs::write(path, input).expect("an input can be saved");
    }
}

/// Looks for inputs that take too long or too much memory.
#[derive(Default)]
struct Watch {
    /// The inputs so far.
    inputs: AtomicU64,
    is_over: AtomicBool,
}

impl Watch {
    /// Aborts the process at the first input that takes too long or too much memory.
    fn run(&self) {
        let (mut last, mut since) = (0, Instant::now());
        while !self.is_over.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(200));
            let inputs = self.inputs.load(Ordering::Relaxed);
            if inputs != last {
                (last, since) = (inputs, Instant::now());
            }
            let (elapsed, memory) = (since.elapsed(), memory_mib("VmRSS:"));
            if elapsed > LONGEST || memory > MAX_MIB {
                eprintln!("an input takes {elapsed:?} and the process {memory} MiB");
                std::process::abort();
            }
        }
    }
}

/// A line of the process's status, in mebibytes; 0 where there is none.
fn memory_mib(name: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kib.unwrap_or(0) / 1024
}
